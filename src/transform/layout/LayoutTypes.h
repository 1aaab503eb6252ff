//===- LayoutTypes.h - Tensor types by their layouts ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Reading and changing the layouts of tensors. How the layouts of an op relate is its own
// business: tt::LayoutOp.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_LAYOUTTYPES_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_LAYOUTTYPES_H

#include "ir/ttg/Dialect.h"

namespace tilewright::transform {

/// `type` with another layout.
mlir::RankedTensorType withLayout(mlir::Type type, mlir::Attribute layout);

/// The layout of a tensor; null for scalars and for tensors without.
inline mlir::Attribute getLayout(mlir::Type type) { return tt::getLayoutEncoding(type); }

/// Returns the value of which `value` is a conversion, or `value` itself.
mlir::Value stripConversions(mlir::Value value);

/// Gives a value another type. The value of a constant follows.
void setTypeInPlace(mlir::Value value, mlir::Type type);

/// Rewrites a load or store to work in `layout`; what goes in and comes out is converted.
void setAccessLayout(mlir::Operation *op, mlir::Attribute layout);
/// Gives the results of an op another layout; users get them converted back.
void setResultLayout(mlir::Operation *op, mlir::Attribute layout);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_LAYOUTTYPES_H
