//===- ConvertLayout.cpp - Lowering of layout conversions ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Emits what layout::planConversion says, step by step.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Conversion.h"
#include "lower/common/Patterns.h"
#include "lower/common/SharedMemory.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// The masks of a parity as one mask over the bits of the thread's number.
uint32_t getThreadMask(const layout::ThreadParity &parity, const LoweringContext &context) {
  return parity.lanes | parity.warps << context.laneBits;
}

/// The linear map of the thread's number whose bit k is parities[k].
ThreadBases getParityBases(ArrayRef<uint32_t> masks, const LoweringContext &context) {
  ThreadBases bases(context.threadBits());
  for (auto [k, mask] : llvm::enumerate(masks))
    for (auto [bit, basis] : llvm::enumerate(bases))
      if (mask >> bit & 1)
        basis |= uint64_t(1) << k;
  return bases;
}

/// i1: whether the parity is odd; null where it never is.
Value testParity(Emitter &e, const layout::ThreadParity &parity) {
  uint32_t mask = getThreadMask(parity, e.context);
  if (!mask)
    return {};
  // A single bit is tested where it is.
  ThreadBases bases = getParityBases(mask, e.context);
  if (llvm::isPowerOf2_32(mask))
    bases[llvm::Log2_32(mask)] = mask;
  return e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::ne, e.getThreadValue(bases), e.getI32(0));
}

/// i1: whether the thread meets the condition; null where all do.
Value testCondition(Emitter &e, const layout::ThreadCondition &condition) {
  SmallVector<uint32_t> masks;
  uint64_t expected = 0;
  for (auto [k, term] : llvm::enumerate(condition.terms)) {
    masks.push_back(getThreadMask(term.parity, e.context));
    expected |= uint64_t(term.value) << k;
  }
  return e.testThread(getParityBases(masks, e.context), expected);
}

/// Conversions within a warp: see layout::ShufflePlan.
class ShuffleConversion {
public:
  ShuffleConversion(const layout::ShufflePlan &plan, Emitter &e, Type type)
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

  void swap(SmallVector<Value> &words, const layout::ShufflePlan::SelectStage &stage) {
    Value odd = testParity(e, stage.parity);
    if (!odd)
      return;
    SmallVector<Value> swapped;
    for (size_t i = 0; i < words.size(); ++i)
      swapped.push_back(e.create<LLVM::SelectOp>(odd, words[i ^ stage.wordXor], words[i]));
    words = std::move(swapped);
  }

  SmallVector<Value> route(ArrayRef<Value> words) {
    Value source;
    if (!plan.sourceIsSameLane) {
      SmallVector<uint32_t> masks;
      for (const layout::ThreadParity &parity : plan.sourceLane)
        masks.push_back(getThreadMask(parity, e.context));
      source = e.getThreadValue(getParityBases(masks, e.context));
      if (!source)
        source = e.getI32(0);
    }
    // Lanes by what they differ from the source in.
    llvm::SmallDenseMap<unsigned, Value> lanes;
    SmallVector<Value> routed;
    for (const auto &[from, laneXor] : plan.routes) {
      if (!source) {
        routed.push_back(laneXor ? e.shuffleXor(words[from], laneXor) : words[from]);
        continue;
      }
      Value &lane = lanes[laneXor];
      if (!lane)
        lane = laneXor ? Value(e.create<LLVM::XOrOp>(source, e.getI32(laneXor))) : source;
      routed.push_back(e.shuffle(words[from], [&](Value part) {
        return e.target.shuffleIndexed(e.builder, e.loc, part, lane);
      }));
    }
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

  const layout::ShufflePlan &plan;
  Emitter &e;
  /// An element, and the same in memory.
  Type type, memoryType;
  /// The bits of a word's elements, and the word: i32 or i64.
  Type packed, word;
};

/// Conversions through shared memory: see layout::SharedPlan.
class SharedConversion {
public:
  SharedConversion(const layout::SharedPlan &plan, Emitter &e, Type type, uint64_t scratch)
      : plan(plan), e(e), type(type), memoryType(e.getMemoryType(type)), scratch(scratch) {}

