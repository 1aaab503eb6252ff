//===- LayoutCandidates.cpp - The layouts that variables may have -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/problem/LayoutCandidates.h"

#include "llvm/ADT/STLExtras.h"

namespace tilewright::transform {

using tt::LayoutRule;

LayoutCandidates::LayoutCandidates(LayoutProblem &problem, const LayoutSolution &known, size_t most)
    : problem(problem), layouts(problem.variables.size()), ways(problem.variables.size()),
      users(problem.variables.size()), most(std::numeric_limits<size_t>::max()) {
  for (auto [number, variable] : llvm::enumerate(problem.variables))
    for (VariableId operand : variable.operands)
      if (!llvm::is_contained(users[operand], number))
        users[operand].push_back(number);
  addKnown(known);
  addFixed();
  close(most);
}

void LayoutCandidates::addKnown(const LayoutSolution &known) {
  for (auto [variable, versions] : llvm::enumerate(known.versions))
    for (const LayoutSolution::Version &version : versions)
      addWay(variable, version);
  for (const auto &[wanted, source] : known.conversions)
    add(wanted.first, wanted.second);
  // In the order of the program, not in that of the map.
  for (auto &list : layouts)
    llvm::sort(list);
  llvm::sort(open);
}

void LayoutCandidates::addFixed() {
  for (auto [number, variable] : llvm::enumerate(problem.variables))
    if (variable.isFixed())
      addWay(number, {variable.original});
  for (const LayoutUser &user : problem.users)
    if (user.rule == LayoutRule::Anchor)
      for (auto [operand, layout] : llvm::zip_equal(user.operands, user.layouts))
        add(operand, layout);
  for (const LayoutUser &user : problem.users)
    for (const LayoutAlternative &alternative : user.alternatives) {
      for (auto [operand, layout] : llvm::zip_equal(user.operands, alternative.operands))
        add(operand, layout);
      for (auto [result, layout] : llvm::zip_equal(user.results, alternative.results))
        addWay(result, {layout});
    }
}

void LayoutCandidates::close(size_t limit) {
  most = limit;
  while (!open.empty()) {
    auto batch = std::move(open);
    open.clear();
    for (auto [variable, layout] : batch) {
      followOperands(variable, layout);
      followUsers(variable, layout);
    }
  }
}

void LayoutCandidates::followOperands(VariableId variable, LayoutId layout) {
  switch (problem.variables[variable].rule) {
  case LayoutRule::Anchor:
    return;
  case LayoutRule::AnyResult:
    return addWay(variable, {layout});
  case LayoutRule::Forwards:
    return addWay(variable, {layout, layout});
  default:
    if (LayoutId operands = problem.operandLayout(variable, layout); operands != noLayout)
      addWay(variable, {layout, operands});
  }
}

void LayoutCandidates::followUsers(VariableId variable, LayoutId layout) {
  for (VariableId user : users[variable])
    if (problem.variables[user].rule == LayoutRule::Forwards)
      add(user, layout);
    else if (LayoutId result = problem.resultLayout(user, layout); result != noLayout)
      addWay(user, {result, layout});
}

void LayoutCandidates::add(VariableId variable, LayoutId layout) {
  if (llvm::is_contained(layouts[variable], layout))
    return;
  if (layouts[variable].size() >= most) {
    isAll = false;
    return;
  }
  layouts[variable].push_back(layout);
  open.emplace_back(variable, layout);
}

void LayoutCandidates::addWay(VariableId variable, LayoutSolution::Version way) {
  if (llvm::is_contained(ways[variable], way))
    return;
  add(variable, way.layout);
  for (VariableId operand : problem.variables[variable].operands)
    add(operand, way.operands);
  auto isCandidate = [&](VariableId of, LayoutId layout) {
    return llvm::is_contained(layouts[of], layout);
  };
  if (isCandidate(variable, way.layout) &&
      llvm::all_of(problem.variables[variable].operands,
                   [&](VariableId operand) { return isCandidate(operand, way.operands); }))
    ways[variable].push_back(way);
}

} // namespace tilewright::transform
