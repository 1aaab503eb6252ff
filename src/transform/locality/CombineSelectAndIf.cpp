//===- CombineSelectAndIf.cpp - Selects moved into the branch on their condition -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     s = select c, a, b                        s, r = if c { ..; yield a, x }
//     r = if c { ..s.. ; yield x }       =>             else { ..; yield b, y }
//         else { ..s.. ; yield y }              use of s
//     use of s
//
// A select of tensors takes instructions for each element, the branch is there anyway. In the
// branch itself s is a or b.
//
//===--------------------------------------------------------------------------===//

#include "transform/locality/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONGPUCOMBINETENSORSELECTANDIF
#include "transform/locality/Passes.h.inc"
} // namespace tilewright::transform

/// Whether `select`, a choice of tensors, can be a result of `branch`: it stands before it, and
/// nothing between the two uses it.
static bool canBeResultOf(arith::SelectOp select, scf::IfOp branch) {
  Block *block = branch->getBlock();
  if (!isa<RankedTensorType>(select.getType()) || select->getBlock() != block ||
      !select->isBeforeInBlock(branch))
    return false;
  return llvm::all_of(select->getUsers(), [&](Operation *user) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    // A use in another block comes after this one has ended.
    return !ancestor || ancestor == branch || branch->isBeforeInBlock(ancestor);
  });
}

/// `branch` with the choices of `selects` as further results.
static void combine(scf::IfOp branch, ArrayRef<arith::SelectOp> selects) {
  OpBuilder builder(branch);
  SmallVector<Type> types(branch.getResultTypes());
  for (arith::SelectOp select : selects)
    types.push_back(select.getType());
  auto wider = scf::IfOp::create(builder, branch.getLoc(), types, branch.getCondition(),
                                 /*addThenBlock=*/false, /*addElseBlock=*/false);
  wider->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  for (bool isThen : {true, false}) {
    unsigned index = isThen ? 0 : 1;
    Region &region = wider->getRegion(index);
    region.takeBody(branch->getRegion(index));
    if (region.empty()) {
      builder.createBlock(&region);
      scf::YieldOp::create(builder, branch.getLoc());
    }
    auto yield = cast<scf::YieldOp>(region.front().getTerminator());
    for (arith::SelectOp select : selects) {
      Value choice = isThen ? select.getTrueValue() : select.getFalseValue();
      select.getResult().replaceUsesWithIf(choice, [&](OpOperand &use) {
        return region.isAncestor(use.getOwner()->getParentRegion());
      });
      yield.getResultsMutable().append(choice);
    }
  }
  unsigned count = branch.getNumResults();
  branch->replaceAllUsesWith(wider.getResults().take_front(count));
  branch.erase();
  for (auto [i, select] : llvm::enumerate(selects)) {
    Operation *op = select;
    op->replaceAllUsesWith(wider->getResults().slice(count + i, 1));
    op->erase();
  }
}

namespace {

struct CombineTensorSelectAndIf
    : transform::impl::TritonGPUCombineTensorSelectAndIfBase<CombineTensorSelectAndIf> {
  void runOnOperation() override {
    SmallVector<scf::IfOp> branches;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::IfOp branch) { branches.push_back(branch); });
    for (scf::IfOp branch : branches) {
      llvm::SmallSetVector<Operation *, 4> users;
      for (Operation *user : branch.getCondition().getUsers())
        users.insert(user);
      SmallVector<arith::SelectOp> selects;
      for (Operation *user : users)
        if (auto select = dyn_cast<arith::SelectOp>(user);
            select && select.getCondition() == branch.getCondition() &&
            canBeResultOf(select, branch))
          selects.push_back(select);
      llvm::sort(selects, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
      if (!selects.empty())
        combine(branch, selects);
    }
  }
};

} // namespace
