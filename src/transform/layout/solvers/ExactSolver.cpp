//===- ExactSolver.cpp - The layouts that cost least --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The problem as a cover. There are needs for each variable and candidate layout, and
//
//     the variable is available     it has the version      it is converted from another version
//     it has the version            its operands are available in the layout that goes with that
//     it has any version            one of its versions
//     a user has its operands       all of them are available in one layout
//     a user is in an alternative   its operands are available in the layouts of that
//     a user is in any              one of its alternatives
//
// and each line's right side lists the ways. A result of a user with alternatives has a version if
// the user is in an alternative that gives it; a limit lets the user be in one alone.
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/solvers/ExactSolver.h"

#include "transform/layout/problem/LayoutCandidates.h"
#include "transform/layout/solvers/MinimumCover.h"

#include "llvm/ADT/STLExtras.h"

using llvm::SmallVector;

namespace tilewright::transform {

using tt::LayoutRule;

namespace {

class LayoutCover {
public:
  LayoutCover(LayoutProblem &problem, const LayoutCandidates &candidates)
      : problem(problem), candidates(candidates) {
    for (VariableId variable = 0; variable < problem.variables.size(); ++variable)
      addNeeds(variable);
    for (size_t user = 0; user < problem.users.size(); ++user)
      addAlternatives(user);
    for (VariableId variable = 0; variable < problem.variables.size(); ++variable)
      addWays(variable);
    for (const LayoutUser &user : problem.users)
      addUser(user);
    for (VariableId variable : problem.kept)
      cover.roots.push_back(any(variable));
  }

  CoverProblem cover;

  std::vector<WayId> waysOf(const LayoutSolution &solution) const;
  LayoutSolution solutionOf(const std::vector<WayId> &ways) const;
  /// Takes the layouts that the cover has chosen for a user, and of what its alternative gives.
  void takeUser(LayoutSolution &solution, const std::vector<WayId> &ways, size_t user) const;

private:
  static constexpr NeedId noNeed = ~NeedId(0);
  struct Candidate {
    LayoutId layout;
    NeedId available, version = noNeed;
  };

  void addNeeds(VariableId variable);
  void addWays(VariableId variable);
  void addConversions(VariableId variable, const Candidate &wanted);
  void addUser(const LayoutUser &user);
  void addAlternatives(size_t user);
  NeedId addUserOfOneLayout(const LayoutUser &user);
  NeedId any(VariableId variable);
  const Candidate *find(VariableId variable, LayoutId layout) const;
  NeedId available(VariableId variable, LayoutId layout) const {
    return find(variable, layout)->available;
  }
  void addWay(NeedId of, Cost cost, SmallVector<NeedId, 3> needs, LayoutId layout) {
    waysOfNeeds.resize(std::max<size_t>(waysOfNeeds.size(), of + 1));
    waysOfNeeds[of].push_back(cover.ways.size());
    cover.ways.push_back({of, cost, std::move(needs)});
    layoutsOfWays.push_back(layout);
  }
  /// The way of a need by a layout, of which there is one.
  void choose(std::vector<WayId> &ways, NeedId need, LayoutId layout) const;

