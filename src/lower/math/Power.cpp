//===- Power.cpp - Powers, roots and norms -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// x^y = e^(y ln x), where the error of ln x is multiplied by y: it is computed as a pair of
// numbers, to about 20 bits more than the type has (J.-M. Muller et al., Handbook of
// Floating-Point Arithmetic, section 10.4; the sums and products of pairs: T. J. Dekker, A
// Floating-Point Technique for Extending the Available Precision, 1971).
//
//===--------------------------------------------------------------------------===//

#include "lower/math/Coefficients.h"
#include "lower/math/Formulas.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

Pair product(Pair a, Pair b) {
  Pair high = exactProduct(a.high, b.high);
  return exactFastSum(high.high, high.low + fma(a.high, b.low, a.low * b.high));
}

/// For |a| >= |b| or a = 0.
Pair sum(Pair a, Pair b) {
  Pair high = exactFastSum(a.high, b.high);
  return exactFastSum(high.high, high.low + (a.low + b.low));
}

/// A constant and what it lacks after rounding to the type of x.
Pair constant(Expr x, double wide, double tail) {
  return {x.like(wide), x.like(wide - static_cast<double>(static_cast<float>(wide)), tail)};
}

/// ln a for finite a > 0.
Pair logarithm(Expr a) {
  Expr isSmall = a < a.like(0x1p-126, 0x1p-1022);
  Expr bits = toBits(select(isSmall, a * 0x1p54, a));
  int64_t rootOfHalf = a.isDouble() ? 0x3fe6a09e667f3bcd : 0x3f3504f3;
  Expr k = (bits - rootOfHalf) >> fractionBits(a);
  Expr m = fromBits(bits - (k << fractionBits(a)));
  Expr exponent = toFloat(k, a, true) - select(isSmall, a.like(54), 0);
  // s = (m - 1) / (m + 1); ln m = 2 (s + s^3 / 3 + s^5 r(s^2)).
  Expr f = m - 1;
  Pair divisor = exactSum(m, m.like(1));
  Expr quotient = f / divisor.high;
  Expr remainder = fma(-quotient, divisor.low, fma(-quotient, divisor.high, f));
  Pair s = exactFastSum(quotient, remainder / divisor.high);
  Pair z = product(s, s);
  Expr rest = z.high * polynomial(z.high, coefficients::areaTangentRestF32,
                                  coefficients::areaTangentRestF64);
  Pair third = constant(a, 1.0 / 3, 0x1.5555555555555p-56);
  Pair series = exactFastSum(third.high, rest);
  Pair tail = product(product(s, z), {series.high, series.low + third.low});
  Pair half = sum(s, tail);
  Pair ln2 = constant(a, std::numbers::ln2, 0x1.abc9e3b39803fp-56);
  Pair whole = product({exponent, exponent.like(0)}, ln2);
  return sum(whole, {half.high * 2, half.low * 2});
}

/// |x|^y, where neither is NaN. 1 for infinite y and |x| = 1.
Expr powerOfSize(Expr x, Expr y) {
  Expr a = abs(x);
  Expr isExtreme = (a == 0) | (a == HUGE_VAL) | ~isFinite(y);
  Pair log = logarithm(select(isExtreme, a.like(1), a));
  // From here on the result overflows or underflows anyway.
  Expr top = y.like(90, 711), bottom = y.like(-105, -747);
  Expr rough = roundedProduct(select(isExtreme, 1, y), log.high);
  Expr exceeds = (rough > top) | (rough < bottom);
  Pair power = product({select(isExtreme | exceeds, 1, y), y.like(0)}, log);
  Expr high = select(exceeds, select(rough > 0, top, bottom), power.high);
  Expr low = select(exceeds, 0, power.low);
  Rounded k = nearestInteger(high * std::numbers::log2e);
  Pair ln2 = constant(x, std::numbers::ln2, 0x1.abc9e3b39803fp-56);
  Expr r = fma(-k.number, ln2.high, high) + fma(-k.number, ln2.low, low);
  Expr series = polynomial(r, coefficients::exponentialF32, coefficients::exponentialF64);
  Expr ordinary = scaleByPower(fma(r * r, series, r) + 1, k.integer);
  // 0 or infinity to a power, or something to an infinite power.
  Expr grows = select(isFinite(y), (a == HUGE_VAL) ^ (y < 0), (a > 1) ^ (y < 0));
  Expr isOne = ~isFinite(y) & (a == 1);
  Expr extreme = select(isOne, 1, select(grows, x.like(HUGE_VAL), 0));
  return select(isExtreme, extreme, ordinary);
}

