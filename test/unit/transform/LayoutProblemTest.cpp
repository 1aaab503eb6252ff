//===- LayoutProblemTest.cpp - Layout problems, their text, solutions ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "RandomLayoutProblem.h"
#include "transform/layout/function/FunctionLayouts.h"
#include "transform/layout/solvers/GreedySolver.h"

#include "ir/Dialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::transform;
using testing::HasSubstr;

namespace {

std::unique_ptr<LayoutTables> read(const std::string &text) {
  Result<std::unique_ptr<LayoutTables>> tables = LayoutTables::read(text);
  EXPECT_TRUE(tables) << tables.error();
  return std::move(*std::move(tables));
}

/// A load in layout 0 whose sum with itself a store wants in layout 1.
const char *const loadAndStore = R"(layout 0: #wide
layout 1: #narrow
form 0: 64xf32
variable 0: Anchor of form 0 in 0 // tt.load
variable 1: SameLayout(0, 0) of form 0 in 0 takes 1 sink 1 x 1 // arith.addf
user 0: Anchor() gives 0
user 1: Anchor(1 in 1)
)";

TEST(LayoutText, IsReadAsItIsPrinted) {
  const std::string text = std::string(loadAndStore) + R"(registers of form 0: 1 holds 4
convert form 0: 0 -> 1 costs 9
)";
  auto tables = read(text);
  EXPECT_EQ(printLayoutSolution(solveGreedily(tables->problem)), R"(versions of 0: 0
versions of 1: 0 from 0
converted 1: 0 -> 1
user 1 takes 1
)");
  // All that the solver has asked for.
  EXPECT_EQ(printLayoutProblem(tables->problem), R"(layout 0: #wide
layout 1: #narrow
form 0: 64xf32
variable 0: Anchor of form 0 in 0 // tt.load
variable 1: SameLayout(0, 0) of form 0 in 0 takes 1 sink 1 x 1 // arith.addf
user 0: Anchor() gives 0
user 1: Anchor(1 in 1)
registers of form 0: 0 holds 1
registers of form 0: 1 holds 4
convert form 0: 0 -> 1 costs 9
)");
}

TEST(LayoutText, OfRandomProblemsSaysAllThatSolversAsk) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    auto tables = test::makeRandomProblem(
        random, {.variables = 9, .layouts = 4, .users = 4, .alternatives = unsigned(i) % 3});
    const std::string solution = printLayoutSolution(solveGreedily(tables->problem));
    const std::string text = printLayoutProblem(tables->problem);
    auto again = read(text);
    EXPECT_EQ(printLayoutSolution(solveGreedily(again->problem)), solution) << text;
    EXPECT_EQ(printLayoutProblem(again->problem), text);
  }
}

TEST(LayoutText, ErrorsNameTheLine) {
  auto errorOf = [](const std::string &text) { return LayoutTables::read(text).error(); };
  EXPECT_THAT(errorOf("layout 0: #a\nvariable 0: Anchor in 0\n"),
              HasSubstr("line 2 is no statement of a layout problem from 'in 0' on"));
  EXPECT_THAT(errorOf("layout 1: #a\n"), HasSubstr("line 1"));
  EXPECT_THAT(errorOf("layout 0: #a\nform 0: f32\nvariable 0: Anchor of form 0 in 1\n"),
              HasSubstr("variable 0 refers to what is not there"));
  EXPECT_THAT(errorOf(std::string(loadAndStore) + "user 2: Anchor(1)\n"),
              HasSubstr("user 2 refers to what is not there"));
  EXPECT_THAT(errorOf(std::string(loadAndStore) + "loop 1 to 3 nests 0\n"),
              HasSubstr("loop 0 refers to what is not there"));
  EXPECT_THAT(errorOf(std::string(loadAndStore) + "kept: 2\n"), HasSubstr("kept"));
  EXPECT_THAT(errorOf(std::string(loadAndStore) + "alternative of 2: 1 costs 1\n"),
              HasSubstr("line 8"));
  // The first is what the user is in the program.
  EXPECT_THAT(errorOf(std::string(loadAndStore) + "alternative of 1: 0 costs 1\n"),
              HasSubstr("user 1 cannot have its alternatives"));
  EXPECT_THAT(errorOf(std::string(loadAndStore) + "alternative of 1: 1, 1 costs 1\n"),
              HasSubstr("user 1 cannot have its alternatives"));
}

