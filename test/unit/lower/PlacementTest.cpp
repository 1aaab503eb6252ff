//===- PlacementTest.cpp - Places of pieces against all others ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Random pieces with random conflicts, in memories of one to four bands. Pieces that conflict share
// no unit, and no piece could lie lower where those that were placed before it are.
//
//===--------------------------------------------------------------------------===//

#include "lower/space/Placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace tilewright::lower;

namespace {

struct Problem {
  std::vector<Extent> pieces;
  std::vector<llvm::BitVector> conflicts;
  unsigned bands;
};

Problem makeProblem(std::mt19937 &random) {
  auto upTo = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  Problem problem;
  problem.bands = 1u << upTo(3);
  const unsigned count = 1 + upTo(7);
  for (unsigned i = 0; i < count; ++i) {
    unsigned bands = 1u << upTo(3);
    problem.pieces.push_back({1 + upTo(9), 1u << upTo(3), std::min(bands, problem.bands)});
  }
  problem.conflicts.assign(count, llvm::BitVector(count));
  for (unsigned a = 0; a < count; ++a)
    for (unsigned b = 0; b < a; ++b)
      if (upTo(2)) {
        problem.conflicts[a].set(b);
        problem.conflicts[b].set(a);
      }
  return problem;
}

/// Whether two pieces share a unit of a band, unit by unit.
bool share(const Extent &a, Place atA, const Extent &b, Place atB) {
  for (unsigned band = atA.band; band < atA.band + a.bands; ++band)
    for (uint64_t unit = atA.offset; unit < atA.offset + a.units; ++unit)
      if (band >= atB.band && band < atB.band + b.bands && unit >= atB.offset &&
          unit < atB.offset + b.units)
        return true;
  return false;
}

/// The pieces in the order in which they are placed: the largest first.
std::vector<unsigned> orderOf(const Problem &problem) {
  std::vector<unsigned> order(problem.pieces.size());
  std::iota(order.begin(), order.end(), 0u);
  auto size = [&](unsigned i) { return problem.pieces[i].units * problem.pieces[i].bands; };
  std::ranges::sort(
      order, [&](unsigned a, unsigned b) { return std::pair(size(b), a) < std::pair(size(a), b); });
  return order;
}

TEST(Placement, LowestPlacesThatAreFree) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 3000; ++round) {
    const Problem problem = makeProblem(random);
    const std::vector<Place> places = placePieces(problem.pieces, problem.conflicts, problem.bands);
    const std::vector<unsigned> order = orderOf(problem);
    for (size_t i = 0; i < order.size(); ++i) {
      const Extent &piece = problem.pieces[order[i]];
      const Place place = places[order[i]];
      auto isFree = [&](Place at) {
        return std::none_of(order.begin(), order.begin() + i, [&](unsigned other) {
          return problem.conflicts[order[i]].test(other) &&
                 share(piece, at, problem.pieces[other], places[other]);
        });
      };
      ASSERT_TRUE(isFree(place));
      ASSERT_EQ(place.offset % piece.alignment, 0u);
      ASSERT_EQ(place.band % piece.bands, 0u);
      ASSERT_LE(place.band + piece.bands, problem.bands);
      // Nothing below is free, nor an earlier band at the same height.
      for (uint64_t offset = 0; offset <= place.offset; offset += piece.alignment)
        for (unsigned band = 0; band + piece.bands <= problem.bands; band += piece.bands)
          if (offset < place.offset || band < place.band) {
            ASSERT_FALSE(isFree({offset, band})) << "round " << round;
          }
    }
  }
}

TEST(Placement, BandsHoldHalvesSideBySide) {
  // Two accumulators of 64 lanes, and one of 128, all at the same time.
  const std::vector<Extent> pieces = {{64, 32, 1}, {128, 32, 2}, {64, 32, 1}};
  std::vector<llvm::BitVector> conflicts(3, llvm::BitVector(3, true));
  for (unsigned i = 0; i < 3; ++i)
    conflicts[i].reset(i);
  EXPECT_EQ(placePieces(pieces, conflicts, 2), (std::vector<Place>{{128, 0}, {0, 0}, {128, 1}}));
}

} // namespace
