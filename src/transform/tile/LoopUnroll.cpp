//===- LoopUnroll.cpp - Unrolling of loops marked with tt.loop_unroll_factor --===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A loop over [lower, upper) with n = ceil((upper - lower) / step) iterations becomes
//
//     main:      [lower, middle) with step * factor, `factor` iterations at once
//     remainder: [middle, upper) with step
//
// where middle = lower + (n - n mod factor) * step. MLIR's own loopUnrollByFactor asks for
// bounds that are not negative and for lower <= upper; kernels promise neither.
//
//===--------------------------------------------------------------------------===//

#include "analysis/TripCount.h"
#include "ir/ttg/Attributes.h"
#include "transform/tile/Passes.h"
#include "transform/tile/Unroll.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONLOOPUNROLL
#include "transform/tile/Passes.h.inc"
} // namespace tilewright::transform

/// Appends `factor` - 1 copies of the body to itself, the k-th of which is the iteration k
/// steps later. `step` is that of the loop before.
static void repeatBody(scf::ForOp loop, uint64_t factor, Value step) {
  Block *body = loop.getBody();
  auto yield = cast<scf::YieldOp>(body->getTerminator());
  auto original =
      llvm::map_to_vector(body->without_terminator(), [](Operation &op) { return &op; });
  SmallVector<Value> yielded(yield.getOperands()), carried(yielded);
  OpBuilder builder(yield);
  Location loc = loop.getLoc();
  Value iv = loop.getInductionVar();
  // All iterations that run at once are below the upper bound. To say so lets the back end see
  // that their addresses are constants apart.
  APInt stepValue;
  auto noWrap = arith::IntegerOverflowFlags::none;
  if (!loop.getUnsignedCmp() && matchPattern(step, m_ConstantInt(&stepValue)) &&
      stepValue.isStrictlyPositive() &&
      stepValue.getActiveBits() + llvm::Log2_64_Ceil(factor) < stepValue.getBitWidth())
    noWrap = arith::IntegerOverflowFlags::nsw;
  for (uint64_t k = 1; k < factor; ++k) {
    IRMapping mapping;
    mapping.map(loop.getRegionIterArgs(), carried);
    auto distance =
        arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(iv.getType(), k));
    Value offset = builder.createOrFold<arith::MulIOp>(loc, step, distance);
    mapping.map(iv, builder.createOrFold<arith::AddIOp>(loc, iv, offset, noWrap));
    for (Operation *op : original)
      builder.clone(*op, mapping);
    for (auto [value, before] : llvm::zip_equal(carried, yielded))
      value = mapping.lookupOrDefault(before);
  }
  yield->setOperands(carried);
}

bool transform::unrollLoop(scf::ForOp loop, uint64_t factor) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), step = loop.getStep();
  Value trips = createTripCount(builder, loop);
  Value factorValue =
      arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(step.getType(), factor));
  Value left = builder.createOrFold<arith::RemUIOp>(loc, trips, factorValue);
  Value mainTrips = builder.createOrFold<arith::SubIOp>(loc, trips, left);
  // Too few iterations to run `factor` of them even once.
  if (matchPattern(mainTrips, m_Zero()))
    return false;

  if (!matchPattern(left, m_Zero())) {
    Value distance = builder.createOrFold<arith::MulIOp>(loc, mainTrips, step);
    Value middle = builder.createOrFold<arith::AddIOp>(loc, lower, distance);
    builder.setInsertionPointAfter(loop);
    auto remainder = cast<scf::ForOp>(builder.clone(*loop));
    loop.replaceAllUsesWith(remainder.getResults());
    loop.setUpperBound(middle);
    remainder.setLowerBound(middle);
    remainder.getInitArgsMutable().assign(loop.getResults());
    remainder->setAttr(ttg::numStagesAttrName, builder.getI32IntegerAttr(1));
    builder.setInsertionPoint(loop);
  }
  repeatBody(loop, factor, step);
  loop.setStep(builder.createOrFold<arith::MulIOp>(loc, step, factorValue));
  return true;
}

namespace {

struct LoopUnroll : transform::impl::TritonLoopUnrollBase<LoopUnroll> {
  void runOnOperation() override {
    // Inner loops come first, so that the copies of an outer body have them unrolled.
    SmallVector<std::pair<scf::ForOp, uint64_t>> marked;
    WalkResult result = getOperation().walk([&](scf::ForOp loop) {
      Attribute attr = loop->removeAttr(ttg::unrollFactorAttrName);
      if (!attr)
        return WalkResult::advance();
      auto factor = dyn_cast<IntegerAttr>(attr);
      // The limit keeps a mistyped factor from exhausting memory.
      if (!factor || factor.getValue().slt(1) || factor.getValue().sgt(maxFactor)) {
        loop.emitOpError() << "has " << ttg::unrollFactorAttrName << " = " << attr
                           << "; it must be an integer from 1 to " << maxFactor;
        return WalkResult::interrupt();
      }
      if (factor.getInt() > 1)
        marked.push_back({loop, factor.getInt()});
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (auto [loop, factor] : marked)
      transform::unrollLoop(loop, factor);
  }

private:
  static constexpr int64_t maxFactor = 1024;
};

} // namespace
