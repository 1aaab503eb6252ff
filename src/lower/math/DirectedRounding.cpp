//===- DirectedRounding.cpp - Arithmetic that rounds toward one side ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The result rounded to nearest is the one looked for, or its neighbour: which it is, the sign of
// the residual says, that is of the exact result minus the rounded one. For sums, products,
// quotients and roots the residual itself is a float (T. J. Dekker, A floating-point technique for
// extending the available precision, Numerische Mathematik 18, 1971; S. Boldo and M. Daumas,
// Representable correcting terms for possibly underflowing floating point operations, ARITH 2003),
// unless it is too small to be one; operands that are small are multiplied by a power of two
// before. In f32 it is computed in f64, where nothing is too small. The residual of what overflowed
// is infinite, of infinities a NaN, which leaves them as they are.
//
//===--------------------------------------------------------------------------===//

#include "lower/math/DirectedRounding.h"

using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// The neighbour of x above (`up`) or below it. Of zeros, the least subnormal number.
Expr neighbour(Expr x, bool up) {
  Expr bits = toBits(x);
  // Away from zero is one more in the bits.
  Expr isAway = up ? ~isNegative(x) : isNegative(x);
  Expr moved = fromBits(select(isAway, bits + 1, bits - 1));
  Expr least = fromBits(bits.like(1));
  return select(x == 0, up ? least : -least, moved);
}

/// `nearest` moved as the residual says.
Expr moved(Expr nearest, Expr residual, Direction direction) {
  Expr isMore = residual > 0, isLess = residual < 0;
  switch (direction) {
  case Direction::Up:
    return select(isMore, neighbour(nearest, true), nearest);
  case Direction::Down:
    return select(isLess, neighbour(nearest, false), nearest);
  case Direction::TowardZero:
    break;
  }
  // To 0 there is nothing nearer.
  Expr lower = select((nearest > 0) & isLess, neighbour(nearest, false), nearest);
  return select((nearest < 0) & isMore, neighbour(nearest, true), lower);
}

/// What cancels is -0 where rounding goes down, unless both terms are +0.
Expr withZero(Expr sum, Expr a, Expr b, Direction direction) {
  if (direction != Direction::Down)
    return sum;
  Expr zero = copysign(sum.like(0), select(isNegative(a) | isNegative(b), sum.like(-1), 1));
  return select(sum == 0, zero, sum);
}

mlir::Type f64Of(Expr x) { return x.at().builder.getF64Type(); }
Expr wide(Expr x) { return extend(x, f64Of(x)); }

/// The sign of high + low - r, where high is a double near r and low less than its last place.
Expr residualOf(Expr high, Expr low, Expr r) {
  Expr difference = high - (r.isDouble() ? r : wide(r));
  return select(difference == 0, low, difference);
}

} // namespace

Expr lower::addRounded(Expr a, Expr b, Direction direction) {
  Expr sum = a + b;
  Expr isOrdered = abs(a) >= abs(b);
  Expr large = select(isOrdered, a, b), small = select(isOrdered, b, a);
  Expr residual = small - (sum - large);
  return withZero(moved(sum, residual, direction), a, b, direction);
}

Expr lower::multiplyRounded(Expr a, Expr b, Direction direction) {
  if (!a.isDouble()) {
    Expr product = wide(a) * wide(b);
    Expr nearest = truncate(product, a.type());
    return moved(nearest, product - wide(nearest), direction);
  }
  Expr product = a * b;
  // The smaller factor is below 2^-450 then.
  Expr isSmall = abs(product) < 0x1p-900, isOrdered = abs(a) <= abs(b);
  Expr scale = select(isSmall, a.like(0x1p600), 1);
  Expr small = select(isOrdered, a, b), large = select(isOrdered, b, a);
  Expr residual = fma(small * scale, large, -(product * scale));
  // Of what vanished no more than the sign is left.
  Expr ofVanished = select(a == 0, 0, copysign(a.like(1), a) * b);
  return moved(product, select(product == 0, ofVanished, residual), direction);
}

