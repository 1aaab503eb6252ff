//===- MaskedBranches.cpp - Expansion of masked accesses into branches --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Three steps: accesses whose lanes have different masks are split until each has one mask
// (SplitAccessMasks.h); accesses that can share branches are collected into runs; runs become
// branches. A run of loads may have several masks: its loads are independent of each other, so that
// those under one mask come together although others stand between them. A run of stores has one
// mask: stores keep their order.
//
//===--------------------------------------------------------------------------===//

#include "emit/MaskedBranches.h"

#include "emit/MaskedAccess.h"
#include "emit/SplitAccessMasks.h"
#include "emit/VectorElements.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::emit;

namespace {

/// Accesses under one mask. Their operands are looked up when they are replaced: those may be
/// results of accesses that have been replaced before.
struct Group {
  Value *mask;
  SmallVector<IntrinsicInst *> calls;
  /// The block under the mask.
  BasicBlock *body = nullptr;
};

/// Accesses that become branches at one place.
struct Run {
  bool isLoads;
  Instruction *first;
  SmallVector<Group, 2> groups;
  /// Instructions between the accesses that do not depend on them; in this order.
  SmallVector<Instruction *> between;
};

} // namespace

//===--------------------------------------------------------------------------===//
// Runs
//===--------------------------------------------------------------------------===//

namespace {
/// Walks through the instructions of a block and finds the runs.
class RunFinder {
public:
  explicit RunFinder(SmallVectorImpl<Run> &runs) : runs(runs) {}

  void visit(Instruction &instruction) {
    if (std::optional<MaskedAccess> access = matchMaskedAccess(instruction))
      return visitAccess(*access);
    if (!isOpen)
      return;
    Run &run = runs.back();
    // What comes after a run's last access does not matter to it, but whether there is
    // another access is not known yet.
    if ((instruction.mayHaveSideEffects() && !isa<AssumeInst>(instruction)) ||
        instruction.isTerminator() ||
        (!run.isLoads && instruction.mayReadFromMemory() && !isa<AssumeInst>(instruction)))
      isOpen = false;
    else if (!usesLoaded(instruction))
      pending.push_back(&instruction);
    else if (isRearrangement(instruction))
      loaded.insert(&instruction);
    else
      isOpen = false;
  }

private:
  void visitAccess(const MaskedAccess &access) {
    Value *mask = getSplatValue(access.mask);
    const bool joins = isOpen && runs.back().isLoads == access.isLoad &&
                       !usesLoaded(*access.call) &&
                       (access.isLoad || runs.back().groups.front().mask == mask);
    if (!joins) {
      runs.push_back({access.isLoad, access.call, {}, {}});
      loaded.clear();
      pending.clear();
      isOpen = true;
    }
    Run &run = runs.back();
    append_range(run.between, pending);
    pending.clear();
    auto group = find_if(run.groups, [&](const Group &group) { return group.mask == mask; });
    if (group == run.groups.end())
      group = &run.groups.emplace_back(Group{mask, {}});
    group->calls.push_back(access.call);
    if (access.isLoad)
      loaded.insert(access.call);
  }

  bool usesLoaded(const Instruction &instruction) const {
    return any_of(instruction.operands(), [&](Value *operand) { return loaded.contains(operand); });
  }

  /// Whether `instruction` computes nothing: a load may move up past the rearrangement of what
  /// others have loaded, but not past a computation, whose operands would be kept in
  /// registers for longer.
  static bool isRearrangement(const Instruction &instruction) {
    return isa<CastInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst, ExtractValueInst,
               InsertValueInst, FreezeInst>(instruction);
  }

  SmallVectorImpl<Run> &runs;
  /// Whether an access can still join the last run.
  bool isOpen = false;
  /// The loads of the last run, rearranged or not.
  SmallPtrSet<Value *, 16> loaded;
  /// Instructions after the last access of the run that do not depend on it.
  SmallVector<Instruction *> pending;
};
} // namespace

//===--------------------------------------------------------------------------===//
// Branches
//===--------------------------------------------------------------------------===//

/// The access as a plain one. A load gives what it has read: a scalar instead of a vector of one
/// element.
static Instruction *createPlain(const MaskedAccess &access, IRBuilderBase &builder) {
  const bool isScalar = access.type->getNumElements() == 1;
  Type *type = isScalar ? access.type->getElementType() : access.type;
  Instruction *plain;
  if (access.isLoad)
    plain = builder.CreateAlignedLoad(type, access.address, access.alignment);
  else
    plain =
        builder.CreateAlignedStore(isScalar ? getElement(access.value, 0, builder) : access.value,
                                   access.address, access.alignment);
  plain->copyMetadata(*access.call);
  return plain;
}

