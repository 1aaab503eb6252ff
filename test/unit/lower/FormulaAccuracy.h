//===- FormulaAccuracy.h - Measured accuracy of the formulas --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each formula of src/lower/common/math is compiled for the host and compared with the
// C library's function in a wider type: double for f32, the 80-bit long double (or 128
// bits) for f64.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_LOWER_FORMULAACCURACY_H
#define TILEWRIGHT_TEST_UNIT_LOWER_FORMULAACCURACY_H

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tilewright::test {

struct Accuracy {
  uint64_t inputs = 0;
  /// The largest error, in units of the last place of the correct result, and its inputs.
  double ulps = 0, x = 0, y = 0;
  /// Results that are a NaN, an infinity, or a zero of some sign, where another is right or
  /// the other way round.
  uint64_t wrongLimits = 0;
  double wrongX = 0, wrongY = 0;
};

/// A formula and the errors that docs/math.md states.
struct MeasuredFormula {
  std::string name;
  double singleUlps, doubleUlps;
};

std::span<const MeasuredFormula> measuredFormulas();

/// Functions of one f32: all inputs whose bits, as a number, are `start` plus a multiple of
/// `stride`, and every power of two with its neighbours. Everything else: `count` random
/// inputs - a half of all exponents alike, a half of the magnitudes where the function
/// changes - and the limits.
struct Sample {
  uint64_t start = 0, stride = 1;
  uint64_t count = 0;
};

Accuracy measureSingle(const std::string &name, const Sample &sample);
Accuracy measureDouble(const std::string &name, const Sample &sample);

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_UNIT_LOWER_FORMULAACCURACY_H
