//===- VectorValues.h - Vectors of single values --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_TYPES_VECTORVALUES_H
#define TILEWRIGHT_LOWER_CORE_TYPES_VECTORVALUES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tilewright::lower {

/// `element`, or its elements' type if it is that of a vector: where `type` is that of a vector, of
/// as many elements.
mlir::Type withElement(mlir::Type type, mlir::Type element);

/// An element of a vector, at a known place.
struct VectorElement {
  mlir::Value vector;
  unsigned index = 0;
};

/// The element that `value` is; none if it is no element.
std::optional<VectorElement> findElement(mlir::Value value);

/// Elements of two vectors of one type, which may be the same: those of the second are numbered
/// after those of the first.
struct VectorShuffle {
  mlir::Value first, second;
  llvm::SmallVector<int32_t, 16> mask;
};

/// The shuffle that puts `values` together; none if they are not several elements of at most two
/// vectors.
std::optional<VectorShuffle> findShuffle(mlir::ValueRange values);

/// Returns the vector of which `values` are all elements in their order, as loads and products give
/// them one by one; null if there is none. To put it together again would be work for three
/// optimizers.
mlir::Value findUnpacked(mlir::ValueRange values);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_TYPES_VECTORVALUES_H
