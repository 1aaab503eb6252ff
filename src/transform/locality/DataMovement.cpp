//===- DataMovement.cpp - Classification of ops that move data between threads -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/locality/DataMovement.h"

#include "ir/ttg/Conversion.h"
#include "plan/collective/GatherPlan.h"

using namespace mlir;
using namespace tilewright;

/// Whether the locations of dimension `in` have different coordinates along the axis that `op`, a
/// reduction or a scan, combines.
template <typename Collective> static bool spreadsAxis(Collective op, layout::Dim in) {
  auto type = cast<RankedTensorType>(op.getSrcs().front().getType());
  if (!tt::getLayoutEncoding(type))
    return false;
  return !ttg::toLinearLayout(type).sublayoutIsZero({in}, {layout::Dim::tensor(op.getAxis())});
}

template <typename Collective> static bool combinesAcrossWarps(Collective op) {
  return spreadsAxis(op, layout::dims::Warp) || spreadsAxis(op, layout::dims::Block);
}

static bool gathersThroughMemory(tt::GatherOp op) {
  if (!tt::getLayoutEncoding(op.getSrc().getType()))
    return false;
  return plan::planGather(ttg::toLinearLayout(op.getSrc().getType()),
                          ttg::toLinearLayout(op.getResult().getType()),
                          layout::Dim::tensor(op.getAxis()), /*maxVectorBits=*/0)
             .kind == plan::GatherPlan::Kind::SharedMemory;
}

bool transform::reducesAcrossThreads(tt::ReduceOp reduce) {
  return spreadsAxis(reduce, layout::dims::Lane) || combinesAcrossWarps(reduce);
}

bool transform::synchronises(Operation *op) {
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return combinesAcrossWarps(reduce);
  if (auto scan = dyn_cast<tt::ScanOp>(op))
    return combinesAcrossWarps(scan);
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    return gathersThroughMemory(gather);
  if (auto histogram = dyn_cast<tt::HistogramOp>(op))
    return tt::getLayoutEncoding(histogram.getSrc().getType()) != nullptr;
  if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op)) {
    const Result<plan::ConversionPlan> &plan = ttg::planConversion(convert, ttg::getPlanCache(op));
    return plan && plan->kind == plan::ConversionPlan::Kind::SharedMemory;
  }
  return false;
}
