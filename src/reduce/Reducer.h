//===- Reducer.h - The smallest program that still fails ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Delta debugging over edits (A. Zeller, R. Hildebrandt, "Simplifying and Isolating
// Failure-Inducing Input", IEEE TSE 28(2), 2002): for each kind of edits, from coarse to fine, ever
// smaller runs of them are tried, and kept where the program still fails. What one kind makes
// possible is tried by the others in the next round; a round that changes nothing is the last.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REDUCE_REDUCER_H
#define TILEWRIGHT_REDUCE_REDUCER_H

#include "reduce/Edits.h"

#include <chrono>
#include <set>

namespace tilewright::reduce {

/// Whether a program still fails in the way that is looked for.
using Test = std::function<bool(const Program &)>;

class Reducer {
public:
  /// No test begins after `deadline`.
  Reducer(Test test, std::chrono::steady_clock::time_point deadline)
      : test(std::move(test)), deadline(deadline) {}

  /// The smallest program found for which the test holds, as it does for `program`.
  Program reduce(Program program, llvm::ArrayRef<EditKind> kinds);

  unsigned testCount() const { return tests; }
  /// Whether the last reduction ended for want of time.
  bool ranOutOfTime() const { return outOfTime; }

private:
  bool holds(const Program &program);
  bool reduceBy(const EditKind &kind, Program &program);
  bool reduceBy(const Edits &edits, Program &program);

  Test test;
  std::chrono::steady_clock::time_point deadline;
  /// Programs for which the test does not hold.
  std::set<size_t> refused;
  unsigned tests = 0;
  bool outOfTime = false;
};

} // namespace tilewright::reduce

#endif // TILEWRIGHT_REDUCE_REDUCER_H
