//===- ScheduleProblemTest.cpp - Scheduling problems and their solutions ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "RandomProblems.h"
#include "transform/pipeline/schedule/ListScheduler.h"
#include "transform/pipeline/schedule/ScheduleText.h"

#include <gtest/gtest.h>

#include <map>

using namespace tilewright;
using namespace tilewright::transform;

namespace {

/// A load two stages early, a product that sums up, and the pointer that moves on.
constexpr const char *product = R"(op tt.load load early 2 latency 400 issue 1 copy 32
op tt.dot latency 144 sum 128 issue 2 matrix 128
op tt.addptr
uses 2 -> 0 distance 1
uses 0 -> 1
sums 1 -> 1 distance 1
uses 2 -> 2 distance 1
)";

ScheduleProblem read(const char *text) {
  Result<ScheduleProblem> problem = readProblem(text);
  EXPECT_TRUE(bool(problem)) << problem.error();
  return problem ? *problem : ScheduleProblem();
}

//===----------------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------------===//

TEST(ScheduleText, IsReadAsItIsPrinted) {
  EXPECT_EQ(printProblem(read(product)), product);
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const ScheduleProblem problem = test::makeProblem(random, 1 + random() % 6);
    const Result<ScheduleProblem> again = readProblem(printProblem(problem));
    ASSERT_TRUE(bool(again)) << again.error();
    EXPECT_EQ(again->ops, problem.ops);
    EXPECT_EQ(again->dependences, problem.dependences);
  }
  const ScheduleSolution solution = {{0, 2}, {12, 0}};
  EXPECT_EQ(printSolution(solution), "slots 0:2 12:0\n");
  EXPECT_EQ(*readSolution("slots 0:2 12:0\n"), solution);
}

TEST(ScheduleText, SaysWhatIsWrongAndWhere) {
  auto errorOf = [](const char *text) { return readProblem(text).error(); };
  EXPECT_EQ(errorOf("op a\n\nop"), "line 3: an op has no name");
  EXPECT_EQ(errorOf("op a early"), "line 1: a number is expected after 'early'");
  EXPECT_EQ(errorOf("op a early -1"), "line 1: a number is expected after 'early'");
  EXPECT_EQ(errorOf("op a warp 3"), "line 1: 'warp' is none of early, latency, sum and the units");
  EXPECT_EQ(errorOf("ops a"), "line 1: 'ops' is none of op, uses, sums and memory");
  EXPECT_EQ(errorOf("op a\nuses 0 1"), "line 2: a dependence is expected, as in '0 -> 1'");
  EXPECT_EQ(errorOf("op a\nuses 0 -> 0 distance"), "line 2: a number is expected after 'distance'");
  EXPECT_EQ(errorOf("op a\nuses 0 -> 0 distance 1 2"), "line 2: '2' is not expected here");
  EXPECT_EQ(errorOf("op a\nuses 0 -> 1 distance 1"), "a dependence is of op 1, and there are 1");
  EXPECT_EQ(errorOf("op a\nop b\nuses 1 -> 0"),
            "op 0 (a) depends on op 1 (b) of its iteration, which does not come before it");
  EXPECT_EQ(errorOf("op a\nop b\nuses 0 -> 1\nuses 1 -> 0 distance 1"),
            "the dependences of op 0 (a) do not stand together, by the order of ops");
  EXPECT_EQ(readSolution("0:1").error(), "'slots' is expected");
  EXPECT_EQ(readSolution("slots 0:1 2").error(), "'2' is no slot, as in 0:1");
  EXPECT_EQ(readSolution("slots 0:x").error(), "'0:x' is no slot, as in 0:1");
}

//===----------------------------------------------------------------------------===//
// What is right
//===----------------------------------------------------------------------------===//

/// Whether each op comes after those it depends on, in the pipelined loop written out.
bool isRightWrittenOut(const ScheduleProblem &problem, const ScheduleSolution &solution) {
  constexpr unsigned iterations = 6;
  std::map<std::pair<unsigned, unsigned>, unsigned> places;
  for (unsigned body = 0; body < 3 * iterations; ++body)
    for (unsigned cluster = 0; cluster < 8; ++cluster)
      for (unsigned op = 0; op < solution.size(); ++op)
        if (solution[op].cluster == cluster && body >= solution[op].stage)
          places.insert({{op, body - solution[op].stage}, unsigned(places.size())});
  for (const ScheduleDependence &each : problem.dependences)
    for (unsigned i = 0; i < iterations; ++i)
      if (places.at({each.from, i}) >= places.at({each.to, i + each.distance}))
        return false;
  return true;
}

TEST(ScheduleProblem, IsVerifiedAsTheLoopWrittenOut) {
  std::mt19937 random(2);
  unsigned right = 0, wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const ScheduleProblem problem = test::makeProblem(random, 1 + random() % 4);
    ScheduleSolution solution;
    for (size_t op = 0; op < problem.ops.size(); ++op)
      solution.push_back({unsigned(random() % 3), unsigned(random() % 3)});
    const bool isRight = isRightWrittenOut(problem, solution);
    ASSERT_EQ(bool(verify(problem, solution)), isRight)
        << printProblem(problem) << printSolution(solution);
    ++(isRight ? right : wrong);
  }
  EXPECT_GT(right, 1000u);
  EXPECT_GT(wrong, 1000u);
}

