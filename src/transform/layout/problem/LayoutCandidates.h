//===- LayoutCandidates.h - The layouts that variables may have -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The layouts that variables of a LayoutProblem may be computed or wanted in: those of fixed
// variables and of users, of their alternatives too, and what follows from these along operands and
// results.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_LAYOUTCANDIDATES_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_LAYOUTCANDIDATES_H

#include "transform/layout/problem/LayoutProblem.h"

namespace tilewright::transform {

class LayoutCandidates {
public:
  /// With those of `known`, and at most `most` others of each variable.
  LayoutCandidates(LayoutProblem &problem, const LayoutSolution &known, size_t most);

  llvm::ArrayRef<LayoutId> of(VariableId variable) const { return layouts[variable]; }
  /// The ways to compute the variable, in layouts that are candidates.
  llvm::ArrayRef<LayoutSolution::Version> waysOf(VariableId variable) const {
    return ways[variable];
  }
  /// Whether no layout was passed over.
  bool isComplete() const { return isAll; }

private:
  void addKnown(const LayoutSolution &known);
  void addFixed();
  void close(size_t most);
  void followOperands(VariableId variable, LayoutId layout);
  void followUsers(VariableId variable, LayoutId layout);
  void add(VariableId variable, LayoutId layout);
  void addWay(VariableId variable, LayoutSolution::Version way);

  LayoutProblem &problem;
  std::vector<llvm::SmallVector<LayoutId, 4>> layouts;
  std::vector<llvm::SmallVector<LayoutSolution::Version, 4>> ways;
  std::vector<llvm::SmallVector<VariableId, 4>> users;
  llvm::SmallVector<std::pair<VariableId, LayoutId>> open;
  size_t most;
  bool isAll = true;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_PROBLEM_LAYOUTCANDIDATES_H
