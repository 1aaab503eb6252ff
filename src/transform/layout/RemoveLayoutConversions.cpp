//===- RemoveLayoutConversions.cpp - Chooses the layouts of a function --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// In three steps: the function as a LayoutProblem, its solution, and the rewrite to it. What
// neighbours make superfluous goes in the end (FoldConversions.h).
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/Passes.h"
#include "transform/layout/function/FoldConversions.h"
#include "transform/layout/function/RewriteLayouts.h"
#include "transform/layout/solvers/ExactSolver.h"
#include "transform/layout/solvers/GreedySolver.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_TRITONGPUREMOVELAYOUTCONVERSIONS
#include "transform/layout/Passes.h.inc"

namespace {

class RemoveLayoutConversions
    : public impl::TritonGPURemoveLayoutConversionsBase<RemoveLayoutConversions> {
public:
  using TritonGPURemoveLayoutConversionsBase::TritonGPURemoveLayoutConversionsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>())
      if (!function.isExternal())
        chooseLayouts(function);
  }

private:
  void chooseLayouts(tt::FuncOp function) const {
    moveConversionsBehindWaits(function);
    std::vector<std::unique_ptr<LayoutProvider>> providers;
    if (exact && alternatives)
      providers = createLayoutProviders(function);
    FunctionLayouts layouts(function, providers);
    const LayoutSolution solution = solve(function, layouts.problem);
    assert(layouts.problem.verify(solution) && "the solver's solution must be right");
    rewriteLayouts(function, LayoutChoice(layouts, solution));
    foldConversions(function);
  }

  LayoutSolution solve(tt::FuncOp function, LayoutProblem &problem) const {
    LayoutSolution greedy = solveGreedily(problem);
    if (!exact)
      return greedy;
    ExactSolution found = solveExactly(problem, greedy);
    if (!found.isProved)
      function.emitRemark() << "the search for layouts has ended early: these cost " << found.cost
                            << ", and none cost less than " << found.bound;
    return std::move(found.solution);
  }
};

} // namespace
} // namespace tilewright::transform