TEST(LayoutProblem, RefusesSolutionsThatLackSomething) {
  auto tables = read(std::string(loadAndStore) + "convert form 0: 0 -> 1 costs 9\n");
  LayoutProblem &problem = tables->problem;
  const LayoutSolution right = solveGreedily(problem);
  EXPECT_TRUE(problem.verify(right));
  auto errorOf = [&](auto change) {
    LayoutSolution wrong = right;
    change(wrong);
    return problem.verify(wrong).error();
  };
  EXPECT_THAT(errorOf([](auto &wrong) { wrong.versions[1][0] = {1, 1}; }),
              HasSubstr("variable 1 in layout 1 needs variable 0 in layout 1, which is not there"));
  EXPECT_THAT(errorOf([](auto &wrong) { wrong.versions[0][0].layout = 1; }),
              HasSubstr("variable 0 cannot be computed in layout 1"));
  EXPECT_THAT(errorOf([](auto &wrong) { wrong.versions[1].push_back({0, 0}); }),
              HasSubstr("variable 1 has two versions in layout 0"));
  EXPECT_THAT(errorOf([](auto &wrong) { wrong.conversions.clear(); }),
              HasSubstr("user 1 gets variable 1 in layout 1, which is not there"));
  EXPECT_THAT(errorOf([](auto &wrong) { wrong.uses[1] = {0}; }),
              HasSubstr("user 1 gets other layouts than it has"));
  EXPECT_THAT(errorOf([](auto &wrong) { wrong.conversions[{0, 0}] = 0; }),
              HasSubstr("variable 0 is converted to the layout of a version"));
  EXPECT_THAT(errorOf([](auto &wrong) { wrong.conversions[{1, 1}] = 1; }),
              HasSubstr("variable 1 is converted from what is no version"));
  EXPECT_THAT(errorOf([](auto &wrong) {
                wrong.versions[0].clear();
                wrong.versions[1].clear();
                wrong.conversions.clear();
              }),
              HasSubstr("is not there"));
}

TEST(LayoutProblem, ChecksTheAlternativesOfSolutions) {
  auto tables = read(std::string(loadAndStore) + R"(alternative of 0: gives 0 costs 20
alternative of 0: gives 1 costs 32 // narrower
)");
  LayoutProblem &problem = tables->problem;
  LayoutSolution solution;
  solution.versions = {{{1}}, {{1, 1}}};
  solution.uses = {{}, {1}};
  EXPECT_THAT(problem.verify(solution).error(),
              HasSubstr("user 0 gives a result that is not there"));
  solution.alternatives[0] = 1;
  ASSERT_TRUE(problem.verify(solution)) << problem.verify(solution).error();
  EXPECT_EQ(problem.costOf(solution).executing, 32);
  solution.alternatives[0] = 2;
  EXPECT_THAT(problem.verify(solution).error(),
              HasSubstr("user 0 takes an alternative that it does not have"));
  EXPECT_THAT(printLayoutSolution(solution), HasSubstr("user 0 is alternative 2\n"));
}

