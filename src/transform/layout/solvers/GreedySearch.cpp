//===- GreedySearch.cpp - Layouts chosen one after the other --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/solvers/GreedySearch.h"

#include "llvm/ADT/STLExtras.h"

using llvm::ArrayRef;
using llvm::SmallVector;

namespace tilewright::transform {

using tt::LayoutRule;

/// Variables looked at to find out what computing one of them costs.
static constexpr size_t maxVisited = 512;

//===--------------------------------------------------------------------------===//
// Anchors
//===--------------------------------------------------------------------------===//

/// Of the variables in [begin, end); `loop` is the first loop that begins there or later.
void GreedySearch::findAnchors(VariableId begin, VariableId end, size_t loop) {
  for (VariableId variable = begin; variable < end;) {
    if (loop < problem.loops.size() && problem.loops[loop].begin == variable &&
        problem.loops[loop].end <= end) {
      findLoopAnchors(loop);
      variable = problem.loops[loop].end;
      loop += 1 + problem.loops[loop].nested;
      continue;
    }
    findAnchor(variable++);
  }
}

/// What a loop carries lives where the loop computes it, or else where it came from. What is
/// yielded is known only after a walk over the body, and the body again depends on what it
/// carries: each round settles at least one more variable.
void GreedySearch::findLoopAnchors(size_t number) {
  const LayoutLoop &loop = problem.loops[number];
  auto isAnchored = [&](VariableId variable) { return hasAnchor(variable); };
  for (bool withInitialValues : {false, true}) {
    bool changed = true;
    while (changed) {
      findAnchors(loop.begin, loop.end, number + 1);
      changed = false;
      for (VariableId variable : loop.carried) {
        if (hasAnchor(variable))
          continue;
        ArrayRef<VariableId> incoming = at(variable).operands;
        LayoutId layout = anchors[incoming.back()];
        if (layout == noLayout && withInitialValues)
          layout = anchors[incoming.front()];
        anchors[variable] = layout;
        changed |= layout != noLayout;
      }
    }
    if (llvm::all_of(loop.carried, isAnchored))
      break;
  }
}

void GreedySearch::findAnchor(VariableId variable) {
  if (const auto anchor = given.find(variable); anchor != given.end()) {
    anchors[variable] = anchor->second;
    return;
  }
  const LayoutVariable &of = at(variable);
  switch (of.rule) {
  case LayoutRule::Anchor:
    anchors[variable] = of.original;
    return;
  case LayoutRule::SameLayout:
  case LayoutRule::Inferred:
  case LayoutRule::Collective:
    anchors[variable] = chooseAnchor(variable);
    return;
  case LayoutRule::Forwards: {
    // The first of the variables that flow into it and have an anchor.
    if (of.isCarried)
      return;
    const VariableId *first = llvm::find_if(
        of.operands, [&](VariableId operand) { return anchors[operand] != noLayout; });
    if (first != of.operands.end())
      anchors[variable] = anchors[*first];
    return;
  }
  default:
    return;
  }
}

LayoutId GreedySearch::chooseAnchor(VariableId variable) {
  // Layouts of the operands, and of the results that go with them.
  SmallVector<std::pair<LayoutId, LayoutId>, 2> candidates;
  for (VariableId operand : at(variable).operands) {
    const LayoutId source = at(operand).isStaged ? noLayout : anchors[operand];
    if (source == noLayout || llvm::is_contained(llvm::make_first_range(candidates), source))
      continue;
    if (LayoutId layout = problem.resultLayout(variable, source); layout != noLayout)
      candidates.emplace_back(source, layout);
  }
  if (candidates.size() <= 1)
    return candidates.empty() ? noLayout : candidates.front().second;
  SmallVector<Cost, 2> costs;
  for (auto [source, layout] : candidates)
    costs.push_back(costOfAnchor(variable, source, layout));
  return candidates[std::distance(costs.begin(), llvm::min_element(costs))].second;
}

Cost GreedySearch::costOfAnchor(VariableId variable, LayoutId operands, LayoutId layout) {
  Cost cost = 0;
  for (VariableId operand : at(variable).operands) {
    Visited visited;
    cost += costOf(operand, operands, impossible, visited);
  }
  // Where the result goes straight into an anchor, its layout counts, too.
  for (const LayoutSink &sink : at(variable).sinks)
    cost += problem.sinkCost(variable, layout, sink);
  return cost;
}

//===--------------------------------------------------------------------------===//
// Versions
//===--------------------------------------------------------------------------===//

LayoutId GreedySearch::baseOf(VariableId variable) {
  if (anchors[variable] != noLayout)
    return anchors[variable];
  const LayoutSolution::Version *first = firstVersion(variable);
  return first ? first->layout : noLayout;
}

LayoutId GreedySearch::preferredLayout(VariableId variable) {
  const LayoutId base = baseOf(variable);
  return base == noLayout ? at(variable).original : base;
}

void GreedySearch::demandOperandsOfAnchor(const LayoutUser &user) {
  for (VariableId result : user.results)
    demand(result, at(result).original);
  for (auto [operand, layout] : llvm::zip_equal(user.operands, user.layouts))
    demand(operand, layout);
  layoutsOf(user) = user.layouts;
}

void GreedySearch::demandAnyLayout(const LayoutUser &user) {
  SmallVector<LayoutId, 3> &layouts = layoutsOf(user);
  for (VariableId operand : user.operands) {
    const bool isTied = user.rule == LayoutRule::AnyLayout && !layouts.empty();
    layouts.push_back(isTied ? layouts.front() : preferredLayout(operand));
    demand(operand, layouts.back());
  }
  for (VariableId result : user.results)
    demand(result, at(result).original);
}

void GreedySearch::satisfyDemands() {
  // First demanded, first served: what a list of demands adds is dealt with after the list.
  while (!demands.empty()) {
    auto batch = std::move(demands);
    demands.clear();
    for (auto [variable, layout] : batch)
      satisfy(variable, layout);
  }
}

void GreedySearch::satisfy(VariableId variable, LayoutId layout) {
  if (solution.isAvailable(variable, layout))
    return;
  LayoutId base = baseOf(variable);
  if (base == noLayout && canCompute(variable, layout))
    return addVersion(variable, layout);
  if (base == noLayout) {
    // Nothing else is known to work, but what there was did.
    base = at(variable).original;
    anchors[variable] = base;
  }
  if (base == layout)
    return addVersion(variable, layout);
  // One of the versions is the base.
  const size_t others = solution.versions[variable].size() - solution.hasVersion(variable, base);
  if (others + 1 < maxVersions && canCompute(variable, layout)) {
    Visited visited;
    const Cost converting = costOfConverting(variable, layout);
    if (costOfComputing(variable, layout, converting, visited) < converting)
      return addVersion(variable, layout);
  }
  solution.conversions[{variable, layout}] = base;
  demand(variable, base);
}

LayoutId GreedySearch::layoutNeeded(VariableId variable, LayoutId layout) {
  // Where the result's anchor follows from an operand's, that one needs no conversion.
  if (at(variable).rule != LayoutRule::SameLayout)
    for (VariableId operand : at(variable).operands)
      if (const LayoutId source = anchors[operand];
          source != noLayout && problem.resultLayout(variable, source) == layout)
        return source;
  return problem.operandLayout(variable, layout);
}

bool GreedySearch::canCompute(VariableId variable, LayoutId layout) {
  const LayoutRule rule = at(variable).rule;
  if (rule == LayoutRule::Anchor)
    return layout == at(variable).original;
  // Carried by a loop, chosen by a branch, or of no operands.
  if (rule == LayoutRule::Forwards || rule == LayoutRule::AnyResult)
    return true;
  if (rule == LayoutRule::Collective && !solution.versions[variable].empty())
    return false;
  return layoutNeeded(variable, layout) != noLayout;
}

void GreedySearch::addVersion(VariableId variable, LayoutId layout) {
  LayoutId operands = noLayout;
  if (at(variable).rule == LayoutRule::Forwards)
    operands = layout;
  else if (tt::tiesLayouts(at(variable).rule))
    operands = layoutNeeded(variable, layout);
  solution.versions[variable].push_back({layout, operands});
  for (VariableId operand : at(variable).operands)
    demand(operand, operands);
}

//===--------------------------------------------------------------------------===//
// Costs
//===--------------------------------------------------------------------------===//

Cost GreedySearch::costOfConverting(VariableId variable, LayoutId layout) {
  if (at(variable).isStaged)
    return 0;
  const LayoutId base = baseOf(variable);
  return base == noLayout ? impossible : problem.convertCost(variable, base, layout);
}

Cost GreedySearch::costOf(VariableId variable, LayoutId layout, Cost limit, Visited &visited) {
  // What this question has already counted costs nothing more.
  if (anchors[variable] == layout || solution.isAvailable(variable, layout) ||
      !visited.insert({variable, layout}).second)
    return 0;
  const Cost converting = costOfConverting(variable, layout);
  if (converting == 0)
    return 0;
  return std::min(converting,
                  costOfComputing(variable, layout, std::min(limit, converting), visited));
}

Cost GreedySearch::costOfOperands(VariableId variable, LayoutId layout, Cost limit,
                                  Visited &visited) {
  Cost cost = 0;
  for (VariableId operand : at(variable).operands)
    if (cost < limit)
      cost += costOf(operand, layout, limit - cost, visited);
  return std::min(impossible, cost);
}

Cost GreedySearch::costOfComputing(VariableId variable, LayoutId layout, Cost limit,
                                   Visited &visited) {
  const LayoutRule rule = at(variable).rule;
  if (visited.size() > maxVisited || !canCompute(variable, layout))
    return impossible;
  // Carrying a value twice keeps twice the registers: only for what has no anchor.
  if (rule == LayoutRule::Forwards)
    return anchors[variable] != noLayout ? impossible
                                         : costOfOperands(variable, layout, limit, visited);
  if (rule == LayoutRule::Anchor || rule == LayoutRule::Collective)
    return impossible;
  const Cost cost = rule == LayoutRule::Inferred ? 0 : problem.computeCost(variable, layout);
  if (rule == LayoutRule::AnyResult || cost >= limit)
    return cost;
  return cost + costOfOperands(variable, layoutNeeded(variable, layout), limit - cost, visited);
}

} // namespace tilewright::transform
