//===- Conversion.h - Conversion plans of tensor types --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_QUERY_CONVERSION_H
#define TILEWRIGHT_IR_TTG_QUERY_CONVERSION_H

#include "ir/ttg/Dialect.h"
#include "plan/cache/PlanCache.h"

namespace tilewright::ttg {

/// Bits of the widest access of one lane to memory there; what every target has where it names
/// none.
unsigned getMaxAccessBits(mlir::Operation *op);

/// The plans for the target that the module around `op` names: passes, allocation and lowering of a
/// context share them.
plan::PlanCache &getPlanCache(mlir::Operation *op);

/// The plan of the conversion of a tensor of type `from` to the layout of `to`. Both have a layout
/// encoding, one shape and one element type. Passes ask it for costs, the lowering emits it.
const Result<plan::ConversionPlan> &
planConversion(mlir::RankedTensorType from, mlir::RankedTensorType to, plan::PlanCache &plans);

/// The plan of what `op` says.
const Result<plan::ConversionPlan> &planConversion(ConvertLayoutOp op, plan::PlanCache &plans);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_QUERY_CONVERSION_H
