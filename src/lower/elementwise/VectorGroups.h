//===- VectorGroups.h - Elements computed together as vectors -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Loads and products give vectors, which lowering takes apart to the registers of a tensor. Where
// the target has arithmetic on vectors (ScalarFunctions::hasVectorArithmetic) they are not put
// together again for it:
//
//   %a:8 = elements of %v                     %w = fptrunc %v : <8 x f32> to <8 x f16>
//   %b0 = fptrunc %a0  ..  %b7 = fptrunc %a7  %b:8 = elements of %w
//
// The elements that nobody uses one by one are dropped.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_ELEMENTWISE_VECTORGROUPS_H
#define TILEWRIGHT_LOWER_ELEMENTWISE_VECTORGROUPS_H

#include "lower/core/builder/LoweringBuilder.h"

namespace tilewright::lower {

/// The operands of one element of an elementwise op.
using ElementOperands = llvm::SmallVector<mlir::Value, 4>;

/// Elements that one operation on vectors computes.
struct VectorGroup {
  /// Which, in the order in which the vectors have them.
  llvm::SmallVector<unsigned, 16> elements;
  /// A vector for each operand.
  ElementOperands operands;
};

/// Divides `elements`, no two of which are the same, into groups of which at least one operand is a
/// whole vector. The others are put together of scalars: one value for all elements, or
/// no more insertions than the group has elements, where groups that share a vector share its
/// insertions. Elements in no group are to be computed one by one: all of them, where the target
/// has no arithmetic on vectors.
llvm::SmallVector<VectorGroup> findVectorGroups(LoweringBuilder &e,
                                                llvm::ArrayRef<ElementOperands> elements);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_ELEMENTWISE_VECTORGROUPS_H
