//===- WidenedOperands.h - What operands of products come from ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MATRIX_WIDENEDOPERANDS_H
#define TILEWRIGHT_TRANSFORM_MATRIX_WIDENEDOPERANDS_H

#include "ir/ttg/Dialect.h"

#include <utility>

namespace tilewright::transform {

/// The value that `value` is a conversion of, or `value` itself.
mlir::Value skipConversions(mlir::Value value);

/// The operands A and B without conversions of their layouts and, where both were widened from one
/// narrower floating-point type, as they were before: widening is exact.
std::pair<mlir::Value, mlir::Value> skipWidening(tt::DotOp dot);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MATRIX_WIDENEDOPERANDS_H
