//===- Logarithm.cpp - Logarithms and inverse hyperbolic functions -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// x = 2^k (1 + f) with 1 + f around 1, and log x = k log 2 + log(1 + f).
//
// f32: ln(1 + f) = f + f^2 q(f), a polynomial. f64: by s = f / (2 + f), which is much
// smaller, ln(1 + f) = 2 artanh s, arranged so that f itself is the leading term
// (K. C. Ng's method; J.-M. Muller, Elementary Functions, chapter 11).
//
//===--------------------------------------------------------------------------===//

#include "lower/math/Coefficients.h"
#include "lower/math/Formulas.h"

#include <cmath>
#include <numbers>

using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// A base b, by log_b 2 and log_b e, each with what it lacks after rounding to f64. For
/// b = e and b = 2 one of them is 1.
struct Base {
  double log2, log2Tail, logE, logETail;
};

constexpr Base natural = {std::numbers::ln2, 0x1.abc9e3b39803fp-56, 1, 0};
constexpr Base binary = {1, 0, std::numbers::log2e, 0x1.777d0ffda0d24p-56};
constexpr Base decimal = {0x1.34413509f79ffp-2, -0x1.9dc1da994fd21p-59, std::numbers::log10e,
                          0x1.95355baaafad3p-57};

Expr low(Expr x, double wide, double tail) {
  return x.like(wide - static_cast<double>(static_cast<float>(wide)), tail);
}

/// 2^k m, with m between 2/3 and 4/3 (f32) or the square roots of 1/2 and 2 (f64).
struct Parts {
  Expr m, k;
};

/// For normal x > 0.
Parts splitNormal(Expr x) {
  Expr bits = toBits(x);
  int64_t least = x.isDouble() ? 0x3fe6a09e667f3bcd : 0x3f2aaaab;
  Expr k = (bits - least) >> fractionBits(x);
  return {fromBits(bits - (k << fractionBits(x))), k};
}

/// ln(1 + f) - f.
Expr logTail(Expr f) {
  if (!f.isDouble())
    return f * f * polynomial(f, coefficients::logarithmF32);
  // ln(1 + f) = f - (h - s (h + 2 s^2 A(s^2))), h = f^2 / 2, artanh s = s + s^3 A(s^2).
  Expr s = f / (f + 2);
  Expr z = s * s;
  Expr series = z * polynomial(z, coefficients::areaTangentF64) * 2;
  Expr half = f * f * 0.5;
  return fma(s, half + series, -half);
}

/// log_b of 2^k (1 + f), k an integer as a float.
Expr combine(Expr k, Expr f, const Base &base) {
  Expr tail = logTail(f);
  if (base.logE == 1) {
    Expr rest = fma(k, low(f, base.log2, base.log2Tail), tail) + f;
    return fma(k, f.like(base.log2), rest);
  }
  Pair product = exactProduct(f, f.like(base.logE));
  Expr rest = fma(tail, base.logE, fma(f, low(f, base.logE, base.logETail), product.low));
  // k log 2 is a whole number, or has no bits to lose among those that count.
  Pair whole = exactProduct(k, f.like(base.log2));
  Pair sum = exactFastSum(whole.high, product.high);
  if (base.log2 != 1)
    rest = rest + fma(k, low(f, base.log2, base.log2Tail), whole.low);
  return sum.high + (sum.low + rest);
}

/// `result` for finite x > 0; what logarithms are elsewhere. The bits of what is positive and
/// finite are less than those of infinity; of all else but zero, x times infinity plus infinity is
/// the logarithm: infinity of itself, and NaN of NaN and of what is negative.
Expr withLimits(Expr x, Expr result) {
  Expr infinity = x.like(HUGE_VAL);
  Expr isFinite = unsignedLess(toBits(x), toBits(infinity));
  return select(x == 0, -HUGE_VAL, select(isFinite, result, fma(x, infinity, infinity)));
}

