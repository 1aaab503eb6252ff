//===- InverseErrorFunction.cpp - The inverses of the error functions ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// erfinv x = x f(w), where w = -ln(1 - x^2), and f is a polynomial in w where w is small, in sqrt w
// elsewhere (M. B. Giles, Approximating the erfinv function, GPU Computing Gems, Jade Edition,
// 2011). erfcinv y is erfinv(1 - y), with w = -ln(y (2 - y)), which loses nothing for small y.
//
//===--------------------------------------------------------------------------===//

#include "lower/math/Formulas.h"
#include "lower/math/SpecialCoefficients.h"

#include <cmath>
#include <numbers>

using namespace tilewright;
using namespace tilewright::lower;

/// f(w). Without `isFar` w is at most 36.1, as for numbers that are not nearer to 1 than floats
/// are.
static Expr inverseOver(Expr w, bool isFar) {
  using namespace coefficients;
  Expr root = sqrt(w);
  Expr central = polynomialIn(w, 0, 6.25, inverseErrorCentralF32, inverseErrorCentralF64);
  Expr middle = polynomialIn(root, 2.5, 6, inverseErrorMiddleF32, inverseErrorMiddleF64);
  if (isFar) {
    Expr far = polynomialIn(root, 6, 13, inverseErrorFarF32, inverseErrorFarF64);
    // No f32 is as small as that.
    if (w.isDouble())
      far = select(root < 13, far, polynomialIn(root, 13, 28, {}, inverseErrorFarthestF64));
    middle = select(root < 6, middle, far);
  }
  return select(w < 6.25, central, middle);
}

Expr formulas::erfinv(Expr x) {
  Expr result = x * inverseOver(-log(fma(-x, x, x.like(1))), /*isFar=*/false);
  return select(abs(x) == 1, copysign(x.like(HUGE_VAL), x), result);
}

Expr formulas::erfcinv(Expr y) {
  // y is the nearer one of the ends, 0 and 2; the distance to the other is 2 - y.
  Expr other = 2 - y;
  Expr w = -(log(select(y < 1, y, other)) + log(select(y < 1, other, y)));
  // Between 1/2 and 3/2, 1 - x^2 is taken from x, which is exact there.
  Expr x = 1 - y;
  Expr isNear = abs(x) < 0.5;
  w = select(isNear, -log(fma(-x, x, x.like(1))), w);
  Expr result = x * inverseOver(w, /*isFar=*/true);
  return select((y == 0) | (y == 2), copysign(y.like(HUGE_VAL), x), result);
}

Expr formulas::normcdfinv(Expr p) { return erfcinv(p * 2) * -std::numbers::sqrt2; }
