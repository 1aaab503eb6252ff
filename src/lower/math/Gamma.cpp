//===- Gamma.cpp - The gamma function and its logarithm -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Gamma x for 1 <= x <= 2 is a polynomial; up to 10 Gamma(x + 1) = x Gamma x leads there, and
// beyond it is sqrt(2 pi) x^(x - 1/2) e^-x with a correction, Stirling's (E. T. Whittaker and G. N.
// Watson, A Course of Modern Analysis, 12.33). Its logarithm has polynomials up to 4, with the
// zeros at 1 and 2 divided out, and the logarithm of Stirling's formula beyond. Negative numbers
// are reflected: Gamma x Gamma(1 - x) = pi / sin pi x. In f32 all is computed in f64 and rounded.
//
//===--------------------------------------------------------------------------===//

#include "lower/math/Formulas.h"
#include "lower/math/MathLibrary.h"
#include "lower/math/SpecialCoefficients.h"

#include <cmath>
#include <numbers>

using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::coefficients;

static constexpr double pi = std::numbers::pi;
/// From here down Gamma x is 1 / x.
static constexpr double tiny = 0x1p-60;

static Expr logGamma(Expr x) {
  // (ln 2 pi - 1) / 2.
  constexpr double half = 0x1.acfe390c97d6ap-2;
  Expr a = abs(x);
  Expr isSmall = a < 0.5;
  Expr logA = callFormula("log", a);
  // ln Gamma(1 + a) for small a, ln Gamma a else.
  Expr y = select(isSmall, a + 1, a), aboveOne = select(isSmall, a, a - 1);
  Expr factor = select(y < 1.5, polynomialIn(y, 0.5, 1.5, {}, logGammaAtOneF64),
                       polynomialIn(y, 1.5, 4, {}, logGammaAtTwoF64));
  Expr near = aboveOne * (y - 2) * factor;
  near = select(near == 0, 0, near);
  Expr inverse = 1 / a;
  Expr rest = inverse * polynomialIn(inverse * inverse, 0, 0.0625, {}, logGammaRestF64);
  Expr far = fma(a - 0.5, logA - 1, rest + half);
  Expr ofSize = select(isSmall, near - logA, select(a < 4, near, far));

  // ln Gamma(1 + a), for the reflection.
  Expr ofNext = select(isSmall, near, ofSize + logA);
  Expr sine = abs(callFormula("sinpi", a));
  Expr reflected = -callFormula("log", sine / pi) - ofNext;
  reflected = select((sine == 0) | ~isFinite(a), select(isNan(a), a, HUGE_VAL), reflected);
  Expr result = select(isNegative(x), reflected, ofSize);
  return select(a < tiny, -logA, result);
}

static Expr gammaOf(Expr x) {
  Expr a = abs(x);
  // Beyond, Gamma x is infinite and Gamma(-x) 0.
  Expr bounded = select(a > 200, 200, a);

  // (y - 1) (y - 2) .., down to a y between 1 and 2.
  Expr y = bounded, product = a.like(1);
  for (int step = 0; step < 8; ++step) {
    Expr isAbove = y >= 2;
    y = select(isAbove, y - 1, y);
    product = select(isAbove, product * y, product);
  }
  Expr isBelowOne = a < 1;
  Expr atOne = polynomialIn(select(isBelowOne, a, y - 1), 0, 1, {}, gammaF64);
  Expr near = select(isBelowOne, atOne / a, atOne * product);

  // The power in two factors, each of which is finite.
  Expr inverse = 1 / bounded;
  Expr correction = fma(inverse, polynomialIn(inverse, 0, 0.1, {}, gammaRestF64), inverse.like(1));
  Expr power = callFormula("pow", {bounded, fma(bounded, 0.5, bounded.like(-0.25))});
  Expr scaled = power * callFormula("exp", -bounded) * (correction * std::sqrt(2 * pi));
  Expr isNear = a < 10;
  Expr positive = select(isNear, near, scaled * power);

  // Gamma(1 + a) in two factors.
  Expr first = select(isBelowOne, atOne, select(isNear, near, scaled) * bounded);
  Expr second = select(isNear, 1, power);
  Expr sine = callFormula("sinpi", x);
  Expr negative = x.like(pi) / sine / first / second;
  negative = select(sine == 0, std::nan(""), negative);
  return select(a < tiny, 1 / x, select(isNegative(x), negative, positive));
}

Expr formulas::lgamma(Expr x) { return inDouble(x, logGamma); }
Expr formulas::tgamma(Expr x) { return inDouble(x, gammaOf); }
