//===- LateValues.cpp - Values that wait through products ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/matrix/LateValues.h"

#include "vendor/amd/emit/LaneRegisters.h"
#include "vendor/amd/emit/matrix/MatrixInstructions.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace tilewright::emit;

/// Instructions that one value may take: longer ones wait.
static constexpr unsigned maxInstructions = 24;

/// The number of the lane comes in a register that LLVM keeps.
static bool isLaneNumber(const Value *value) {
  const auto *call = dyn_cast<IntrinsicInst>(value);
  return call && call->getIntrinsicID() == Intrinsic::amdgcn_workitem_id_x;
}

namespace {
class LateValues {
public:
  LateValues(Function &function, TargetMachine &machine)
      : function(function), registers(function, machine), dominators(function), loops(dominators) {}

  void run() {
    SmallVector<BasicBlock *> blocks;
    for (BasicBlock &block : function)
      if (hasProducts(block))
        blocks.push_back(&block);
    for (BasicBlock *block : blocks)
      run(*block);
  }

private:
  void run(BasicBlock &block) {
    product = &block;
    reached.clear();
    reaching.clear();
    comesAfter.clear();
    used.clear();
    computed.clear();
    for (const Instruction &instruction : block)
      for (const Value *operand : instruction.operands())
        used.insert(operand);
    SmallVector<Instruction *> candidates;
    for (Instruction &instruction : instructions(function))
      if (isComputed(&instruction) && isPure(instruction) && !isLaneNumber(&instruction) &&
          waits(instruction))
        candidates.push_back(&instruction);
    // Users first: what only they use goes with them.
    for (Instruction *candidate : reverse(candidates))
      moveUses(*candidate);
  }

  /// Whether `value` is computed again rather than kept: what is in vector registers, and of what
  /// is in scalar ones, what takes one instruction.
  bool isComputed(const Value *value) const { return isOfLanes(value) || isOffset(value); }

  /// Whether `value` is in vector registers.
  bool isOfLanes(const Value *value) const {
    const auto *instruction = dyn_cast<Instruction>(value);
    return instruction && made.contains(instruction) ? ofLanes.contains(value)
                                                     : registers.getBits(value) != 0;
  }

  /// Notes that `again` has been put in front of a block's own instructions, for `value`.
  void addMade(const Instruction *again, const Value *value) {
    made.insert(again);
    if (isOfLanes(value))
      ofLanes.insert(again);
  }

  /// Whether `value` is made before the products, none of which use it.
  bool waits(const Instruction &value) const {
    return !used.contains(&value) && value.getParent() != product &&
           dominators.dominates(value.getParent(), product);
  }

  /// Whether `place` comes after the products: after their loop, or in it to write results, which
  /// not every iteration does.
  bool isBehindProducts(BasicBlock *place) {
    if (reached.empty()) {
      reached.insert(df_begin(product), df_end(product));
      reaching.insert(idf_begin(product), idf_end(product));
    }
    return reached.contains(place) &&
           (!reaching.contains(place) || any_of(function, [&](const BasicBlock &block) {
             return dominators.dominates(place, &block) && storesResults(block);
           }));
  }

  /// The first block that all ways to `block` lead through and not all to the products; null if
  /// `block` itself leads there.
  BasicBlock *findPlace(BasicBlock *block) const {
    BasicBlock *place = nullptr;
    for (DomTreeNode *node = dominators.getNode(block);
         node && !dominators.dominates(node->getBlock(), product); node = node->getIDom())
      place = node->getBlock();
    return place;
  }

  /// Where a loop around the products' loop has `block`, outside of its inner loops; null if
  /// `value` does not come from before that loop. It waits there for the next iteration.
  BasicBlock *findPlaceInOuterLoop(BasicBlock *block, const Instruction &value) const {
    const Loop *inner = loops.getLoopFor(product);
    const Loop *outer = inner ? inner->getParentLoop() : nullptr;
    if (!outer || outer->contains(&value) || !outer->contains(block) || inner->contains(block))
      return nullptr;
    while (loops.getLoopFor(block) != outer)
      block = dominators.getNode(block)->getIDom()->getBlock();
    return block;
  }

  bool isBehind(BasicBlock *place) {
    auto [entry, isNew] = comesAfter.try_emplace(place);
    if (isNew)
      entry->second = isBehindProducts(place);
    return entry->second;
  }

