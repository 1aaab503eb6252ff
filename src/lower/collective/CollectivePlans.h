//===- CollectivePlans.h - Plans of reductions, scans and gathers of ops -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The plans of src/plan for ops whose tensors have layouts, and the scratch memory that they
// take: what allocate-shared-memory and the patterns both ask.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_COLLECTIVE_COLLECTIVEPLANS_H
#define TILEWRIGHT_LOWER_COLLECTIVE_COLLECTIVEPLANS_H

#include "ir/ttg/Dialect.h"
#include "lower/core/builder/Scratch.h"
#include "plan/cache/PlanCache.h"

namespace tilewright::lower {

/// The layout of a tensor, and the name of its dimension `axis` in it.
layout::LinearLayout layoutOf(mlir::Value tensor);
layout::Dim axisOf(const layout::LinearLayout &layout, unsigned axis);

const plan::ReductionPlan &planReduction(tt::ReduceOp op, plan::PlanCache &plans);
ttg::Scratch getReduceScratch(tt::ReduceOp op, plan::PlanCache &plans);

/// A scan with what it takes to get to a layout that can be scanned and back, and where in its
/// scratch memory each step has its part: no two share bytes.
struct ScanSteps {
  ScanSteps(tt::ScanOp op, plan::PlanCache &plans);

  struct Conversion {
    const Result<plan::ConversionPlan> &plan;
    uint64_t scratch;
  };

  const plan::ScanPlan &plan;
  /// One for each operand; none if no conversion is needed.
  std::vector<Conversion> before, after;
  /// The begin of each segment's part.
  std::vector<uint64_t> segmentScratch;
  ttg::Scratch use;
};
ttg::Scratch getScanScratch(tt::ScanOp op, plan::PlanCache &plans);

const plan::GatherPlan &planGather(tt::GatherOp op, plan::PlanCache &plans);
ttg::Scratch getGatherScratch(tt::GatherOp op, plan::PlanCache &plans);

/// A histogram has a counter of 32 bits for each bin, and after them one for all elements that
/// are in no bin.
ttg::Scratch getHistogramScratch(tt::HistogramOp op, plan::PlanCache &plans);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_COLLECTIVE_COLLECTIVEPLANS_H
