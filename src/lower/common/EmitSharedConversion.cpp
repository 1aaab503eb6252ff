//===- EmitSharedConversion.cpp - Conversions through shared memory -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/common/Branch.h"
#include "lower/common/EmitConversion.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

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

/// Conversions through shared memory: see layout::SharedPlan.
class SharedConversion {
public:
  SharedConversion(const layout::SharedPlan &plan, Emitter &e, RewriterBase &rewriter, Type type,
                   uint64_t scratch)
      : plan(plan), e(e), rewriter(rewriter), type(type), memoryType(e.getMemoryType(type)),
        scratch(scratch) {}

  SmallVector<Value> convert(ValueRange src) {
    SmallVector<Value> memory = llvm::map_to_vector(src, [&](Value v) { return e.toMemory(v); });
    SmallVector<Value> loaded(plan.copies.size());
    Addresses storeAddresses(*this, plan.storeBase), loadAddresses(*this, plan.loadBase);
    for (auto [i, repetition] : llvm::enumerate(plan.repetitions)) {
      if (i)
        meet();
      Value predicate = testCondition(e, repetition.storeCondition);
      if (plan.storeKind == layout::AccessKind::Vector)
        storeVectors(repetition, storeAddresses, predicate, memory);
      else
        storeMatrices(repetition, storeAddresses, predicate, memory);
      meet();
      predicate = testCondition(e, repetition.loadCondition);
      if (plan.loadKind == layout::AccessKind::Vector)
        loadVectors(repetition, loadAddresses, predicate, loaded);
      else
        loadMatrices(repetition, loadAddresses, predicate, loaded);
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

  //===----------------------------------------------------------------------===//
  // Vectors
  //===----------------------------------------------------------------------===//

  void storeVectors(const layout::SharedRepetition &repetition, Addresses &addresses,
                    Value predicate, ArrayRef<Value> memory) {
    for (const layout::SharedAccess &access : repetition.stores) {
      SmallVector<Value> values =
          llvm::map_to_vector(access.registers, [&](unsigned r) { return memory[r]; });
      e.target.emitStore(e.builder, e.loc, e.packVector(values), addresses.get(access),
                         plan.elementBytes * values.size(), predicate, {});
    }
  }

  void loadVectors(const layout::SharedRepetition &repetition, Addresses &addresses,
                   Value predicate, MutableArrayRef<Value> loaded) {
    for (const layout::SharedAccess &access : repetition.loads) {
      auto vectorType = VectorType::get(access.registers.size(), memoryType);
      Value passThrough = predicate ? e.packVector(getLoaded(access, loaded)) : Value();
      Value vector = e.target.emitLoad(e.builder, e.loc, vectorType, addresses.get(access),
                                       plan.elementBytes * access.registers.size(), predicate,
                                       passThrough, {});
      setLoaded(access, e.unpackVector(vector), loaded);
    }
  }

  //===----------------------------------------------------------------------===//
  // Matrices. They take whole warps, so a predicate is the same in all threads of one: those
  // where it is false go around the accesses.
  //===----------------------------------------------------------------------===//

  unsigned elementsPerWord() const { return 4 / plan.elementBytes; }

  void storeMatrices(const layout::SharedRepetition &repetition, Addresses &addresses,
                     Value predicate, ArrayRef<Value> memory) {
    SmallVector<Value> pointers;
    SmallVector<SmallVector<Value>> words;
    for (const layout::SharedAccess &access : repetition.stores) {
      pointers.push_back(addresses.get(access));
      SmallVector<Value> values =
          llvm::map_to_vector(access.registers, [&](unsigned r) { return memory[r]; });
      SmallVector<Value> &packed = words.emplace_back();
      for (ValueRange rest = values; !rest.empty(); rest = rest.drop_front(elementsPerWord()))
        packed.push_back(packWord(rest.take_front(elementsPerWord())));
    }
    auto storeAll = [&] {
      for (auto [pointer, packed] : llvm::zip_equal(pointers, words))
        e.target.emitMatrixStore(e.builder, e.loc, pointer, packed,
                                 plan.storeKind == layout::AccessKind::TransposedMatrix);
      return SmallVector<Value>();
    };
    if (predicate)
      emitBranch(e, rewriter, predicate, {}, storeAll);
    else
      storeAll();
  }

  void loadMatrices(const layout::SharedRepetition &repetition, Addresses &addresses,
                    Value predicate, MutableArrayRef<Value> loaded) {
    SmallVector<Value> pointers, before;
    for (const layout::SharedAccess &access : repetition.loads) {
      pointers.push_back(addresses.get(access));
      if (predicate)
        before.append(getLoaded(access, loaded));
    }
    auto loadAll = [&] {
      SmallVector<Value> values;
      for (auto [access, pointer] : llvm::zip_equal(repetition.loads, pointers))
        for (Value word : e.target.emitMatrixLoad(
                 e.builder, e.loc, pointer, access.registers.size() / elementsPerWord(),
                 plan.loadKind == layout::AccessKind::TransposedMatrix))
          values.append(unpackWord(word));
      return values;
    };
    SmallVector<Value> values =
        predicate ? emitBranch(e, rewriter, predicate, before, loadAll) : loadAll();
    ArrayRef<Value> rest = values;
    for (const layout::SharedAccess &access : repetition.loads) {
      setLoaded(access, rest.take_front(access.registers.size()), loaded);
      rest = rest.drop_front(access.registers.size());
    }
  }

  /// The elements of a 32-bit word, the first lowest, as an i32; and back.
  Value packWord(ValueRange values) {
    Type i32 = e.builder.getI32Type();
    Value word = values.size() > 1 ? e.packVector(values) : values[0];
    return word.getType() == i32 ? word : e.create<LLVM::BitcastOp>(i32, word);
  }
  SmallVector<Value> unpackWord(Value word) {
    if (elementsPerWord() > 1)
      return e.unpackVector(
          e.create<LLVM::BitcastOp>(VectorType::get(elementsPerWord(), memoryType), word));
    return {word.getType() == memoryType ? word : e.create<LLVM::BitcastOp>(memoryType, word)};
  }

  //===----------------------------------------------------------------------===//
  // What has been loaded. Threads that do not load in a repetition keep what they loaded in
  // another; if that is still to come, it does not matter what they have.
  //===----------------------------------------------------------------------===//

  SmallVector<Value> getLoaded(const layout::SharedAccess &access, ArrayRef<Value> loaded) {
    return llvm::map_to_vector(access.registers, [&](unsigned r) {
      return loaded[r] ? loaded[r] : e.create<LLVM::PoisonOp>(memoryType);
    });
  }
  static void setLoaded(const layout::SharedAccess &access, ArrayRef<Value> values,
                        MutableArrayRef<Value> loaded) {
    for (auto [r, value] : llvm::zip_equal(access.registers, values))
      loaded[r] = value;
  }

  const layout::SharedPlan &plan;
  Emitter &e;
  RewriterBase &rewriter;
  /// An element, and the same in memory.
  Type type, memoryType;
  uint64_t scratch;
};

} // namespace

SmallVector<Value> lower::emitSharedConversion(Emitter &e, RewriterBase &rewriter,
                                               const layout::SharedPlan &plan, ValueRange src,
                                               Type type, uint64_t scratch) {
  return SharedConversion(plan, e, rewriter, type, scratch).convert(src);
}
