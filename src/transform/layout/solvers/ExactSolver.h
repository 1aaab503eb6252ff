//===- ExactSolver.h - The layouts that cost least ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Solves a LayoutProblem by branch and bound (MinimumCover.h). A variable's *candidates* are the
// layouts in which it may be computed or wanted: those of fixed variables and of users, and what
// follows from these along operands and results. The solution is the cheapest of those in these
// layouts.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_EXACTSOLVER_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_EXACTSOLVER_H

#include "transform/layout/problem/LayoutProblem.h"

namespace tilewright::transform {

struct ExactSolverOptions {
  /// Nodes of the search of each part of the problem (MinimumCover.h), after which the best
  /// solution found so far is the result.
  size_t maxNodes = 500;
  /// Layouts of one variable; those that follow after so many are passed over, and nothing is
  /// proved then.
  size_t maxCandidates = 40;
};

struct ExactSolution {
  LayoutSolution solution;
  Cost cost = 0;
  /// No solution in the candidates costs less.
  Cost bound = 0;
  bool isProved = false;
};

/// The cheapest solution of `problem`, or the best found. `known` is a solution that is right: the
/// result costs no more.
ExactSolution solveExactly(LayoutProblem &problem, const LayoutSolution &known,
                           const ExactSolverOptions &options = {});

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_SOLVERS_EXACTSOLVER_H
