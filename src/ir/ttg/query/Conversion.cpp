//===- Conversion.cpp - Conversion plans of tensor types ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/Conversion.h"

#include "ir/ttg/query/TransposingLoads.h"

using namespace mlir;
using namespace tilewright;

unsigned ttg::getMaxAccessBits(Operation *op) {
  const target::Target *target = getTarget(op);
  return target ? target->maxAccessBits() : target::ExchangeModel().maxAccessBits;
}

plan::PlanCache &ttg::getPlanCache(Operation *op) {
  return op->getContext()->getOrLoadDialect<TritonGPUDialect>()->getPlanCache(getTarget(op));
}

const Result<plan::ConversionPlan> &ttg::planConversion(RankedTensorType from, RankedTensorType to,
                                                        plan::PlanCache &plans) {
  return plans.conversion(toLinearLayout(from), toLinearLayout(to),
                          tt::getStorageBits(from.getElementType()));
}

const Result<plan::ConversionPlan> &ttg::planConversion(ConvertLayoutOp op,
                                                        plan::PlanCache &plans) {
  auto from = cast<RankedTensorType>(op.getSrc().getType());
  auto to = cast<RankedTensorType>(op.getType());
  if (op->hasAttr(transposingAttrName))
    return planConversion(to, to, plans);
  if (auto room = op->getAttrOfType<IntegerAttr>(scratchRoomAttrName))
    return plans.conversion(toLinearLayout(from), toLinearLayout(to),
                            tt::getStorageBits(from.getElementType()), room.getInt());
  return planConversion(from, to, plans);
}
