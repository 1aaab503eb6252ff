//===- ErrorFunction.cpp - The error function and its relatives ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// erfc x = e^(-x^2) erfcx x for x >= 1/2, where erfcx x (1 + 2 x) is a polynomial in
// (x - 4) / (x + 4), which maps all x >= 0 to [-1, 1] (M. M. Shepherd and J. G. Laframboise,
// Chebyshev Approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < infinity, Mathematics of
// Computation 36, 1981). x^2 is taken exactly, as its error grows in the exponential.
//
//===--------------------------------------------------------------------------===//

#include "lower/math/Coefficients.h"
#include "lower/math/Formulas.h"

#include <cmath>
#include <numbers>

using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// erfcx a for finite a >= 0.
Expr scaledComplement(Expr a) {
  Expr t = (a - 4) / (a + 4);
  Expr series = polynomial(t, coefficients::scaledComplementF32, coefficients::scaledComplementF64);
  // 1 + 2 a would overflow for the largest a.
  return series * 0.5 / (a + 0.5);
}

/// erf x for |x| <= 1.
Expr errorOfSmall(Expr x) {
  Expr z = x * x;
  return fma(x, polynomial(z, coefficients::errorFunctionF32, coefficients::errorFunctionF64), x);
}

/// e^(-(a + tail)^2), tail much smaller than a.
Expr gauss(Expr a, Expr tail) {
  Pair square = exactProduct(a, a);
  Expr power = formulas::exp(-square.high);
  return fma(-power, fma(a * 2, tail, square.low), power);
}

/// erfc(a + tail) for a >= 1/2.
Expr complementOfLarge(Expr a, Expr tail) {
  // From here on it is 0.
  Expr bounded = select(a > a.like(10.5, 28), a.like(10.5, 28), a);
  return scaledComplement(bounded) * gauss(bounded, tail);
}

Expr complement(Expr x, Expr tail) {
  Expr a = abs(x);
  Expr ofLarge = complementOfLarge(a, select(isNegative(x), -tail, tail));
  return select(a < 0.5, 1 - errorOfSmall(x), select(isNegative(x), 2 - ofLarge, ofLarge));
}

} // namespace

Expr formulas::erf(Expr x) {
  Expr a = abs(x);
  Expr complement = x;
  if (x.isDouble()) {
    complement = complementOfLarge(a, x.like(0));
  } else {
    // In f32 it is small enough beside 1 for its logarithm to be a polynomial.
    Expr bounded = select(a > 4, 4, a);
    complement = exp2(polynomial(bounded - 2.5, coefficients::logComplementF32));
  }
  return select(a < 1, errorOfSmall(x), copysign(1 - complement, x));
}

Expr formulas::erfc(Expr x) { return complement(x, x.like(0)); }

Expr formulas::erfcx(Expr x) {
  Expr a = abs(x);
  Expr scaled = select(a == HUGE_VAL, 0, scaledComplement(a));
  Expr bounded = select(a > a.like(10, 27), a.like(10, 27), a);
  Pair square = exactProduct(bounded, bounded);
  Expr power = exp(square.high);
  power = select(power == HUGE_VAL, power, fma(power, square.low, power));
  // erfcx(-a) = 2 e^(a^2) - erfcx a; near 0, e^(x^2) (1 - erf x) has a smaller error.
  Expr reflected = select(power == HUGE_VAL, power, power * 2 - scaled);
  Expr ofSmall = power - power * errorOfSmall(x);
  return select(a < 0.5, ofSmall, select(isNegative(x), reflected, scaled));
}

Expr formulas::normcdf(Expr x) {
  constexpr double factor = -std::numbers::sqrt2 / 2;
  // What is left of the factor after rounding.
  Expr tail =
      x.like(factor - static_cast<double>(static_cast<float>(factor)), 0x1.bdd3413b26456p-55);
  Pair scaled = exactProduct(x, x.like(factor));
  Expr low = select(isFinite(x), fma(x, tail, scaled.low), 0);
  return complement(select(isFinite(x), scaled.high, -x), low) * 0.5;
}
