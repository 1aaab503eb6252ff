//===- ExactSolverTest.cpp - The layouts that cost least, by brute force ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/solvers/ExactSolver.h"
#include "RandomLayoutProblem.h"
#include "transform/layout/solvers/GreedySolver.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::transform;

namespace {

TEST(ExactSolver, FindsTheLeastCost) {
  std::mt19937 random(3);
  unsigned better = 0;
  for (int i = 0; i < 400; ++i) {
    const test::ProblemSizes sizes = {.variables = 2 + unsigned(i) % 4,
                                      .users = 1 + unsigned(i) % 3};
    auto tables = test::makeRandomProblem(random, sizes);
    LayoutProblem &problem = tables->problem;
    const LayoutSolution greedy = solveGreedily(problem);
    const ExactSolution exact = solveExactly(problem, greedy);
    const Result<void> isRight = problem.verify(exact.solution);
    ASSERT_TRUE(isRight) << isRight.error() << "\n" << printLayoutProblem(problem);
    EXPECT_TRUE(exact.isProved);
    EXPECT_EQ(exact.cost, problem.costOf(exact.solution).total());
    EXPECT_EQ(exact.bound, exact.cost);
    const LayoutCandidates candidates(problem, greedy, sizes.layouts);
    EXPECT_EQ(exact.cost, test::findLeastCost(problem, sizes.layouts, &candidates))
        << printLayoutProblem(problem) << printLayoutSolution(exact.solution);
    better += exact.cost < problem.costOf(greedy).total();
  }
  EXPECT_GT(better, 20u);
}

TEST(ExactSolver, FindsTheBestAlternatives) {
  std::mt19937 random(6);
  unsigned taken = 0, better = 0;
  for (int i = 0; i < 300; ++i) {
    const test::ProblemSizes sizes = {.variables = 2 + unsigned(i) % 3,
                                      .users = 1 + unsigned(i) % 2,
                                      .alternatives = 1 + unsigned(i) % 3,
                                      .hasSpills = i % 2 == 1};
    auto tables = test::makeRandomProblem(random, sizes);
    LayoutProblem &problem = tables->problem;
    const LayoutSolution greedy = solveGreedily(problem);
    EXPECT_TRUE(greedy.alternatives.empty());
    ASSERT_TRUE(problem.verify(greedy)) << printLayoutProblem(problem);
    const ExactSolution exact = solveExactly(problem, greedy);
    const Result<void> isRight = problem.verify(exact.solution);
    ASSERT_TRUE(isRight) << isRight.error() << "\n" << printLayoutProblem(problem);
    EXPECT_TRUE(exact.isProved);
    const LayoutCandidates candidates(problem, greedy, sizes.layouts);
    EXPECT_EQ(exact.cost, test::findLeastCost(problem, sizes.layouts, &candidates))
        << printLayoutProblem(problem) << printLayoutSolution(exact.solution);
    taken += !exact.solution.alternatives.empty();
    better += exact.cost < problem.costOf(greedy).total();
  }
  EXPECT_GT(taken, 100u);
  EXPECT_GT(better, 100u);
}

/// The same problem without alternatives costs what its first alternatives do.
TEST(ExactSolver, KeepsTheFirstAlternativesWhereOthersAreDear) {
  std::mt19937 random(7);
  for (int i = 0; i < 100; ++i) {
    auto tables = test::makeRandomProblem(random, {.users = 3, .alternatives = 2});
    LayoutProblem &problem = tables->problem;
    Cost firsts = 0;
    for (LayoutUser &user : problem.users)
      for (LayoutAlternative &each : user.alternatives) {
        const bool isFirst = &each == user.alternatives.data();
        each.cost += isFirst ? 0 : 100000;
        firsts += isFirst ? each.cost : 0;
      }
    const ExactSolution with = solveExactly(problem, solveGreedily(problem));
    EXPECT_TRUE(with.solution.alternatives.empty());
    for (LayoutUser &user : problem.users)
      user.alternatives.clear();
    const ExactSolution without = solveExactly(problem, solveGreedily(problem));
    // The layouts of the others are candidates, too.
    EXPECT_LE(with.cost, without.cost + firsts) << printLayoutProblem(problem);
    EXPECT_GE(with.cost, test::findLeastCost(problem, 3) + firsts);
  }
}

TEST(ExactSolver, ProvesProblemsOfSomeTensOfVariables) {
  std::mt19937 random(4);
  unsigned proved = 0;
  for (int i = 0; i < 20; ++i) {
    auto tables = test::makeRandomProblem(random, {.variables = 60, .layouts = 5, .users = 20});
    LayoutProblem &problem = tables->problem;
    const ExactSolution exact = solveExactly(problem, solveGreedily(problem));
    EXPECT_TRUE(problem.verify(exact.solution));
    EXPECT_LE(exact.bound, exact.cost);
    proved += exact.isProved;
  }
  EXPECT_GE(proved, 18u);
}

TEST(ExactSolver, SaysWhenItStopsBeforeTheEnd) {
  std::mt19937 random(5);
  unsigned unproved = 0;
  for (int i = 0; i < 20; ++i) {
    auto tables = test::makeRandomProblem(random, {.variables = 20, .layouts = 4, .users = 8});
    LayoutProblem &problem = tables->problem;
    const LayoutSolution greedy = solveGreedily(problem);
    const ExactSolution first = solveExactly(problem, greedy, {.maxNodes = 0});
    EXPECT_TRUE(problem.verify(first.solution));
    EXPECT_LE(first.cost, problem.costOf(greedy).total());
    const ExactSolution exact = solveExactly(problem, greedy);
    ASSERT_TRUE(exact.isProved);
    EXPECT_LE(first.bound, exact.cost);
    EXPECT_GE(first.cost, exact.cost);
    if (first.isProved)
      EXPECT_EQ(first.cost, exact.cost);
    unproved += !first.isProved;
  }
  EXPECT_GT(unproved, 0u);
}

/// A value that four users want in a layout each, and a fifth in another one: four versions and a
/// conversion, or fewer.
TEST(ExactSolver, KeepsToTheVersionsAVariableMayHave) {
  std::string text = "form 0: f32\nvariable 0: AnyResult of form 0 in 0 takes 1\n";
  for (int layout = 0; layout < 6; ++layout) {
    const std::string number = std::to_string(layout);
    text += "layout " + number + ": #l\nuser " + number + ": Anchor(0 in " + number + ")\n";
    for (int to = 0; to < 6; ++to)
      if (to != layout)
        text += "convert form 0: " + number + " -> " + std::to_string(to) + " costs 100\n";
  }
  auto tables = *LayoutTables::read(text);
  LayoutProblem &problem = tables->problem;
  const LayoutSolution greedy = solveGreedily(problem);
  EXPECT_TRUE(problem.verify(greedy));
  const ExactSolution exact = solveExactly(problem, greedy);
  EXPECT_TRUE(problem.verify(exact.solution));
  EXPECT_TRUE(exact.isProved);
  EXPECT_EQ(exact.cost, 4 * 1 + 2 * 100);
}

} // namespace
