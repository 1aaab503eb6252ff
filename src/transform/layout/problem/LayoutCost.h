//===- LayoutCost.h - Costs of computing and converting tensors -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Costs are numbers of cycles for which one warp keeps its part of the machine busy. Those of
// conversions are of the plans that are emitted; those of ops are rough.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_LAYOUTCOST_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_LAYOUTCOST_H

#include "ir/ttg/Dialect.h"
#include "plan/cache/PlanCache.h"
#include "transform/layout/problem/LayoutProblem.h"

namespace tilewright::transform {

/// Converting a tensor once from `source` to `target`, which differ in their layouts.
Cost costOfConversion(mlir::RankedTensorType source, mlir::RankedTensorType target,
                      plan::PlanCache &plans);

/// Combining elements of threads once, by a reduction, scan or gather whose operands are in
/// `layout`.
Cost costOfCombination(mlir::Operation *op, mlir::Attribute layout, plan::PlanCache &plans);

/// Elements of a tensor that a thread holds, each counted once.
Cost countRegisters(mlir::RankedTensorType type);

/// The cost of a tensor that has more registers than a thread: those beyond are stored to the
/// memory of the thread and loaded again. One warp stores and loads a register in the cycles of two
/// accesses to global memory (target::GlobalMemoryModel), whose sectors its lanes fill.
class SpillModel {
public:
  /// For the threads of `function`. A thread has the registers that it can have if all warps of the
  /// block are resident, less those that every kernel needs (target::RegisterWeights::base).
  /// Without a known target nothing is spilled.
  explicit SpillModel(tt::FuncOp function);
  /// Once.
  Cost costOf(mlir::RankedTensorType type) const;

private:
  Cost registers = impossible;
  Cost cyclesOfRegister = 0;
};

/// How often the ops of `region` are executed for each time its function is, guessed from the loops
/// around them.
Cost executionsOf(mlir::Region *region);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_LAYOUTCOST_H
