//===- Conversion.cpp - Conversion plans of tensor types ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Conversion.h"

#include "target/Target.h"

using namespace mlir;
using namespace tilewright;

target::ExchangeModel ttg::getSharedMemory(Operation *op) {
  const target::Target *target = target::Target::find(getTargetName(op));
  return target ? target->sharedMemory() : target::ExchangeModel();
}

unsigned ttg::getMaxAccessBits(Operation *op) {
  const target::Target *target = target::Target::find(getTargetName(op));
  return target ? target->maxAccessBits() : target::ExchangeModel().maxAccessBits;
}

plan::ConversionPlan ttg::planConversion(RankedTensorType from, RankedTensorType to,
                                         const target::ExchangeModel &memory) {
  return plan::planConversion(toLinearLayout(from), toLinearLayout(to),
                              tt::getStorageBits(from.getElementType()), memory);
}

plan::ConversionPlan ttg::planConversion(ConvertLayoutOp op, const target::ExchangeModel &memory) {
  return planConversion(cast<RankedTensorType>(op.getSrc().getType()),
                        cast<RankedTensorType>(op.getType()), memory);
}
