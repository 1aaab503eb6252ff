//===- CoverBound.cpp - A lower bound of what covers cost -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/solvers/CoverBound.h"

#include <algorithm>

using llvm::SmallVector;

namespace tilewright::transform {

/// Finds the needs that ways without cost do not meet. A need is among them if each such way of it
/// has one among them that was found earlier: so all that is left meets each other.
void CoverBound::rankNeeds(const CoverState &state, CoverAscent &ascent) const {
  ascent.rank.assign(problem.numNeeds, CoverAscent::never);
  std::vector<uint32_t> freeWays(problem.numNeeds, 0);
  std::vector<bool> isBroken(problem.ways.size(), false);
  SmallVector<NeedId> found;
  uint32_t next = 0;
  auto add = [&](NeedId need) {
    ascent.rank[need] = next++;
    found.push_back(need);
  };
  for (NeedId need = 0; need < problem.numNeeds; ++need) {
    freeWays[need] =
        llvm::count_if(links.waysOf[need], [&](WayId way) { return ascent.isFree(state, way); });
    if (freeWays[need] == 0)
      add(need);
  }
  for (size_t i = 0; i < found.size(); ++i)
    for (WayId way : links.waysWith[found[i]]) {
      if (isBroken[way] || !ascent.isFree(state, way))
        continue;
      isBroken[way] = true;
      const NeedId of = problem.ways[way].of;
      if (--freeWays[of] == 0)
        add(of);
    }
}

/// Finds a cut for `root`, which ways without cost do not meet, and takes the least of its costs
/// off its ways. Starting at the root, a need's ways with a cost are of the cut; one without has a
/// need that was found earlier, where the search goes on. `Outdated`: cuts since the ranks were
/// given have left a way without cost whose needs are met.
CoverBound::CutResult CoverBound::cut(const CoverState &state, CoverAscent &ascent,
                                      NeedId root) const {
  CoverAscent::Cut cut{std::numeric_limits<int64_t>::max(), {}};
  SmallVector<NeedId> open = {root};
  std::vector<bool> isSeen(problem.numNeeds, false);
  isSeen[root] = true;
  for (size_t i = 0; i < open.size(); ++i)
    for (WayId way : links.waysOf[open[i]]) {
      if (!state.isOpen[way])
        continue;
      if (ascent.rest[way] > 0) {
        cut.ways.push_back(way);
        cut.cost = std::min(cut.cost, ascent.rest[way]);
        continue;
      }
      NeedId first = open[i];
      for (NeedId need : problem.ways[way].needs)
        if (ascent.rank[need] < ascent.rank[first])
          first = need;
      if (first == open[i])
        return CutResult::Outdated;
      if (!isSeen[first])
        open.push_back(first);
      isSeen[first] = true;
    }
  if (cut.ways.empty())
    return CutResult::Impossible;
  for (WayId way : cut.ways)
    ascent.rest[way] -= cut.cost;
  ascent.bound += cut.cost;
  ascent.cuts.push_back(std::move(cut));
  return CutResult::Found;
}

CoverAscent CoverBound::ascend(const CoverState &state, int64_t limit) const {
  CoverAscent ascent;
  ascent.bound = state.cost;
  for (auto [number, way] : llvm::enumerate(problem.ways))
    ascent.rest.push_back(state.taken[way.of] == number ? 0 : way.cost);
  while (true) {
    rankNeeds(state, ascent);
    bool changed = false;
    for (NeedId need = 0; need < problem.numNeeds; ++need) {
      // What is taken for a need is required itself.
      if (!state.isRequired[need] || state.taken[need] != noWay || ascent.isMet(need))
        continue;
      const CutResult result = cut(state, ascent, need);
      if (result == CutResult::Impossible)
        ascent.isPossible = false;
      if (!ascent.isPossible || ascent.bound >= limit)
        return ascent;
      changed |= result == CutResult::Found;
    }
    if (!changed)
      return ascent;
  }
}

} // namespace tilewright::transform
