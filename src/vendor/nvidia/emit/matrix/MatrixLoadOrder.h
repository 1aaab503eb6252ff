//===- MatrixLoadOrder.h - Matrix loads close to their products -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tile of an operand is loaded as a whole before the first product that uses part of it: in
// attention a thread has 128 registers of keys then. ptxas, which schedules within the registers
// there are, makes the best of it where it begins with fewer: matrix loads are moved down, so that
// no more than a few of them are ahead of the products that use them.
//
// They are moved within a block, in the order in which they are used, and not past what may write
// memory or wait for other threads.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_MATRIX_MATRIXLOADORDER_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_MATRIX_MATRIXLOADORDER_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Moves the `ldmatrix` of `function` towards the `mma.sync` that use them.
void orderMatrixLoads(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_MATRIX_MATRIXLOADORDER_H