Expr lower::divideRounded(Expr a, Expr b, Direction direction) {
  Expr quotient = a / b;
  Expr remainder = a;
  if (!a.isDouble()) {
    remainder = fma(-wide(quotient), wide(b), wide(a));
  } else {
    // Where b is large as well the quotient is 0, and the remainder a.
    Expr isSmall = (abs(a) < 0x1p-600) & (abs(b) < 0x1p500);
    Expr scale = select(isSmall, a.like(0x1p300), 1);
    remainder = fma(-quotient, b * scale, a * scale);
  }
  return moved(quotient, select(isNegative(b), -remainder, remainder), direction);
}

Expr lower::sqrtRounded(Expr x, Direction direction) {
  Expr root = sqrt(x);
  if (!x.isDouble())
    return moved(root, fma(-wide(root), wide(root), wide(x)), direction);
  Expr isSmall = x < 0x1p-600;
  Expr scale = select(isSmall, x.like(0x1p150), 1);
  Expr scaled = root * scale;
  return moved(root, fma(-scaled, scaled, x * scale * scale), direction);
}

Expr lower::fmaRounded(Expr a, Expr b, Expr c, Direction direction) {
  Expr nearest = fma(a, b, c);
  if (!a.isDouble()) {
    Expr product = wide(a) * wide(b);
    Pair sum = exactSum(product, wide(c));
    Expr low = select(isFinite(sum.high), sum.low, 0);
    Expr residual = residualOf(sum.high, low, nearest);
    return select(residual == 0, withZero(nearest, product, c, direction),
                  moved(nearest, residual, direction));
  }
  // What might overflow is made smaller, but not zero.
  Expr isLarge = ~(abs(a * b) < 0x1p1000) | ~(abs(c) < 0x1p1000);
  Expr scale = select(isLarge, a.like(0x1p-200), 1);
  Expr isOrdered = abs(a) >= abs(b);
  Expr factor = select(isOrdered, a, b) * scale, other = select(isOrdered, b, a);
  Expr term = c * scale;
  term = select((term == 0) & (c != 0), copysign(c.like(0x1p-1074), c), term);
  // The exact sum of three numbers, each no more than the last place of the one before.
  Pair product = exactProduct(factor, other);
  Pair sum = exactSum(product.high, term);
  Pair rest = exactSum(sum.low, product.low);
  Pair total = exactSum(sum.high, rest.high);
  Expr low = select(total.low == 0, rest.low, total.low);
  Expr residual = residualOf(total.high, low, nearest * scale);
  // What overflowed is less than infinity, unless it comes from one.
  Expr isExact = ~(isFinite(a) & isFinite(b) & isFinite(c));
  residual = select(isFinite(nearest), residual, select(isExact, 0, -nearest));
  return select(residual == 0, withZero(nearest, product.high, c, direction),
                moved(nearest, residual, direction));
}

Expr lower::singleRounded(Expr x, Direction direction) {
  Expr nearest = truncate(x, x.at().builder.getF32Type());
  return moved(nearest, x - wide(nearest), direction);
}

Expr lower::integerRounded(Expr x, bool isSigned, Expr like, Direction direction) {
  Expr asDouble = like.isDouble() ? like : wide(like);
  if (x.bits() == 32)
    return singleRounded(toFloat(x, asDouble, isSigned), direction);
  // Two halves, each of which is a double.
  Expr upper = isSigned ? x >> 32 : shiftRightLogical(x, x.like(32));
  Pair sum = exactFastSum(toFloat(upper, asDouble, isSigned) * 0x1p32,
                          toFloat(x & int64_t(0xffffffff), asDouble, false));
  Expr nearest = like.isDouble() ? sum.high : truncate(sum.high, like.type());
  return moved(nearest, residualOf(sum.high, sum.low, nearest), direction);
}
