//===- IndexInterpreter.h - Index arithmetic, executed --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What the claims of analyses are compared with: every element of every value.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_ANALYSIS_INDEXINTERPRETER_H
#define TILEWRIGHT_TEST_UNIT_ANALYSIS_INDEXINTERPRETER_H

#include "ir/ttg/Dialect.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace tilewright::test {

/// The elements of a tensor, row-major; one element for a scalar. Pointers are addresses.
using Elements = std::vector<int64_t>;

/// The shape of a tensor's type; {1} of a scalar's.
std::vector<int64_t> shapeOf(mlir::Type type);

/// The distances of a row-major array's elements.
std::vector<int64_t> strides(const std::vector<int64_t> &shape);

/// Computes the values of a function. Analyses take index arithmetic not to overflow, so an input
/// for which it does is given up (`valid`), as is one that divides by zero.
class IndexInterpreter {
public:
  bool valid = true;
  /// The arguments are the caller's to set.
  llvm::DenseMap<mlir::Value, Elements> values;

  /// The result of an operation without regions.
  void run(mlir::Operation *op);

  /// The operations of a block, and of loops in it, as often as they are executed; `visit` is
  /// called after each that has no regions.
  void run(mlir::Block &block, llvm::function_ref<void(mlir::Operation *)> visit);

private:
  int64_t operand(mlir::Operation *op, unsigned number, int64_t i);
  int64_t checked(int64_t value);
  int64_t element(mlir::Operation *op, const std::vector<int64_t> &shape, int64_t i);
  int64_t binary(mlir::Operation *op, int64_t a, int64_t b);
};

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_UNIT_ANALYSIS_INDEXINTERPRETER_H
