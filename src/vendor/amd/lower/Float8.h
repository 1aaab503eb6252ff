//===- Float8.h - 8-bit float conversions by AMD instructions -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_LOWER_FLOAT8_H
#define TILEWRIGHT_VENDOR_AMD_LOWER_FLOAT8_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lower::amd {

/// TargetLowering::emitPackedFloat8 and emitUnpackedFloat8, for processors that have the
/// instructions.
mlir::Value emitPackedFloat8(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value low,
                             mlir::Value high, mlir::FloatType to);
mlir::Value emitUnpackedFloat8(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value packed);

} // namespace tilewright::lower::amd

#endif // TILEWRIGHT_VENDOR_AMD_LOWER_FLOAT8_H
