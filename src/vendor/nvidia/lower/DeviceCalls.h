//===- DeviceCalls.h - Calls of functions of NVIDIA's driver --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_DEVICECALLS_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_DEVICECALLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lower::nvidia {

/// vprintf(format, buffer), with the values in a buffer on the thread's stack. They are promoted
/// as C does it.
void emitVprintf(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef format,
                 mlir::ValueRange values);

/// __assertfail(message, file, line, function, 1).
void emitAssertfail(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef message,
                    llvm::StringRef file, llvm::StringRef function, unsigned line);

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_DEVICECALLS_H
