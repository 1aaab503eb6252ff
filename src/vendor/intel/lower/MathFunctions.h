//===- MathFunctions.h - OpenCL's mathematical functions ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_LOWER_MATHFUNCTIONS_H
#define TILEWRIGHT_VENDOR_INTEL_LOWER_MATHFUNCTIONS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lower::intel {

/// Whether OpenCL has the function that math/Formulas.h calls `name`.
bool hasMathFunction(llvm::StringRef name);
/// That function, of f32 or f64.
mlir::Value emitMathFunction(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                             mlir::ValueRange operands);

} // namespace tilewright::lower::intel

#endif // TILEWRIGHT_VENDOR_INTEL_LOWER_MATHFUNCTIONS_H
