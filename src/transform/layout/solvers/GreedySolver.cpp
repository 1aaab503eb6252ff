//===- GreedySolver.cpp - The greedy search, with second tries ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/solvers/GreedySolver.h"

#include "transform/layout/solvers/GreedySearch.h"

#include "llvm/ADT/STLExtras.h"

using llvm::SmallVector;

namespace tilewright::transform {

namespace {

/// Gives dear variables without an anchor one, as long as all of it costs less then.
class SecondTries {
public:
  explicit SecondTries(LayoutProblem &problem) : problem(problem) {}

  LayoutSolution run() {
    GreedySearch solver(problem, given);
    best = solver.solve();
    costs = problem.costOf(best);
    findLayouts();
    for (const VariableId variable : findDearVariables(solver))
      tryAnchors(variable);
    return std::move(best);
  }

private:
  static constexpr unsigned maxVariables = 8, maxLayouts = 6;
  /// The instructions that an op takes for an element are known within this factor.
  static constexpr Cost guessFactor = 2;
  /// A gain must be more than this part of the costs: so much may follow from layouts that is not
  /// in them, as the order of ops.
  static constexpr Cost doubt = 6;

  void findLayouts();
  std::vector<VariableId> findDearVariables(const GreedySearch &solver);
  SmallVector<LayoutId, 4> layoutsFor(VariableId variable);
  void tryAnchors(VariableId variable);
  bool isClearlyLess(const LayoutCosts &other) const;
  /// The gain that is clear. Users cost the same in all tries.
  Cost bound() const { return (costs.total() - costs.executing) / doubt; }
  Cost spentOn(VariableId variable);
  Cost leastFor(VariableId variable);

  LayoutProblem &problem;
  GivenAnchors given;
  LayoutSolution best;
  LayoutCosts costs;
  /// The layouts that the program has for tensors of a form.
  llvm::DenseMap<FormId, SmallVector<LayoutId, 8>> layoutsOf;
};

void SecondTries::findLayouts() {
  auto add = [&](FormId form, LayoutId layout) {
    if (auto &list = layoutsOf[form]; !llvm::is_contained(list, layout))
      list.push_back(layout);
  };
  for (auto [variable, versions] : llvm::zip_equal(problem.variables, best.versions)) {
    add(variable.form, variable.original);
    for (const LayoutSolution::Version &version : versions)
      add(variable.form, version.layout);
  }
}

Cost SecondTries::spentOn(VariableId variable) {
  Cost cost = 0;
  for (const LayoutSolution::Version &version : best.versions[variable])
    cost += problem.computeCost(variable, version.layout);
  return cost;
}

Cost SecondTries::leastFor(VariableId variable) {
  Cost least = impossible;
  for (LayoutId layout : layoutsOf[problem.variables[variable].form])
    least = std::min(least, problem.computeCost(variable, layout));
  return least;
}

/// The variables that could be computed for much less, those with the most to save first.
std::vector<VariableId> SecondTries::findDearVariables(const GreedySearch &solver) {
  std::vector<std::pair<Cost, VariableId>> savings;
  for (VariableId variable = 0; variable < problem.variables.size(); ++variable) {
    if (solver.hasAnchor(variable) || problem.variables[variable].instructions == 0)
      continue;
    const Cost saved = spentOn(variable) - leastFor(variable);
    if (saved > bound())
      savings.emplace_back(-saved, variable);
  }
  llvm::sort(savings);
  if (savings.size() > maxVariables)
    savings.resize(maxVariables);
  std::vector<VariableId> variables;
  for (auto [saved, variable] : savings)
    variables.push_back(variable);
  return variables;
}

/// Those in which the variable is computed, and of the others those in which it costs least; of
/// equal ones the first that the program has.
SmallVector<LayoutId, 4> SecondTries::layoutsFor(VariableId variable) {
  struct Candidate {
    bool isOther;
    Cost cost;
    size_t place;
    auto operator<=>(const Candidate &) const = default;
  };
  SmallVector<Candidate> candidates;
  const auto &layouts = layoutsOf[problem.variables[variable].form];
  for (auto [place, layout] : llvm::enumerate(layouts))
    candidates.push_back(
        {!best.hasVersion(variable, layout), problem.computeCost(variable, layout), place});
  llvm::sort(candidates);
  SmallVector<LayoutId, 4> result;
  for (const Candidate &candidate : candidates)
    if (result.size() < maxLayouts)
      result.push_back(layouts[candidate.place]);
  return result;
}

/// Whether a solution with these costs is clearly better than the best so far: it costs
/// less even if ops take half of what they are thought to, and much less if they take all of it.
bool SecondTries::isClearlyLess(const LayoutCosts &other) const {
  const Cost computing = other.computing - costs.computing, total = other.total() - costs.total();
  return total - computing + computing / guessFactor < 0 && total < -bound();
}

/// Tries the variable in each of its layouts, and keeps the solution that costs least of those that
/// cost clearly less.
void SecondTries::tryAnchors(VariableId variable) {
  GivenAnchors bestGiven;
  LayoutSolution found;
  LayoutCosts least = costs;
  for (const LayoutId layout : layoutsFor(variable)) {
    GivenAnchors tried = given;
    tried[variable] = layout;
    LayoutSolution solution = GreedySearch(problem, tried).solve();
    const LayoutCosts other = problem.costOf(solution);
    if (!isClearlyLess(other) || other.total() >= least.total())
      continue;
    least = other;
    found = std::move(solution);
    bestGiven = std::move(tried);
  }
  if (bestGiven.empty())
    return;
  given = std::move(bestGiven);
  best = std::move(found);
  costs = least;
}

} // namespace

LayoutSolution solveGreedily(LayoutProblem &problem) { return SecondTries(problem).run(); }

} // namespace tilewright::transform
