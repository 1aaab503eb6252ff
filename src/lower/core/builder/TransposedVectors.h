//===- TransposedVectors.h - Vectors across other vectors -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tile that is loaded along one dimension and stored along the other is transposed in registers.
// Put together one by one, n vectors of n elements take n * (n - 1) shuffles. In place of them each
// of log2(n) steps exchanges a bit of the vector's number with the same bit of the element's:
//
//   a0 a1 a2 a3      a0 b0 a2 b2      a0 b0 c0 d0
//   b0 b1 b2 b3  ->  a1 b1 a3 b3  ->  a1 b1 c1 d1
//   c0 c1 c2 c3      c0 d0 c2 d2      a2 b2 c2 d2
//   d0 d1 d2 d3      c1 d1 c3 d3      a3 b3 c3 d3
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BUILDER_TRANSPOSEDVECTORS_H
#define TILEWRIGHT_LOWER_CORE_BUILDER_TRANSPOSEDVECTORS_H

#include "lower/core/builder/LoweringBuilder.h"

namespace tilewright::lower {

/// The vectors of those `rows` which are, several together, the transpose of as many vectors as
/// they have elements, in a power of two; null for each other row, and for all where the target has
/// no arithmetic on vectors.
llvm::SmallVector<mlir::Value> packTransposed(LoweringBuilder &e,
                                              llvm::ArrayRef<llvm::SmallVector<mlir::Value>> rows);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BUILDER_TRANSPOSEDVECTORS_H
