//===- Circular.cpp - Sine, cosine and tangent ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// x = k pi / 2 + r with |r| <= pi / 4; k's two low bits say which of sin r and cos r is
// wanted, and its sign. For moderate x, pi / 2 is taken off in three parts, the first of
// them without rounding (W. J. Cody and W. Waite, Software Manual for the Elementary
// Functions, 1980). For large x only those bits of 2 / pi are multiplied by x that make a
// difference (M. H. Payne and R. N. Hanek, Radian Reduction for Trigonometric Functions,
// ACM SIGNUM 18, 1983).
//
//===--------------------------------------------------------------------------===//

#include "lower/math/Coefficients.h"
#include "lower/math/Formulas.h"
#include "lower/math/MathLibrary.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

constexpr double halfPi = std::numbers::pi / 2;

/// The bits of 2 / pi after the binary point.
constexpr uint64_t twoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

/// An angle: quadrant (i32, its two low bits count) times pi / 2, plus r.
struct Angle {
  Expr r, quadrant;
};

//===--------------------------------------------------------------------------===//
// Reduction
//===--------------------------------------------------------------------------===//

/// Below it reduceModerate is exact enough.
Expr moderateBound(Expr x) { return x.like(0x1p17, 0x1p29); }

Angle reduceModerate(Expr x) {
  Rounded k = nearestInteger(x * std::numbers::inv_pi * 2);
  // pi / 2 in three numbers of the type.
  constexpr double single[] = {0x1.921fb6p+0, -0x1.777a5cp-25, -0x1.ee59dap-50};
  constexpr double wide[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
  Expr r = x;
  for (int part = 0; part < 3; ++part)
    r = fma(-k.number, x.like(single[part], wide[part]), r);
  return {r, k.integer};
}

/// Words first, first + 1, .. of a table of integers of the type of `first`.
SmallVector<Expr> lookUp(ArrayRef<int64_t> table, Expr first, unsigned count) {
  // A barrel shifter: each bit of the index moves the whole table or not.
  SmallVector<Expr> words;
  for (int64_t word : table)
    words.push_back(first.like(word));
  for (unsigned step = llvm::PowerOf2Ceil(table.size()) / 2; step; step /= 2) {
    Expr moves = (first & static_cast<int64_t>(step)) != 0;
    size_t needed = std::min(words.size(), size_t(count) + step - 1);
    for (size_t i = 0; i < needed; ++i)
      if (i + step < words.size())
        words[i] = select(moves, words[i + step], words[i]);
    words.erase(words.begin() + static_cast<ptrdiff_t>(needed), words.end());
  }
  return words;
}

/// `count` words of 2 / pi, from a bit of it; that bit is counted from `padding` bits before
/// the point, all zero.
SmallVector<Expr> windowOfTwoOverPi(Expr firstBit, unsigned count) {
  unsigned bits = firstBit.bits();
  SmallVector<int64_t> table = {0};
  // The largest exponent needs this many bits, and then a window.
  unsigned words = bits == 64 ? std::size(twoOverPi) : 7;
  for (unsigned i = 0; i < words; ++i) {
    if (bits == 64)
      table.push_back(static_cast<int64_t>(twoOverPi[i]));
    else
      table.push_back(static_cast<int32_t>(twoOverPi[i / 2] >> (i % 2 ? 0 : 32)));
  }
  Expr index = shiftRightLogical(firstBit, firstBit.like(bits == 64 ? 6 : 5));
  Expr shift = firstBit & static_cast<int64_t>(bits - 1);
  SmallVector<Expr> whole = lookUp(table, index, count + 1), window;
  // A shift by the full width is none: the next word is shifted in two steps.
  Expr back = shift.like(bits - 1) - shift;
  for (unsigned i = 0; i < count; ++i)
    window.push_back((whole[i] << shift) |
                     shiftRightLogical(shiftRightLogical(whole[i + 1], shift.like(1)), back));
  return window;
}

Expr widen(Expr x, unsigned bits) { return resize(x, bits, /*isSigned=*/false); }

Expr highProduct(Expr a, Expr b) {
  Expr product = widen(a, 128) * widen(b, 128);
  return resize(shiftRightLogical(product, product.like(64)), 64, false);
}

/// |x| 2 / pi modulo 4 as a fixed-point number: words of 64 bits, the first one's two top
/// bits before the point.
SmallVector<Expr> turnsOfLarge(Expr x) {
  Expr bits = toBits(abs(x));
  unsigned fraction = fractionBits(x), width = x.bits();
  Expr exponent = shiftRightLogical(bits, bits.like(fraction));
  Expr mantissa = (bits & ((int64_t(1) << fraction) - 1)) | (int64_t(1) << fraction);
  // x = mantissa 2^e. Bits of 2 / pi worth 4 or more after scaling by 2^e do not count.
  int64_t scale = exponentBias(x) + fraction;
  Expr first = exponent - scale + (static_cast<int64_t>(width) - 2);
  SmallVector<Expr> window = windowOfTwoOverPi(first, 3);
  if (width == 32) {
    Expr m = widen(mantissa, 64);
    Expr lowest = m * widen(window[2], 64);
    return {(m * widen(window[0], 64) << 32) + m * widen(window[1], 64) +
            shiftRightLogical(lowest, lowest.like(32))};
  }
  Expr middle = mantissa * window[1];
  Expr low = middle + highProduct(mantissa, window[2]);
  Expr carry = resize(unsignedLess(low, middle), 64, false);
  return {mantissa * window[0] + highProduct(mantissa, window[1]) + carry, low};
}

Angle reduceLarge(Expr x) {
  SmallVector<Expr> turns = turnsOfLarge(x);
  // The quadrant is the nearest one: what is left is signed.
  Expr quadrant = shiftRightLogical(turns[0], turns[0].like(62));
  Expr rest = turns[0] << 2;
  if (turns.size() == 2)
    rest = rest | shiftRightLogical(turns[1], turns[1].like(62));
  quadrant = resize(quadrant + shiftRightLogical(rest, rest.like(63)), 32, false);
  Expr r = x;
  if (turns.size() == 1) {
    // One number of 64 bits: f64 has bits enough for f32's result.
    mlir::Type f64 = x.at().builder.getF64Type();
    Expr wide = toFloat(rest, extend(x, f64), true);
    r = truncate(wide * (halfPi * 0x1p-64), x.type());
  } else {
    Expr low = turns[1] << 2;
    auto half = [&](Expr word, double weight) {
      return toFloat(word, x, /*isSigned=*/false) * weight;
    };
    Expr top = toFloat(rest >> 32, x, /*isSigned=*/true) * 0x1p-32;
    Pair sum = exactSum(top, half(rest & 0xffffffff, 0x1p-64));
    Expr tail = sum.low + half(shiftRightLogical(low, low.like(32)), 0x1p-96);
    Pair whole = exactSum(sum.high, tail);
    r = fma(whole.high, x.like(halfPi),
            fma(whole.high, x.like(0x1.1a62633145c07p-54), whole.low * halfPi));
  }
  // The reduction was of |x|.
  Expr negative = isNegative(x);
  return {select(negative, -r, r), select(negative, -quadrant, quadrant)};
}

//===--------------------------------------------------------------------------===//
// Functions of an angle
//===--------------------------------------------------------------------------===//

Expr sineOf(Expr r) {
  Expr z = r * r;
  return fma(r * z, polynomial(z, coefficients::sineF32, coefficients::sineF64), r);
}

/// 1 - z / 2 + z^2 q(z), where what 1 - z / 2 rounds off is added again.
Expr cosineOf(Expr r) {
  Expr z = roundedProduct(r, r);
  Expr half = z * 0.5;
  Expr most = 1 - half;
  Expr lost = (1 - most) - half;
  Expr series = polynomial(z, coefficients::cosineF32, coefficients::cosineF64);
  return most + fma(z * z, series, lost);
}

/// x with its sign changed where bit 1 of `quadrant` is set.
Expr signedBy(Expr x, Expr quadrant) {
  Expr sign = resize(quadrant & 2, x.bits(), false) << static_cast<int>(x.bits() - 2);
  return fromBits(toBits(x) ^ sign);
}

Expr sineOf(Angle angle) {
  Expr value = select((angle.quadrant & 1) != 0, cosineOf(angle.r), sineOf(angle.r));
  return signedBy(value, angle.quadrant);
}

Expr cosineOf(Angle angle) { return sineOf(Angle{angle.r, angle.quadrant + 1}); }

Expr tangentOf(Angle angle) {
  Expr s = sineOf(angle.r), c = cosineOf(angle.r);
  Expr isOdd = (angle.quadrant & 1) != 0;
  return select(isOdd, -c, s) / select(isOdd, s, c);
}

Expr function(Expr x, Expr (*compute)(Angle), llvm::StringRef nameOfLarge) {
  Expr usual = compute(reduceModerate(x));
  Expr isRare = ~(abs(x) < moderateBound(x));
  return branch(isRare, usual,
                [&]() -> SmallVector<Expr> { return {callFormula(nameOfLarge, x)}; })[0];
}

Expr largeFunction(Expr x, Expr (*compute)(Angle)) {
  return select(isFinite(x), compute(reduceLarge(x)), std::nan(""));
}

/// x pi, less whole turns.
Angle reduceHalfTurns(Expr x) {
  Expr rest = x - roundEven(x * 0.5) * 2;
  Rounded k = nearestInteger(rest * 2);
  Expr d = fma(k.number, -0.5, rest);
  constexpr double pi = std::numbers::pi;
  Expr tail = x.like(pi - static_cast<double>(static_cast<float>(pi)), 0x1.1a62633145c07p-53);
  return {fma(d, x.like(pi), d * tail), k.integer};
}

} // namespace

// Below these bounds an odd function is x to the last bit; the formulas would lose the sign
// of zero.
static Expr oddNearZero(Expr x, Expr result) {
  return select(abs(x) < x.like(0x1p-13, 0x1p-27), x, result);
}

Expr formulas::sin(Expr x) { return oddNearZero(x, function(x, sineOf, "sin_large")); }
Expr formulas::cos(Expr x) { return function(x, cosineOf, "cos_large"); }
Expr formulas::tan(Expr x) { return oddNearZero(x, function(x, tangentOf, "tan_large")); }
Expr formulas::sinOfLarge(Expr x) { return largeFunction(x, sineOf); }
Expr formulas::cosOfLarge(Expr x) { return largeFunction(x, cosineOf); }
Expr formulas::tanOfLarge(Expr x) { return largeFunction(x, tangentOf); }

Expr formulas::sinpi(Expr x) {
  Expr result = sineOf(reduceHalfTurns(x));
  return select(result == 0, copysign(result, x), result);
}

Expr formulas::cospi(Expr x) {
  Expr result = cosineOf(reduceHalfTurns(x));
  return select(result == 0, abs(result), result);
}