  LayoutProblem &problem;
  const LayoutCandidates &candidates;
  std::vector<SmallVector<Candidate, 4>> needs;
  llvm::DenseMap<VariableId, NeedId> anyNeeds;
  /// The needs of users that take one layout, or one alternative.
  std::vector<NeedId> userNeeds;
  /// The needs of the alternatives of a user.
  std::vector<SmallVector<NeedId, 4>> alternativeNeeds;
  /// The users with alternatives that give variables.
  llvm::DenseMap<VariableId, size_t> givers;
  /// Of a version the layout of its operands, of a conversion that of the version, of a user and of
  /// what it gives the number of the alternative, of the others the layout that is taken.
  std::vector<LayoutId> layoutsOfWays;
  std::vector<SmallVector<WayId, 4>> waysOfNeeds;
};

//===--------------------------------------------------------------------------===//
// The cover of a problem
//===--------------------------------------------------------------------------===//

void LayoutCover::addNeeds(VariableId variable) {
  auto &list = needs.emplace_back();
  for (LayoutId layout : candidates.of(variable))
    list.push_back({layout, cover.addNeed()});
  CoverLimit versions{{}, unsigned(problem.mostVersions(variable))};
  for (Candidate &candidate : list)
    if (llvm::any_of(candidates.waysOf(variable),
                     [&](const auto &way) { return way.layout == candidate.layout; })) {
      candidate.version = cover.addNeed();
      versions.needs.push_back(candidate.version);
    }
  if (versions.needs.size() > versions.count)
    cover.limits.push_back(std::move(versions));
}

const LayoutCover::Candidate *LayoutCover::find(VariableId variable, LayoutId layout) const {
  return llvm::find_if(needs[variable],
                       [&](const Candidate &candidate) { return candidate.layout == layout; });
}

void LayoutCover::addAlternatives(size_t number) {
  const LayoutUser &user = problem.users[number];
  SmallVector<NeedId, 4> &list = alternativeNeeds.emplace_back();
  if (user.alternatives.empty())
    return;
  for (VariableId result : user.results)
    givers[result] = number;
  for (const LayoutAlternative &alternative : user.alternatives) {
    const NeedId need = list.emplace_back(cover.addNeed());
    auto hasAll = [&](const auto &variables, const auto &layouts) {
      return llvm::all_of(llvm::zip_equal(variables, layouts), [&](auto pair) {
        return find(std::get<0>(pair), std::get<1>(pair)) != needs[std::get<0>(pair)].end();
      });
    };
    // An alternative with a layout that was passed over cannot be taken.
    if (!hasAll(user.operands, alternative.operands) || !hasAll(user.results, alternative.results))
      continue;
    SmallVector<NeedId, 3> operands;
    for (auto [operand, layout] : llvm::zip_equal(user.operands, alternative.operands))
      operands.push_back(available(operand, layout));
    // The results are there, wanted or not.
    Cost cost = alternative.cost;
    for (auto [result, layout] : llvm::zip_equal(user.results, alternative.results))
      cost += problem.spillCost(result, layout);
    addWay(need, cost, std::move(operands), noLayout);
    for (auto [result, layout] : llvm::zip_equal(user.results, alternative.results))
      addWay(find(result, layout)->version, 0, {need}, list.size() - 1);
  }
  if (list.size() > 1)
    cover.limits.push_back({llvm::to_vector_of<NeedId>(list), 1});
}

void LayoutCover::addWays(VariableId variable) {
  for (const LayoutSolution::Version &way : candidates.waysOf(variable)) {
    if (givers.contains(variable))
      break;
    SmallVector<NeedId, 3> operands;
    for (VariableId operand : problem.variables[variable].operands)
      operands.push_back(available(operand, way.operands));
    const Cost cost =
        problem.computeCost(variable, way.layout) + problem.combineCost(variable, way.operands) +
        problem.carryCost(variable, way.layout) + problem.spillCost(variable, way.layout);
    addWay(find(variable, way.layout)->version, cost, std::move(operands), way.operands);
  }
  for (const Candidate &candidate : needs[variable]) {
    if (candidate.version != noNeed)
      addWay(candidate.available, 0, {candidate.version}, candidate.layout);
    // A constant is there in any layout for nothing, and is not converted.
    if (!problem.isFree(variable))
      addConversions(variable, candidate);
  }
}

void LayoutCover::addConversions(VariableId variable, const Candidate &wanted) {
  for (const Candidate &source : needs[variable]) {
    if (source.version == noNeed || source.layout == wanted.layout)
      continue;
    const Cost cost = problem.convertCost(variable, source.layout, wanted.layout);
    if (cost < impossible)
      addWay(wanted.available, cost, {source.version}, source.layout);
  }
}

/// That a variable has a version, whichever.
NeedId LayoutCover::any(VariableId variable) {
  auto [entry, isNew] = anyNeeds.try_emplace(variable, noNeed);
  if (!isNew)
    return entry->second;
  const NeedId need = entry->second = cover.addNeed();
  for (const Candidate &candidate : needs[variable])
    if (candidate.version != noNeed)
      addWay(need, 0, {candidate.version}, candidate.layout);
  return need;
}

void LayoutCover::addUser(const LayoutUser &user) {
  const SmallVector<NeedId, 4> &alternatives = alternativeNeeds[userNeeds.size()];
  userNeeds.push_back(noNeed);
  if (!alternatives.empty()) {
    cover.roots.push_back(userNeeds.back() = cover.addNeed());
    for (auto [number, need] : llvm::enumerate(alternatives))
      addWay(userNeeds.back(), 0, {need}, number);
    return;
  }
  for (VariableId result : user.results)
    cover.roots.push_back(find(result, problem.variables[result].original)->version);
  if (user.rule == LayoutRule::AnyLayout && !user.operands.empty())
    cover.roots.push_back(userNeeds.back() = addUserOfOneLayout(user));
  if (user.rule == LayoutRule::AnyLayouts)
    for (VariableId operand : user.operands)
      cover.roots.push_back(any(operand));
  if (user.rule == LayoutRule::Anchor)
    for (auto [operand, layout] : llvm::zip_equal(user.operands, user.layouts))
      cover.roots.push_back(available(operand, layout));
}

NeedId LayoutCover::addUserOfOneLayout(const LayoutUser &user) {
  const NeedId need = cover.addNeed();
  for (LayoutId layout : candidates.of(user.operands.front())) {
    auto isCandidate = [&](VariableId operand) {
      return llvm::is_contained(candidates.of(operand), layout);
    };
    if (!llvm::all_of(user.operands, isCandidate))
      continue;
    SmallVector<NeedId, 3> operands;
    for (VariableId operand : user.operands)
      operands.push_back(available(operand, layout));
    addWay(need, 0, std::move(operands), layout);
  }
  return need;
}

//===--------------------------------------------------------------------------===//
// Solutions as covers, and back
//===--------------------------------------------------------------------------===//

void LayoutCover::choose(std::vector<WayId> &ways, NeedId need, LayoutId layout) const {
  for (WayId way : waysOfNeeds[need])
    if (layoutsOfWays[way] == layout)
      ways[need] = way;
}

std::vector<WayId> LayoutCover::waysOf(const LayoutSolution &solution) const {
  std::vector<WayId> ways(cover.numNeeds, noWay);
  for (auto [variable, versions] : llvm::enumerate(solution.versions))
    for (const LayoutSolution::Version &version : versions) {
      const Candidate *candidate = find(variable, version.layout);
      const auto giver = givers.find(variable);
      choose(ways, candidate->version,
             giver == givers.end() ? version.operands
                                   : solution.alternatives.lookup(giver->second));
      choose(ways, candidate->available, version.layout);
    }
  for (const auto &[wanted, source] : solution.conversions) {
    const auto [variable, layout] = wanted;
    const Candidate *candidate = find(variable, layout);
    if (!problem.isFree(variable)) {
      choose(ways, candidate->available, source);
      continue;
    }
    choose(ways, candidate->version, noLayout);
    choose(ways, candidate->available, layout);
  }
  for (const auto &[variable, need] : anyNeeds)
    if (!solution.versions[variable].empty())
      choose(ways, need, solution.versions[variable].front().layout);
  for (auto [number, need] : llvm::enumerate(userNeeds)) {
    const unsigned alternative = solution.alternatives.lookup(number);
    if (!alternativeNeeds[number].empty())
      choose(ways, alternativeNeeds[number][alternative], noLayout);
    if (need != noNeed)
      choose(ways, need,
             alternativeNeeds[number].empty() ? solution.uses[number].front() : alternative);
  }
  return ways;
}

LayoutSolution LayoutCover::solutionOf(const std::vector<WayId> &ways) const {
  LayoutSolution solution;
  solution.versions.resize(needs.size());
  for (auto [number, user] : llvm::enumerate(problem.users))
    takeUser(solution, ways, number);
  for (auto [variable, list] : llvm::enumerate(needs)) {
    auto &versions = solution.versions[variable];
    for (const Candidate &candidate : list)
      if (candidate.version != noNeed && ways[candidate.version] != noWay &&
          !givers.contains(variable))
        versions.push_back({candidate.layout, layoutsOfWays[ways[candidate.version]]});
    for (const Candidate &candidate : list)
      if (const WayId way = ways[candidate.available];
          way != noWay && !solution.hasVersion(variable, candidate.layout))
        solution.conversions[{variable, candidate.layout}] = layoutsOfWays[way];
  }
  return solution;
}

void LayoutCover::takeUser(LayoutSolution &solution, const std::vector<WayId> &ways,
                           size_t number) const {
  const LayoutUser &user = problem.users[number];
  auto &layouts = solution.uses.emplace_back(user.layouts);
  if (user.rule == LayoutRule::AnyLayouts)
    for (VariableId operand : user.operands)
      layouts.push_back(layoutsOfWays[ways[anyNeeds.lookup(operand)]]);
  if (userNeeds[number] == noNeed)
    return;
  const uint32_t taken = layoutsOfWays[ways[userNeeds[number]]];
  if (user.alternatives.empty())
    return layouts.assign(user.operands.size(), taken);
  const LayoutAlternative &alternative = user.alternatives[taken];
  layouts = alternative.operands;
  for (auto [result, layout] : llvm::zip_equal(user.results, alternative.results))
    solution.versions[result].push_back({layout});
  if (taken > 0)
    solution.alternatives[number] = taken;
}

} // namespace

ExactSolution solveExactly(LayoutProblem &problem, const LayoutSolution &known,
                           const ExactSolverOptions &options) {
  const LayoutCandidates candidates(problem, known, options.maxCandidates);
  const LayoutCover layouts(problem, candidates);
  const std::optional<Cover> cover =
      findMinimumCover(layouts.cover, layouts.waysOf(known), options.maxNodes);
  ExactSolution exact;
  exact.solution = layouts.solutionOf(cover->ways);
  exact.cost = problem.costOf(exact.solution).total();
  exact.bound = std::min(exact.cost, cover->bound);
  exact.isProved = cover->isProved() && candidates.isComplete();
  return exact;
}

} // namespace tilewright::transform
