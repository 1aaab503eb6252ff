//===- Products.h - Products of matrices ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_INTERPRET_PRODUCTS_H
#define TILEWRIGHT_INTERPRET_PRODUCTS_H

#include "interpret/Machine.h"
#include "ir/tt/Dialect.h"

namespace tilewright::interpret {

/// A matrix of numbers, or several, rows first.
struct Matrix {
  explicit Matrix(const Tensor &tensor);

  int64_t batches = 1, rows, columns;
  std::vector<double> numbers;
  std::vector<uint8_t> undefined;
  /// The bits of a significand that elements have.
  unsigned precision = 53;
};

/// a @ b + c. The choices of sums are the variant's.
TensorPtr multiplyAdd(Machine &machine, mlir::Operation *op, const Matrix &a, const Matrix &b,
                      const Tensor &c, tt::InputPrecision precision);

} // namespace tilewright::interpret

#endif // TILEWRIGHT_INTERPRET_PRODUCTS_H
