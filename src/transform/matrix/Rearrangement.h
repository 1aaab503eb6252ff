//===- Rearrangement.h - Matrices whose elements change places ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Matrices change their shape and the order of dimensions in layouts that move no element between
// threads: a thread's registers are those of other coordinates. A product may be that of such
// matrices. A loop that carries its sum then carries the rearranged one, so that nothing moves in
// an iteration.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MATRIX_REARRANGEMENT_H
#define TILEWRIGHT_TRANSFORM_MATRIX_REARRANGEMENT_H

#include "ir/ttg/Dialect.h"

namespace tilewright::transform {

/// `value` with its dimensions permuted: dimension i of the result is order[i].
mlir::Value permuteDims(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                        llvm::ArrayRef<int32_t> order);

/// `value` in another shape, row-major order being kept.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                      llvm::ArrayRef<int64_t> shape);

/// Converts `value` to the type of `like`, of which it has all but the layout.
mlir::Value convertLike(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                        mlir::Value like);

/// The steps that a matrix goes through, and the way back.
class Rearrangement {
public:
  virtual ~Rearrangement() = default;

  virtual mlir::Value apply(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value matrix) const = 0;
  virtual mlir::Value undo(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value matrix) const = 0;
};

/// Replaces `dot` by the product of `a` and `b`, matrices in whatever layouts they come in, whose
/// sum and result are those of `dot` rearranged. A loop that carries the sum from one iteration to
/// the next carries the rearranged one from now on.
tt::DotOp rearrangeProduct(tt::DotOp dot, mlir::Value a, mlir::Value b, const Rearrangement &ofSum);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MATRIX_REARRANGEMENT_H
