//===- LayoutCost.h - Costs of computing and converting tensors -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Costs are rough numbers of cycles for which one warp keeps its part of the machine busy.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_LAYOUTCOST_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_LAYOUTCOST_H

#include "ir/ttg/Dialect.h"
#include "plan/cache/PlanCache.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::transform {

using Cost = int64_t;
/// More than anything that can be done costs; sums of a few of them do not overflow.
inline constexpr Cost impossible = Cost(1) << 50;

class LayoutCost {
public:
  /// Costs on the target that `plans` are for.
  explicit LayoutCost(plan::PlanCache &plans) : plans(plans) {}

  /// Converting a tensor of this shape and element type between two layouts.
  Cost convert(mlir::RankedTensorType type, mlir::Attribute from, mlir::Attribute to);

  /// Computing `op`, of rule SameLayout or AnyResult, with results in `layout`.
  Cost compute(mlir::Operation *op, mlir::Attribute layout);

  /// How often the op is executed for each time its function is, guessed from the loops
  /// around it.
  static Cost frequency(mlir::Region *region);

private:
  /// Elements that a thread holds, each counted once.
  unsigned registers(mlir::RankedTensorType type, mlir::Attribute layout);

  plan::PlanCache &plans;
  // By type in the layout, and for conversions by both such types.
  llvm::DenseMap<mlir::Type, unsigned> registerCounts;
  llvm::DenseMap<std::pair<mlir::Type, mlir::Type>, Cost> conversions;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_LAYOUTCOST_H
