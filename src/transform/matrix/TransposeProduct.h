//===- TransposeProduct.h - A product as that of its transposes -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MATRIX_TRANSPOSEPRODUCT_H
#define TILEWRIGHT_TRANSFORM_MATRIX_TRANSPOSEPRODUCT_H

#include "ir/ttg/Dialect.h"

namespace tilewright::transform {

/// Whether `op` exchanges the two dimensions of a matrix.
bool isMatrixTranspose(tt::TransOp op);

/// Replaces `dot`, the product of matrices `a` and `b` and a sum C, by
///
///     D = (B^T * A^T + C^T)^T
///
/// and returns that product, whose operands are matrices in whatever layouts they come in. A loop
/// that carries the sum from one iteration to the next carries the transposed one from now on, so
/// that the loop has no transposition of it.
///
/// With `pairsRows` the rows of B^T and of the product change places besides, those of 16 each: the
/// even ones come first. Of a unit's tile a thread has rows t and t + 8, which are neighbours in B
/// then. N is a multiple of 16.
tt::DotOp transposeProduct(tt::DotOp dot, mlir::Value a, mlir::Value b, bool pairsRows);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MATRIX_TRANSPOSEPRODUCT_H
