//===- Bessel.cpp - Bessel functions ------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Of the first and second kind and of order 0 and 1: below 8, polynomials with the zeros divided
// out, so that the relative error stays small beside them; from 8, Hankel's asymptotic forms sqrt(2
// / (pi x)) (P cos chi - Q sin chi), chi = x - (2 n + 1) pi / 4, with polynomials for P and Q (G.
// N. Watson, A Treatise on the Theory of Bessel Functions, 7.3): there the error is small beside
// the greatest values nearby. Beside 0 the second kind has the logarithm, times the first kind.
// Higher orders by recurrence, upward where that is stable, else downward from far above, scaled by
// J0 + 2 J2 + 2 J4 + .. = 1 (J. C. P. Miller). The modified ones are e^x times polynomials. In f32
// all is computed in f64 and rounded.
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
using llvm::SmallVector;

namespace {

constexpr double twoOverPi = 2 * std::numbers::inv_pi;
/// From here on Hankel's forms hold.
constexpr double firstFar = 8;

/// x - r for a zero r, which is given as two numbers.
Expr fromZero(Expr x, const double (&zero)[2]) { return (x - zero[0]) - zero[1]; }

/// x^2 - r^2.
Expr fromSquaredZero(Expr x, const double (&zero)[2]) { return fromZero(x, zero) * (x + zero[0]); }

/// P and Q of Hankel's form, with the sine and the cosine of x, x >= 8.
struct Hankel {
  Expr p, q, sine, cosine, scale;
};

Hankel hankel(Expr x, llvm::ArrayRef<double> p, llvm::ArrayRef<double> q) {
  Expr u = 8 / x, square = u * u;
  return {polynomialIn(square, 0, 1, {}, p), u * polynomialIn(square, 0, 1, {}, q),
          callFormula("sin", x), callFormula("cos", x), std::numbers::inv_sqrtpi / sqrt(x)};
}

/// `near`, or from 8 on `far`, which is computed in a branch; 0 for infinity.
Expr fromNearAndFar(Expr x, Expr near, llvm::function_ref<Expr()> far) {
  Expr result = branch(x >= firstFar, {near}, [&]() -> SmallVector<Expr> { return {far()}; })[0];
  return select(x == HUGE_VAL, 0, result);
}

// For x >= 0; NaN for a NaN.

Expr firstKind0(Expr x) {
  Expr low = fromSquaredZero(x, zerosJ0_1) * polynomialIn(x * x, 0, 16, {}, besselJ0LowF64);
  Expr high = fromZero(x, zerosJ0_2) * polynomialIn(x, 4, 8, {}, besselJ0HighF64);
  return fromNearAndFar(x, select(x < 4, low, high), [&] {
    Hankel h = hankel(x, hankelP0F64, hankelQ0F64);
    return h.scale * (h.p * (h.cosine + h.sine) + h.q * (h.cosine - h.sine));
  });
}

Expr firstKind1(Expr x) {
  Expr low = x * fromSquaredZero(x, zerosJ1_1) * polynomialIn(x * x, 0, 25, {}, besselJ1LowF64);
  Expr high = fromZero(x, zerosJ1_2) * polynomialIn(x, 5, 8, {}, besselJ1HighF64);
  return fromNearAndFar(x, select(x < 5, low, high), [&] {
    Hankel h = hankel(x, hankelP1F64, hankelQ1F64);
    return h.scale * (h.p * (h.sine - h.cosine) + h.q * (h.sine + h.cosine));
  });
}

/// ln(x / r) for a zero r: exactly 0 there.
Expr logOver(Expr x, const double (&zero)[2]) {
  Expr distance = fromZero(x, zero) / zero[0];
  // The quotient of a subnormal number would lose bits.
  Expr isSmall = x < 0x1p-900;
  Expr quotient = select(isSmall, x * 0x1p100, x) / zero[0];
  Expr ofFar = callFormula("log", quotient) - select(isSmall, x.like(100 * std::numbers::ln2), 0);
  return select(abs(distance) < 0.5, callFormula("log1p", distance), ofFar);
}

/// What the functions of the second kind are for x <= 0.
Expr withPole(Expr x, Expr result) {
  return select(x > 0, result, select(x == 0, -HUGE_VAL, x.like(std::nan(""))));
}

Expr secondKind0(Expr x) {
  Expr low = fma(logOver(x, zerosY0_1) * twoOverPi, callFormula("j0", x),
                 fromSquaredZero(x, zerosY0_1) * polynomialIn(x * x, 0, 9, {}, besselY0LowF64));
  Expr middle = fromZero(x, zerosY0_2) * polynomialIn(x, 3, 5.5, {}, besselY0MiddleF64);
  Expr high = fromZero(x, zerosY0_3) * polynomialIn(x, 5.5, 8, {}, besselY0HighF64);
  Expr near = select(x < 3, low, select(x < 5.5, middle, high));
  return withPole(x, fromNearAndFar(x, near, [&] {
                    Hankel h = hankel(x, hankelP0F64, hankelQ0F64);
                    return h.scale * (h.p * (h.sine - h.cosine) + h.q * (h.sine + h.cosine));
                  }));
}

Expr secondKind1(Expr x) {
  constexpr double square = zerosY1_1[0] * zerosY1_1[0];
  Expr rest = fma(x, polynomialIn(x * x, 0, 16, {}, besselY1LowF64), twoOverPi / square / x);
  Expr low = fma(logOver(x, zerosY1_1) * twoOverPi, callFormula("j1", x),
                 fromSquaredZero(x, zerosY1_1) * rest);
  Expr high = fromZero(x, zerosY1_2) * polynomialIn(x, 4, 8, {}, besselY1HighF64);
  return withPole(x, fromNearAndFar(x, select(x < 4, low, high), [&] {
                    Hankel h = hankel(x, hankelP1F64, hankelQ1F64);
                    return h.scale * (h.q * (h.sine - h.cosine) - h.p * (h.sine + h.cosine));
                  }));
}

/// The orders above 1, from those of order 0 and 1, upward: m counts from 2. x > 0.
Expr upward(Expr x, Expr m, Expr zeroth, Expr first) {
  auto proceed = [&](llvm::ArrayRef<Expr> state) {
    return (state[0] < m) & (state[2] > -HUGE_VAL);
  };
  auto step = [&](llvm::ArrayRef<Expr> state) -> SmallVector<Expr> {
    Expr k = toFloat(state[0], x, true);
    return {state[0] + 1, state[2], fma(k * 2 / x, state[2], -state[1])};
  };
  return loopWhile({m.like(1), zeroth, first}, proceed, step)[2];
}

/// J of order m >= 2 for 0 < x < m, downward.
Expr downward(Expr x, Expr m) {
  // Where to start so that what is left out does not count (W. H. Press et al., Numerical Recipes,
  // 6.5: an even number above m + sqrt(160 m)).
  Expr from = toInteger(toFloat(m, x, true) + sqrt(toFloat(m, x, true) * 160), 32);
  from = (from >> 1) << 1;
  constexpr double large = 0x1p100;
  auto proceed = [&](llvm::ArrayRef<Expr> state) { return state[0] > 0; };
  // k, J(k + 1), J(k), J(m), and the sum of J2, J4, ..: all but for one factor.
  auto step = [&](llvm::ArrayRef<Expr> state) -> SmallVector<Expr> {
    Expr k = state[0];
    Expr below = fma(toFloat(k, x, true) * 2 / x, state[2], -state[1]);
    Expr scale = select(abs(below) > large, x.like(1 / large), 1);
    Expr isEven = (k & 1) == 0;
    Expr wanted = select(k == m, state[2], state[3]);
    Expr sum = select(isEven, state[4] + state[2], state[4]);
    return {k - 1, state[2] * scale, below * scale, wanted * scale, sum * scale};
  };
  SmallVector<Expr> end =
      loopWhile({from, x.like(0), x.like(1), x.like(0), x.like(0)}, proceed, step);
  return end[3] / fma(end[4], 2, end[2]);
}

/// (x / 2)^m / m!, which J of order m is for small x.
Expr leadingTerm(Expr x, Expr m) {
  auto proceed = [&](llvm::ArrayRef<Expr> state) { return state[0] <= m; };
  auto step = [&](llvm::ArrayRef<Expr> state) -> SmallVector<Expr> {
    return {state[0] + 1, state[1] * (x * 0.5 / toFloat(state[0], x, true))};
  };
  return loopWhile({m.like(1), x.like(1)}, proceed, step)[1];
}

/// For order -n, and for -x, J and Y change their sign where n is odd.
Expr withSign(Expr value, Expr n, Expr isReflected) {
  return select(isReflected & ((n & 1) != 0), -value, value);
}

Expr orderOf(Expr n) { return select(n < 0, -n, n); }

Expr firstKind(Expr x, Expr n) {
  Expr a = abs(x), m = orderOf(n);
  Expr zeroth = callFormula("j0", a), first = callFormula("j1", a);
  Expr low = select(m == 0, zeroth, first);
  Expr result = branch(m > 1, {low}, [&]() -> SmallVector<Expr> {
    Expr isUpward = ~(a < toFloat(m, x, true)), isSmall = a < 0x1p-26;
    SmallVector<Expr> value =
        branch(isUpward, {a}, [&]() -> SmallVector<Expr> { return {upward(a, m, zeroth, first)}; });
    value = branch(~isUpward & ~isSmall, value,
                   [&]() -> SmallVector<Expr> { return {downward(a, m)}; });
    return branch(isSmall, value, [&]() -> SmallVector<Expr> { return {leadingTerm(a, m)}; });
  })[0];
  result = select(a == HUGE_VAL, 0, result);
  return withSign(result, m, (n < 0) ^ isNegative(x));
}

Expr secondKind(Expr x, Expr n) {
  Expr m = orderOf(n);
  Expr zeroth = callFormula("y0", x), first = callFormula("y1", x);
  Expr low = select(m == 0, zeroth, first);
  Expr result = branch((m > 1) & (x > 0) & (x < HUGE_VAL), {low},
                       [&]() -> SmallVector<Expr> { return {upward(x, m, zeroth, first)}; })[0];
  Expr reflected = withSign(result, m, n < 0);
  return select((result == 0) & (m > 1), 0, reflected);
}

/// e^a times a polynomial in a below 8; from there times one in 8 / a, over sqrt a, with the power
/// in two factors, as the whole may be finite where e^a is not. a >= 0.
Expr modified(Expr a, llvm::ArrayRef<double> low, llvm::ArrayRef<double> high) {
  Expr isLow = a < 8;
  Expr power = callFormula("exp", select(isLow, a, a * 0.5));
  Expr far = power * (polynomialIn(8 / a, 0, 1, {}, high) / sqrt(a)) * power;
  Expr near = power * polynomialIn(a, 0, 8, {}, low);
  return select(a == HUGE_VAL, a, select(isLow, near, far));
}

Expr modified0(Expr x) { return modified(abs(x), besselI0LowF64, besselI0HighF64); }

Expr modified1(Expr x) {
  Expr a = abs(x);
  Expr size = modified(a, besselI1LowF64, besselI1HighF64);
  return copysign(select(a < 8, size * a, size), x);
}

} // namespace

Expr formulas::j0(Expr x) { return inDouble(abs(x), firstKind0); }
Expr formulas::j1(Expr x) {
  Expr ofSize = inDouble(abs(x), firstKind1);
  return select(isNegative(x), -ofSize, ofSize);
}
Expr formulas::y0(Expr x) { return inDouble(x, secondKind0); }
Expr formulas::y1(Expr x) { return inDouble(x, secondKind1); }
Expr formulas::jn(Expr x, Expr n) {
  return inDouble(x, [&](Expr wide) { return firstKind(wide, n); });
}
Expr formulas::yn(Expr x, Expr n) {
  return inDouble(x, [&](Expr wide) { return secondKind(wide, n); });
}
Expr formulas::cylBesselI0(Expr x) { return inDouble(x, modified0); }
Expr formulas::cylBesselI1(Expr x) { return inDouble(x, modified1); }
