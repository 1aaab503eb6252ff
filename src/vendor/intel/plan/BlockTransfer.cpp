//===- BlockTransfer.cpp - The block messages of a tensor ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/plan/BlockTransfer.h"

#include "ir/ttig/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan::block2d;

Result<BlockMessagePlan> vendor::intel::planTransfer(const target::Target &target,
                                                     RankedTensorType type, bool columnMajor,
                                                     BlockAccess access) {
  const BlockMessageLimits *limits = blockMessageLimits(target);
  if (!limits)
    return Failure("the target has no 2D block messages");
  const auto rank = static_cast<unsigned>(type.getRank());
  if (rank != 2 && rank != 3)
    return Failure("the tensor has " + std::to_string(rank) +
                   " dimensions; block messages move those of 2, and the slices of 3");
  BlockMessageRequest request;
  request.layout = ttg::toLinearLayout(type);
  request.elementBits = tt::getStorageBits(type.getElementType());
  request.contiguousDim = columnMajor ? rank - 2 : rank - 1;
  request.rowDim = columnMajor ? rank - 1 : rank - 2;
  request.access = access;
  request.limits = *limits;
  request.spirvFormsOnly = true;
  auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(type.getEncoding());
  auto parent = operand ? dyn_cast<ttig::DpasEncodingAttr>(operand.getParent()) : nullptr;
  if (parent) {
    const layout::intel::Dpas dpas = parent.getLayout();
    auto [rows, columns] = instructionOperand(dpas, operand.getOpIdx());
    request.operandRegisters = rows * columns / dpas.threadsPerWarp;
    if (operand.getOpIdx() == 1)
      request.wordBits = 32;
  }

  Result<BlockMessagePlan> plan = planBlockMessages(request);
  if (!plan)
    return plan;
  if (!plan->hasMessages())
    return Failure(plan->fallback);
  if (plan->rowShift || plan->foldsRows() || plan->unitsPerElement != 1)
    return Failure("the messages would go over every " + std::to_string(1 << plan->rowShift) +
                   "th row, or halves of elements");
  return plan;
}
