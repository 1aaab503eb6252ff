//===- ExactSchedulerTest.cpp - Shortest intervals against brute force --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/ExactScheduler.h"
#include "RandomProblems.h"
#include "transform/pipeline/schedule/ListScheduler.h"
#include "transform/pipeline/schedule/ScheduleText.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::transform;

namespace {

/// The conditions at the head of ExactScheduler.h, one cycle after the other.
bool isSchedule(const ScheduleProblem &problem, const ModuloSchedule &schedule) {
  const unsigned interval = schedule.interval;
  const std::vector<unsigned> &times = schedule.times;
  for (const ScheduleDependence &each : problem.dependences) {
    const ScheduleOp &from = problem.ops[each.from];
    const unsigned latency = each.isOfMemory ? 0 : each.isSum ? from.sumLatency : from.latency;
    if (times[each.to] + each.distance * interval < times[each.from] + latency)
      return false;
    const unsigned early = problem.ops[each.from].early;
    if (each.distance == 0 && !each.isOfMemory && early &&
        times[each.to] / interval < times[each.from] / interval + early)
      return false;
  }
  for (unsigned unit = 0; unit < numMachineUnits; ++unit) {
    std::vector<bool> isBusy(interval, false);
    for (unsigned op = 0; op < times.size(); ++op)
      for (unsigned cycle = 0; cycle < problem.ops[op].cycles[unit]; ++cycle) {
        const unsigned at = (times[op] + cycle) % interval;
        if (isBusy[at])
          return false;
        isBusy[at] = true;
      }
  }
  return true;
}

/// The least length of a schedule of `interval`, of all there are.
std::optional<unsigned> findLength(const ScheduleProblem &problem, unsigned interval) {
  ModuloSchedule schedule{interval, std::vector<unsigned>(problem.ops.size(), 0)};
  const unsigned end = problem.countStages() * interval;
  std::optional<unsigned> least;
  while (true) {
    if (isSchedule(problem, schedule))
      least = std::min(least.value_or(UINT_MAX), schedule.getLength(problem));
    size_t op = 0;
    while (op < schedule.times.size() && ++schedule.times[op] == end)
      schedule.times[op++] = 0;
    if (op == schedule.times.size())
      return least;
  }
}

TEST(ExactScheduler, FindsWhatBruteForceFinds) {
  std::mt19937 random(5);
  constexpr unsigned maxInterval = 5;
  unsigned solved = 0, unsolvable = 0;
  for (int i = 0; i < 400; ++i) {
    const ScheduleProblem problem = test::makeProblem(random, 1 + random() % 4);
    if (problem.countStages() > 4)
      continue;
    SCOPED_TRACE(printProblem(problem));
    const ExactResult result = solveExactly(problem, maxInterval, 1000000);
    ASSERT_TRUE(result.isProven);
    std::optional<unsigned> length;
    unsigned interval = 1;
    for (; interval <= maxInterval; ++interval)
      if ((length = findLength(problem, interval)))
        break;
    ASSERT_EQ(bool(result.schedule), bool(length));
    ++(length ? solved : unsolvable);
    if (!length)
      continue;
    EXPECT_TRUE(isSchedule(problem, *result.schedule));
    EXPECT_EQ(result.schedule->interval, interval);
    EXPECT_EQ(result.schedule->getLength(problem), *length);
  }
  EXPECT_GT(solved, 100u);
  EXPECT_GT(unsolvable, 10u);
}

TEST(ExactScheduler, GivesSolutionsThatAreRightAndAsQuick) {
  std::mt19937 random(6);
  for (int i = 0; i < 1000; ++i) {
    const ScheduleProblem problem = test::makeProblem(random, 2 + random() % 5);
    const ExactResult result = solveExactly(problem, 30, 20000);
    if (!result.schedule)
      continue;
    SCOPED_TRACE(printProblem(problem));
    const ScheduleSolution solution = result.schedule->getSolution();
    ASSERT_TRUE(bool(verify(problem, solution)))
        << verify(problem, solution).error() << printSolution(solution);
    EXPECT_LE(measure(problem, solution).interval, result.schedule->interval + 1e-9);
  }
}

/// Two chains that take two units in turn: the list has one chain after the other.
TEST(ExactScheduler, OverlapsWhatTheListHasInTurn) {
  Result<ScheduleProblem> problem = readProblem("op x load early 1 copy 10\n"
                                                "op y load early 1 copy 10\n"
                                                "op product latency 100 matrix 100\n"
                                                "op exp latency 100 special 100\n"
                                                "op exp latency 100 special 100\n"
                                                "op product latency 100 matrix 100\n"
                                                "uses 0 -> 2\nuses 2 -> 3\n"
                                                "uses 1 -> 4\nuses 4 -> 5\n");
  ASSERT_TRUE(bool(problem)) << problem.error();
  const std::optional<ScheduleSolution> listed = solveByList(*problem);
  ASSERT_TRUE(listed);
  EXPECT_DOUBLE_EQ(measure(*problem, *listed).interval, 400);
  const ExactResult exact = solveExactly(*problem, 400, 10000);
  ASSERT_TRUE(exact.schedule && exact.isProven);
  EXPECT_EQ(exact.schedule->interval, 200u);
  EXPECT_DOUBLE_EQ(measure(*problem, exact.schedule->getSolution()).interval, 200);
}

TEST(ExactScheduler, StopsAtTheLimit) {
  std::mt19937 random(7);
  const ScheduleProblem problem = test::makeProblem(random, 30);
  EXPECT_FALSE(solveExactly(problem, 100000, 50).isProven);
}

} // namespace
