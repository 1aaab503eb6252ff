//===- EmitShuffles.cpp - Emission of conversions within a warp ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/builder/SourceLane.h"
#include "lower/layout/EmitConversion.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

uint32_t lower::getThreadMask(const plan::ThreadParity &parity, const LoweringContext &context) {
  return parity.lanes | parity.warps << context.laneBits;
}

ThreadBases lower::getParityBases(ArrayRef<uint32_t> masks, LoweringBuilder &e) {
  ThreadBases bases(e.threadBits());
  for (auto [k, mask] : llvm::enumerate(masks))
    for (auto [bit, basis] : llvm::enumerate(bases))
      if (mask >> bit & 1)
        basis |= uint64_t(1) << k;
  return bases;
}

Value lower::testParity(LoweringBuilder &e, const plan::ThreadParity &parity) {
  uint32_t mask = getThreadMask(parity, e.context);
  if (!mask)
    return {};
  // A single bit is tested where it is.
  ThreadBases bases = getParityBases(mask, e);
  if (llvm::isPowerOf2_32(mask))
    bases[llvm::Log2_32(mask)] = mask;
  return e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::ne, e.getThreadValue(bases), e.getI32(0));
}

Value lower::testCondition(LoweringBuilder &e, const plan::ThreadCondition &condition) {
  ThreadBases inPlace(e.threadBits()), gathered(inPlace);
  uint64_t expectedInPlace = 0, expectedGathered = 0;
  bool singleBits = true;
  for (auto [k, term] : llvm::enumerate(condition.terms)) {
    uint32_t mask = getThreadMask(term.parity, e.context);
    for (auto [bit, basis] : llvm::enumerate(gathered))
      if (mask >> bit & 1)
        basis |= uint64_t(1) << k;
    expectedGathered |= uint64_t(term.value) << k;
    singleBits &= llvm::isPowerOf2_32(mask);
    if (!singleBits)
      continue;
    inPlace[llvm::Log2_32(mask)] = mask;
    expectedInPlace |= term.value ? mask : 0;
  }
  // Single bits are tested where they are: one AND.
  return singleBits ? e.testThread(inPlace, expectedInPlace)
                    : e.testThread(gathered, expectedGathered);
}

namespace {

/// Conversions within a warp: see plan::ShufflePlan.
class ShuffleConversion {
public:
  ShuffleConversion(const plan::ShufflePlan &plan, LoweringBuilder &e, Type type)
      : plan(plan), e(e), type(type), memoryType(e.getMemoryType(type)),
        packed(e.builder.getIntegerType(memoryType.getIntOrFloatBitWidth() * plan.elementsPerWord)),
        word(e.builder.getIntegerType(32 * plan.registersPerWord)) {}

  SmallVector<Value> convert(ValueRange src) {
    SmallVector<Value> words;
    for (const std::vector<unsigned> &registers : plan.pack)
      words.push_back(pack(src, registers));
    for (const auto &stage : plan.before)
      swap(words, stage);
    words = route(words);
    for (const auto &stage : plan.after)
      swap(words, stage);
    return unpackAll(words);
  }

private:
  Value pack(ValueRange src, ArrayRef<unsigned> registers) {
    SmallVector<Value> elements =
        llvm::map_to_vector(registers, [&](unsigned r) { return e.toMemory(src[r]); });
    Value value = elements.size() > 1 ? e.packVector(elements) : elements[0];
    if (value.getType() != packed)
      value = e.create<LLVM::BitcastOp>(packed, value);
    return packed == word ? value : Value(e.create<LLVM::ZExtOp>(word, value));
  }

  SmallVector<Value> unpack(Value value) {
    if (packed != word)
      value = e.create<LLVM::TruncOp>(packed, value);
    if (plan.elementsPerWord > 1)
      return e.unpackVector(
          e.create<LLVM::BitcastOp>(VectorType::get(plan.elementsPerWord, memoryType), value));
    if (packed != memoryType)
      value = e.create<LLVM::BitcastOp>(memoryType, value);
    return {value};
  }

  void swap(SmallVector<Value> &words, const plan::ShufflePlan::SelectStage &stage) {
    Value odd = testParity(e, stage.parity);
    if (!odd)
      return;
    SmallVector<Value> swapped;
    for (size_t i = 0; i < words.size(); ++i)
      swapped.push_back(e.create<LLVM::SelectOp>(odd, words[i ^ stage.wordXor], words[i]));
    words = std::move(swapped);
  }

  SmallVector<Value> route(ArrayRef<Value> words) {
    ThreadBases source;
    if (!plan.sourceIsSameLane) {
      SmallVector<uint32_t> masks;
      for (const plan::ThreadParity &parity : plan.sourceLane)
        masks.push_back(getThreadMask(parity, e.context));
      source = getParityBases(masks, e);
    }
    // Lanes by what they differ from the source in.
    std::map<unsigned, SourceLane> lanes;
    SmallVector<Value> routed;
    for (const auto &[from, laneXor] : plan.routes)
      if (plan.sourceIsSameLane)
        routed.push_back(laneXor ? e.shuffleXor(words[from], laneXor) : words[from]);
      else
        routed.push_back(
            lanes.try_emplace(laneXor, e, source, laneXor).first->second.shuffle(words[from]));
    return routed;
  }

  SmallVector<Value> unpackAll(ArrayRef<Value> words) {
    SmallVector<SmallVector<Value>> elements(words.size());
    SmallVector<Value> results;
    for (const auto &[index, position] : plan.unpack) {
      if (elements[index].empty())
        elements[index] = unpack(words[index]);
      results.push_back(e.fromMemory(elements[index][position], type));
    }
    return results;
  }

  const plan::ShufflePlan &plan;
  LoweringBuilder &e;
  /// An element, and the same in memory.
  Type type, memoryType;
  /// The bits of a word's elements, and the word: i32 or i64.
  Type packed, word;
};

} // namespace

SmallVector<Value> lower::emitShuffles(LoweringBuilder &e, const plan::ShufflePlan &plan,
                                       ValueRange src, Type type) {
  return ShuffleConversion(plan, e, type).convert(src);
}
