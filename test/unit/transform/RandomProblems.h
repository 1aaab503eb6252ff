//===- RandomProblems.h - Small scheduling problems for tests -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_TRANSFORM_RANDOMPROBLEMS_H
#define TILEWRIGHT_TEST_UNIT_TRANSFORM_RANDOMPROBLEMS_H

#include "transform/pipeline/schedule/ScheduleProblem.h"

#include <random>

namespace tilewright::test {

/// A problem of `ops` ops whose numbers are small: latencies and cycles up to 3, one op in three is
/// early by 1 or 2 stages, each pair depends in one of the ways there are with some chance.
inline transform::ScheduleProblem makeProblem(std::mt19937 &random, unsigned ops) {
  auto draw = [&](unsigned end) { return unsigned(random() % end); };
  transform::ScheduleProblem problem;
  for (unsigned i = 0; i < ops; ++i) {
    transform::ScheduleOp op;
    op.name = "op" + std::to_string(i);
    op.early = draw(3) == 0 ? 1 + draw(2) : 0;
    op.isLoad = op.early != 0 || draw(4) == 0;
    op.isBranch = !op.isLoad && draw(4) == 0;
    op.latency = draw(4);
    op.sumLatency = draw(op.latency + 1);
    op.cycles[draw(2)] = draw(4);
    problem.ops.push_back(op);
  }
  for (unsigned to = 0; to < ops; ++to)
    for (unsigned from = 0; from < ops; ++from) {
      const bool isOfMemory = draw(8) == 0;
      const bool isSum = !isOfMemory && draw(4) == 0;
      if (from < to && draw(2) == 0)
        problem.dependences.push_back({from, to, 0, isOfMemory, isSum});
      else if (draw(6) == 0)
        problem.dependences.push_back({from, to, 1, isOfMemory && from != to, isSum});
    }
  return problem;
}

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_UNIT_TRANSFORM_RANDOMPROBLEMS_H
