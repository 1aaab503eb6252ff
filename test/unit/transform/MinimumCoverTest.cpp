//===- MinimumCoverTest.cpp - Covers, by brute force --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/solvers/CoverParts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace tilewright::transform;

namespace {

/// Of the example at the head of MinimumCover.h.
TEST(MinimumCover, PaysOnceForWhatSeveralNeed) {
  CoverProblem problem;
  const NeedId a = problem.addNeed(), b = problem.addNeed(), c = problem.addNeed();
  problem.roots = {a, b};
  problem.ways = {{a, 5, {c}}, {a, 7, {}}, {c, 3, {}}, {b, 1, {c}}, {b, 9, {}}};
  const std::optional<Cover> cover = findMinimumCover(problem, {}, 100);
  ASSERT_TRUE(cover);
  EXPECT_EQ(cover->cost, 9);
  EXPECT_EQ(cover->ways, (std::vector<WayId>{0, 3, 2}));
  EXPECT_TRUE(cover->isProved());
}

TEST(MinimumCover, MeetsNeedsInACircle) {
  CoverProblem problem;
  const NeedId a = problem.addNeed(), b = problem.addNeed();
  problem.roots = {a};
  problem.ways = {{a, 1, {b}}, {b, 2, {a}}, {b, 4, {}}};
  EXPECT_EQ(findMinimumCover(problem, {}, 100)->cost, 3);
}

TEST(MinimumCover, IsNotThereWhereANeedHasNoWay) {
  CoverProblem problem;
  const NeedId a = problem.addNeed(), b = problem.addNeed();
  problem.roots = {a};
  problem.ways = {{a, 1, {b}}};
  EXPECT_FALSE(findMinimumCover(problem, {}, 100));
}

TEST(MinimumCover, OfNothingCostsNothing) {
  const std::optional<Cover> cover = findMinimumCover(CoverProblem(), {}, 100);
  ASSERT_TRUE(cover);
  EXPECT_EQ(cover->cost, 0);
  EXPECT_TRUE(cover->isProved());
}

CoverProblem makeRandomCover(std::mt19937 &random, unsigned numNeeds) {
  auto upTo = [&](unsigned most) {
    return std::uniform_int_distribution<unsigned>(0, most)(random);
  };
  CoverProblem problem;
  problem.numNeeds = numNeeds;
  for (NeedId need = 0; need < numNeeds; ++need) {
    const unsigned ways = 1 + upTo(2);
    for (unsigned i = 0; i < ways; ++i) {
      CoverWay &way = problem.ways.emplace_back();
      way.of = need;
      way.cost = upTo(9);
      const unsigned needs = upTo(2);
      for (unsigned k = 0; k < needs; ++k)
        way.needs.push_back(upTo(numNeeds - 1));
    }
  }
  problem.roots = {0, upTo(numNeeds - 1)};
  if (upTo(1)) {
    CoverLimit limit{{}, 1 + upTo(1)};
    for (NeedId need = numNeeds / 2; need < numNeeds; ++need)
      limit.needs.push_back(need);
    problem.limits.push_back(limit);
  }
  return problem;
}

/// The least cost of all covers.
std::optional<int64_t> findLeastCost(const CoverProblem &problem, std::vector<WayId> &ways,
                                     NeedId need = 0) {
  if (need == problem.numNeeds)
    return costOfCover(problem, ways);
  ways[need] = noWay;
  std::optional<int64_t> least = findLeastCost(problem, ways, need + 1);
  for (WayId way = 0; way < problem.ways.size(); ++way) {
    if (problem.ways[way].of != need)
      continue;
    ways[need] = way;
    if (const std::optional<int64_t> cost = findLeastCost(problem, ways, need + 1);
        cost && (!least || *cost < *least))
      least = cost;
  }
  return least;
}

TEST(MinimumCover, CostsTheLeastOfAllCovers) {
  std::mt19937 random(1);
  unsigned impossible = 0;
  for (int i = 0; i < 500; ++i) {
    const CoverProblem problem = makeRandomCover(random, 3 + i % 5);
    std::vector<WayId> ways(problem.numNeeds, noWay);
    const std::optional<int64_t> least = findLeastCost(problem, ways);
    const std::optional<Cover> cover = findMinimumCover(problem, {}, 100000);
    ASSERT_EQ(cover.has_value(), least.has_value()) << i;
    impossible += !least;
    if (!cover)
      continue;
    EXPECT_EQ(cover->cost, *least) << i;
    EXPECT_TRUE(cover->isProved());
    EXPECT_EQ(costOfCover(problem, cover->ways), cover->cost);
    // Nothing is better than what is known to be best.
    EXPECT_EQ(findMinimumCover(problem, cover->ways, 100000)->cost, *least);
  }
  EXPECT_GT(impossible, 5u);
  EXPECT_LT(impossible, 250u);
}

/// Two problems as one.
CoverProblem join(const CoverProblem &a, const CoverProblem &b) {
  CoverProblem both = a;
  both.numNeeds += b.numNeeds;
  auto shift = [&](auto &needs) {
    for (NeedId &need : needs)
      need += a.numNeeds;
  };
  for (CoverWay way : b.ways) {
    way.of += a.numNeeds;
    shift(way.needs);
    both.ways.push_back(way);
  }
  for (NeedId root : b.roots)
    both.roots.push_back(root + a.numNeeds);
  for (CoverLimit limit : b.limits) {
    shift(limit.needs);
    both.limits.push_back(limit);
  }
  return both;
}

TEST(MinimumCover, OfPartsCostsWhatThePartsDo) {
  std::mt19937 random(3);
  unsigned compared = 0;
  for (int i = 0; i < 300; ++i) {
    const CoverProblem a = makeRandomCover(random, 8 + i % 9), b = makeRandomCover(random, 12);
    const std::optional<Cover> ofA = findMinimumCover(a, {}, 100000),
                               ofB = findMinimumCover(b, {}, 100000);
    const CoverProblem both = join(a, b);
    const std::optional<Cover> cover = findMinimumCover(both, {}, 100000);
    ASSERT_EQ(cover.has_value(), ofA && ofB);
    if (!cover)
      continue;
    EXPECT_EQ(cover->cost, ofA->cost + ofB->cost) << i;
    EXPECT_EQ(costOfCover(both, cover->ways), cover->cost);
    EXPECT_TRUE(cover->isProved());
    ++compared;
  }
  EXPECT_GT(compared, 100u);
}

/// Needs of which three share two ways each cost more than their bound: each such triangle is a
/// search of its own.
TEST(MinimumCover, SearchesPartsOneByOne) {
  constexpr unsigned triangles = 12;
  CoverProblem problem;
  for (unsigned i = 0; i < triangles; ++i) {
    NeedId corner[3], side[3];
    for (NeedId &need : corner)
      problem.roots.push_back(need = problem.addNeed());
    for (NeedId &need : side) {
      need = problem.addNeed();
      problem.ways.push_back({need, 2, {}});
    }
    for (unsigned k = 0; k < 3; ++k) {
      problem.ways.push_back({corner[k], 0, {side[k]}});
      problem.ways.push_back({corner[k], 0, {side[(k + 1) % 3]}});
    }
  }
  const std::optional<Cover> cover = findMinimumCover(problem, {}, 8);
  ASSERT_TRUE(cover);
  EXPECT_EQ(cover->cost, 4 * triangles);
  EXPECT_TRUE(cover->isProved());
}

TEST(CoverParts, LeaveOutWhatIsMetOrMetForNothing) {
  // The example at the head of CoverParts.h.
  CoverProblem problem;
  const NeedId a = problem.addNeed(), b = problem.addNeed(), c = problem.addNeed(),
               d = problem.addNeed(), e = problem.addNeed();
  problem.roots = {a, b};
  problem.ways = {{a, 5, {c}}, {a, 7, {d}}, {b, 1, {c}}, {b, 2, {e}},
                  {c, 0, {}},  {d, 1, {}},  {e, 1, {}}};
  CoverState state{
      std::vector<bool>(7, true), {true, true, false, false, false}, std::vector<WayId>(5, noWay)};
  const CoverParts divided(problem, state);
  ASSERT_EQ(divided.parts.size(), 2u);
  EXPECT_EQ(divided.parts[0].needs, (std::vector<NeedId>{a, d}));
  EXPECT_EQ(divided.parts[1].needs, (std::vector<NeedId>{b, e}));
  std::vector<WayId> ways = {0, 2, noWay, noWay, noWay};
  divided.complete(ways);
  EXPECT_EQ(ways, (std::vector<WayId>{0, 2, 4, noWay, noWay}));
  // A limit connects them.
  problem.limits.push_back({{d, e}, 1});
  EXPECT_EQ(CoverParts(problem, state).parts.size(), 1u);
  // One that is never reached does not.
  problem.limits.back().count = 2;
  EXPECT_EQ(CoverParts(problem, state).parts.size(), 2u);
}

TEST(MinimumCover, HasABoundWhereItStopsBeforeTheEnd) {
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    const CoverProblem problem = makeRandomCover(random, 12);
    const std::optional<Cover> least = findMinimumCover(problem, {}, 100000);
    const std::optional<Cover> first = findMinimumCover(problem, {}, 0);
    if (!least || !first)
      continue;
    EXPECT_LE(first->bound, least->cost);
    EXPECT_GE(first->cost, least->cost);
  }
}

} // namespace
