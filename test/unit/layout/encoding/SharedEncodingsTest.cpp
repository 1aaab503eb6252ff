//===- SharedEncodingsTest.cpp - Layouts of shared memory by definition ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Swizzled, linear and padded memory against their definitions by ordinary arithmetic.
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/SharedEncodings.h"

#include "test/support/Coordinates.h"
#include "test/support/RandomLayouts.h"

#include <gtest/gtest.h>
#include <map>

using namespace tilewright;
using namespace tilewright::layout;

namespace {

TEST(SharedEncodings, SwizzledByDefinition) {
  RandomLayouts random(3);
  for (unsigned i = 0; i < 400; ++i) {
    unsigned rank = 1 + random.below(3);
    std::vector<int64_t> shape = random.shape(rank, 4);
    SwizzledShared s{1u << random.below(4), 1u << random.below(3), 1u << random.below(4),
                     random.blocked(shape, 0, 0).order};
    ASSERT_EQ(verify(s, rank).error(), "");
    LinearLayout map = toLinearLayout(s, shape);
    ASSERT_TRUE(map.isInvertible());
    uint64_t count = 1;
    for (int64_t size : shape)
      count *= static_cast<uint64_t>(size);
    for (uint64_t offset = 0; offset < count; ++offset) {
      uint64_t rest = offset;
      Coordinates expected = takeDigits(rest, shape, s.order);
      if (rank > 1) {
        uint64_t row = expected[s.order[1]], cols = static_cast<uint64_t>(shape[s.order[0]]);
        uint64_t phase = (row / s.perPhase) % s.maxPhase;
        expected[s.order[0]] ^= (s.vec * phase) % cols;
      }
      ASSERT_EQ(valuesOf(map.apply({{dims::Offset, offset}})), expected);
    }
  }
}

TEST(SharedEncodings, SwizzledInACluster) {
  SwizzledShared s{2, 1, 4, {1, 0}, {{1, 0}, {0, 1}}};
  ASSERT_EQ(verify(s, 2).error(), "");
  std::vector<int64_t> shape = {8, 16}, part = {4, 8};
  LinearLayout map = toLinearLayout(s, shape), own = toLinearLayout({2, 1, 4, {1, 0}}, part);
  ASSERT_EQ(map.inSize(dims::Offset), 32u);
  for (uint64_t block = 0; block < 4; ++block)
    for (uint64_t offset = 0; offset < 32; ++offset) {
      Coordinates expected = valuesOf(own.apply({{dims::Offset, offset}}));
      expected[0] += 4 * (block % 2);
      expected[1] += 8 * (block / 2);
      EXPECT_EQ(valuesOf(map.apply({{dims::Offset, offset}, {dims::Block, block}})), expected);
    }
}

TEST(SharedEncodings, LinearIsLiteral) {
  SharedLinear s{{{0, 1}, {0, 0}, {1, 1}, {2, 0}}, {{4, 0}}, 32};
  ASSERT_EQ(verify(s, 2).error(), "");
  std::vector<int64_t> shape = {8, 2};
  ASSERT_EQ(verifyShape(s, shape).error(), "");
  EXPECT_EQ(
      toLinearLayout(s, shape).toString(),
      "{offset = [[0, 1], [0, 0], [1, 1], [2, 0]], block = [[4, 0]]} -> {dim0 = 8, dim1 = 2}");
}

TEST(SharedEncodings, PaddedIsTheOrderWithoutItsHoles) {
  PaddedShared s{{4}, {1}, {{0, 1}, {2, 0}, {0, 2}}, {{1, 0}}};
  ASSERT_EQ(verify(s, 2).error(), "");
  std::vector<int64_t> shape = {4, 4};
  ASSERT_EQ(verifyShape(s, shape).error(), "");
  EXPECT_EQ(toLinearLayout(s, shape).toString(),
            "{offset = [[0, 1], [2, 0], [0, 2]], block = [[1, 0]]} -> {dim0 = 4, dim1 = 4}");
}

TEST(SharedEncodings, HolesOfTheExample) {
  // e0 e1 . e2 e3 . . . e4 e5 . e6 e7
  PaddedShared s{{2, 4}, {1, 2}, {{1}, {2}, {4}}, {}};
  ASSERT_EQ(verify(s, 1).error(), "");
  uint64_t expected[] = {0, 1, 3, 4, 8, 9, 11, 12};
  for (uint64_t i = 0; i < 8; ++i)
    EXPECT_EQ(paddedOffset(s, i), expected[i]);
  EXPECT_EQ(paddedSize(s, 8), 13u);
  EXPECT_EQ(paddedSize(s, 4), 5u);
}

TEST(SharedEncodings, HolesByWritingThemOut) {
  RandomLayouts random(1);
  for (unsigned i = 0; i < 200; ++i) {
    // Intervals differ; paddings are any.
    std::map<unsigned, unsigned> holes;
    for (unsigned n = 1 + random.below(3); holes.size() < n;)
      holes[1u << random.below(7)] = 1u << random.below(5);
    PaddedShared s{{}, {}, {{1}, {2}, {4}, {8}, {16}, {32}, {64}, {128}}, {}};
    for (auto [interval, padding] : holes) {
      s.intervals.push_back(interval);
      s.paddings.push_back(padding);
    }
    ASSERT_EQ(verify(s, 1).error(), "");
    // The memory, place by place: an element's number or a hole.
    constexpr uint64_t Hole = ~uint64_t(0);
    std::vector<uint64_t> memory;
    for (uint64_t element = 0; element < 256; ++element) {
      for (auto [interval, padding] : holes)
        if (element && element % interval == 0)
          memory.insert(memory.end(), padding, Hole);
      memory.push_back(element);
    }
    ASSERT_EQ(paddedSize(s, 256), memory.size());
    for (uint64_t element = 0; element < 256; ++element)
      ASSERT_EQ(memory[paddedOffset(s, element)], element);
  }
}

TEST(SharedEncodings, WrongParametersHaveErrors) {
  EXPECT_EQ(verify(SwizzledShared{3, 1, 1, {1, 0}}, 2).error(),
            "vec is 3, which is not a power of two");
  EXPECT_EQ(verify(SwizzledShared{1, 0, 1, {1, 0}}, 2).error(),
            "perPhase is 0, which is not a power of two");
  EXPECT_EQ(verify(SwizzledShared{1, 1, 6, {1, 0}}, 2).error(),
            "maxPhase is 6, which is not a power of two");
  EXPECT_EQ(verify(SwizzledShared{1, 1, 1, {0}}, 2).error(),
            "order has 1 entries, but there are 2 dimensions");
  EXPECT_EQ(verify(SwizzledShared{1, 1, 1, {0}, {{2}}}, 1).error(),
            "the bases of the cluster leave a gap");

  EXPECT_EQ(verify(SharedLinear{{{1}}, {}, 12}, 1).error(),
            "alignment is 12, which is not a power of two");
  EXPECT_EQ(verify(SharedLinear{{{1}}, {}, 0}, 1).error(),
            "alignment is 0, which is not a power of two");
  EXPECT_EQ(verify(SharedLinear{}, 0).error(),
            "a layout of shared memory has between 1 and 16 dimensions");
  EXPECT_EQ(verify(SharedLinear{}, 17).error(),
            "a layout of shared memory has between 1 and 16 dimensions");
  EXPECT_EQ(verify(SharedLinear{{{1}, {4}}, {}}, 1).error(),
            "the bases of a layout of shared memory do not reach every element");
  EXPECT_EQ(verify(SharedLinear{{{1}, {2, 0}}, {}}, 1).error(),
            "a basis of 'offset' has 2 values, but there is 1 output dimension");
  EXPECT_EQ(verify(SharedLinear{std::vector<std::vector<unsigned>>(31, {1}), {}}, 1).error(),
            "a layout of shared memory has at most 30 bases of offset");
  EXPECT_EQ(verify(SharedLinear{{{1}}, std::vector<std::vector<unsigned>>(7, {0})}, 1).error(),
            "a cluster has at most 64 blocks");
  std::vector<int64_t> four = {4};
  EXPECT_EQ(verifyShape(SharedLinear{{{1}}, {}}, four).error(),
            "the bases span 2 elements of dimension 0, but the tensor has 4");

  EXPECT_EQ(verify(PaddedShared{{}, {}, {{1}}, {}}, 1).error(),
            "a padded layout has at least one interval");
  EXPECT_EQ(verify(PaddedShared{{4, 8}, {1}, {{1}}, {}}, 1).error(),
            "there are 2 intervals, but 1 paddings");
  EXPECT_EQ(verify(PaddedShared{{24}, {1}, {{1}}, {}}, 1).error(),
            "the interval 24 is not a power of two");
  EXPECT_EQ(verify(PaddedShared{{4}, {3}, {{1}}, {}}, 1).error(),
            "the padding 3 is not a power of two");
  EXPECT_EQ(verify(PaddedShared{{4}, {0}, {{1}}, {}}, 1).error(),
            "the padding 0 is not a power of two");
  EXPECT_EQ(verify(PaddedShared{{4, 4}, {1, 2}, {{1}}, {}}, 1).error(),
            "the interval 4 is there twice");
  EXPECT_EQ(verify(PaddedShared{{4}, {1}, {{1}, {4}}, {}}, 1).error(),
            "the bases of a layout of shared memory do not reach every element");
  EXPECT_EQ(verify(PaddedShared{{4}, {1}, {{1}, {0}}, {}}, 1).error(),
            "a basis of a padded layout is zero, but each element has one place only");
  EXPECT_EQ(verify(PaddedShared{{4}, {1}, {{1}, {2}}, {{0}}}, 1).error(),
            "a basis of a padded layout is zero, but each element has one place only");
  EXPECT_EQ(verify(PaddedShared{{4}, {1}, {{1}, {3}}, {}}, 1).error(),
            "each basis of a padded layout has one value that is not zero, and that is a power of "
            "two");
  EXPECT_EQ(verify(PaddedShared{{4}, {1}, {{1}, {2}, {2}}, {}}, 1).error(),
            "two bases of a padded layout are the same");
  EXPECT_EQ(verifyShape(PaddedShared{{4}, {1}, {{1}, {2}}, {}}, std::vector<int64_t>{2}).error(),
            "the bases span 4 elements of dimension 0, but the tensor has 2");
}

} // namespace
