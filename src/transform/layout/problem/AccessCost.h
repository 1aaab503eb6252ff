//===- AccessCost.h - What an access to memory costs in a layout *- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// How long one warp's accesses to a tensor of pointers keep the unit of loads and stores busy:
//
//     loadCycles * (instructions) + (sectors of memory that they touch)
//
// in what the target's loads take and its memory is read in (target::GlobalMemoryModel). Both are
// read off the map of the layout.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_ACCESSCOST_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_ACCESSCOST_H

#include "analysis/AxisInfo.h"
#include "ir/ttg/Dialect.h"
#include "target/Target.h"
#include "transform/layout/problem/LayoutProblem.h"

namespace tilewright::transform {

/// How a tensor of pointers lies in memory.
struct AccessForm {
  mlir::RankedTensorType pointers;
  /// Dimensions, the one with the longest runs of neighbours first.
  llvm::SmallVector<unsigned> order;
  /// Along that dimension: elements of the widest access, and neighbours in memory.
  unsigned vector = 1, contiguity = 1;
  /// Neighbours along it are neighbours in memory, or may well be.
  bool isDense = false;

  unsigned elementBits() const;
};

/// The dimensions of a tensor of pointers, the one with the longest runs of neighbours first; of
/// equal ones the last, as for row-major data.
llvm::SmallVector<unsigned> orderOfAccess(mlir::Value pointers, const AxisInfoAnalysis &axes);

/// The form of a load or a store through a tensor of pointers.
AccessForm describeAccess(mlir::Operation *op, const AxisInfoAnalysis &axes,
                          const target::Target &target);

/// Cycles that one warp's accesses take, once, if the pointers are in `layout`. Where it loads what
/// all its lanes have in common once for the warp, that is counted.
Cost costOfAccess(const AccessForm &form, tt::LayoutEncoding layout, const target::Target &target);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_ACCESSCOST_H
