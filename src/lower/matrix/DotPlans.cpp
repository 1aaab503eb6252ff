//===- DotPlans.cpp - The plans of tt.dot -------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/matrix/DotPlans.h"

#include "lower/matrix/UnitProduct.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

/// Bits of an element of type `type` as a product has it in memory: 8-bit floats are widened.
static unsigned getStagedBits(Type type) {
  const unsigned bits = tt::getStorageBits(type);
  return isa<FloatType>(type) ? std::max(bits, 16u) : bits;
}

plan::ProductLayouts lower::getProductLayouts(tt::DotOp op) {
  auto layoutOf = [](Value value) {
    return ttg::toLinearLayout(cast<RankedTensorType>(value.getType()));
  };
  return {layoutOf(op.getA()), layoutOf(op.getB()), layoutOf(op.getResult())};
}

const Result<plan::DotPlan> &lower::planDot(tt::DotOp op, plan::PlanCache &plans) {
  const Type a = tt::getElementTypeOrSelf(op.getA().getType()),
             b = tt::getElementTypeOrSelf(op.getB().getType());
  const bool areBytes =
      a.isInteger(8) && b.isInteger(8) && tt::getElementTypeOrSelf(op.getType()).isInteger(32);
  return plans.dot(getProductLayouts(op), {getStagedBits(a), getStagedBits(b), areBytes});
}

ttg::Scratch lower::getDotScratch(tt::DotOp op, plan::PlanCache &plans) {
  if (planUnitProduct(op, plans))
    return {};
  const Result<plan::DotPlan> &plan = planDot(op, plans);
  return {plan ? plan->scratchBytes : 0, /*hasBlockBarrier=*/true};
}