/// x^y, where y is known to be an integer and odd or not.
Expr power(Expr x, Expr y, Expr isInteger, Expr isOdd) {
  Expr size = powerOfSize(x, y);
  Expr result = select(isNegative(x) & isOdd, -size, size);
  Expr hasNone = (x < 0) & isFinite(x) & isFinite(y) & ~isInteger;
  result = select(hasNone, std::nan(""), result);
  result = select(isNan(x) | isNan(y), x + y, result);
  return select((x == 1) | (y == 0), 1, result);
}

struct ScaledNorm {
  /// The norm is root 2^exponent, if the largest number is finite and not 0.
  Expr root, exponent;
  /// The norm if not: 0, infinity - which counts more than a NaN - or NaN.
  Expr isLimit, limit;
};

ScaledNorm scaledNorm(ArrayRef<Expr> numbers) {
  Expr largest = abs(numbers[0]), hasNan = isNan(numbers[0]);
  for (Expr number : numbers.drop_front()) {
    largest = maxNumber(largest, abs(number));
    hasNan = hasNan | isNan(number);
  }
  Expr field = shiftRightLogical(toBits(largest), toBits(largest).like(fractionBits(largest)));
  Expr exponent = resize(field, 32, true) - exponentBias(largest);
  Expr squares = largest.like(0);
  for (Expr number : numbers) {
    Expr scaled = scaleByPower(number, -exponent);
    squares = fma(scaled, scaled, squares);
  }
  Expr isInfinity = largest == HUGE_VAL;
  return {sqrt(squares), exponent, isInfinity | hasNan | (largest == 0),
          select(isInfinity | ~hasNan, largest, std::nan(""))};
}

} // namespace

Expr formulas::pow(Expr x, Expr y) {
  Expr half = y * 0.5;
  Expr isInteger = trunc(y) == y;
  // Large floats are even.
  Expr isOdd = isInteger & (trunc(half) != half) & isFinite(y);
  return power(x, y, isInteger, isOdd);
}

Expr formulas::powi(Expr x, Expr n) {
  return power(x, toFloat(n, x, true), (n == n), (n & 1) != 0);
}

Expr formulas::cbrt(Expr x) {
  Expr size = abs(x);
  // Subnormal numbers are made normal; the largest would overflow below.
  Expr isSmall = size<x.like(0x1p-126, 0x1p-1022), isLarge = size> x.like(0x1p120, 0x1p1020);
  Expr scale = select(isSmall, x.like(0x1p54), select(isLarge, x.like(0x1p-54), 1));
  Expr unscale = select(isSmall, x.like(0x1p-18), select(isLarge, x.like(0x1p18), 1));
  Expr a = size * scale;
  // A third of the exponent, and about a third of the fraction: within 5 %.
  Expr bits = toBits(a);
  int64_t twoThirds = x.isDouble() ? 0x2a9f7625da4b1e00 : 0x2a512ce3;
  Expr y = fromBits(bits / 3 + twoThirds);
  // Halley's iteration triples the number of right bits.
  for (int step = 0; step < (x.isDouble() ? 3 : 2); ++step) {
    Expr cube = y * y * y;
    y = y * ((cube + a * 2) / (cube * 2 + a));
  }
  // One step of Newton's, with the exact cube.
  Pair square = exactProduct(y, y);
  Pair cube = exactProduct(square.high, y);
  Expr excess = (cube.high - a) + fma(square.low, y, cube.low);
  y = y - excess / (square.high * 3);
  Expr root = copysign(y * unscale, x);
  return select((x == 0) | ~isFinite(x), x, root);
}

Expr formulas::rcbrt(Expr x) { return 1 / cbrt(x); }

Expr formulas::rsqrt(Expr x) {
  // 1 / r, and what sqrt x - r makes of it.
  Expr root = sqrt(x);
  Expr y = 1 / root;
  Expr error = fma(-root, y, 1.0);
  Expr rootError = fma(-root, root, x) * y * 0.5;
  Expr corrected = fma(y, error - rootError * y, y);
  return select(isFinite(y) & (y != 0), corrected, y);
}

Expr formulas::norm(ArrayRef<Expr> numbers) {
  ScaledNorm scaled = scaledNorm(numbers);
  return select(scaled.isLimit, scaled.limit, scaleByPower(scaled.root, scaled.exponent));
}

Expr formulas::reciprocalNorm(ArrayRef<Expr> numbers) {
  ScaledNorm scaled = scaledNorm(numbers);
  Expr result = scaleByPower(1 / scaled.root, -scaled.exponent);
  return select(scaled.isLimit, 1 / scaled.limit, result);
}

Expr formulas::hypot(Expr x, Expr y) { return norm({x, y}); }
Expr formulas::rhypot(Expr x, Expr y) { return reciprocalNorm({x, y}); }