TEST(LayoutProblem, CountsEachCostOnce) {
  auto tables = read(R"(layout 0: #a
layout 1: #b
form 0: 64xf32
variable 0: AnyResult of form 0 in 0 takes 2
variable 1: Forwards(0, 2) of form 0 in 0 x 8 carried
variable 2: SameLayout(1) of form 0 in 0 x 8 takes 1
variable 3: Collective(2) of form 0 in 0
loop 1 to 3 nests 0 carries 1
user 0: Anchor(3 in 1)
kept: 1
operands of 3: 0 -> 0
results of 3: 0 -> 0
registers of form 0: 0 holds 4
spill form 0: 0 costs 6
convert form 0: 0 -> 1 costs 9
combine 3: 0 costs 50
)");
  LayoutProblem &problem = tables->problem;
  LayoutSolution solution;
  solution.versions = {{{0}}, {{0, 0}}, {{0, 0}}, {{0, 0}}};
  solution.conversions[{3, 1}] = 0;
  solution.uses = {{1}};
  ASSERT_TRUE(problem.verify(solution)) << problem.verify(solution).error();
  const LayoutCosts costs = problem.costOf(solution);
  EXPECT_EQ(costs.computing, 2 * 4 + 8 * 4);
  EXPECT_EQ(costs.carrying, 8 * 4);
  EXPECT_EQ(costs.combining, 50);
  EXPECT_EQ(costs.converting, 9);
  // The value that the loop carries, and the reduction.
  EXPECT_EQ(costs.spilling, 8 * 6 + 6);
}

TEST(GreedySolver, RecomputesWhatIsCheaperThanItsConversion) {
  auto costsOf = [](const char *conversions) {
    return printLayoutSolution(solveGreedily(read(std::string(R"(layout 0: #wide
layout 1: #narrow
form 0: 64xi32
form 1: 64xi64
variable 0: Anchor of form 0 in 0
variable 1: AnyResult of form 0 in 0
variable 2: SameLayout(0, 1) of form 1 in 0 takes 1
user 0: Anchor() gives 0
user 1: Anchor(2 in 1)
registers of form 0: 1 holds 2
registers of form 1: 1 holds 2
)") + conversions)
                                                 ->problem));
  };
  // Its operand is the smaller one to convert.
  EXPECT_THAT(costsOf("convert form 0: 0 -> 1 costs 10\nconvert form 1: 0 -> 1 costs 20\n"),
              HasSubstr("converted 0: 0 -> 1"));
  EXPECT_THAT(costsOf("convert form 0: 0 -> 1 costs 20\nconvert form 1: 0 -> 1 costs 10\n"),
              HasSubstr("converted 2: 0 -> 1"));
}

/// A variable without anchor is first wanted where each thread computes 32 elements of it, and then
/// where it computes one.
std::string dearVariable(unsigned conversion) {
  return printLayoutSolution(solveGreedily(read(std::string(R"(layout 0: #many
layout 1: #one
form 0: 128xf32
variable 0: AnyResult of form 0 in 0
variable 1: SameLayout(0) of form 0 in 0 takes 16
user 0: Anchor(1 in 0)
user 1: Anchor(1 in 1)
registers of form 0: 0 holds 32
registers of form 0: 1 holds 1
convert form 0: 0 -> 1 costs 600
convert form 0: 1 -> 0 costs )") + std::to_string(conversion) +
                                                "\n")
                                               ->problem));
}

TEST(GreedySolver, TriesAgainWhereItHasComputedDearly) {
  EXPECT_THAT(dearVariable(40), HasSubstr("versions of 1: 1 from 1\nconverted 1: 1 -> 0\n"));
  // 528 cycles are a little more than 16 + 480, but not clearly.
  EXPECT_THAT(dearVariable(480), HasSubstr("versions of 1: 0 from 0, 1 from 1\n"));
}

TEST(GreedySolver, IsRightForRandomProblemsAndNeverBelowTheLeastCost) {
  std::mt19937 random(2);
  Cost total = 0, leastTotal = 0;
  for (int i = 0; i < 200; ++i) {
    const test::ProblemSizes sizes = {.variables = 2 + unsigned(i) % 4};
    auto tables = test::makeRandomProblem(random, sizes);
    LayoutProblem &problem = tables->problem;
    const LayoutSolution solution = solveGreedily(problem);
    const Result<void> isRight = problem.verify(solution);
    ASSERT_TRUE(isRight) << isRight.error() << "\n" << printLayoutProblem(problem);
    const Cost cost = problem.costOf(solution).total();
    const Cost least = test::findLeastCost(problem, sizes.layouts);
    EXPECT_GE(cost, least) << printLayoutProblem(problem);
    total += cost;
    leastTotal += least;
  }
  // It mostly is not far from it.
  EXPECT_LT(double(total), 1.5 * double(leastTotal));
}

//===--------------------------------------------------------------------------===//
// Functions
//===--------------------------------------------------------------------------===//

const char *const kernel = R"(
#wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#plain = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32,
                   ttg.target = "cuda:90"} {
  tt.func @kernel(%out: !tt.ptr<f32>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %start = arith.constant dense<0.0> : tensor<512xf32, #plain>
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #plain>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #plain>
    %ptrs = tt.addptr %base, %range : tensor<512x!tt.ptr<f32>, #plain>, tensor<512xi32, #plain>
    %wide = ttg.convert_layout %ptrs : tensor<512x!tt.ptr<f32>, #plain> -> tensor<512x!tt.ptr<f32>, #wide>
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %start) -> (tensor<512xf32, #plain>) : i32 {
      %x = tt.load %wide : tensor<512x!tt.ptr<f32>, #wide>
      %y = ttg.convert_layout %x : tensor<512xf32, #wide> -> tensor<512xf32, #plain>
      %next = arith.addf %acc, %y : tensor<512xf32, #plain>
      scf.yield %next : tensor<512xf32, #plain>
    }
    tt.store %ptrs, %sum : tensor<512x!tt.ptr<f32>, #plain>
    tt.return
  }
}
)";

