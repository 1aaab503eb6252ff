//===- Rounding.cpp - Remainders, neighbours, exponents ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/math/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// The exponent of finite x > 0, as an i32.
Expr exponentField(Expr x) {
  Expr bits = toBits(x);
  return resize(shiftRightLogical(bits, bits.like(fractionBits(x))), 32, false) - exponentBias(x);
}

/// a modulo b, where the quotient a / b is below 2^22. Nothing rounds but the quotient.
Expr reduceOnce(Expr a, Expr b) {
  Expr rest = fma(-trunc(a / b), b, a);
  // The quotient may have been rounded up to the next integer.
  return select(rest < 0, rest + b, rest);
}

/// a modulo b for finite a >= 0 and b > 0: long division, 20 bits of the quotient a round.
Expr reduceFully(Expr a, Expr b) {
  auto proceed = [&](ArrayRef<Expr> state) { return state[0] >= b; };
  auto step = [&](ArrayRef<Expr> state) -> SmallVector<Expr> {
    Expr multiple = b;
    // A quotient can overflow, twice for a subnormal b; its exponent then is the greatest.
    for (int stage = 0; stage < 3; ++stage) {
      Expr excess = exponentField(state[0] / multiple) - 20;
      multiple = scaleByPower(multiple, select(excess < 0, 0, excess));
    }
    return {reduceOnce(state[0], multiple)};
  };
  return loopWhile({a}, proceed, step)[0];
}

struct Normalized {
  /// Between 1 and 2, with the sign of x.
  Expr fraction;
  Expr exponent;
};

/// For finite x other than 0.
Normalized normalize(Expr x) {
  Expr a = abs(x);
  Expr isSmall = a < x.like(0x1p-126, 0x1p-1022);
  Expr normal = select(isSmall, x * 0x1p54, x);
  Expr exponent = exponentField(abs(normal));
  Expr bits = toBits(normal);
  int64_t fractionMask = (int64_t(1) << fractionBits(x)) - 1;
  int64_t one = int64_t(exponentBias(x)) << fractionBits(x);
  int64_t signMask = x.isDouble() ? INT64_MIN : int64_t(INT32_MIN);
  Expr fraction = fromBits((bits & (fractionMask | signMask)) | one);
  return {fraction, select(isSmall, exponent - 54, exponent)};
}

} // namespace

Expr formulas::round(Expr x) {
  Expr whole = trunc(x);
  Expr away = whole + copysign(x.like(1), x);
  return copysign(select(abs(x - whole) >= 0.5, away, whole), x);
}

Expr formulas::fmod(Expr x, Expr y) {
  Expr a = abs(x), b = abs(y);
  Expr isDefined = isFinite(a) & (b > 0);
  Expr usual = select(b == HUGE_VAL, a, reduceOnce(a, b));
  Expr isRare = isDefined & (a / b >= 0x1p20);
  Expr rest = branch(isRare, usual, [&]() -> SmallVector<Expr> { return {reduceFully(a, b)}; })[0];
  return select(isDefined, copysign(rest, x), select(isNan(x) | isNan(y), x + y, std::nan("")));
}

Expr formulas::remainder(Expr x, Expr y) {
  // The rest after whole multiples of 2 b is below 2 b; of it b is taken off as often as
  // brings it to at most b / 2, a tie going to an even multiple.
  Expr b = abs(y);
  Expr isHuge = b > x.like(0x1.fffffep126, 0x1.fffffffffffffp1022);
  Expr rest = select(isHuge, abs(x), fmod(abs(x), select(isHuge, b, b * 2)));
  // Half of a subnormal b would round: both sides are doubled then.
  Expr isSmall = b < x.like(0x1p-125, 0x1p-1021);
  Expr factor = select(isSmall, x.like(2), 1);
  Expr half = select(isSmall, b, b * 0.5);
  Expr once = rest * factor > half;
  Expr afterOnce = select(once, rest - b, rest);
  Expr twice = once & (afterOnce * factor >= half);
  Expr result = select(twice, afterOnce - b, afterOnce);
  Expr signChanged = fromBits(toBits(result) ^ (toBits(x) & toBits(x.like(-0.0))));
  Expr limit = select(isNan(x) | isNan(y), x + y, std::nan(""));
  return select(isFinite(x) & (b > 0), signChanged, limit);
}

Expr formulas::fdim(Expr x, Expr y) { return select(x <= y, 0, x - y); }

Expr formulas::nextafter(Expr x, Expr y) {
  // Numbers of one sign are ordered as their bits are.
  Expr bits = toBits(x);
  Expr grows = (x < y) ^ isNegative(x);
  Expr moved = fromBits(bits + select(grows, bits.like(1), -1));
  Expr least = copysign(fromBits(bits.like(1)), y);
  Expr result = select(x == 0, least, moved);
  return select(isNan(x) | isNan(y), x + y, select(x == y, y, result));
}

Expr formulas::ldexp(Expr x, Expr n) {
  Normalized parts = normalize(x);
  int64_t limit = 4 * exponentBias(x);
  Expr bounded = select(n > limit, limit, select(n < -limit, -limit, n));
  Expr exponent = parts.exponent + bounded;
  int64_t top = exponentBias(x) + 1, bottom = -exponentBias(x) - int64_t(fractionBits(x)) - 2;
  exponent = select(exponent > top, top, select(exponent < bottom, bottom, exponent));
  return select((x == 0) | ~isFinite(x), x, scaleByPower(parts.fraction, exponent));
}

Expr formulas::ilogb(Expr x) {
  Expr exponent = normalize(x).exponent;
  Expr ordinary = isFinite(x) & (x != 0);
  return select(ordinary, exponent, select(isInfinite(x), exponent.like(INT32_MAX), INT32_MIN));
}

Expr formulas::logb(Expr x) {
  Expr exponent = toFloat(normalize(x).exponent, x, true);
  Expr limit = select(x == 0, x.like(-HUGE_VAL), abs(x));
  return select(isFinite(x) & (x != 0), exponent, limit);
}
