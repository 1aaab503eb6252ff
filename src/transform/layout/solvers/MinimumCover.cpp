//===- MinimumCover.cpp - The cheapest way to meet needs ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/solvers/MinimumCover.h"

#include "transform/layout/solvers/CoverBound.h"
#include "transform/layout/solvers/CoverParts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <limits>

using llvm::SmallVector;

namespace tilewright::transform {

namespace {

/// What the search has decided so far.
using Decisions = CoverState;
using Ascent = CoverAscent;

class CoverSearch {
public:
  CoverSearch(const CoverProblem &problem, size_t maxNodes)
      : problem(problem), links(problem), bound(problem, links), nodesLeft(maxNodes) {}

  std::optional<Cover> run(const std::vector<WayId> &known) {
    if (std::optional<int64_t> cost = costOfCover(problem, known))
      keep(known, *cost);
    searchAll();
    if (!isFound)
      return std::nullopt;
    best.bound = isCutShort ? std::min(rootBound, best.cost) : best.cost;
    return best;
  }

private:
  void keep(const std::vector<WayId> &ways, int64_t cost) {
    best.ways = ways;
    best.cost = cost;
    isFound = true;
  }
  int64_t costBound() const { return isFound ? best.cost : std::numeric_limits<int64_t>::max(); }

  Decisions start() const {
    Decisions decisions{std::vector<bool>(problem.ways.size(), true),
                        std::vector<bool>(problem.numNeeds, false),
                        std::vector<WayId>(problem.numNeeds, noWay)};
    for (NeedId root : problem.roots)
      decisions.isRequired[root] = true;
    return decisions;
  }

  // Decisions.
  void take(Decisions &decisions, WayId way) const;
  bool propagate(Decisions &decisions) const;
  bool keepLimit(Decisions &decisions, const CoverLimit &limit) const;
  bool dropDearWays(Decisions &decisions, const Ascent &ascent) const;

  // The search.
  std::vector<WayId> findFreeCover(const Decisions &decisions, const Ascent &ascent) const;
  WayId chooseBranch(const Decisions &decisions, const Ascent &ascent,
                     const std::vector<WayId> &cover) const;
  bool reduce(Decisions &decisions, Ascent &ascent);
  void search(Decisions decisions);
  void searchAll();
  void searchParts(const Decisions &decisions, const CoverParts &divided);

