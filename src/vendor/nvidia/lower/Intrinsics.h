//===- Intrinsics.h - Calls of LLVM's intrinsics for NVPTX ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_INTRINSICS_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_INTRINSICS_H

#include "lower/core/builder/LoweringBuilder.h"

namespace tilewright::lower::nvidia {

/// Calls `llvm.nvvm.<name>`; null for an intrinsic without a result.
mlir::Value callIntrinsic(LoweringBuilder &e, llvm::StringRef name, mlir::ValueRange operands,
                          mlir::Type type = {});

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_INTRINSICS_H
