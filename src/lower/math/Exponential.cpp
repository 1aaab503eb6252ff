//===- Exponential.cpp - Exponentials and hyperbolic functions -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// e^x = 2^k e^r with the integer k nearest to x / ln 2, so that |r| <= ln 2 / 2
// (J.-M. Muller, Elementary Functions, chapter 11). k ln 2 is taken off in two parts, the
// first without rounding.
//
//===--------------------------------------------------------------------------===//

#include "lower/math/Coefficients.h"
#include "lower/math/Formulas.h"

#include <numbers>

using namespace tilewright;
using namespace tilewright::lower;

namespace {

constexpr double ln2 = std::numbers::ln2, ln2Tail = 0x1.abc9e3b39803fp-56;

/// A constant in two parts: the nearest number of the type, and what it lacks.
struct Split {
  double single, wide, wideTail;
  Expr high(Expr x) const { return x.like(single, wide); }
  Expr low(Expr x) const {
    return x.like(wide - static_cast<double>(static_cast<float>(wide)), wideTail);
  }
};

Split split(double wide, double tail) { return {static_cast<float>(wide), wide, tail}; }

/// e^r - 1 for |r| <= ln 2 / 2.
Expr expm1OfSmall(Expr r) {
  Expr rest = polynomial(r, coefficients::exponentialF32, coefficients::exponentialF64);
  return fma(r * r, rest, r);
}

/// x between two bounds; NaN stays.
Expr clamp(Expr x, double low, double high) {
  return select(x > high, high, select(x < low, low, x));
}

Expr clamp(Expr x, double low, double high, double wideLow, double wideHigh) {
  return x.isDouble() ? clamp(x, wideLow, wideHigh) : clamp(x, low, high);
}

/// x = k ln 2 + r. |x| must not be so large that 2^k overflows by much.
struct Reduced {
  Expr r, k;
};

Reduced reduce(Expr x) {
  Split constant = split(ln2, ln2Tail);
  Rounded k = nearestInteger(x * std::numbers::log2e);
  Expr r = fma(-k.number, constant.high(x), x);
  return {fma(-k.number, constant.low(x), r), k.integer};
}

/// (e^x - 1) / 4: it does not overflow where the sum or difference of two exponentials, or
/// half of it, does not. From the bounds on, those are -1 or infinite.
Expr quarterExpm1(Expr x) {
  auto [r, k] = reduce(clamp(x, -40, 89.5, -60, 710.6));
  Expr scale = powerOfTwo(k - 2, x);
  return fma(scale, expm1OfSmall(r), scale - 0.25);
}

/// Odd functions are computed for |x|. `bound`: f(x) = x below it, to the last bit.
Expr odd(Expr x, Expr result, double bound, double wideBound) {
  return select(abs(x) < x.like(bound, wideBound), x, copysign(result, x));
}

} // namespace

Expr formulas::exp(Expr x) {
  auto [r, k] = reduce(clamp(x, -104, 89, -746, 710));
  return scaleByPower(expm1OfSmall(r) + 1, k);
}

Expr formulas::exp2(Expr x) {
  Expr bounded = clamp(x, -151, 129, -1077, 1025);
  Rounded k = nearestInteger(bounded);
  return scaleByPower(expm1OfSmall((bounded - k.number) * ln2) + 1, k.integer);
}

Expr formulas::exp10(Expr x) {
  // log10 of 2, and what is left of it after rounding to f64.
  Split constant = split(0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59);
  Expr bounded = clamp(x, -46, 39, -325, 309);
  Rounded k = nearestInteger(bounded * (std::numbers::ln10 * std::numbers::log2e));
  Expr d = fma(-k.number, constant.high(x), bounded);
  d = fma(-k.number, constant.low(x), d);
  return scaleByPower(expm1OfSmall(d * std::numbers::ln10) + 1, k.integer);
}

Expr formulas::expm1(Expr x) {
  Expr bound = x.like(0x1p-25, 0x1p-54);
  return select(abs(x) < bound, x, quarterExpm1(x) * 4);
}

Expr formulas::sinh(Expr x) {
  // With w = (e^x - 1) / 4: (e^x - e^-x) / 2 = 2 w + 2 w / (4 w + 1).
  Expr w = quarterExpm1(abs(x));
  return odd(x, w * 2 + w / (w * 4 + 1) * 2, 0x1p-12, 0x1p-27);
}

Expr formulas::cosh(Expr x) {
  auto [r, k] = reduce(clamp(abs(x), 0, 89.5, 0, 710.6));
  Expr scale = powerOfTwo(k - 2, x);
  Expr quarter = fma(scale, expm1OfSmall(r), scale);
  return quarter * 2 + 0.125 / quarter;
}

Expr formulas::tanh(Expr x) {
  // With w = (e^2x - 1) / 4: 2 w / (2 w + 1). From 20 on it is 1.
  Expr size = clamp(abs(x), 0, 20);
  Expr half = quarterExpm1(size * 2) * 2;
  return odd(x, half / (half + 1), 0x1p-12, 0x1p-27);
}
