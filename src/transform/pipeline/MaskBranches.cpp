//===- MaskBranches.cpp - Branches around masks that hold for long ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/MaskBranches.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// Gives `copy` the mask `mask`, or none if that is null.
static void setMask(ttg::AsyncCopyGlobalToLocalOp copy, Value mask) {
  copy.getMaskMutable().clear();
  if (mask)
    copy.getMaskMutable().assign(mask);
  else
    copy.getOtherMutable().clear();
}

namespace {

/// What is left of masks where some comparisons hold.
class MaskReducer {
public:
  MaskReducer(OpBuilder &builder, const llvm::SmallPtrSetImpl<Value> &holding)
      : builder(builder), holding(holding) {}

  /// What is left of `mask`, computed at the builder's place; null if nothing is.
  Value reduce(Value mask) {
    if (holding.contains(mask) || matchPattern(mask, m_One()))
      return {};
    Operation *op = mask.getDefiningOp();
    if (!isMaskOp(op))
      return mask;
    if (auto known = reduced.find(mask); known != reduced.end())
      return known->second;
    SmallVector<Value> parts;
    for (Value operand : op->getOperands())
      if (Value part = reduce(operand))
        parts.push_back(part);
    Value result;
    if (llvm::equal(parts, op->getOperands())) {
      result = mask;
    } else if (parts.size() == op->getNumOperands()) {
      Operation *clone = builder.clone(*op);
      clone->setOperands(parts);
      result = clone->getResult(0);
    } else if (!parts.empty()) {
      result = parts.front();
    }
    return reduced[mask] = result;
  }

private:
  OpBuilder &builder;
  const llvm::SmallPtrSetImpl<Value> &holding;
  llvm::DenseMap<Value, Value> reduced;
};

/// The branches of one loop.
class MaskBranches {
public:
  MaskBranches(scf::ForOp loop, ArrayRef<LoopMask> masks) : loop(loop) {
    for (const LoopMask &mask : masks)
      holding.insert(mask.condition);
    BoundBuilder bounds(loop);
    middle = createMiddle(bounds, masks);
  }

  void run() {
    SmallVector<ttg::AsyncCopyGlobalToLocalOp> copies;
    SmallVector<Operation *> groups;
    auto finishCopies = [&] {
      if (!copies.empty())
        branchAround(copies, groups);
      copies.clear();
      groups.clear();
    };
    for (Operation &op : llvm::make_early_inc_range(*loop.getBody())) {
      if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op); copy && isLighter(copy)) {
        copies.push_back(copy);
      } else if (isa<ttg::AsyncCommitGroupOp>(op)) {
        if (!copies.empty())
          groups.push_back(&op);
      } else if (!isMemoryEffectFree(&op)) {
        finishCopies();
      }
    }
    finishCopies();
    sinkMasks();
  }

private:
  /// Whether the copy has less to do where the comparisons hold.
  bool isLighter(ttg::AsyncCopyGlobalToLocalOp copy) {
    llvm::SmallPtrSet<Value, 8> visited;
    return copy.getMask() && hasHolding(copy.getMask(), visited) &&
           llvm::all_of(copy->getUsers(),
                        [](Operation *user) { return isa<ttg::AsyncCommitGroupOp>(user); });
  }

  bool hasHolding(Value mask, llvm::SmallPtrSetImpl<Value> &visited) {
    if (!visited.insert(mask).second)
      return false;
    Operation *op = mask.getDefiningOp();
    return holding.contains(mask) ||
           (isMaskOp(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
              return hasHolding(operand, visited);
            }));
  }

  /// A branch in front of `op`, with a way for the iterations in which the comparisons hold and one
  /// for others.
  scf::IfOp createBranch(Operation *op) {
    OpBuilder builder(op);
    Value holds = arith::CmpIOp::create(builder, op->getLoc(), arith::CmpIPredicate::slt,
                                        loop.getInductionVar(), middle);
    auto branch = scf::IfOp::create(builder, op->getLoc(), TypeRange(), holds,
                                    /*addThenBlock=*/true, /*addElseBlock=*/true);
    for (Region &region : branch->getRegions()) {
      auto end = OpBuilder::atBlockEnd(&region.front());
      scf::YieldOp::create(end, op->getLoc());
    }
    branches.insert(branch);
    return branch;
  }

  /// Has `copies` in one branch, with the ends of groups that stand between them, `groups`, behind
  /// it.
  void branchAround(ArrayRef<ttg::AsyncCopyGlobalToLocalOp> copies, ArrayRef<Operation *> groups) {
    scf::IfOp branch = createBranch(copies.back());
    for (Operation *group : llvm::reverse(groups))
      if (group->isBeforeInBlock(branch))
        group->moveAfter(branch);
    OpBuilder plain = OpBuilder::atBlockBegin(branch.thenBlock());
    MaskReducer reducer(plain, holding);
    for (ttg::AsyncCopyGlobalToLocalOp copy : copies) {
      Value left = reducer.reduce(copy.getMask());
      setMask(cast<ttg::AsyncCopyGlobalToLocalOp>(plain.clone(*copy)), left);
      // Groups end behind the branch, and say no more what is in them.
      for (Operation *group : llvm::make_early_inc_range(copy->getUsers()))
        group->setOperands(ValueRange());
      copy->moveBefore(branch.elseBlock()->getTerminator());
    }
  }

  /// Moves what only one way of a branch wants there.
  void sinkMasks() {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*loop.getBody()))) {
      if (op.use_empty() || op.getNumRegions() || !isMemoryEffectFree(&op))
        continue;
      Region *region = op.user_begin()->getParentRegion();
      auto branch = dyn_cast<scf::IfOp>(region->getParentOp());
      if (branch && branches.contains(branch) && llvm::all_of(op.getUsers(), [&](Operation *user) {
            return user->getParentRegion() == region;
          }))
        op.moveBefore(&region->front(), region->front().begin());
    }
  }

  scf::ForOp loop;
  /// The comparisons that hold before `middle`.
  llvm::SmallPtrSet<Value, 8> holding;
  Value middle;
  llvm::SmallPtrSet<Operation *, 4> branches;
};

} // namespace

void transform::dropMasks(scf::ForOp loop, const llvm::SmallPtrSetImpl<Value> &holding) {
  OpBuilder builder(loop);
  MaskReducer reducer(builder, holding);
  for (auto copy : loop.getBody()->getOps<ttg::AsyncCopyGlobalToLocalOp>())
    if (copy.getMask()) {
      builder.setInsertionPoint(copy);
      setMask(copy, reducer.reduce(copy.getMask()));
    }
}

void transform::branchOnMasks(scf::ForOp loop, ArrayRef<LoopMask> masks) {
  if (!masks.empty())
    MaskBranches(loop, masks).run();
}
