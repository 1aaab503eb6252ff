//===- SharedMemory.cpp - The block's shared memory ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/common/SharedMemory.h"

#include "ir/ttg/Conversion.h"
#include "lower/common/DotPlan.h"
#include "lower/common/Reduction.h"
#include "lower/common/ThreadAccess.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

ScratchUse lower::getScratchUse(Operation *op, const layout::SharedMemory &memory) {
  if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op)) {
    layout::ConversionPlan plan = ttg::planConversion(convert, memory);
    return {plan.scratchBytes(), plan.shared.barrier == layout::Barrier::Block};
  }
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    if (std::optional<ReductionPlan> plan = planReduction(reduce, memory.maxAccessBits))
      return {plan->scratchBytes, /*hasBlockBarrier=*/true};
  // What one thread finds in memory goes to those that hold the same element.
  if (isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op) && !op->use_empty())
    return {getCopyScratchBytes(op->getResult(0).getType()), /*hasBlockBarrier=*/true};
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return {planDot(dot, memory).scratchBytes, /*hasBlockBarrier=*/true};
  return {};
}

std::optional<uint64_t> lower::getScratchOffset(Operation *op) {
  if (auto offset = op->getAttrOfType<IntegerAttr>(ttg::allocationOffsetAttrName))
    return offset.getInt();
  return std::nullopt;
}
