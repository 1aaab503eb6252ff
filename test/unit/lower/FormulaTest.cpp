//===- FormulaTest.cpp - Errors of the formulas against their bounds ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "FormulaAccuracy.h"

#include "lower/math/MathLibrary.h"

#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::test;

namespace {

class Formulas : public testing::TestWithParam<MeasuredFormula> {
protected:
  static void check(const Accuracy &accuracy, double bound) {
    EXPECT_LE(accuracy.ulps, bound) << "at " << accuracy.x << ", " << accuracy.y;
    EXPECT_EQ(accuracy.wrongLimits, 0u)
        << "first at " << accuracy.wrongX << ", " << accuracy.wrongY;
  }
};

// A sample of what tilewright-ulp goes through as a whole.
TEST_P(Formulas, Single) {
  check(measureSingle(GetParam().name, {.start = 12345, .stride = 196613, .count = 20000}),
        GetParam().singleUlps);
}

TEST_P(Formulas, Double) {
  check(measureDouble(GetParam().name, {.count = 20000}), GetParam().doubleUlps);
}

INSTANTIATE_TEST_SUITE_P(All, Formulas, testing::ValuesIn(measuredFormulas()),
                         [](const auto &info) { return info.param.name; });

TEST(FormulaTable, IsSortedSoThatEachIsFound) {
  EXPECT_TRUE(llvm::is_sorted(lower::formulaNames()));
  for (llvm::StringRef name : lower::formulaNames())
    EXPECT_TRUE(lower::hasFormula(name)) << name.str();
  EXPECT_FALSE(lower::hasFormula("gudermannian"));
}

} // namespace
