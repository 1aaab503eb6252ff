//===- Verification.h - Checks common to the verifiers of ttg -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_VERIFICATION_H
#define TILEWRIGHT_IR_TTG_VERIFICATION_H

#include "ir/ttg/Dialect.h"

namespace tilewright::ttg {

// Each emits an error at the op if its rule is broken.

/// Memory that `op` writes may be written.
mlir::LogicalResult verifyMutable(mlir::Operation *op, MemDescType memory);

/// A tensor in registers, of type `registers`, and one in memory that `op` copies between have one
/// shape and one type of elements.
mlir::LogicalResult verifySameTensor(mlir::Operation *op, mlir::Type registers, MemDescType memory);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_VERIFICATION_H
