//===- TestPrintLayoutProblem.cpp - Prints layout problems and solutions ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/Passes.h"
#include "transform/layout/function/FoldConversions.h"
#include "transform/layout/function/FunctionLayouts.h"
#include "transform/layout/problem/LayoutText.h"
#include "transform/layout/solvers/ExactSolver.h"
#include "transform/layout/solvers/GreedySolver.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_TESTPRINTLAYOUTPROBLEM
#include "transform/layout/Passes.h.inc"

namespace {

class TestPrintLayoutProblem : public impl::TestPrintLayoutProblemBase<TestPrintLayoutProblem> {
public:
  using TestPrintLayoutProblemBase::TestPrintLayoutProblemBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>())
      if (!function.isExternal())
        print(function);
  }

private:
  void print(tt::FuncOp function) const {
    moveConversionsBehindWaits(function);
    std::vector<std::unique_ptr<LayoutProvider>> providers;
    if (alternatives)
      providers = createLayoutProviders(function);
    FunctionLayouts layouts(function, providers);
    LayoutProblem &problem = layouts.problem;
    const LayoutSolution greedy = solveGreedily(problem);
    const ExactSolution exact = solveExactly(problem, greedy, {.maxNodes = maxNodes});
    if (!costsOnly)
      llvm::outs() << "problem of " << function.getName() << "\n"
                   << printLayoutProblem(problem) << "greedy solution\n"
                   << printLayoutSolution(greedy) << "exact solution\n"
                   << printLayoutSolution(exact.solution);
    printCosts("greedy", problem, greedy);
    printCosts("exact", problem, exact.solution);
    llvm::outs() << "bound: " << exact.bound << (exact.isProved ? " proved" : "") << " of "
                 << problem.variables.size() << " variables\n";
  }

  static void printCosts(StringRef solver, LayoutProblem &problem, const LayoutSolution &solution) {
    const LayoutCosts costs = problem.costOf(solution);
    llvm::outs() << solver << " costs: " << costs.total() << ", computing " << costs.computing
                 << ", combining " << costs.combining << ", converting " << costs.converting
                 << ", carrying " << costs.carrying << ", executing " << costs.executing
                 << ", spilling " << costs.spilling << "\n";
    if (Result<void> isRight = problem.verify(solution); !isRight)
      llvm::outs() << solver << " solution is wrong: " << isRight.error() << "\n";
  }
};

} // namespace
} // namespace tilewright::transform
