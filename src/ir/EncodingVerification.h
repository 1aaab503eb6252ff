//===- EncodingVerification.h - Checks common to all encodings ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_ENCODINGVERIFICATION_H
#define TILEWRIGHT_IR_ENCODINGVERIFICATION_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpImplementation.h"
#include "tilewright/support/Result.h"

namespace tilewright::ir {

/// Emits "<encoding>: <error>" if `valid`, the layout library's check of the encoding, has failed.
mlir::LogicalResult report(llvm::StringRef encoding, const Result<void> &valid,
                           llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Whether a tensor of `shape` has `rank` dimensions, as `encoding` needs, all of known sizes.
mlir::LogicalResult verifyRank(mlir::Attribute encoding, unsigned rank,
                               llvm::ArrayRef<int64_t> shape,
                               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The same, and whether all sizes are powers of two.
mlir::LogicalResult verifyShape(mlir::Attribute encoding, unsigned rank,
                                llvm::ArrayRef<int64_t> shape,
                                llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Emits "<encoding> cannot describe a tensor of shape 4x8: <error>" if `valid` has failed.
mlir::LogicalResult reportShape(mlir::Attribute encoding, llvm::ArrayRef<int64_t> shape,
                                const Result<void> &valid,
                                llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace tilewright::ir

#endif // TILEWRIGHT_IR_ENCODINGVERIFICATION_H