Expr logarithm(Expr x, const Base &base) {
  // Subnormal numbers are made normal.
  Expr isSmall = x < x.like(0x1p-126, 0x1p-1022);
  Expr normal = select(isSmall, x * 0x1p54, x);
  Parts parts = splitNormal(normal);
  Expr k = toFloat(parts.k, x, true) - select(isSmall, x.like(54), 0.0);
  return withLimits(x, combine(k, parts.m - 1, base));
}

/// ln of (u + c) 2^extra, where c is less than half a unit in the last place of u, u >= 0.
Expr logOfPair(Expr u, Expr c, Expr extra) {
  Parts parts = splitNormal(u);
  // Far from 1 c no longer counts.
  Expr k = parts.k;
  Expr bounded = select(k > 60, 60, k);
  Expr f = fma(c, powerOfTwo(-bounded, u), parts.m - 1);
  return combine(toFloat(k, u, true) + extra, f, natural);
}

/// ln(1 + high + low).
Expr log1pOfPair(Expr high, Expr low) {
  Pair sum = exactSum(high.like(1), high);
  return logOfPair(sum.high, sum.low + low, high.like(0));
}

} // namespace

Expr formulas::log(Expr x) { return logarithm(x, natural); }
Expr formulas::log2(Expr x) { return logarithm(x, binary); }
Expr formulas::log10(Expr x) { return logarithm(x, decimal); }

Expr formulas::log1p(Expr x) {
  Expr result = log1pOfPair(x, x.like(0));
  Expr limit = select(x == -1, -HUGE_VAL, select(x < -1, std::nan(""), x));
  Expr ordinary = (x > -1) & (x < HUGE_VAL);
  Expr isTiny = abs(x) < x.like(0x1p-25, 0x1p-54);
  return select(isTiny, x, select(ordinary, result, limit));
}

Expr formulas::asinh(Expr x) {
  // ln(a + sqrt(1 + a^2)) = ln(1 + (a + a^2 / (1 + sqrt(1 + a^2)))); ln 2 a for large a.
  Expr a = abs(x);
  Expr isLarge = a > a.like(0x1p13, 0x1p28);
  Expr square = a * a;
  Pair argument = exactFastSum(a, square / (sqrt(square + 1) + 1));
  Pair sum = exactSum(a.like(1), argument.high);
  Expr result = logOfPair(select(isLarge, a, sum.high), select(isLarge, 0, sum.low + argument.low),
                          select(isLarge, a.like(1), 0));
  return select((a < a.like(0x1p-12, 0x1p-27)) | ~isFinite(a), x, copysign(result, x));
}

Expr formulas::acosh(Expr x) {
  // ln(x + sqrt(x^2 - 1)) = ln(1 + (t + sqrt(t (t + 2)))), t = x - 1; ln 2 x for large x.
  Expr isLarge = x > x.like(0x1p13, 0x1p28);
  Expr t = x - 1;
  Pair argument = exactSum(t, sqrt(fma(t, t, t * 2)));
  Pair sum = exactSum(x.like(1), argument.high);
  Expr result = logOfPair(select(isLarge, x, sum.high), select(isLarge, 0, sum.low + argument.low),
                          select(isLarge, x.like(1), 0));
  return select(x == 1, 0,
                select((x > 1) & (x < HUGE_VAL), result, select(x < 1, std::nan(""), x)));
}

Expr formulas::atanh(Expr x) {
  // ln((1 + a) / (1 - a)) / 2 = ln(1 + 2 a / (1 - a)) / 2. The quotient's own error is
  // the remainder of its division.
  Expr a = abs(x);
  Pair divisor = exactFastSum(a.like(1), -a);
  Expr quotient = a * 2 / divisor.high;
  Expr remainder = fma(-quotient, divisor.high, a * 2);
  Expr error = fma(-quotient, divisor.low, remainder) / divisor.high;
  Expr result = log1pOfPair(quotient, error) * 0.5;
  Expr limit = select(a == 1, copysign(x.like(HUGE_VAL), x), std::nan(""));
  return select(a < a.like(0x1p-12, 0x1p-27), x, select(a < 1, copysign(result, x), limit));
}
