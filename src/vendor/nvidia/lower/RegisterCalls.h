//===- RegisterCalls.h - Calls of functions that give registers back -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_REGISTERCALLS_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_REGISTERCALLS_H

#include "lower/core/builder/LoweringBuilder.h"

namespace tilewright::lower::nvidia {

/// Calls the function `name`, which is declared and never defined, and gives as many registers back
/// as `types` names.
llvm::SmallVector<mlir::Value> callWithRegisters(LoweringBuilder &e, llvm::StringRef name,
                                                 llvm::ArrayRef<mlir::Type> types,
                                                 mlir::ValueRange operands);

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_REGISTERCALLS_H