  const CoverProblem &problem;
  const CoverLinks links;
  const CoverBound bound;
  Cover best;
  bool isFound = false;
  int64_t rootBound = 0;
  size_t nodesLeft;
  /// Whether nodes were left out.
  bool isCutShort = false;
};

//===--------------------------------------------------------------------------===//
// Decisions
//===--------------------------------------------------------------------------===//

/// Takes a way for its need, whose other ways are given up.
void CoverSearch::take(Decisions &decisions, WayId way) const {
  const CoverWay &taken = problem.ways[way];
  decisions.taken[taken.of] = way;
  decisions.isRequired[taken.of] = true;
  decisions.cost += taken.cost;
  for (WayId other : links.waysOf[taken.of])
    decisions.isOpen[other] = other == way;
  for (NeedId need : taken.needs)
    decisions.isRequired[need] = true;
}

/// Gives up the ways of the other needs where a limit is reached; false where it is exceeded.
bool CoverSearch::keepLimit(Decisions &decisions, const CoverLimit &limit) const {
  const auto required = [&](NeedId need) { return bool(decisions.isRequired[need]); };
  const size_t count = llvm::count_if(limit.needs, required);
  if (count == limit.count)
    for (NeedId need : limit.needs)
      if (!required(need))
        for (WayId way : links.waysOf[need])
          decisions.isOpen[way] = false;
  return count <= limit.count;
}

/// Takes what has no alternative, until nothing changes. False if there is no cover.
bool CoverSearch::propagate(Decisions &decisions) const {
  bool changed = true;
  while (changed) {
    changed = false;
    for (const CoverLimit &limit : problem.limits)
      if (!keepLimit(decisions, limit))
        return false;
    for (NeedId need = 0; need < problem.numNeeds; ++need) {
      if (!decisions.isRequired[need] || decisions.taken[need] != noWay)
        continue;
      const auto isOpen = [&](WayId way) { return bool(decisions.isOpen[way]); };
      const size_t open = llvm::count_if(links.waysOf[need], isOpen);
      if (open == 0)
        return false;
      if (open == 1) {
        take(decisions, *llvm::find_if(links.waysOf[need], isOpen));
        changed = true;
      }
    }
  }
  return true;
}

/// Gives up the ways with which a cover costs no less than the best that is known. Whether there
/// are any.
bool CoverSearch::dropDearWays(Decisions &decisions, const Ascent &ascent) const {
  bool changed = false;
  for (WayId way = 0; way < problem.ways.size(); ++way)
    if (decisions.isOpen[way] && decisions.taken[problem.ways[way].of] == noWay &&
        ascent.bound + ascent.rest[way] >= costBound()) {
      decisions.isOpen[way] = false;
      changed = true;
    }
  return changed;
}

//===--------------------------------------------------------------------------===//
// The search
//===--------------------------------------------------------------------------===//

/// A cover by ways of which nothing is left to pay: of those of a need the one that costs least.
std::vector<WayId> CoverSearch::findFreeCover(const Decisions &decisions,
                                              const Ascent &ascent) const {
  std::vector<WayId> cover(problem.numNeeds, noWay);
  SmallVector<NeedId> open;
  std::vector<bool> isSeen(problem.numNeeds, false);
  auto add = [&](NeedId need) {
    if (!isSeen[need])
      open.push_back(need);
    isSeen[need] = true;
  };
  for (NeedId need = 0; need < problem.numNeeds; ++need)
    if (decisions.isRequired[need])
      add(need);
  auto isMet = [&](NeedId need) { return ascent.isMet(need); };
  for (size_t i = 0; i < open.size(); ++i) {
    WayId &chosen = cover[open[i]];
    for (WayId way : links.waysOf[open[i]])
      if (ascent.isFree(decisions, way) && llvm::all_of(problem.ways[way].needs, isMet) &&
          (chosen == noWay || problem.ways[way].cost < problem.ways[chosen].cost))
        chosen = way;
    llvm::for_each(problem.ways[chosen].needs, add);
  }
  return cover;
}

/// The way of `cover` to decide on: with the most cost of cuts that have several ways of the cover,
/// or of needs that exceed a limit. noWay if there is none.
WayId CoverSearch::chooseBranch(const Decisions &decisions, const Ascent &ascent,
                                const std::vector<WayId> &cover) const {
  std::vector<int64_t> excess(problem.ways.size(), 0);
  auto isUsed = [&](WayId way) { return cover[problem.ways[way].of] == way; };
  auto isUndecided = [&](WayId way) { return decisions.taken[problem.ways[way].of] == noWay; };
  for (const Ascent::Cut &cut : ascent.cuts)
    if (llvm::count_if(cut.ways, isUsed) > 1)
      for (WayId way : cut.ways)
        if (isUsed(way) && isUndecided(way))
          excess[way] += cut.cost;
  for (const CoverLimit &limit : problem.limits) {
    SmallVector<NeedId> met(
        llvm::make_filter_range(limit.needs, [&](NeedId need) { return cover[need] != noWay; }));
    if (met.size() > limit.count)
      for (NeedId need : met)
        if (isUndecided(cover[need]))
          excess[cover[need]] += 1;
  }
  const auto largest = llvm::max_element(excess);
  return *largest ? std::distance(excess.begin(), largest) : noWay;
}

/// Bounds what is open, gives up what is too dear, and keeps the cover that is found on the way.
/// False if no better one is to be found here.
bool CoverSearch::reduce(Decisions &decisions, Ascent &ascent) {
  if (!propagate(decisions))
    return false;
  ascent = bound.ascend(decisions, costBound());
  if (!ascent.isPossible || ascent.bound >= costBound())
    return false;
  const std::vector<WayId> cover = findFreeCover(decisions, ascent);
  if (std::optional<int64_t> cost = costOfCover(problem, cover); cost && *cost < costBound())
    keep(cover, *cost);
  return ascent.bound < costBound();
}

void CoverSearch::search(Decisions decisions) {
  isCutShort |= nodesLeft == 0;
  if (isCutShort)
    return;
  --nodesLeft;
  Ascent ascent;
  if (!reduce(decisions, ascent))
    return;
  dropDearWays(decisions, ascent);
  const WayId way = chooseBranch(decisions, ascent, findFreeCover(decisions, ascent));
  assert(way != noWay && "a cover that costs more than its bound has something to decide");
  Decisions with = decisions;
  take(with, way);
  search(std::move(with));
  decisions.isOpen[way] = false;
  search(std::move(decisions));
}

/// The search with its first node repeated for as long as it finds what to give up.
void CoverSearch::searchAll() {
  Decisions decisions = start();
  Ascent ascent;
  do {
    if (!reduce(decisions, ascent))
      return;
    rootBound = ascent.bound;
  } while (dropDearWays(decisions, ascent));
  const CoverParts divided(problem, decisions);
  if (divided.parts.size() > 1)
    searchParts(decisions, divided);
  else
    search(std::move(decisions));
}

/// Searches the parts one by one, each with as many nodes. A part without a cover: no cover of the
/// whole costs less than the best that is known.
void CoverSearch::searchParts(const Decisions &decisions, const CoverParts &divided) {
  std::vector<WayId> ways = decisions.taken;
  int64_t total = decisions.cost;
  for (const CoverPart &part : divided.parts) {
    CoverSearch search(part.problem, nodesLeft);
    const std::optional<Cover> cover =
        search.run(isFound ? part.restrict(best.ways) : std::vector<WayId>());
    isCutShort |= search.isCutShort;
    if (!cover)
      return;
    total += cover->bound;
    for (auto [number, way] : llvm::enumerate(cover->ways))
      if (way != noWay)
        ways[part.needs[number]] = part.ways[way];
  }
  rootBound = std::max(rootBound, total);
  divided.complete(ways);
  if (std::optional<int64_t> cost = costOfCover(problem, ways); cost && *cost < costBound())
    keep(ways, *cost);
}

} // namespace

std::optional<int64_t> costOfCover(const CoverProblem &problem, const std::vector<WayId> &ways) {
  if (ways.size() != problem.numNeeds)
    return std::nullopt;
  auto isMet = [&](NeedId need) { return ways[need] != noWay; };
  int64_t cost = 0;
  for (WayId way : ways) {
    if (way == noWay)
      continue;
    if (!llvm::all_of(problem.ways[way].needs, isMet))
      return std::nullopt;
    cost += problem.ways[way].cost;
  }
  if (!llvm::all_of(problem.roots, isMet))
    return std::nullopt;
  for (const CoverLimit &limit : problem.limits)
    if (llvm::count_if(limit.needs, isMet) > limit.count)
      return std::nullopt;
  return cost;
}

std::optional<Cover> findMinimumCover(const CoverProblem &problem, const std::vector<WayId> &known,
                                      size_t maxNodes) {
  return CoverSearch(problem, maxNodes).run(known);
}

} // namespace tilewright::transform
