//===- SharedMemory.cpp - The block's shared memory ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/Scratch.h"

#include "ir/ttg/Conversion.h"
#include "lower/collective/CollectivePlans.h"
#include "lower/matrix/DotPlan.h"
#include "lower/memory/ThreadAccess.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

ScratchUse lower::getScratchUse(Operation *op, const target::ExchangeModel &memory) {
  if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op)) {
    plan::ConversionPlan plan = ttg::planConversion(convert, memory);
    return {plan.scratchBytes(), plan.shared.barrier == plan::Barrier::Block};
  }
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return getScratchUse(planReduction(reduce, memory), reduce.getElementTypes());
  if (auto scan = dyn_cast<tt::ScanOp>(op))
    return ScanSteps(scan, memory).use;
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    return getScratchUse(planGather(gather, memory), gather);
  if (auto histogram = dyn_cast<tt::HistogramOp>(op))
    return getScratchUse(histogram);
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
