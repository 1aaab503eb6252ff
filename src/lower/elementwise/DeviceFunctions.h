//===- DeviceFunctions.h - Semantics of device library functions ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_ELEMENTWISE_DEVICEFUNCTIONS_H
#define TILEWRIGHT_LOWER_ELEMENTWISE_DEVICEFUNCTIONS_H

#include "ir/tt/Dialect.h"
#include "ir/tt/ExternFunctions.h"
#include "lower/core/builder/LoweringBuilder.h"

namespace tilewright::lower {

/// The function on one element; null if there is no implementation of it.
mlir::Value emitDeviceFunction(LoweringBuilder &e, const tt::ExternFunction &function,
                               llvm::ArrayRef<mlir::Value> operands);

/// True if a call's operands and result are of the function's types.
bool hasTypesOf(tt::ExternElementwiseOp op, const tt::ExternFunction &function);

/// A call on one element; null if there is no function of its name and types, or no implementation.
mlir::Value emitDeviceCall(LoweringBuilder &e, tt::ExternElementwiseOp op,
                           llvm::ArrayRef<mlir::Value> operands);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_ELEMENTWISE_DEVICEFUNCTIONS_H
