//===- EncodingsTest.cpp - Encodings by their definitions -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The maps of encodings against definitions by ordinary arithmetic: division, remainder and
// loops over elements, no bits.
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/SharedEncodings.h"

#include "test/support/Coordinates.h"
#include "test/support/RandomLayouts.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::layout;

namespace {

/// Where a blocked layout puts (register, lane, warp).
Coordinates blockedElement(const Blocked &b, const std::vector<int64_t> &shape, uint64_t reg,
                           uint64_t lane, uint64_t warp) {
  size_t rank = shape.size();
  std::vector<uint64_t> size(b.sizePerThread.begin(), b.sizePerThread.end());
  std::vector<uint64_t> lanes(b.threadsPerWarp.begin(), b.threadsPerWarp.end());
  std::vector<uint64_t> warps(b.warpsPerCTA.begin(), b.warpsPerCTA.end());
  std::vector<uint64_t> repetitions(rank);
  for (size_t d = 0; d < rank; ++d) {
    uint64_t tile = size[d] * lanes[d] * warps[d];
    repetitions[d] = std::max<uint64_t>(1, static_cast<uint64_t>(shape[d]) / tile);
  }
  Coordinates inThread = takeDigits(reg, size, b.order);
  Coordinates repetition = takeDigits(reg, repetitions, b.order);
  Coordinates ofLane = takeDigits(lane, lanes, b.order);
  Coordinates ofWarp = takeDigits(warp, warps, b.order);
  Coordinates result(rank);
  for (size_t d = 0; d < rank; ++d) {
    uint64_t at =
        inThread[d] + size[d] * (ofLane[d] + lanes[d] * (ofWarp[d] + warps[d] * repetition[d]));
    result[d] = at % static_cast<uint64_t>(shape[d]);
  }
  return result;
}

TEST(Encodings, BlockedByDefinition) {
  RandomLayouts random(1);
  for (unsigned i = 0; i < 400; ++i) {
    unsigned lanes = random.below(6), warps = random.below(4);
    std::vector<int64_t> shape = random.shape(1 + random.below(3), 4);
    Blocked b = random.blocked(shape, lanes, warps);
    ASSERT_EQ(verify(b, static_cast<unsigned>(shape.size())).error(), "");
    LinearLayout map = toLinearLayout(b, shape);
    ASSERT_TRUE(map.isSurjective());
    ASSERT_EQ(map.inBits(dims::Lane), lanes);
    ASSERT_EQ(map.inBits(dims::Warp), warps);
    ASSERT_TRUE(map.hasIn(dims::Block));
    for (uint64_t r = 0; r < map.inSize(dims::Register); ++r)
      for (uint64_t l = 0; l < map.inSize(dims::Lane); ++l)
        for (uint64_t w = 0; w < map.inSize(dims::Warp); ++w)
          ASSERT_EQ(valuesOf(map.apply({{dims::Register, r}, {dims::Lane, l}, {dims::Warp, w}})),
                    blockedElement(b, shape, r, l, w));
  }
}

TEST(Encodings, BlockedTileOfMatmul) {
  std::vector<int64_t> shape = {128, 64};
  LinearLayout map = toLinearLayout(Blocked{{1, 4}, {2, 16}, {4, 1}, {1, 0}}, shape);
  EXPECT_EQ(map.toString(),
            "{register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0], [64, 0]], "
            "lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], "
            "block = []} -> {dim0 = 128, dim1 = 64}");
}

TEST(Encodings, BlockedLargerThanTheTensorBroadcasts) {
  std::vector<int64_t> shape = {4};
  LinearLayout map = toLinearLayout(Blocked{{2}, {8}, {2}, {0}}, shape);
  EXPECT_EQ(map.toString(), "{register = [[1]], lane = [[2], [0], [0]], warp = [[0]], block = []}"
                            " -> {dim0 = 4}");
}

TEST(Encodings, BlocksOfACluster) {
  std::vector<int64_t> shape = {8, 8};
  Blocked b{{1, 2}, {4, 2}, {1, 1}, {1, 0}, {{1, 0}, {0, 0}, {0, 1}}};
  ASSERT_EQ(verify(b, 2).error(), "");
  LinearLayout map = toLinearLayout(b, shape);
  // Each block has a 4x4 part; bit 0 is the lower half, bit 1 a copy, bit 2 the right half.
  EXPECT_EQ(map.toString(), "{register = [[0, 1]], lane = [[0, 2], [1, 0], [2, 0]], warp = [], "
                            "block = [[4, 0], [0, 0], [0, 4]]} -> {dim0 = 8, dim1 = 8}");
}

TEST(Encodings, SliceIsTheParentSeenAlongADimension) {
  RandomLayouts random(2);
  for (unsigned i = 0; i < 300; ++i) {
    unsigned rank = 1 + random.below(2), dim = random.below(rank + 1);
    std::vector<int64_t> shape = random.shape(rank, 4);
    std::vector<int64_t> parentShape = sliceParentShape(shape, dim);
    ASSERT_EQ(parentShape[dim], 1);
    Blocked b = random.blocked(parentShape, 3, 2);
    LinearLayout parent = toLinearLayout(b, parentShape), map = slice(parent, dim);
    ASSERT_TRUE(map.isSurjective());
    // Registers of the parent in order, those that move nothing left out.
    std::vector<uint64_t> kept;
    for (unsigned bit = 0; bit < parent.inBits(dims::Register); ++bit)
      if (parent.basis(dims::Register, bit))
        kept.push_back(uint64_t(1) << bit);
    ASSERT_EQ(map.inBits(dims::Register), kept.size());
    for (uint64_t r = 0; r < map.inSize(dims::Register); ++r)
      for (uint64_t l = 0; l < 8; ++l)
        for (uint64_t w = 0; w < 4; ++w) {
          uint64_t parentRegister = 0;
          for (size_t bit = 0; bit < kept.size(); ++bit)
            if (r >> bit & 1)
              parentRegister |= kept[bit];
          Coordinates expected = blockedElement(b, parentShape, parentRegister, l, w);
          expected.erase(expected.begin() + dim);
          ASSERT_EQ(valuesOf(map.apply({{dims::Register, r}, {dims::Lane, l}, {dims::Warp, w}})),
                    expected);
        }
  }
}

/// Where operand opIdx of a product with a blocked result puts (register, lane, warp): as the
/// result's layout would, with all of K in the thread and lanes and warps along K the same.
Coordinates operandElement(const Blocked &b, unsigned opIdx, const std::vector<int64_t> &shape,
                           uint64_t reg, uint64_t lane, uint64_t warp) {
  size_t k = shape.size() - 1 - opIdx;
  std::vector<uint64_t> lanes(b.threadsPerWarp.begin(), b.threadsPerWarp.end());
  std::vector<uint64_t> warps(b.warpsPerCTA.begin(), b.warpsPerCTA.end());
  Coordinates ofLane = takeDigits(lane, lanes, b.order);
  Coordinates ofWarp = takeDigits(warp, warps, b.order);
  ofLane[k] = ofWarp[k] = 0;
  lanes[k] = warps[k] = 1;
  // The numbers that the remaining digits make, and the tile without lanes and warps along K.
  auto number = [&](const Coordinates &at, const std::vector<uint64_t> &sizes) {
    uint64_t result = 0, scale = 1;
    for (unsigned d : b.order) {
      result += at[d] * scale;
      scale *= sizes[d];
    }
    return result;
  };
  Blocked alone = b;
  alone.sizePerThread[k] = static_cast<unsigned>(shape[k]);
  alone.threadsPerWarp[k] = alone.warpsPerCTA[k] = 1;
  return blockedElement(alone, shape, reg, number(ofLane, lanes), number(ofWarp, warps));
}

TEST(Encodings, OperandsOfBlockedByDefinition) {
  RandomLayouts random(4);
  for (unsigned i = 0; i < 300; ++i) {
    unsigned rank = 2 + random.below(2), opIdx = random.below(2);
    std::vector<int64_t> shape = random.shape(rank, 4);
    Blocked b = random.blocked(shape, random.below(6), random.below(4));
    ASSERT_EQ(verifyOperand(b, opIdx, 0).error(), "");
    LinearLayout map = operandLayout(b, opIdx, 0, shape);
    ASSERT_TRUE(map.isSurjective());
    // K is in registers alone.
    ASSERT_TRUE(map.sublayoutIsZero({dims::Lane, dims::Warp}, {Dim::tensor(rank - 1 - opIdx)}));
    for (uint64_t r = 0; r < map.inSize(dims::Register); ++r)
      for (uint64_t l = 0; l < map.inSize(dims::Lane); ++l)
        for (uint64_t w = 0; w < map.inSize(dims::Warp); ++w)
          ASSERT_EQ(valuesOf(map.apply({{dims::Register, r}, {dims::Lane, l}, {dims::Warp, w}})),
                    operandElement(b, opIdx, shape, r, l, w));
  }
}

TEST(Encodings, OperandsOfBlockedInACluster) {
  Blocked b{{1, 1}, {4, 8}, {1, 1}, {1, 0}, {{1, 0}, {0, 1}}};
  std::vector<int64_t> a = {16, 4};
  // Two halves of the rows; blocks that have different columns of the result hold the same.
  EXPECT_EQ(operandLayout(b, 0, 0, a).toString(),
            "{register = [[0, 1], [0, 2], [4, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]],"
            " warp = [], block = [[8, 0], [0, 0]]} -> {dim0 = 16, dim1 = 4}");
}

TEST(Encodings, LinearIsRepeatedAndWrapped) {
  Linear l{{{2}, {1}}, {{4}, {8}}, {{16}}, {}};
  ASSERT_EQ(verify(l, 1).error(), "");
  std::vector<int64_t> same = {32}, larger = {128}, smaller = {8};
  EXPECT_EQ(toLinearLayout(l, same).toString(),
            "{register = [[2], [1]], lane = [[4], [8]], warp = [[16]], block = []} -> {dim0 = 32}");
  EXPECT_EQ(toLinearLayout(l, larger).toString(),
            "{register = [[2], [1], [32], [64]], lane = [[4], [8]], warp = [[16]], block = []}"
            " -> {dim0 = 128}");
  EXPECT_EQ(toLinearLayout(l, smaller).toString(),
            "{register = [[2], [1]], lane = [[4], [0]], warp = [[0]], block = []} -> {dim0 = 8}");
  // Registers that point outside are removed, those of the encoding that are zero stay.
  Linear zero{{{1}, {0}, {2}}, {}, {}, {}};
  std::vector<int64_t> two = {2};
  EXPECT_EQ(toLinearLayout(zero, two).toString(),
            "{register = [[1], [0]], lane = [], warp = [], block = []} -> {dim0 = 2}");
}

TEST(Encodings, LinearIsRepeatedInTheOrderOfItsRegisters) {
  std::vector<int64_t> shape = {4, 4, 4};
  // dim1 is the first along which a register moves; of the others the last comes first.
  Linear l{{{0, 1, 0}}, {{1, 0, 0}, {0, 0, 1}}, {}, {}};
  EXPECT_EQ(toLinearLayout(l, shape).toString(),
            "{register = [[0, 1, 0], [0, 2, 0], [0, 0, 2], [2, 0, 0]], "
            "lane = [[1, 0, 0], [0, 0, 1]], warp = [], block = []} -> "
            "{dim0 = 4, dim1 = 4, dim2 = 4}");
}

TEST(Encodings, WrongParametersHaveErrors) {
  std::vector<int64_t> odd = {3}, none = {}, huge = {1 << 20, 1 << 20};
  EXPECT_EQ(verifyShape(odd).error(), "the size 3 of a tensor is not a power of two");
  EXPECT_EQ(verifyShape(none).error(), "a layout needs a tensor of at least one dimension");
  EXPECT_EQ(verifyShape(huge).error(), "a tensor has at most 2^30 elements, not 2^40");
  EXPECT_EQ(verify(Blocked{{1, 1}, {32}, {4, 1}, {1, 0}}, 2).error(),
            "threadsPerWarp has 1 entries, but there are 2 dimensions");
  EXPECT_EQ(verify(Blocked{{1, 3}, {1, 32}, {4, 1}, {1, 0}}, 2).error(),
            "sizePerThread has the entry 3, which is not a power of two");
  EXPECT_EQ(verify(Blocked{{1, 0}, {1, 32}, {4, 1}, {1, 0}}, 2).error(),
            "sizePerThread has the entry 0, which is not a power of two");
  EXPECT_EQ(verify(Blocked{{1, 1}, {1, 32}, {4, 1}, {1, 1}}, 2).error(),
            "order is not a permutation of the dimensions");
  EXPECT_EQ(verify(Blocked{{1 << 20}, {32}, {4}, {0}}, 1).error(),
            "the tile of a blocked layout has at most 2^26 elements, not 2^27");
  EXPECT_EQ(verify(Blocked{{1}, {32}, {4}, {0}, {{1}, {4}}}, 1).error(),
            "the bases of the cluster leave a gap");
  EXPECT_EQ(verify(Linear{{{1}}, {{1}}, {}, {}}, 1).error(),
            "two bases of a linear layout are the same");
  EXPECT_EQ(verify(Linear{{{1}}, {{4}}, {}, {}}, 1).error(),
            "the bases of a linear layout do not reach every element");
  EXPECT_EQ(verify(Linear{{{1}}, {{3}}, {}, {}}, 1).error(),
            "each basis of a linear layout has at most one value that is not zero, and that is a "
            "power of two");
  EXPECT_EQ(verify(Linear{{{1}}, {{2, 0}}, {}, {}}, 1).error(),
            "a basis of 'lane' has 2 values, but there is 1 output dimension");
  EXPECT_EQ(verify(Linear{}, 0).error(), "a linear layout has between 1 and 16 dimensions");
  EXPECT_EQ(verifyOperand(Blocked{{1, 1}, {4, 8}, {4, 1}, {1, 0}}, 2, 0).error(),
            "opIdx is 2, but a product has operands 0 and 1");
  EXPECT_EQ(verifyOperand(Blocked{{1, 1}, {4, 8}, {4, 1}, {1, 0}}, 0, 2).error(),
            "kWidth is 2, but an operand whose parent is a blocked layout has none");
  EXPECT_EQ(verifyOperand(Blocked{{1}, {32}, {4}, {0}}, 0, 0).error(),
            "the operand of a product has 2 or 3 dimensions, not 1");
}

TEST(Encodings, GenericLinearMovesOnlyWarpsAlongSeveralDimensions) {
  auto generic = [](Linear l, unsigned rank) { return verify(l, rank, /*generic=*/true).error(); };
  EXPECT_EQ(generic({{{1}}, {{3}}, {}, {}}, 1), "");
  EXPECT_EQ(generic({{{1, 0}}, {{0, 1}}, {{2, 1}, {1, 2}}, {}}, 2), "");
  // Bases of the same value are redundant, not wrong.
  EXPECT_EQ(generic({{{1}}, {{2}, {2}}, {}, {}}, 1), "");
  EXPECT_EQ(generic({{{1, 1}}, {{0, 1}}, {}, {}}, 2),
            "a basis of register in a generic linear layout has more than one value that is not "
            "zero; only those of warp may have");
  EXPECT_EQ(generic({{{1, 0}}, {{1, 1}}, {}, {}}, 2),
            "a basis of lane in a generic linear layout has more than one value that is not zero; "
            "only those of warp may have");
  EXPECT_EQ(generic({{{1, 0}}, {{0, 1}}, {}, {{1, 1}}}, 2),
            "a basis of block in a generic linear layout has more than one value that is not zero; "
            "only those of warp may have");
  EXPECT_EQ(generic({{{1, 0}}, {}, {{2, 1}}, {}}, 2),
            "the bases of a linear layout do not reach every element");
}

} // namespace
