//===- ShapeChangesTest.cpp - Shape changes against their definitions ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Maps of random blocked layouts, place by place, against ordinary arithmetic.
//
//===--------------------------------------------------------------------------===//

#include "layout/ShapeChanges.h"

#include "layout/encoding/Encodings.h"
#include "test/support/Coordinates.h"
#include "test/support/RandomLayouts.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::layout;

namespace {

struct RandomMap {
  std::vector<int64_t> shape;
  LinearLayout map;
};

std::vector<RandomMap> randomMaps(unsigned seed, unsigned count) {
  RandomLayouts random(seed);
  std::vector<RandomMap> result;
  for (unsigned i = 0; i < count; ++i) {
    std::vector<int64_t> shape = random.shape(1 + random.below(3), 4);
    Blocked blocked = random.blocked(shape, random.below(5), random.below(3));
    result.push_back({shape, toLinearLayout(blocked, shape)});
  }
  return result;
}

uint64_t layoutBasesOf(const LinearLayout &map) { return uint64_t(1) << map.totalInBits(); }

Coordinates elementAt(const LinearLayout &map, uint64_t place) {
  return valuesOf(map.unpackOutput(map.applyFlat(place)));
}

/// The place of register `reg` in the thread of `place` of another map, whose registers are
/// fewer or more.
uint64_t placeIn(const LinearLayout &map, uint64_t reg, const LinearLayout &other, uint64_t place) {
  return reg | (place >> other.inBits(dims::Register)) << map.inBits(dims::Register);
}

uint64_t rowMajor(const Coordinates &at, const std::vector<int64_t> &shape) {
  uint64_t index = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    index = index * static_cast<uint64_t>(shape[d]) + at[d];
  return index;
}

} // namespace

TEST(ShapeChanges, ReshapeKeepsRowMajorOrder) {
  RandomLayouts random(3);
  for (const auto &[shape, map] : randomMaps(1, 100)) {
    // The same number of elements cut anew.
    int64_t left = 1;
    for (int64_t size : shape)
      left *= size;
    std::vector<int64_t> to;
    for (unsigned i = 0; i < 2; ++i) {
      to.push_back(std::min<int64_t>(left, int64_t(1) << random.below(4)));
      left /= to.back();
    }
    to.push_back(left);
    LinearLayout reshaped = reshapeRowMajor(map, to);
    ASSERT_EQ(reshaped.outs().size(), to.size());
    for (uint64_t place = 0; place < layoutBasesOf(map); ++place) {
      uint64_t expected = rowMajor(elementAt(map, place), shape);
      EXPECT_EQ(rowMajor(elementAt(reshaped, place), to), expected);
      EXPECT_EQ(flattenRowMajor(map).applyFlat(place), expected);
    }
  }
}

TEST(ShapeChanges, JoinAlternatesRegisters) {
  for (const auto &[shape, map] : randomMaps(2, 100)) {
    LinearLayout joined = join(map);
    ASSERT_EQ(layoutBasesOf(joined), 2 * layoutBasesOf(map));
    for (uint64_t place = 0; place < layoutBasesOf(joined); ++place) {
      Coordinates at = elementAt(joined, place);
      EXPECT_EQ(at.back(), place % 2);
      at.pop_back();
      EXPECT_EQ(at, elementAt(map, place / 2));
    }
  }
}

TEST(ShapeChanges, SplitUndoesJoin) {
  for (const auto &[shape, map] : randomMaps(4, 50))
    EXPECT_EQ(split(join(map)), map);
}

TEST(ShapeChanges, SplitNeedsBothHalvesInAThread) {
  unsigned splits = 0, refusals = 0;
  for (const auto &[shape, map] : randomMaps(5, 400)) {
    if (shape.size() < 2 || shape.back() != 2)
      continue;
    // Which halves each thread holds of what it holds.
    bool both = true;
    for (uint64_t place = 0; place < layoutBasesOf(map); ++place) {
      bool found = false;
      Coordinates wanted = elementAt(map, place);
      wanted.back() ^= 1;
      for (uint64_t reg = 0; reg < map.inSize(dims::Register); ++reg)
        found |= elementAt(map, placeIn(map, reg, map, place)) == wanted;
      both &= found;
    }
    std::optional<LinearLayout> half = split(map);
    ASSERT_EQ(half.has_value(), both) << map.toString();
    if (!half) {
      ++refusals;
      continue;
    }
    ++splits;
    const unsigned bit = *findSplitBit(map);
    for (uint64_t place = 0; place < layoutBasesOf(*half); ++place) {
      const uint64_t below = place & ((uint64_t(1) << bit) - 1);
      Coordinates at = elementAt(*half, place);
      for (uint64_t which : {0, 1}) {
        at.push_back(which);
        EXPECT_EQ(elementAt(map, (place - below) * 2 | which << bit | below), at);
        at.pop_back();
      }
    }
  }
  EXPECT_GT(splits, 10u);
  EXPECT_GT(refusals, 10u);
}

TEST(ShapeChanges, ConcatenateAppendsRegisters) {
  for (const auto &[shape, map] : randomMaps(6, 100)) {
    LinearLayout both = concatenate(map);
    const uint64_t registers = map.inSize(dims::Register);
    for (uint64_t place = 0; place < layoutBasesOf(both); ++place) {
      const uint64_t reg = place % (2 * registers);
      Coordinates expected = elementAt(map, placeIn(map, reg % registers, both, place));
      expected[0] += reg / registers * static_cast<uint64_t>(shape[0]);
      EXPECT_EQ(elementAt(both, place), expected);
    }
  }
}
