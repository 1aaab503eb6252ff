//===- LayoutInference.h - Layouts across one op --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Ops fall into kinds by what their layouts have to do with one another. An op that moves
// no data between threads ties the layout of its result to that of its operands.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_LAYOUTINFERENCE_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_LAYOUTINFERENCE_H

#include "ir/ttg/Dialect.h"

namespace tilewright::transform {

/// On an op whose layout is not to be changed although it has no reason of its own.
inline constexpr llvm::StringLiteral anchorAttrName = "ttg.keep_layout";

enum class OpKind {
  Source,     ///< No tensor operands; any layout will do: splat, make_range, a constant.
  SameLayout, ///< One layout for all operands and results: arithmetic, broadcast, loads.
  Derived,    ///< The result's layout follows from the operands': expand_dims, trans, join, ..
  Collective, ///< Like Derived, but elements meet across threads: reduce, scan, gather.
  AnyLayout,  ///< Takes tensors in any layout; its results keep theirs: histogram, print, ..
  Convert,    ///< ttg.convert_layout.
  Control,    ///< scf.for, scf.while, scf.if and their terminators.
  Fixed,      ///< Anything else: it keeps the layouts it has.
};

/// The kind of `op`, which has a tensor among its operands or results.
OpKind getOpKind(mlir::Operation *op);

/// Whether one layout of the operands goes with one of the results, for every op of the kind.
inline bool tiesLayouts(OpKind kind) {
  return kind == OpKind::SameLayout || kind == OpKind::Derived || kind == OpKind::Collective;
}

/// Whether a load or store of this many elements is worth keeping in its coalesced layout:
/// it has at least one element for each thread of the block.
bool isWideAccess(mlir::Operation *op);

/// The layout of the results if the tensor operands have `operand`; null if that does not
/// determine it. For ops whose kind ties layouts.
mlir::Attribute inferResultLayout(mlir::Operation *op, mlir::Attribute operand);

/// The layout the tensor operands need for results in layout `result`; null if there is none.
/// For ops whose kind ties layouts.
mlir::Attribute inferOperandLayout(mlir::Operation *op, mlir::Attribute result);

/// `type` with another layout.
mlir::RankedTensorType withLayout(mlir::Type type, mlir::Attribute layout);

/// The layout of a tensor; null for scalars and for tensors without.
inline mlir::Attribute getLayout(mlir::Type type) { return tt::getLayoutEncoding(type); }

/// Gives a value another type. The value of a constant follows.
void setTypeInPlace(mlir::Value value, mlir::Type type);

/// Rewrites a load or store to work in `layout`; what goes in and comes out is converted.
void setAccessLayout(mlir::Operation *op, mlir::Attribute layout);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_LAYOUTINFERENCE_H
