//===- Intrinsics.h - Calls of LLVM's AMDGPU intrinsics -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_LOWER_INTRINSICS_H
#define TILEWRIGHT_VENDOR_AMD_LOWER_INTRINSICS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lower::amd {

/// Calls `llvm.amdgcn.<name>`; null for an intrinsic without a result.
mlir::Value callIntrinsic(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                          mlir::Type type, mlir::ValueRange operands);

} // namespace tilewright::lower::amd

#endif // TILEWRIGHT_VENDOR_AMD_LOWER_INTRINSICS_H
