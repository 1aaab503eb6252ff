//===- CollectivePlans.h - How an op's threads work together --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The plans of src/layout for ops whose tensors have layouts, and the scratch memory that they
// take: what allocate-shared-memory and the patterns both ask.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_COLLECTIVE_COLLECTIVEPLANS_H
#define TILEWRIGHT_LOWER_COLLECTIVE_COLLECTIVEPLANS_H

#include "ir/ttg/Dialect.h"
#include "lower/core/Scratch.h"
#include "plan/collective/GatherPlan.h"
#include "plan/collective/ReductionPlan.h"
#include "plan/collective/ScanPlan.h"

namespace tilewright::lower {

/// The layout of a tensor, and the name of its dimension `axis` in it.
layout::LinearLayout layoutOf(mlir::Value tensor);
layout::Dim axisOf(const layout::LinearLayout &layout, unsigned axis);

plan::ReductionPlan planReduction(tt::ReduceOp op, const target::ExchangeModel &memory);
ScratchUse getScratchUse(const plan::ReductionPlan &plan, llvm::ArrayRef<mlir::Type> elements);

/// A scan with what it takes to get to a layout that can be scanned and back, and where in its
/// scratch memory each step has its part: no two share bytes.
struct ScanSteps {
  ScanSteps(tt::ScanOp op, const target::ExchangeModel &memory);

  struct Conversion {
    plan::ConversionPlan plan;
    uint64_t scratch = 0;
  };

  plan::ScanPlan plan;
  /// One for each operand; none if no conversion is needed.
  std::vector<Conversion> before, after;
  /// The begin of each segment's part.
  std::vector<uint64_t> segmentScratch;
  ScratchUse use;
};

plan::GatherPlan planGather(tt::GatherOp op, const target::ExchangeModel &memory);
ScratchUse getScratchUse(const plan::GatherPlan &plan, tt::GatherOp op);

/// A histogram has a counter of 32 bits for each bin, and behind them one for all elements that
/// are in no bin.
ScratchUse getScratchUse(tt::HistogramOp op);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_COLLECTIVE_COLLECTIVEPLANS_H