/// Gives the users of `load` the value `result`: a vector, or the one element. What has no use any
/// more goes to `dead`: other runs may still know it.
static void replaceLoad(IntrinsicInst *load, Value *result, IRBuilderBase &builder,
                        SmallVectorImpl<WeakTrackingVH> &dead) {
  if (result->getType() == load->getType())
    load->replaceAllUsesWith(result);
  else
    replaceByElements(*load, [&](unsigned) { return result; }, builder, dead);
}

/// Branches around the accesses of each group in front of `run.first`, which are empty yet; with
/// `weights`, if not null.
static void splitAt(Run &run, MDNode *weights) {
  for (Instruction *instruction : run.between)
    instruction->moveBefore(run.first->getIterator());
  for (Group &group : run.groups) {
    const MaskedAccess access = *matchMaskedAccess(*group.calls.front());
    group.body = SplitBlockAndInsertIfThen(getSplatValue(access.mask), run.first->getIterator(),
                                           /*Unreachable=*/false, weights)
                     ->getParent();
  }
}

/// Puts the accesses of `group` into its branch.
static void fillBranch(const Group &group, SmallVectorImpl<WeakTrackingVH> &dead) {
  SmallVector<MaskedAccess> accesses;
  for (IntrinsicInst *call : group.calls)
    accesses.push_back(*matchMaskedAccess(*call));
  BasicBlock *body = group.body;
  BasicBlock *head = body->getSinglePredecessor(), *tail = body->getSingleSuccessor();
  body->setName("masked");
  IRBuilder<> before(head->getTerminator());
  // A value that is there without the branch has to be computed before it.
  SmallVector<Value *> others;
  for (const MaskedAccess &access : accesses)
    others.push_back(access.isLoad && access.type->getNumElements() == 1
                         ? getElement(access.value, 0, before)
                         : access.value);
  IRBuilder<> on(body->getTerminator()), next(tail, tail->getFirstNonPHIIt());
  for (auto [access, other] : zip_equal(accesses, others)) {
    on.SetCurrentDebugLocation(access.call->getDebugLoc());
    Instruction *plain = createPlain(access, on);
    if (!access.isLoad)
      continue;
    next.SetCurrentDebugLocation(access.call->getDebugLoc());
    PHINode *result = PHINode::Create(plain->getType(), 2);
    result->insertInto(tail, tail->getFirstNonPHIIt());
    result->addIncoming(plain, body);
    result->addIncoming(other, head);
    result->takeName(access.call);
    replaceLoad(access.call, result, next, dead);
  }
}

static void fillBranches(const Run &run, SmallVectorImpl<WeakTrackingVH> &dead) {
  for (const Group &group : run.groups)
    fillBranch(group, dead);
  for (const Group &group : run.groups)
    for (IntrinsicInst *call : group.calls) {
      dead.append(call->arg_begin(), call->arg_end());
      call->eraseFromParent();
    }
}

/// Those that are not at the start of a function when it is split into blocks would be made anew
/// each time that control comes by.
static void moveAllocasToStart(BasicBlock &entry) {
  Instruction *first = &*entry.getFirstNonPHIOrDbgOrAlloca();
  for (Instruction &instruction : make_early_inc_range(entry))
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction);
        alloca && alloca->isStaticAlloca() && first->comesBefore(alloca))
      alloca->moveBefore(first->getIterator());
}

bool tilewright::emit::expandMaskedAccessesToBranches(Function &function, bool areLikelyOn) {
  const bool changed = splitAccessMasks(function);
  SmallVector<Run> runs;
  for (BasicBlock &block : function) {
    RunFinder finder(runs);
    for (Instruction &instruction : block)
      finder.visit(instruction);
  }
  if (runs.empty())
    return changed;
  MDNode *weights =
      areLikelyOn ? MDBuilder(function.getContext()).createLikelyBranchWeights() : nullptr;
  moveAllocasToStart(function.getEntryBlock());
  SmallVector<WeakTrackingVH> dead;
  // From the last to the first: what is after a run goes to a block of its own, and would
  // otherwise go on to the next with every run.
  for (Run &run : reverse(runs))
    splitAt(run, weights);
  for (const Run &run : runs)
    fillBranches(run, dead);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  return true;
}