/// The function of a module that it keeps alive.
struct ParsedFunction {
  explicit ParsedFunction(const char *text) {
    mlir::DialectRegistry registry;
    ir::registerDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    function = *module->getOps<tt::FuncOp>().begin();
  }
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  tt::FuncOp function;
};

TEST(FunctionLayouts, OfALoopAreInTheOrderOfTheProgram) {
  ParsedFunction parsed(kernel);
  FunctionLayouts layouts(parsed.function);
  const std::string text = printLayoutProblem(layouts.problem);
  EXPECT_THAT(text, HasSubstr("form 0: 512xf32\nform 1: 512xi32\nform 2: 512x!tt.ptr<f32>\n"));
  EXPECT_THAT(text, HasSubstr(R"(variable 0: AnyResult of form 0 in 0 // arith.constant
variable 1: AnyResult of form 1 in 0 takes 1 // tt.make_range
variable 2: AnyResult of form 2 in 0 // tt.splat
variable 3: SameLayout(2, 1) of form 2 in 0 takes 1 sink 0 x 1 sink 1 x 1 // tt.addptr
variable 4: Forwards(0, 6) of form 0 in 0 x 8 carried // argument of scf.for
variable 5: Anchor of form 0 in 1 x 8 // tt.load
variable 6: SameLayout(4, 5) of form 0 in 0 x 8 takes 1 // arith.addf
loop 4 to 7 nests 0 carries 4
user 0: Anchor(3 in 1) gives 5
user 1: Anchor(3 in 0, 4 in 0)
kept: 4
)"));
  // Conversions, and the results of the loop, are the same variables.
  mlir::Operation *store = nullptr;
  parsed.function.walk([&](tt::StoreOp op) { store = op; });
  EXPECT_EQ(layouts.variableOf(store->getOperand(0)), 3u);
  EXPECT_EQ(layouts.variableOf(store->getOperand(1)), 4u);
  EXPECT_EQ(layouts.userOf(store), 1u);
}

TEST(FunctionLayouts, AreSolvedAsTheirTextIs) {
  ParsedFunction parsed(kernel);
  FunctionLayouts layouts(parsed.function);
  const LayoutSolution solution = solveGreedily(layouts.problem);
  EXPECT_TRUE(layouts.problem.verify(solution));
  // The sum is wide within the loop and converted once after it.
  EXPECT_THAT(printLayoutSolution(solution), HasSubstr("versions of 4: 1 from 1\n"));
  EXPECT_THAT(printLayoutSolution(solution), HasSubstr("converted 4: 1 -> 0\n"));
  auto tables = read(printLayoutProblem(layouts.problem));
  EXPECT_EQ(printLayoutSolution(solveGreedily(tables->problem)), printLayoutSolution(solution));
}

} // namespace
