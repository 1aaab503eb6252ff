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

/// Whether an operand, a result, an argument of a region or of a function has such a type.
bool usesTypes(mlir::Operation *op, IsExpanded isExpanded);

/// The patterns and the legality of what only passes values on: structured control flow, selects,
/// functions, calls.
void populateExpandedValues(const mlir::TypeConverter &converter, IsExpanded isExpanded,
                            mlir::RewritePatternSet &patterns, mlir::ConversionTarget &target);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_TILE_EXPANDEDVALUES_H