  SmallVector<Value> convert(ValueRange src) {
    SmallVector<Value> memory(src.size());
    auto stored = [&](unsigned r) {
      if (!memory[r])
        memory[r] = e.toMemory(src[r]);
      return memory[r];
    };
    SmallVector<Value> loaded(plan.copies.size());
    Addresses storeAddresses(*this, plan.storeBase), loadAddresses(*this, plan.loadBase);
    for (auto [i, repetition] : llvm::enumerate(plan.repetitions)) {
      if (i)
        meet();
      Value predicate = testCondition(e, repetition.storeCondition);
      for (const layout::SharedAccess &access : repetition.stores) {
        SmallVector<Value> values = llvm::map_to_vector(access.registers, stored);
        e.target.emitStore(e.builder, e.loc, e.packVector(values), storeAddresses.get(access),
                           plan.elementBytes * values.size(), predicate, {});
      }
      meet();
      predicate = testCondition(e, repetition.loadCondition);
      for (const layout::SharedAccess &access : repetition.loads)
        load(access, loadAddresses.get(access), predicate, loaded);
    }
    SmallVector<Value> results;
    for (unsigned copy : plan.copies)
      results.push_back(e.fromMemory(loaded[copy], type));
    return results;
  }

private:
  /// The addresses of one map's accesses: those that differ by an offset that is added share
  /// a base, so that the offset goes into the instruction.
  struct Addresses {
    Addresses(SharedConversion &parent, const layout::LinearLayout &map)
        : parent(parent), bases(getThreadBases(map)) {
      for (uint64_t &basis : bases)
        basis *= parent.plan.elementBytes;
    }

    Value get(const layout::SharedAccess &access) {
      Emitter &e = parent.e;
      Value &base = baseOfXor[access.xorOffset];
      if (!base)
        base = e.addBytes(e.getSharedBase(),
                          e.getIndex(bases, uint64_t(access.xorOffset) * parent.plan.elementBytes));
      return e.addBytes(base,
                        parent.scratch + uint64_t(access.addOffset) * parent.plan.elementBytes);
    }

    SharedConversion &parent;
    ThreadBases bases;
    llvm::SmallDenseMap<uint32_t, Value> baseOfXor;
  };

  void meet() {
    if (plan.barrier == layout::Barrier::Block)
      e.target.emitBlockBarrier(e.builder, e.loc);
    else if (plan.barrier == layout::Barrier::Warp)
      e.target.emitWarpBarrier(e.builder, e.loc);
  }

  // Threads that do not load in this repetition keep what they loaded in another.
  void load(const layout::SharedAccess &access, Value pointer, Value predicate,
            MutableArrayRef<Value> loaded) {
    auto vectorType = VectorType::get(access.registers.size(), memoryType);
    Value passThrough;
    if (predicate) {
      SmallVector<Value> before;
      for (unsigned r : access.registers)
        before.push_back(loaded[r] ? loaded[r] : e.getZero(memoryType));
      passThrough = e.packVector(before);
    }
    Value vector =
        e.target.emitLoad(e.builder, e.loc, vectorType, pointer,
                          plan.elementBytes * access.registers.size(), predicate, passThrough, {});
    for (auto [r, value] : llvm::zip_equal(access.registers, e.unpackVector(vector)))
      loaded[r] = value;
  }

  const layout::SharedPlan &plan;
  Emitter &e;
  /// An element, and the same in memory.
  Type type, memoryType;
  uint64_t scratch;
};

struct ConvertLayoutPattern final : LoweringPattern<ttg::ConvertLayoutOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    using Kind = layout::ConversionPlan::Kind;
    Emitter e(context, rewriter, op.getLoc());
    ValueRange src = adaptor.getSrc();
    Type type = getTypeConverter()->convertType(tt::getElementTypeOrSelf(op.getType()));
    layout::ConversionPlan plan =
        ttg::planConversion(op, context.target.getTarget().sharedMemory());
    SmallVector<Value> registers;
    switch (plan.kind) {
    case Kind::None:
    case Kind::Registers:
      registers = llvm::map_to_vector(plan.registerSources, [&](unsigned r) { return src[r]; });
      break;
    case Kind::Shuffles:
      registers = ShuffleConversion(plan.shuffles, e, type).convert(src);
      break;
    case Kind::SharedMemory: {
      std::optional<uint64_t> offset = getScratchOffset(op);
      if (!offset)
        return reject(op, rewriter, "before allocate-shared-memory has placed its scratch");
      registers = SharedConversion(plan.shared, e, type, *offset).convert(src);
      break;
    }
    case Kind::Unsupported:
      return reject(op, rewriter, "because " + plan.reason);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

} // namespace

void lower::addConvertLayoutPattern(RewritePatternSet &patterns, const TypeConverter &converter,
                                    LoweringContext &context) {
  patterns.add<ConvertLayoutPattern>(converter, context, patterns.getContext());
}
