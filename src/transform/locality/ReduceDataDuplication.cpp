//===- ReduceDataDuplication.cpp - Conversions shared between their users -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A conversion's own plan already stores each element once, whatever copies of it the
// source layout has, and lets each thread of a duplicating destination read what it
// needs. What it cannot know is that different elements are equal, or that some of their
// bits are redundant. The op before or after the conversion knows:
//
//     convert(broadcast(x))  ->  broadcast(convert(x))
//     convert(extend(x))     ->  extend(convert(x))
//     truncate(convert(x))   ->  convert(truncate(x))
//
// Nothing is exchanged where the conversion costs no less on the smaller tensor, as when no
// element changes its thread.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/Conversion.h"
#include "transform/layout/LayoutTypes.h"
#include "transform/locality/Passes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONGPUREDUCEDATADUPLICATION
#include "transform/locality/Passes.h.inc"
} // namespace tilewright::transform

/// `type` in the layout of `like`.
static RankedTensorType withLayoutOf(Type like, Type type) {
  return transform::withLayout(type, transform::getLayout(like));
}

/// Whether moving a tensor of type `small` between two layouts costs less than one of type
/// `large`: that of the operand of `convert`.
static bool isCheaper(ttg::ConvertLayoutOp convert, Type small) {
  auto cost = [&](Type type) {
    const Result<plan::ConversionPlan> &plan =
        ttg::planConversion(withLayoutOf(convert.getSrc().getType(), type),
                            withLayoutOf(convert.getType(), type), ttg::getPlanCache(convert));
    return plan ? std::optional<unsigned>(plan->cost) : std::nullopt;
  };
  std::optional<unsigned> now = cost(convert.getType()), then = cost(small);
  return now && then && *then < *now;
}

/// An op from one tensor to another of the same layout, larger in elements or in bits.
static bool enlarges(Operation *op) {
  if (isa<tt::BroadcastOp>(op))
    return true;
  return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp, arith::UIToFPOp,
             tt::FpToFpOp>(op) &&
         tt::getElementBits(op->getResult(0).getType()) >
             tt::getElementBits(op->getOperand(0).getType());
}

/// An op from one tensor to another of the same layout with fewer bits an element.
static bool shrinks(Operation *op) {
  return isa<arith::TruncFOp, arith::TruncIOp, arith::FPToSIOp, arith::FPToUIOp, tt::FpToFpOp>(
             op) &&
         tt::getElementBits(op->getResult(0).getType()) <
             tt::getElementBits(op->getOperand(0).getType());
}

/// Moves the op before `convert` to after it, and so on for the conversion that comes of it.
static void sinkProducers(ttg::ConvertLayoutOp convert) {
  while (convert) {
    Operation *producer = convert.getSrc().getDefiningOp();
    // One that is used elsewhere too would be computed twice; a broadcast computes nothing.
    if (!producer || !enlarges(producer) ||
        !(isa<tt::BroadcastOp>(producer) || producer->hasOneUse()) ||
        !isCheaper(convert, producer->getOperand(0).getType()))
      return;
    OpBuilder builder(convert);
    Value source = producer->getOperand(0);
    auto moved = ttg::ConvertLayoutOp::create(
        builder, convert.getLoc(), withLayoutOf(convert.getType(), source.getType()), source);
    Operation *copy = builder.clone(*producer);
    copy->setOperand(0, moved);
    copy->getResult(0).setType(convert.getType());
    convert.replaceAllUsesWith(copy->getResult(0));
    convert.erase();
    if (producer->use_empty())
      producer->erase();
    convert = moved;
  }
}

/// Takes the op after `convert` before it, and so on; the conversion that it ends with.
static ttg::ConvertLayoutOp hoistConsumers(ttg::ConvertLayoutOp convert) {
  while (convert->hasOneUse()) {
    Operation *consumer = *convert->user_begin();
    if (!shrinks(consumer) || !isCheaper(convert, consumer->getResult(0).getType()))
      break;
    OpBuilder builder(consumer);
    Operation *copy = builder.clone(*consumer);
    copy->setOperand(0, convert.getSrc());
    copy->getResult(0).setType(
        withLayoutOf(convert.getSrc().getType(), consumer->getResult(0).getType()));
    auto moved = ttg::ConvertLayoutOp::create(builder, convert.getLoc(),
                                              consumer->getResult(0).getType(), copy->getResult(0));
    consumer->getResult(0).replaceAllUsesWith(moved);
    consumer->erase();
    convert.erase();
    convert = moved;
  }
  return convert;
}

namespace {

struct ReduceDataDuplication
    : transform::impl::TritonGPUReduceDataDuplicationBase<ReduceDataDuplication> {
  void runOnOperation() override {
    SmallVector<ttg::ConvertLayoutOp> conversions;
    getOperation().walk([&](ttg::ConvertLayoutOp convert) { conversions.push_back(convert); });
    for (ttg::ConvertLayoutOp convert : conversions)
      sinkProducers(hoistConsumers(convert));
  }
};

} // namespace
