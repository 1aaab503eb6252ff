//===- CoverParts.cpp - Parts of a cover that share nothing -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/solvers/CoverParts.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

using llvm::SmallVector;

namespace tilewright::transform {

std::vector<WayId> CoverPart::restrict(const std::vector<WayId> &whole) const {
  std::vector<WayId> result;
  for (NeedId need : needs) {
    const auto way = llvm::find(ways, whole[need]);
    result.push_back(way == ways.end() ? noWay : WayId(std::distance(ways.begin(), way)));
  }
  return result;
}

CoverParts::CoverParts(const CoverProblem &problem, const CoverState &state)
    : problem(problem), state(state), openWays(problem.numNeeds), freeWays(problem.numNeeds, noWay),
      isLeft(problem.numNeeds, false), partOf(problem.numNeeds), numberOf(problem.numNeeds) {
  for (auto [number, way] : llvm::enumerate(problem.ways))
    if (state.isOpen[number] && state.taken[way.of] == noWay)
      openWays[way.of].push_back(number);
  findFreeWays();
  findOpenNeeds();
  divide();
  addLimits();
}

/// A need with a limit is not met for nothing: another one may then not be met.
void CoverParts::findFreeWays() {
  std::vector<bool> isLimited(problem.numNeeds, false);
  for (const CoverLimit &limit : problem.limits)
    for (NeedId need : limit.needs)
      isLimited[need] = true;
  bool changed = true;
  while (changed) {
    changed = false;
    for (NeedId need = 0; need < problem.numNeeds; ++need) {
      if (isMet(need) || isLimited[need])
        continue;
      const auto way = llvm::find_if(openWays[need], [&](WayId each) {
        return problem.ways[each].cost == 0 &&
               llvm::all_of(problem.ways[each].needs, [&](NeedId other) { return isMet(other); });
      });
      if (way == openWays[need].end())
        continue;
      freeWays[need] = *way;
      changed = true;
    }
  }
}

/// Needs that are required or that an open way of such a need has.
void CoverParts::findOpenNeeds() {
  SmallVector<NeedId> open;
  auto add = [&](NeedId need) {
    if (isLeft[need] || isMet(need))
      return;
    isLeft[need] = true;
    open.push_back(need);
  };
  for (NeedId need = 0; need < problem.numNeeds; ++need)
    if (state.isRequired[need])
      add(need);
  while (!open.empty())
    for (WayId way : openWays[open.pop_back_val()])
      llvm::for_each(problem.ways[way].needs, add);
}

/// Whether `limit` says something about those of its needs that are left.
bool CoverParts::isBinding(const CoverLimit &limit, size_t left) const {
  return left + countTaken(limit) > limit.count;
}

size_t CoverParts::countTaken(const CoverLimit &limit) const {
  return llvm::count_if(limit.needs, [&](NeedId need) { return state.taken[need] != noWay; });
}

void CoverParts::divide() {
  llvm::IntEqClasses classes(problem.numNeeds);
  auto isOpen = [&](NeedId need) { return bool(isLeft[need]); };
  for (NeedId need = 0; need < problem.numNeeds; ++need)
    if (isLeft[need])
      for (WayId way : openWays[need])
        for (NeedId other : llvm::make_filter_range(problem.ways[way].needs, isOpen))
          classes.join(need, other);
  for (const CoverLimit &limit : problem.limits) {
    SmallVector<NeedId> left(llvm::make_filter_range(limit.needs, isOpen));
    if (!left.empty() && isBinding(limit, left.size()))
      for (NeedId need : llvm::drop_begin(left))
        classes.join(left.front(), need);
  }
  classes.compress();
  std::vector<size_t> places(classes.getNumClasses(), parts.max_size());
  for (NeedId need = 0; need < problem.numNeeds; ++need) {
    if (!isLeft[need])
      continue;
    size_t &place = places[classes[need]];
    if (place == parts.max_size()) {
      place = parts.size();
      parts.emplace_back();
    }
    partOf[need] = place;
    numberOf[need] = parts[place].problem.addNeed();
    parts[place].needs.push_back(need);
    if (state.isRequired[need])
      parts[place].problem.roots.push_back(numberOf[need]);
  }
  for (NeedId need = 0; need < problem.numNeeds; ++need)
    if (isLeft[need])
      for (WayId way : openWays[need]) {
        CoverPart &part = parts[partOf[need]];
        CoverWay &added = part.problem.ways.emplace_back();
        part.ways.push_back(way);
        added.of = numberOf[need];
        added.cost = problem.ways[way].cost;
        for (NeedId other : llvm::make_filter_range(problem.ways[way].needs, isOpen))
          added.needs.push_back(numberOf[other]);
      }
}

void CoverParts::addLimits() {
  for (const CoverLimit &limit : problem.limits) {
    SmallVector<NeedId> left(
        llvm::make_filter_range(limit.needs, [&](NeedId need) { return bool(isLeft[need]); }));
    if (left.empty() || !isBinding(limit, left.size()))
      continue;
    CoverLimit &rest = parts[partOf[left.front()]].problem.limits.emplace_back();
    rest.count = limit.count - std::min<size_t>(limit.count, countTaken(limit));
    for (NeedId need : left)
      rest.needs.push_back(numberOf[need]);
  }
}

void CoverParts::complete(std::vector<WayId> &ways) const {
  SmallVector<NeedId> open;
  auto add = [&](NeedId need) {
    if (ways[need] != noWay || freeWays[need] == noWay)
      return;
    ways[need] = freeWays[need];
    open.push_back(need);
  };
  for (NeedId need = 0; need < problem.numNeeds; ++need) {
    if (state.isRequired[need])
      add(need);
    if (ways[need] != noWay)
      llvm::for_each(problem.ways[ways[need]].needs, add);
  }
  while (!open.empty())
    llvm::for_each(problem.ways[ways[open.pop_back_val()]].needs, add);
}

} // namespace tilewright::transform
