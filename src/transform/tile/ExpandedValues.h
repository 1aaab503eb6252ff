//===- ExpandedValues.h - Values of one type as several values ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A conversion of types in which a descriptor or a block pointer becomes what it is made of goes
// through branches, loops, choices, functions and calls. What is the same whatever is expanded.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_TILE_EXPANDEDVALUES_H
#define TILEWRIGHT_TRANSFORM_TILE_EXPANDEDVALUES_H

#include "mlir/Transforms/DialectConversion.h"

namespace tilewright::transform {

using IsExpanded = bool (*)(mlir::Type);

/// The part of a pass that expands the values of some types that it does itself.
struct Expansion {
  IsExpanded isExpanded;
  /// Whether an op that uses such types can be written without them; says so where not.
  mlir::LogicalResult (*checkSupported)(mlir::Operation *op);
  /// The types of the values that one of such a type becomes.
  void (*expandType)(mlir::Type type, mlir::SmallVectorImpl<mlir::Type> &types);
  /// The patterns of the ops that make and use such values.
  void (*addPatterns)(const mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns);
};

/// Rewrites all that uses such types below `root`, if anything does: also what only passes values
/// on - structured control flow, selects, functions, calls.
mlir::LogicalResult expandValues(mlir::Operation *root, const Expansion &expansion);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_TILE_EXPANDEDVALUES_H
