//===- GreedySolver.cpp - Layouts chosen one after the other ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/GreedySolver.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using llvm::ArrayRef;
using llvm::SmallVector;

namespace tilewright::transform {

using tt::LayoutRule;

/// Variables looked at to find out what computing one of them costs.
static constexpr size_t maxVisited = 512;

namespace {

/// Anchors of variables that have none of their own.
using GivenAnchors = llvm::DenseMap<VariableId, LayoutId>;

class GreedySolver {
public:
  GreedySolver(LayoutProblem &problem, const GivenAnchors &given)
      : problem(problem), given(given), anchors(problem.variables.size(), noLayout) {
    solution.versions.resize(problem.variables.size());
    solution.uses.resize(problem.users.size());
  }

  LayoutSolution solve() {
    findAnchors(0, problem.variables.size(), 0);
    for (const LayoutUser &user : problem.users)
      if (user.rule == LayoutRule::Anchor)
        demandOperandsOfAnchor(user);
    satisfyDemands();
    // Users that take any layout come last, so that they find what there is.
    for (const LayoutUser &user : problem.users)
      if (user.rule != LayoutRule::Anchor) {
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
  SmallVector<LayoutId, 3> &layoutsOf(const LayoutUser &user) {
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
  SmallVector<std::pair<VariableId, LayoutId>> demands;
};

//===--------------------------------------------------------------------------===//
// Anchors
//===--------------------------------------------------------------------------===//

/// Of the variables in [begin, end); `loop` is the first loop that begins there or later.
void GreedySolver::findAnchors(VariableId begin, VariableId end, size_t loop) {
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
void GreedySolver::findLoopAnchors(size_t number) {
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

void GreedySolver::findAnchor(VariableId variable) {
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

LayoutId GreedySolver::chooseAnchor(VariableId variable) {
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

Cost GreedySolver::costOfAnchor(VariableId variable, LayoutId operands, LayoutId layout) {
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

LayoutId GreedySolver::baseOf(VariableId variable) {
  if (anchors[variable] != noLayout)
    return anchors[variable];
  const LayoutSolution::Version *first = firstVersion(variable);
  return first ? first->layout : noLayout;
}

LayoutId GreedySolver::preferredLayout(VariableId variable) {
  const LayoutId base = baseOf(variable);
  return base == noLayout ? at(variable).original : base;
}

void GreedySolver::demandOperandsOfAnchor(const LayoutUser &user) {
  for (VariableId result : user.results)
    demand(result, at(result).original);
  for (auto [operand, layout] : llvm::zip_equal(user.operands, user.layouts))
    demand(operand, layout);
  layoutsOf(user) = user.layouts;
}

void GreedySolver::demandAnyLayout(const LayoutUser &user) {
  SmallVector<LayoutId, 3> &layouts = layoutsOf(user);
  for (VariableId operand : user.operands) {
    const bool isTied = user.rule == LayoutRule::AnyLayout && !layouts.empty();
    layouts.push_back(isTied ? layouts.front() : preferredLayout(operand));
    demand(operand, layouts.back());
  }
  for (VariableId result : user.results)
    demand(result, at(result).original);
}

void GreedySolver::satisfyDemands() {
  // First demanded, first served: what a list of demands adds is dealt with after the list.
  while (!demands.empty()) {
    auto batch = std::move(demands);
    demands.clear();
    for (auto [variable, layout] : batch)
      satisfy(variable, layout);
  }
}

void GreedySolver::satisfy(VariableId variable, LayoutId layout) {
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

LayoutId GreedySolver::layoutNeeded(VariableId variable, LayoutId layout) {
  // Where the result's anchor follows from an operand's, that one needs no conversion.
  if (at(variable).rule != LayoutRule::SameLayout)
    for (VariableId operand : at(variable).operands)
      if (const LayoutId source = anchors[operand];
          source != noLayout && problem.resultLayout(variable, source) == layout)
        return source;
  return problem.operandLayout(variable, layout);
}

bool GreedySolver::canCompute(VariableId variable, LayoutId layout) {
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

void GreedySolver::addVersion(VariableId variable, LayoutId layout) {
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

Cost GreedySolver::costOfConverting(VariableId variable, LayoutId layout) {
  if (at(variable).isStaged)
    return 0;
  const LayoutId base = baseOf(variable);
  return base == noLayout ? impossible : problem.convertCost(variable, base, layout);
}

Cost GreedySolver::costOf(VariableId variable, LayoutId layout, Cost limit, Visited &visited) {
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

Cost GreedySolver::costOfOperands(VariableId variable, LayoutId layout, Cost limit,
                                  Visited &visited) {
  Cost cost = 0;
  for (VariableId operand : at(variable).operands)
    if (cost < limit)
      cost += costOf(operand, layout, limit - cost, visited);
  return std::min(impossible, cost);
}

Cost GreedySolver::costOfComputing(VariableId variable, LayoutId layout, Cost limit,
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

} // namespace

//===--------------------------------------------------------------------------===//
// Second tries
//===--------------------------------------------------------------------------===//

namespace {

/// Gives dear variables without an anchor one, as long as all of it costs less then.
class SecondTries {
public:
  explicit SecondTries(LayoutProblem &problem) : problem(problem) {}

  LayoutSolution run() {
    GreedySolver solver(problem, given);
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
  std::vector<VariableId> findDearVariables(const GreedySolver &solver);
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
std::vector<VariableId> SecondTries::findDearVariables(const GreedySolver &solver) {
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
    LayoutSolution solution = GreedySolver(problem, tried).solve();
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
