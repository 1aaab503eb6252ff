//===- LayoutCost.cpp - Costs of computing and converting tensors -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/LayoutCost.h"

#include "ir/ttg/Conversion.h"
#include "transform/layout/LayoutTypes.h"

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

  const Result<plan::ConversionPlan> &plan = ttg::planConversion(source, target, plans);
  return entry->second = plan ? Cost(plan->cost) : impossible;
}

Cost LayoutCost::compute(Operation *op, Attribute layout) {
  auto layoutOp = dyn_cast<tt::LayoutOp>(op);
  const Cost instructions = layoutOp ? layoutOp.getInstructionsPerElement() : 1;
  if (instructions == 0)
    return 0;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type ? instructions * registers(type, layout) : 1;
}

unsigned LayoutCost::registers(RankedTensorType type, Attribute layout) {
  // All element types of a shape have as many registers; one entry serves them all.
  auto key = RankedTensorType::get(type.getShape(), IntegerType::get(type.getContext(), 1), layout);
  auto [entry, isNew] = registerCounts.try_emplace(key, 0);
  // Registers that duplicate earlier ones cost nothing: they are one value.
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
