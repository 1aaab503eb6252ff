//===- DirectedRounding.h - Arithmetic that rounds toward one side --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Sums, products, quotients, roots and conversions toward zero, downward and upward, correctly
// rounded on every target.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_MATH_DIRECTEDROUNDING_H
#define TILEWRIGHT_LOWER_MATH_DIRECTEDROUNDING_H

#include "lower/math/Expr.h"

namespace tilewright::lower {

enum class Direction { TowardZero, Down, Up };

Expr addRounded(Expr a, Expr b, Direction direction);
Expr multiplyRounded(Expr a, Expr b, Direction direction);
Expr divideRounded(Expr a, Expr b, Direction direction);
Expr sqrtRounded(Expr x, Direction direction);
/// a b + c. In f64 correctly rounded unless a b is below 2^-760, where its last bits are lost.
Expr fmaRounded(Expr a, Expr b, Expr c, Direction direction);
/// An f64 as an f32.
Expr singleRounded(Expr x, Direction direction);
/// An integer of 32 or 64 bits as a float of the type of `like`.
Expr integerRounded(Expr x, bool isSigned, Expr like, Direction direction);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_MATH_DIRECTEDROUNDING_H
