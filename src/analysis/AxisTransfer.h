//===- AxisTransfer.h - Transfer functions of the axis analysis -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_AXISTRANSFER_H
#define TILEWRIGHT_ANALYSIS_AXISTRANSFER_H

#include "analysis/AxisInfo.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilewright::transform {

/// The facts about an operand.
using OperandFacts = llvm::function_ref<AxisInfo(mlir::Value)>;

/// Returns the facts about the one result of `op`, an integer or pointer, from those about its
/// operands; nothing of ops of other kinds. Arithmetic: constants, `arith` and tt.addptr.
std::optional<AxisInfo> evaluateArithmetic(mlir::Operation *op, OperandFacts get);

/// The same of ops that make tiles, move their elements or change their shape or type.
std::optional<AxisInfo> evaluateShape(mlir::Operation *op, OperandFacts get);

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_AXISTRANSFER_H
