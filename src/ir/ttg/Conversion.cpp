//===- Conversion.cpp - How a tensor gets from layout to layout ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Conversion.h"

#include "target/Target.h"

using namespace mlir;
using namespace tilewright;

layout::SharedMemory ttg::getSharedMemory(Operation *op) {
  const target::Target *target = target::Target::find(getTargetName(op));
  return target ? target->sharedMemory() : layout::SharedMemory();
}

unsigned ttg::getMaxAccessBits(Operation *op) {
  const target::Target *target = target::Target::find(getTargetName(op));
  return target ? target->maxAccessBits() : layout::SharedMemory().maxAccessBits;
}

layout::ConversionPlan ttg::planConversion(RankedTensorType from, RankedTensorType to,
                                           const layout::SharedMemory &memory) {
  return layout::planConversion(toLinearLayout(from), toLinearLayout(to),
                                tt::getStorageBits(from.getElementType()), memory);
}

layout::ConversionPlan ttg::planConversion(ConvertLayoutOp op, const layout::SharedMemory &memory) {
  return planConversion(cast<RankedTensorType>(op.getSrc().getType()),
                        cast<RankedTensorType>(op.getType()), memory);
}
