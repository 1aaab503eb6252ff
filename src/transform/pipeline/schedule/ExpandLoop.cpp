//===- ExpandLoop.cpp - A scheduled loop with overlapping iterations ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/ExpandLoop.h"
#include "ir/ttg/Attributes.h"

#include "ir/ttng/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// Limits the elements that `op` accesses to those of `predicate`: `mask` is its mask.
static void restrictMask(RewriterBase &rewriter, MutableOperandRange mask, Type pointerType,
                         Value predicate) {
  rewriter.setInsertionPoint(mask.getOwner());
  Location loc = mask.getOwner()->getLoc();
  Value restricted = predicate;
  if (isa<RankedTensorType>(pointerType))
    restricted = tt::SplatOp::create(rewriter, loc, tt::getMaskType(pointerType), predicate);
  if (!mask.empty())
    restricted = arith::AndIOp::create(rewriter, loc, restricted, mask[0].get());
  rewriter.modifyOpInPlace(mask.getOwner(), [&] { mask.assign(restricted); });
}

/// Has an op with a predicate, `operand`, do something where `predicate` is true, too.
static void restrictPredicate(RewriterBase &rewriter, OpOperand &operand, Value predicate) {
  rewriter.setInsertionPoint(operand.getOwner());
  Value both =
      rewriter.createOrFold<arith::AndIOp>(operand.getOwner()->getLoc(), predicate, operand.get());
  rewriter.modifyOpInPlace(operand.getOwner(), [&] { operand.set(both); });
}

/// `op` under `predicate`, as a branch. Where it is false, the results are anything.
static Operation *guard(RewriterBase &rewriter, Operation *op, Value predicate) {
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  const bool hasResults = op->getNumResults() != 0;
  auto branch = scf::IfOp::create(rewriter, loc, op->getResultTypes(), predicate,
                                  /*addThenBlock=*/true, /*addElseBlock=*/hasResults);
  rewriter.replaceAllUsesWith(op->getResults(), branch.getResults());
  rewriter.moveOpBefore(op, branch.thenBlock(), branch.thenBlock()->begin());
  if (!hasResults) {
    rewriter.setInsertionPointAfter(op);
    scf::YieldOp::create(rewriter, loc);
    return branch;
  }
  rewriter.setInsertionPointAfter(op);
  scf::YieldOp::create(rewriter, loc, op->getResults());
  rewriter.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> poison;
  for (Type type : op->getResultTypes())
    poison.push_back(ub::PoisonOp::create(rewriter, loc, type));
  scf::YieldOp::create(rewriter, loc, poison);
  return branch;
}

/// Whether `branch` computes nothing where its condition is false.
static bool isSkippable(scf::IfOp branch) {
  return branch.getElseRegion().empty() || llvm::hasSingleElement(*branch.elseBlock());
}

/// Has `branch` taken where `predicate` is true only.
static void restrictCondition(RewriterBase &rewriter, scf::IfOp branch, Value predicate) {
  rewriter.setInsertionPoint(branch);
  Value both = arith::AndIOp::create(rewriter, branch.getLoc(), predicate, branch.getCondition());
  rewriter.modifyOpInPlace(branch, [&] { branch.getConditionMutable().assign(both); });
}

/// Lets `op` have no effect where `predicate` is false. Ops whose effects touch nothing but buffers
/// of the pipeline, whose turn it is, go on as they are.
static Operation *predicate(RewriterBase &rewriter, Operation *op, Value predicate) {
  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    restrictMask(rewriter, load.getMaskMutable(), load.getPtr().getType(), predicate);
    return op;
  }
  if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op)) {
    restrictMask(rewriter, copy.getMaskMutable(), copy.getSrc().getType(), predicate);
    return op;
  }
  if (auto store = dyn_cast<tt::StoreOp>(op)) {
    restrictMask(rewriter, store.getMaskMutable(), store.getPtr().getType(), predicate);
    return op;
  }
  if (auto expect = dyn_cast<ttng::BarrierExpectOp>(op)) {
    restrictPredicate(rewriter, expect.getPredMutable(), predicate);
    return op;
  }
  if (auto copy = dyn_cast<ttng::AsyncTMACopyGlobalToLocalOp>(op)) {
    restrictPredicate(rewriter, copy.getPredMutable(), predicate);
    return op;
  }
  if (auto gather = dyn_cast<ttng::AsyncTMAGatherOp>(op)) {
    restrictPredicate(rewriter, gather.getPredMutable(), predicate);
    return op;
  }
  if (isa<ttg::AsyncCommitGroupOp, ttg::AsyncWaitOp, ttg::LocalLoadOp, ttg::LocalStoreOp>(op) ||
      isPure(op) || (isMemoryEffectFree(op) && isa<tt::ReduceOp, tt::ScanOp>(op)))
    return op;
  if (auto branch = dyn_cast<scf::IfOp>(op); branch && isSkippable(branch)) {
    restrictCondition(rewriter, branch, predicate);
    return op;
  }
  // Also what may not be computed for nothing, as a quotient.
  return guard(rewriter, op, predicate);
}

FailureOr<scf::ForOp> transform::expandLoop(scf::ForOp loop, const LoopSchedule &schedule) {
  scf::PipeliningOption options;
  options.supportDynamicLoops = true;
  options.peelEpilogue = false;
  options.predicateFn = predicate;
  options.getScheduleFn = [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &order) {
    for (Operation *op : schedule.getOrder(loop))
      order.push_back({op, schedule.get(op).stage});
  };
  LoopSchedule::erase(loop);
  NamedAttrList attrs(loop->getDiscardableAttrDictionary());
  attrs.erase(ttg::numStagesAttrName);
  IRRewriter rewriter(loop);
  FailureOr<scf::ForOp> expanded = scf::pipelineForLoop(rewriter, loop, options);
  if (succeeded(expanded))
    (*expanded)->setDiscardableAttrs(attrs.getDictionary(rewriter.getContext()));
  return expanded;
}
