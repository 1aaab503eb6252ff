//===- ElementArithmetic.h - Arithmetic on a matrix's elements ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_COOPMATRIX_ELEMENTARITHMETIC_H
#define TILEWRIGHT_LOWER_COOPMATRIX_ELEMENTARITHMETIC_H

#include "ir/tw/Dialect.h"
#include "lower/core/builder/LoweringBuilder.h"

namespace tilewright::lower {

/// Computes with elements of one type, in a wider one where they are narrow: f16 and bf16 in f32.
/// Operands and results are in that type.
class ElementArithmetic {
public:
  ElementArithmetic(LoweringBuilder &e, mlir::Type elementType);

  mlir::Type getType() const { return type; }
  /// An element of type `from` (the kernel's) in the type of the computation. Integers are
  /// extended by their sign, or with zeros.
  mlir::Value widen(mlir::Value value, mlir::Type from, bool isUnsigned = false);
  /// Back to the elements' type.
  mlir::Value narrow(mlir::Value value);

  mlir::Value multiply(mlir::Value a, mlir::Value b);
  /// a * b + c.
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value combine(tw::CombineKind kind, mlir::Value a, mlir::Value b);
  /// The neutral element of the combination.
  mlir::Value getIdentity(tw::CombineKind kind);

private:
  LoweringBuilder &e;
  mlir::Type elementType, type;
};

/// `value`, an element of type `from` (the kernel's, as it is in registers), as one of type `to`:
/// floats rounded to nearest even, toward zero where they become integers.
mlir::Value castElement(LoweringBuilder &e, mlir::Value value, mlir::Type from, mlir::Type to,
                        bool isUnsigned);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_COOPMATRIX_ELEMENTARITHMETIC_H