  void moveUses(Instruction &value) {
    MapVector<BasicBlock *, SmallVector<Use *>> places;
    for (Use &use : value.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (made.contains(user))
        continue;
      auto *phi = dyn_cast<PHINode>(user);
      BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
      BasicBlock *place = findPlace(block);
      if (!place || !isBehind(place))
        place = findPlaceInOuterLoop(block, value);
      if (place && place != value.getParent())
        places[place].push_back(&use);
    }
    for (auto &[place, uses] : places) {
      unsigned budget = maxInstructions;
      if (!canCompute(&value, budget))
        return;
      Value *again = compute(&value, place);
      for (Use *use : uses)
        use->set(again);
    }
    if (!value.use_empty())
      return;
    for (auto &entry : ends)
      if (entry.second == &value) {
        Instruction *before = value.getPrevNode();
        entry.second = before && made.contains(before) ? before : nullptr;
      }
    value.removeFromParent();
    value.dropAllReferences();
    replaced.emplace_back(&value);
  }

  /// The origin of a copy that stands in front of a block's own instructions.
  Value *getCopied(Value *value) const {
    auto *copy = dyn_cast<CallInst>(value);
    return copy && copy->isInlineAsm() && made.contains(copy) ? copy->getArgOperand(0) : value;
  }

  /// Whether `value` can be computed anywhere after its place, of what is alive there.
  bool canCompute(Value *value, unsigned &budget) const {
    value = getCopied(value);
    if (!isComputed(value) || used.contains(value) || isLaneNumber(value))
      return true;
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !isPure(*instruction) || budget == 0)
      return false;
    --budget;
    return all_of(instruction->operands(),
                  [&](const Use &operand) { return canCompute(operand, budget); });
  }

  /// Computes `value` at the beginning of `place`.
  Value *compute(Value *value, BasicBlock *place) {
    value = getCopied(value);
    if (!isComputed(value) && !isa<Instruction>(value))
      return value;
    Value *&known = computed[{value, place}];
    if (known)
      return known;
    Instruction *&end = ends[place];
    IRBuilder<> builder(place, end ? std::next(end->getIterator()) : place->getFirstInsertionPt());
    if (!isComputed(value) || used.contains(value) || isLaneNumber(value)) {
      // Unlike the one before the products, so that LLVM does not put them together again.
      if (!value->getType()->isIntegerTy(32))
        return known = value;
      known = registers.createCopy(builder, value);
      if (known != value) {
        end = cast<Instruction>(known);
        addMade(end, value);
      }
      return known;
    }
    Instruction *again = cast<Instruction>(value)->clone();
    for (Use &operand : again->operands())
      operand.set(compute(operand, place));
    Instruction *&last = ends[place];
    again->insertBefore(*place,
                        last ? std::next(last->getIterator()) : place->getFirstInsertionPt());
    last = again;
    addMade(again, value);
    return computed[{value, place}] = again;
  }

  Function &function;
  LaneRegisters registers;
  DominatorTree dominators;
  LoopInfo loops;
  /// The block whose products values wait for, and the operands of its instructions.
  BasicBlock *product = nullptr;
  LaneRegisters::Values used;
  /// The blocks to which ways lead from that one, and those from which ways lead there, with
  /// itself. Empty until they are asked for.
  DenseSet<const BasicBlock *> reached, reaching;
  DenseMap<BasicBlock *, bool> comesAfter;
  DenseMap<std::pair<Value *, BasicBlock *>, Value *> computed;
  /// What has been put in front of blocks' own instructions, and the last of it in each: nothing
  /// that comes later is there for it.
  DenseSet<const Instruction *> made;
  /// Those of them that are in vector registers: the registers' table knows nothing of what is new.
  LaneRegisters::Values ofLanes;
  DenseMap<BasicBlock *, Instruction *> ends;
  /// Instructions in no block any more. They are deleted in the end, so that no new one is taken
  /// for it: the tables here and the registers' know instructions by their addresses.
  SmallVector<unique_value> replaced;
};
} // namespace

void tilewright::emit::computeLateValuesAgain(Function &function, TargetMachine &machine) {
  if (any_of(function, hasProducts))
    LateValues(function, machine).run();
}
