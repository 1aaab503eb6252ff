//===- PolynomialTest.cpp - Polynomials against their values ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Random polynomials; what the algebra does with them is done with their values, for many values of
// the symbols.
//
//===--------------------------------------------------------------------------===//

#include "analysis/Polynomial.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

using namespace tilewright::transform;

namespace {

constexpr unsigned symbolCount = 4;
using Point = std::array<int64_t, symbolCount>;

int64_t valueOf(const Polynomial &polynomial, const Point &point) {
  int64_t sum = 0;
  for (const auto &[product, coefficient] : polynomial.getTerms()) {
    int64_t term = coefficient;
    for (unsigned symbol : product)
      term *= point[symbol];
    sum += term;
  }
  return sum;
}

class PolynomialTest : public testing::Test {
protected:
  PolynomialTest() : random(7) {}

  int64_t pick(int64_t first, int64_t last) {
    return std::uniform_int_distribution<int64_t>(first, last)(random);
  }

  Polynomial any() {
    Polynomial sum;
    for (int64_t terms = pick(0, 4); terms > 0; --terms)
      sum = sum + anyTerm();
    return sum;
  }
  Polynomial anyTerm() {
    Polynomial term(pick(-6, 6));
    for (int64_t factors = pick(0, 3); factors > 0; --factors)
      term = term * Polynomial::ofSymbol(static_cast<unsigned>(pick(0, symbolCount - 1)));
    return term;
  }
  Point anyPoint() {
    Point point;
    for (int64_t &value : point)
      value = pick(-9, 9);
    return point;
  }

  std::mt19937 random;
};

TEST_F(PolynomialTest, ArithmeticIsThatOfValues) {
  for (unsigned i = 0; i < 3000; ++i) {
    const Polynomial a = any(), b = any();
    const Polynomial sum = a + b, difference = a - b, product = a * b;
    const auto symbol = static_cast<unsigned>(pick(0, symbolCount - 1));
    const Polynomial replaced = a.replace(symbol, b);
    for (unsigned k = 0; k < 5; ++k) {
      Point point = anyPoint();
      const int64_t x = valueOf(a, point), y = valueOf(b, point);
      EXPECT_EQ(valueOf(sum, point), x + y);
      EXPECT_EQ(valueOf(difference, point), x - y);
      EXPECT_EQ(valueOf(product, point), x * y);
      const int64_t replacedValue = valueOf(replaced, point);
      point[symbol] = y;
      EXPECT_EQ(replacedValue, valueOf(a, point));
    }
    // Equal however they were computed, and zero if they are.
    EXPECT_EQ(a * b, b * a);
    EXPECT_EQ((a + b) * (a - b), a * a - b * b);
    EXPECT_TRUE((sum - b - a).isZero());
  }
}

TEST_F(PolynomialTest, NoSymbolIsLeftBehind) {
  for (unsigned i = 0; i < 3000; ++i) {
    const Polynomial a = any();
    for (unsigned symbol = 0; symbol < symbolCount; ++symbol) {
      const bool has = a.has(symbol);
      EXPECT_EQ(has, !(a.replace(symbol, 0) == a));
      EXPECT_EQ(has, !a.allSymbols([&](unsigned other) { return other != symbol; }));
      auto isSymbol = [&](unsigned other) { return other == symbol; };
      const Polynomial with = a.termsWith(isSymbol);
      EXPECT_FALSE((a - with).has(symbol));
      EXPECT_TRUE(with.replace(symbol, 0).isZero());
    }
    const bool isConstant = a.allSymbols([](unsigned) { return false; });
    ASSERT_EQ(a.asConstant().has_value(), isConstant);
    if (isConstant) {
      EXPECT_EQ(*a.asConstant(), valueOf(a, Point{}));
    }
  }
}

TEST_F(PolynomialTest, TheRestOfADivisionHasNoMultiples) {
  unsigned exact = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    const Polynomial a = any(), divisor = anyTerm(), quotient = a.dividedBy(divisor);
    if (divisor.isZero()) {
      EXPECT_TRUE(quotient.isZero());
      continue;
    }
    const Polynomial rest = a - quotient * divisor;
    EXPECT_TRUE(rest.dividedBy(divisor).isZero());
    // Terms are of the quotient or of the rest, never of both.
    EXPECT_EQ(rest.getTerms().size() + quotient.getTerms().size(), a.getTerms().size());
    EXPECT_EQ((a * divisor).dividedBy(divisor), a);
    exact += !quotient.isZero() && rest.isZero();
    EXPECT_TRUE(a.dividedBy(divisor + Polynomial::ofSymbol(symbolCount)).isZero());
  }
  EXPECT_GT(exact, 100u);
}

TEST_F(PolynomialTest, CoefficientsAreCutOffTo64Bits) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  const Polynomial x = Polynomial::ofSymbol(0), huge = x * least;
  EXPECT_EQ(huge.dividedBy(Polynomial(-1)), huge);
  EXPECT_TRUE((huge + huge).isZero());
  EXPECT_EQ(huge * -1, huge);
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ((x * 3) * most, x * (most - 2));
}

} // namespace
