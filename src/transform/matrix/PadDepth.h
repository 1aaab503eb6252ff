//===- PadDepth.h - Operands that are short along K -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MATRIX_PADDEPTH_H
#define TILEWRIGHT_TRANSFORM_MATRIX_PADDEPTH_H

#include "ir/ttg/Dialect.h"

namespace tilewright::transform {

/// `operand` of a product, its dimension `dim` K, with `depth` elements there at least: after each
/// of its elements along K come as many zeros as it takes, so that the products of both operands
/// stay together.
mlir::Value padDepth(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value operand,
                     unsigned dim, int64_t depth);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MATRIX_PADDEPTH_H
