//===- Comparison.h - Memory after two runs ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Integers are equal. Floats differ as much as the source leaves to the compiler: as much as the
// source's own results do from one way of making its choices to the next (interpret::Variant), with
// some room, and by one rounding where they were rounded to 16 bits or fewer. A value that is
// undefined before may be anything after.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VALIDATE_COMPARISON_H
#define TILEWRIGHT_VALIDATE_COMPARISON_H

#include "validate/Execution.h"

namespace tilewright::validate {

/// How far the results of an input may be apart.
struct Tolerance {
  /// For each buffer and element the largest deviation that was seen; infinite where nothing can be
  /// said.
  std::vector<std::vector<double>> deviations;
  /// For each buffer the median of the deviations that are not zero: elements whose own deviation
  /// is small by chance have errors of that size, too.
  std::vector<double> usual;
  /// Whether results of 16 bits or fewer may be rounded otherwise, for each buffer.
  std::vector<bool> mayRound;
};

/// That of the results of `plain` beside those of other variants.
Tolerance measureTolerance(const Input &input, const Execution &plain,
                           llvm::ArrayRef<Execution> variants);

struct Difference {
  /// The name of the argument in whose memory it is; empty where the run itself went wrong.
  std::string argument;
  /// The number of the element.
  size_t index = 0;
  /// The two values as text; of a run that went wrong, what happened.
  std::string before, after;
  /// "file:line:col" of the store, or empty.
  std::string place;
};

/// The first element that differs by more than the tolerance; nothing where none does. Both runs
/// have come to their ends.
std::optional<Difference> compare(const Input &input, const Execution &before,
                                  const Execution &after, const Tolerance &tolerance);

} // namespace tilewright::validate

#endif // TILEWRIGHT_VALIDATE_COMPARISON_H
