//===- GreedySearch.h - Layouts chosen one after the other ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One pass of the greedy solver (GreedySolver.h): anchors first, then the versions that users
// demand, each where it costs least by what is known then. GreedySolver.cpp repeats it with other
// anchors.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_GREEDYSEARCH_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_GREEDYSEARCH_H

#include "transform/layout/problem/LayoutProblem.h"

#include "llvm/ADT/DenseSet.h"

namespace tilewright::transform {

/// Anchors of variables that have none of their own.
using GivenAnchors = llvm::DenseMap<VariableId, LayoutId>;

class GreedySearch {
public:
  GreedySearch(LayoutProblem &problem, const GivenAnchors &given)
      : problem(problem), given(given), anchors(problem.variables.size(), noLayout) {
    solution.versions.resize(problem.variables.size());
    solution.uses.resize(problem.users.size());
  }

  LayoutSolution solve() {
    findAnchors(0, problem.variables.size(), 0);
    for (const LayoutUser &user : problem.users)
      if (user.rule == tt::LayoutRule::Anchor)
        demandOperandsOfAnchor(user);
    satisfyDemands();
    // Users that take any layout come last, so that they find what there is.
    for (const LayoutUser &user : problem.users)
      if (user.rule != tt::LayoutRule::Anchor) {
        demandAnyLayout(user);
        satisfyDemands();
      }
    for (VariableId variable : problem.kept)
      if (solution.versions[variable].empty())
        demand(variable, preferredLayout(variable));
    satisfyDemands();
    return std::move(solution);
  }

  bool hasAnchor(VariableId variable) const { return anchors[variable] != noLayout; }

private:
  const LayoutVariable &at(VariableId variable) const { return problem.variables[variable]; }
  LayoutSolution::Version *firstVersion(VariableId variable) {
    return solution.versions[variable].empty() ? nullptr : &solution.versions[variable].front();
  }
  llvm::SmallVector<LayoutId, 3> &layoutsOf(const LayoutUser &user) {
    return solution.uses[&user - problem.users.data()];
  }

  // Anchors.
  void findAnchors(VariableId begin, VariableId end, size_t loop);
  void findLoopAnchors(size_t loop);
  void findAnchor(VariableId variable);
  LayoutId chooseAnchor(VariableId variable);
  Cost costOfAnchor(VariableId variable, LayoutId operands, LayoutId layout);

  // Versions.
  void demandOperandsOfAnchor(const LayoutUser &user);
  void demandAnyLayout(const LayoutUser &user);
  void demand(VariableId variable, LayoutId layout) { demands.emplace_back(variable, layout); }
  void satisfyDemands();
  void satisfy(VariableId variable, LayoutId layout);
  void addVersion(VariableId variable, LayoutId layout);
  bool canCompute(VariableId variable, LayoutId layout);
  LayoutId layoutNeeded(VariableId variable, LayoutId layout);
  /// The layout of the version that is converted where another one is wanted: noLayout if there
  /// is none yet.
  LayoutId baseOf(VariableId variable);
  LayoutId preferredLayout(VariableId variable);

  // Costs.
  using Visited = llvm::DenseSet<std::pair<VariableId, LayoutId>>;
  /// Each is exact where it is less than `limit`, and at least that where it is not: then nobody
  /// looks further into what the variable is computed from.
  Cost costOf(VariableId variable, LayoutId layout, Cost limit, Visited &visited);
  Cost costOfOperands(VariableId variable, LayoutId layout, Cost limit, Visited &visited);
  Cost costOfComputing(VariableId variable, LayoutId layout, Cost limit, Visited &visited);
  Cost costOfConverting(VariableId variable, LayoutId layout);

  LayoutProblem &problem;
  const GivenAnchors &given;
  LayoutSolution solution;
  std::vector<LayoutId> anchors;
  llvm::SmallVector<std::pair<VariableId, LayoutId>> demands;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_GREEDYSEARCH_H
