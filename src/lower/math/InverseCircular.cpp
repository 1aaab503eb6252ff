//===- InverseCircular.cpp - Inverse circular functions ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each is reduced to a polynomial around 0: the arc tangent by arctan x = pi / 2 -
// arctan 1 / x, arc sine and cosine by arcsin x = pi / 2 - 2 arcsin sqrt((1 - x) / 2)
// (J.-M. Muller, Elementary Functions, chapter 11). pi is added in two parts.
//
//===--------------------------------------------------------------------------===//

#include "lower/math/Coefficients.h"
#include "lower/math/Formulas.h"

#include <cmath>
#include <numbers>

using namespace tilewright;
using namespace tilewright::lower;

namespace {

constexpr double pi = std::numbers::pi;

/// What pi, rounded to the type, lacks.
Expr piTail(Expr x) {
  return x.like(pi - static_cast<double>(static_cast<float>(pi)), 0x1.1a62633145c07p-53);
}

/// `halves` pi / 2 + a + b, where halves is an integer as a float and b is small.
Expr addHalfPis(Expr halves, Expr a, Expr b) {
  Expr half = halves * 0.5;
  Expr base = half * pi;
  Pair sum = exactFastSum(base, a);
  return sum.high + (sum.low + fma(half, piTail(a), b));
}

/// arctan t - t for 0 <= t <= 1.
Expr arcTangentTail(Expr t) {
  Expr z = t * t;
  return t * z * polynomial(z, coefficients::arcTangentF32, coefficients::arcTangentF64);
}

/// arcsin s - s, where z = s^2 <= 1/4.
Expr arcSineTail(Expr s, Expr z) {
  return s * z * polynomial(z, coefficients::arcSineF32, coefficients::arcSineF64);
}

} // namespace

Expr formulas::asin(Expr x) {
  Expr a = abs(x);
  Expr isLarge = a > 0.5;
  Expr z = select(isLarge, 0.5 - a * 0.5, a * a);
  Expr s = select(isLarge, sqrt(z), a);
  Expr tail = arcSineTail(s, z);
  Expr result = select(isLarge, addHalfPis(x.like(1), s * -2, tail * -2), s + tail);
  return copysign(result, x);
}

Expr formulas::acos(Expr x) {
  Expr a = abs(x);
  Expr isLarge = a > 0.5;
  Expr z = select(isLarge, 0.5 - a * 0.5, a * a);
  Expr s = select(isLarge, sqrt(z), x);
  Expr tail = arcSineTail(s, z);
  // pi / 2 - arcsin x, 2 arcsin s or pi - 2 arcsin s.
  Expr factor = select(isLarge, select(x > 0, x.like(2), -2.0), -1.0);
  Expr halves = select(isLarge, select(x > 0, x.like(0), 2.0), 1.0);
  return addHalfPis(halves, s * factor, tail * factor);
}

Expr formulas::atan(Expr x) {
  Expr a = abs(x);
  Expr isLarge = a > 1;
  Expr t = select(isLarge, 1 / a, a);
  Expr tail = arcTangentTail(t);
  Expr result = select(isLarge, addHalfPis(x.like(1), -t, -tail), t + tail);
  return copysign(result, x);
}

Expr formulas::atan2(Expr y, Expr x) {
  Expr across = abs(x), up = abs(y);
  Expr isSteep = up > across;
  Expr larger = select(isSteep, up, across), smaller = select(isSteep, across, up);
  // 0 / 0 counts as 0, infinity / infinity as 1.
  Expr t = select(larger == 0, 0, select(smaller == HUGE_VAL, 1, smaller / larger));
  Expr tail = arcTangentTail(t);
  Expr isLeft = isNegative(x);
  Expr halves = select(isSteep, x.like(1), select(isLeft, x.like(2), 0.0));
  Expr subtracts = isSteep ^ isLeft;
  Expr result = addHalfPis(halves, select(subtracts, -t, t), select(subtracts, -tail, tail));
  return select(isNan(x) | isNan(y), x + y, copysign(result, y));
}