TEST(ScheduleProblem, NamesWhatIsWrong) {
  const ScheduleProblem problem = read("op a\nop b\nuses 0 -> 1\nmemory 0 -> 1 distance 1\n");
  EXPECT_EQ(verify(problem, {{1, 0}, {0, 0}}).error(),
            "op 1 (b) comes before op 0 (a), whose value it uses");
  EXPECT_EQ(
      verify(read("op a\nop b\nmemory 1 -> 0 distance 1\n"), {{0, 0}, {1, 1}}).error(),
      "op 0 (a) comes before op 1 (b) of an iteration before, which accesses the same memory");
  EXPECT_EQ(verify(problem, {{0, 0}}).error(), "there are 1 slots for 2 ops");
}

TEST(ScheduleProblem, CountsStages) {
  EXPECT_EQ(read(product).countStages(), 3u);
  EXPECT_EQ(read(product).getDistances(), (std::vector<unsigned>{2, 0, 0}));
  // A load whose address a load brings.
  EXPECT_EQ(
      read("op a load early 1\nop b load early 2\nop c\nuses 0 -> 1\nuses 1 -> 2\n").getDistances(),
      (std::vector<unsigned>{3, 2, 0}));
}

TEST(ScheduleProblem, CannotBeginEarlyWhereAnAddressIsWritten) {
  EXPECT_TRUE(canBeginEarly(read(product)));
  EXPECT_FALSE(canBeginEarly(read("op a\nop b\nuses 0 -> 1\n")));
  constexpr const char *written = "op address load\nop tile load early 1\nop store\n"
                                  "memory 2 -> 0 distance 1\nuses 0 -> 1\nmemory 0 -> 2\n";
  EXPECT_FALSE(canBeginEarly(read(written)));
  // The store is to other memory.
  EXPECT_TRUE(canBeginEarly(read("op address load\nop tile load early 1\nop store\nop load load\n"
                                 "uses 0 -> 1\nmemory 3 -> 2 distance 1\nmemory 2 -> 3\n")));
}

//===----------------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------------===//

TEST(ScheduleProblem, IsMeasuredByPlayingItThrough) {
  // One iteration after the other: the load is waited for, and the product issued before the next.
  const ScheduleFigures inTurn = measure(read(product), {{0, 0}, {0, 0}, {0, 0}});
  EXPECT_DOUBLE_EQ(inTurn.interval, 402);
  EXPECT_EQ(inTurn.length, 544u);
  EXPECT_EQ(inTurn.stages, 1u);
  EXPECT_EQ(inTurn.buffers, 1u);
  // The product of iteration i - 2, which waits for the load of that iteration, and a load: two of
  // each in the time of one load.
  const ScheduleSolution overlapped = {{0, 2}, {2, 0}, {1, 1}};
  ASSERT_TRUE(bool(verify(read(product), overlapped)));
  const ScheduleFigures figures = measure(read(product), overlapped);
  EXPECT_EQ(figures.stages, 3u);
  EXPECT_EQ(figures.buffers, 3u);
  EXPECT_DOUBLE_EQ(figures.interval, 201);
  EXPECT_EQ(figures.length, 544u);
}

//===----------------------------------------------------------------------------===//
// The list scheduler
//===----------------------------------------------------------------------------===//

/// The list's solution as text.
std::string solve(const char *text) {
  const std::optional<ScheduleSolution> solution = solveByList(read(text));
  return solution ? printSolution(*solution) : "none";
}

TEST(ListScheduler, PutsLaterStagesFirst) { EXPECT_EQ(solve(product), "slots 0:2 2:0 1:1\n"); }

TEST(ListScheduler, PutsBranchesLastThatNothingWaitsFor) {
  constexpr const char *text = "op x load early 1\nop store branch\nop sum\n"
                               "uses 0 -> 1\nuses 0 -> 2\nuses 2 -> 2 distance 1\n";
  EXPECT_EQ(solve(text), "slots 0:1 1:2 1:0\n");
  // One whose memory is accessed after it stays.
  constexpr const char *ordered = "op x load early 1\nop store branch\nop sum\n"
                                  "uses 0 -> 1\nuses 0 -> 2\nmemory 1 -> 2\n";
  EXPECT_EQ(solve(ordered), "slots 0:1 1:0 1:0\n");
}

TEST(ListScheduler, IsRightAndAsEarlyAsAsked) {
  std::mt19937 random(3);
  unsigned solved = 0;
  for (int i = 0; i < 5000; ++i) {
    const ScheduleProblem problem = test::makeProblem(random, 2 + random() % 6);
    const std::optional<ScheduleSolution> solution = solveByList(problem);
    if (!solution)
      continue;
    ++solved;
    ASSERT_TRUE(isRightWrittenOut(problem, *solution))
        << printProblem(problem) << printSolution(*solution);
    for (const ScheduleDependence &each : problem.dependences)
      if (each.distance == 0 && !each.isOfMemory) {
        ASSERT_GE((*solution)[each.to].stage,
                  (*solution)[each.from].stage + problem.ops[each.from].early)
            << printProblem(problem) << printSolution(*solution);
      }
  }
  EXPECT_GT(solved, 1000u);
}

} // namespace
