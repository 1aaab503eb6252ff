//===- TileForm.h - Tensors of indices and pointers as affine maps --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Element (i0, i1, ..) of a tensor of integers is
//
//     start + i0 * steps[0] + i1 * steps[1] + ..
//
// with polynomials of scalars, if it is made of ranges, splats, broadcasts, sums and products; a
// tensor of pointers is that many elements after a scalar pointer. A tile of a matrix has a row's
// length and 1 as steps. What a loop carries, and moves on by the same distance in each iteration,
// is such a form of the iteration's number. A remainder is its dividend where that is not negative
// and below the divisor, which is noted as a condition.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_TILEFORM_H
#define TILEWRIGHT_ANALYSIS_TILEFORM_H

#include "analysis/Polynomial.h"

namespace tilewright::transform {

struct TileForm {
  /// The scalar pointer; null for integers.
  mlir::Value base;
  /// In elements, for pointers.
  Polynomial start;
  /// One a dimension; none for scalars.
  llvm::SmallVector<Polynomial, 2> steps;

  bool isUniform() const {
    return llvm::all_of(steps, [](const Polynomial &step) { return step.isZero(); });
  }
};

/// A mask is true where i_dim < value, or i_dim >= value; without a dimension, everywhere or
/// nowhere: if value is not negative.
struct TileBound {
  std::optional<unsigned> dim;
  bool isUpper;
  Polynomial value;

  friend bool operator==(const TileBound &, const TileBound &) = default;
};

class TileForms {
public:
  explicit TileForms(ScalarSymbols &symbols) : symbols(symbols) {}

  /// The form of an integer, a pointer, or a tensor of these. Every scalar has one; of other
  /// tensors there may be none, and `getObstacle` is what has none.
  std::optional<TileForm> get(mlir::Value value);

  /// The bounds that a tensor of i1 is the conjunction of; nothing if it is none, and `getObstacle`
  /// is the value that is no bound.
  std::optional<llvm::SmallVector<TileBound, 4>> getBounds(mlir::Value mask);

  mlir::Value getObstacle() const { return obstacle; }

  /// Numbers that must not be negative for the forms found so far to hold.
  llvm::ArrayRef<Polynomial> getConditions() const { return conditions; }

private:
  std::optional<TileForm> find(mlir::Value value);
  std::optional<TileForm> compute(mlir::Value value);
  std::optional<TileForm> ofBlockArgument(mlir::BlockArgument argument);
  std::optional<TileForm> ofScalar(mlir::Value value);
  std::optional<TileForm> ofRemainder(mlir::Operation *op);
  std::optional<TileForm> ofQuotient(mlir::Operation *op);
  std::optional<llvm::SmallVector<TileBound, 4>> findBounds(mlir::Value mask);
  std::optional<llvm::SmallVector<TileBound, 4>> ofComparison(mlir::Value mask);

  ScalarSymbols &symbols;
  /// The forms of loops' arguments, while it is found out how they move on.
  llvm::DenseMap<mlir::Value, TileForm> assumed;
  /// The forms that have been found with these.
  llvm::DenseMap<mlir::Value, std::optional<TileForm>> known;
  llvm::DenseMap<mlir::Value, std::optional<llvm::SmallVector<TileBound, 4>>> knownBounds;
  llvm::SmallVector<Polynomial> conditions;
  mlir::Value obstacle;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_TILEFORM_H
