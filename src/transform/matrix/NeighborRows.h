//===- NeighborRows.h - Rows that a thread has, side by side --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Of a matrix unit's tiles a thread has single rows of A and columns of B, and of these a word of
// bytes along K. Where bytes are contiguous along the other dimension they would come one by one.
// With the rows of A in another order, and so those of the result, a thread's rows of several tiles
// are neighbours in memory. It loads a word of them for each of four k and exchanges the bytes:
//
//     in memory, along M or N     the product's rows, of 4 warps with tiles of 8
//     0  1  2  3                  0  32  64  96     thread 0 of warp 0
//     4  5  6  7                  1  33  65  97     thread 1
//     ..
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MATRIX_NEIGHBORROWS_H
#define TILEWRIGHT_TRANSFORM_MATRIX_NEIGHBORROWS_H

#include "ir/ttg/Dialect.h"
#include "target/Atom.h"

namespace tilewright::transform {

/// Which operands have neighbours in a thread.
struct NeighborRows {
  bool ofA = false, ofB = false;
};

/// Replaces `dot`, a product of matrices `a` and `b` that the warps, `warps` of them along M and
/// along N, compute by `atom`, which a warp issues. Returns the product of the rearranged
/// matrices, as in rearrangeProduct.
tt::DotOp makeRowsNeighbors(tt::DotOp dot, mlir::Value a, mlir::Value b, NeighborRows wanted,
                            const target::MmaAtom &atom, llvm::ArrayRef<unsigned> warps);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MATRIX_NEIGHBORROWS_H
