//===- Math.h - f32 functions on AMD --------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_LOWER_MATH_H
#define TILEWRIGHT_VENDOR_AMD_LOWER_MATH_H

#include "lower/core/TargetLowering.h"

namespace tilewright::lower::amd {

/// TargetLowering::emitMath.
mlir::Value emitMath(mlir::OpBuilder &builder, mlir::Location loc, MathFunction function,
                     mlir::ValueRange operands);

} // namespace tilewright::lower::amd

#endif // TILEWRIGHT_VENDOR_AMD_LOWER_MATH_H
