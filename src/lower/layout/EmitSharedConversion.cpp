//===- EmitSharedConversion.cpp - Emission of conversions through shared memory -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/blocks/Branch.h"
#include "lower/layout/EmitConversion.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

//===--------------------------------------------------------------------------===//
// Accesses of plans
//===--------------------------------------------------------------------------===//

/// The elements of a 32-bit word, the first lowest, as an i32; and back.
static Value packWord(LoweringBuilder &e, ValueRange values) {
  Type i32 = e.builder.getI32Type();
  Value word = values.size() > 1 ? e.packVector(values) : values[0];
  return word.getType() == i32 ? word : Value(e.create<LLVM::BitcastOp>(i32, word));
}

static SmallVector<Value> unpackWord(LoweringBuilder &e, Value word, Type memoryType,
                                     unsigned count) {
  if (count > 1)
    return e.unpackVector(e.create<LLVM::BitcastOp>(VectorType::get(count, memoryType), word));
  return {word.getType() == memoryType ? word : Value(e.create<LLVM::BitcastOp>(memoryType, word))};
}

void lower::emitSharedStore(LoweringBuilder &e, const target::CopyAtom &atom, Value pointer,
                            ValueRange values, Value predicate) {
  const unsigned bytes = e.getMemoryBytes(values[0].getType());
  if (atom.issuer == target::Issuer::Lane)
    return e.target.emitStore(e.builder, e.loc, e.packVector(values), pointer,
                              bytes * values.size(), predicate, {});
  const unsigned inWord = 4 / bytes;
  SmallVector<Value> words;
  for (; !values.empty(); values = values.drop_front(inWord))
    words.push_back(packWord(e, values.take_front(inWord)));
  e.target.emitWarpStore(e.builder, e.loc, atom, pointer, words);
}

SmallVector<Value> lower::emitSharedLoad(LoweringBuilder &e, const target::CopyAtom &atom,
                                         Value pointer, unsigned count, Type memoryType,
                                         Value predicate, ValueRange passThrough) {
  const unsigned bytes = e.getMemoryBytes(memoryType);
  if (atom.issuer == target::Issuer::Lane)
    return e.unpackVector(e.target.emitLoad(e.builder, e.loc, VectorType::get(count, memoryType),
                                            pointer, bytes * count, predicate,
                                            predicate ? e.packVector(passThrough) : Value(), {}));
  const unsigned inWord = 4 / bytes;
  SmallVector<Value> values;
  for (Value word : e.target.emitWarpLoad(e.builder, e.loc, atom, pointer, count / inWord))
    values.append(unpackWord(e, word, memoryType, inWord));
  return values;
}

namespace {

/// Conversions through shared memory: see plan::SharedPlan.
class SharedConversion {
public:
  SharedConversion(const plan::SharedPlan &plan, LoweringBuilder &e, RewriterBase &rewriter,
                   Type type, uint64_t scratch)
      : plan(plan), e(e), rewriter(rewriter), type(type), memoryType(e.getMemoryType(type)),
        scratch(scratch) {}

