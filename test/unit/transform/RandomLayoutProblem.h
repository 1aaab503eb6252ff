//===- RandomLayoutProblem.h - Small layout problems ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_TRANSFORM_RANDOMLAYOUTPROBLEM_H
#define TILEWRIGHT_TEST_UNIT_TRANSFORM_RANDOMLAYOUTPROBLEM_H

#include "transform/layout/problem/LayoutCandidates.h"
#include "transform/layout/problem/LayoutText.h"

#include <random>

namespace tilewright::test {

/// The sizes of a random problem.
struct ProblemSizes {
  unsigned variables = 5, layouts = 3, users = 2;
  /// A user that keeps its layouts has up to so many beside those.
  unsigned alternatives = 0;
  /// Some layouts have more registers than a thread.
  bool hasSpills = false;
};

/// A problem in which every variable can be computed in its original layout: fixed variables, then
/// computed ones of all rules, a loop around the last of them at times, and users of all rules.
std::unique_ptr<transform::LayoutTables> makeRandomProblem(std::mt19937 &random,
                                                           const ProblemSizes &sizes);

/// The least cost of the solutions of `problem`, all of which are tried: all of those in
/// `candidates`, if these are given.
transform::Cost findLeastCost(transform::LayoutProblem &problem, unsigned layouts,
                              const transform::LayoutCandidates *candidates = nullptr);

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_UNIT_TRANSFORM_RANDOMLAYOUTPROBLEM_H
