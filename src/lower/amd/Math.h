//===- Math.h - Functions of f32 on AMD -----------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_AMD_MATH_H
#define TILEWRIGHT_LOWER_AMD_MATH_H

#include "lower/TargetLowering.h"

namespace tilewright::lower::amd {

/// TargetLowering::emitMath.
mlir::Value emitMath(mlir::OpBuilder &builder, mlir::Location loc, MathFunction function,
                     mlir::ValueRange operands);

} // namespace tilewright::lower::amd

#endif // TILEWRIGHT_LOWER_AMD_MATH_H
