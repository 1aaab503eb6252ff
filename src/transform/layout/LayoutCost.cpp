//===- LayoutCost.cpp - What computing and converting tensors costs -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/LayoutCost.h"

#include "ir/ttg/Conversion.h"
#include "transform/layout/LayoutInference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tilewright::transform {

Cost LayoutCost::convert(RankedTensorType type, Attribute from, Attribute to) {
  if (from == to)
    return 0;
  RankedTensorType source = withLayout(type, from), target = withLayout(type, to);
  auto [entry, isNew] = conversions.try_emplace({source, target}, 0);
  if (!isNew)
    return entry->second;

  plan::ConversionPlan plan = ttg::planConversion(source, target, memory);
  bool possible = plan.kind != plan::ConversionPlan::Kind::Unsupported;
  return entry->second = possible ? Cost(plan.cost) : impossible;
}

/// Instructions for one element.
static Cost instructions(Operation *op) {
  if (isa<tt::LoadOp>(op))
    return 8;
  if (isa<math::MathDialect>(op->getDialect()) || isa<tt::PreciseSqrtOp, tt::PreciseDivFOp>(op) ||
      isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::RemFOp>(op))
    return 16;
  return 1;
}

Cost LayoutCost::compute(Operation *op, Attribute layout) {
  // Splats and constants are one value whatever the tensor's size; broadcasts rename registers.
  if (isa<arith::ConstantOp, tt::SplatOp, tt::BroadcastOp>(op))
    return 0;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type ? instructions(op) * registers(type, layout) : 1;
}

unsigned LayoutCost::registers(RankedTensorType type, Attribute layout) {
  // All element types of a shape have as many registers; one entry serves them all.
  auto key = RankedTensorType::get(type.getShape(), IntegerType::get(type.getContext(), 1), layout);
  auto [entry, isNew] = registerCounts.try_emplace(key, 0);
  // Registers that hold copies of others cost nothing: they are one value.
  if (isNew)
    entry->second = ttg::toLinearLayout(key)
                        .removeZeroBasesAlong(layout::dims::Register)
                        .inSize(layout::dims::Register);
  return entry->second;
}

Cost LayoutCost::frequency(Region *region) {
  static constexpr Cost iterations = 8, most = 512;
  Cost result = 1;
  for (Operation *op = region->getParentOp(); op && result < most; op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op))
      result *= iterations;
  return result;
}

} // namespace tilewright::transform