  SmallVector<Value> convert(ValueRange src) {
    SmallVector<Value> memory = llvm::map_to_vector(src, [&](Value v) { return e.toMemory(v); });
    SmallVector<Value> loaded(plan.copies.size());
    Addresses storeAddresses(*this, plan.storeBase), loadAddresses(*this, plan.loadBase);
    for (auto [i, repetition] : llvm::enumerate(plan.repetitions)) {
      if (i)
        meet();
      store(repetition, storeAddresses, memory);
      meet();
      load(repetition, loadAddresses, loaded);
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

    Value get(const plan::SharedAccess &access) {
      LoweringBuilder &e = parent.e;
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
    if (plan.barrier == plan::Barrier::Block)
      e.emitSharedBarrier();
    else
      e.target.emitWarpBarrier(e.builder, e.loc);
  }

  /// How the threads that meet a condition are picked. Lanes of one warp that differ in it need
  /// predicates. Otherwise the warps that do not meet it go around all of the accesses; so do
  /// they around matrix accesses, which have no predicates and take whole warps.
  struct Selection {
    Value predicate, branch;
  };
  Selection select(const plan::ThreadCondition &condition, const target::CopyAtom &atom) {
    Value test = testCondition(e, condition);
    bool lanesDiffer = llvm::any_of(condition.terms, [](const plan::ThreadCondition::Term &term) {
      return term.parity.lanes != 0;
    });
    assert((!lanesDiffer || atom.issuer == target::Issuer::Lane) &&
           "what takes a whole warp has no predicate");
    return lanesDiffer ? Selection{test, {}} : Selection{{}, test};
  }

  //===----------------------------------------------------------------------===//
  // Stores
  //===----------------------------------------------------------------------===//

  void store(const plan::SharedRepetition &repetition, Addresses &addresses,
             ArrayRef<Value> memory) {
    Selection selection = select(repetition.storeCondition, *plan.storeAtom);
    // What may be shared with other repetitions comes before the branch.
    SmallVector<Value> pointers = llvm::map_to_vector(
        repetition.stores, [&](const plan::SharedAccess &access) { return addresses.get(access); });
    auto storeAll = [&] {
      for (auto [access, pointer] : llvm::zip_equal(repetition.stores, pointers)) {
        SmallVector<Value> values =
            llvm::map_to_vector(access.registers, [&](unsigned r) { return memory[r]; });
        emitSharedStore(e, *plan.storeAtom, pointer, values, selection.predicate);
      }
      return SmallVector<Value>();
    };
    if (selection.branch)
      emitBranch(e, rewriter, selection.branch, {}, storeAll);
    else
      storeAll();
  }

  //===----------------------------------------------------------------------===//
  // Loads. Threads that do not load in a repetition keep what they loaded in another; if that is
  // still to come, it does not matter what they have.
  //===----------------------------------------------------------------------===//

  void load(const plan::SharedRepetition &repetition, Addresses &addresses,
            MutableArrayRef<Value> loaded) {
    Selection selection = select(repetition.loadCondition, *plan.loadAtom);
    SmallVector<Value> pointers, before;
    for (const plan::SharedAccess &access : repetition.loads) {
      pointers.push_back(addresses.get(access));
      if (selection.branch || selection.predicate)
        for (unsigned r : access.registers)
          before.push_back(loaded[r] ? loaded[r] : e.create<LLVM::PoisonOp>(memoryType));
    }
    auto loadAll = [&] {
      SmallVector<Value> values;
      for (auto [access, pointer] : llvm::zip_equal(repetition.loads, pointers))
        values.append(load(access, pointer, selection.predicate,
                           ArrayRef(before).drop_front(before.empty() ? 0 : values.size())));
      return values;
    };
    SmallVector<Value> values =
        selection.branch ? emitBranch(e, rewriter, selection.branch, before, loadAll) : loadAll();
    const Value *value = values.begin();
    for (const plan::SharedAccess &access : repetition.loads)
      for (unsigned r : access.registers)
        loaded[r] = *value++;
  }

  /// The elements of one access; where `predicate` is given and false, the first of `before`.
  SmallVector<Value> load(const plan::SharedAccess &access, Value pointer, Value predicate,
                          ArrayRef<Value> before) {
    const unsigned count = access.registers.size();
    return emitSharedLoad(e, *plan.loadAtom, pointer, count, memoryType, predicate,
                          predicate ? ValueRange(before.take_front(count)) : ValueRange());
  }

  const plan::SharedPlan &plan;
  LoweringBuilder &e;
  RewriterBase &rewriter;
  /// An element, and the same in memory.
  Type type, memoryType;
  uint64_t scratch;
};

} // namespace

SmallVector<Value> lower::emitSharedConversion(LoweringBuilder &e, RewriterBase &rewriter,
                                               const plan::SharedPlan &plan, ValueRange src,
                                               Type type, uint64_t scratch) {
  return SharedConversion(plan, e, rewriter, type, scratch).convert(src);
}
