//===- SharedAccessCostTest.cpp - Tiles in and out of shared memory -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/shared/SharedAccessCost.h"

#include "BruteForceAccess.h"
#include "test/support/RandomLayouts.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::plan;

namespace {

void expectSame(const Result<SharedAccessCost> &found, const SharedAccessCost &expected) {
  ASSERT_TRUE(found) << found.error();
  EXPECT_EQ(found->vector, expected.vector);
  EXPECT_EQ(found->accesses, expected.accesses);
  EXPECT_EQ(found->transactions, expected.transactions);
  EXPECT_EQ(found->idealTransactions, expected.idealTransactions);
}

void expectBruteForce(const LinearLayout &registers, const LinearLayout &shared,
                      unsigned elementBytes) {
  SCOPED_TRACE(registers.toString() + " and " + shared.toString());
  std::map<uint64_t, uint64_t> offsets = lowestOffsets(shared);
  auto offsetOf = [&](uint64_t element) { return offsets.at(element); };
  expectSame(sharedAccessCost(registers, shared, 8 * elementBytes),
             costByBruteForce(registers, offsetOf, elementBytes));
}

TEST(SharedAccessCost, SwizzledMemoryByBruteForce) {
  RandomLayouts random(1);
  for (unsigned i = 0; i < 300; ++i) {
    std::vector<int64_t> shape = random.shape(1 + random.below(3), 4);
    Blocked b = random.blocked(shape, random.below(6), random.below(2));
    SwizzledShared s{1u << random.below(4), 1u << random.below(3), 1u << random.below(4),
                     random.blocked(shape, 0, 0).order};
    expectBruteForce(toLinearLayout(b, shape), toLinearLayout(s, shape), 1u << random.below(4));
  }
}

TEST(SharedAccessCost, AnyLinearMapsByBruteForce) {
  RandomLayouts random(2);
  for (unsigned i = 0; i < 300; ++i) {
    unsigned bits = 4 + random.below(5);
    unsigned lanes = random.below(std::min(bits, 5u) + 1), warps = random.below(2);
    LinearLayout registers = random.deal(random.basis(bits + warps), lanes, warps, random.below(3));
    // An order in memory, some elements of it twice.
    RandomLayouts::Bits order = random.basis(bits + warps);
    for (unsigned n = random.below(3); n > 0; --n)
      order.insert(order.begin() + random.below(static_cast<unsigned>(order.size()) + 1),
                   random.below(2) ? 0 : order[random.below(bits)]);
    LinearLayout shared = LinearLayout::fromPacked(
        {SizedDim{dims::Offset, static_cast<unsigned>(order.size())}, SizedDim{dims::Block, 0}},
        {SizedDim{dims::Dim0, bits + warps}}, order);
    expectBruteForce(registers, shared, 1u << random.below(4));
  }
}

TEST(SharedAccessCost, PaddedMemoryByBruteForce) {
  RandomLayouts random(3);
  for (unsigned i = 0; i < 200; ++i) {
    std::vector<int64_t> shape = random.shape(1 + random.below(2), 5);
    auto rank = static_cast<unsigned>(shape.size());
    Blocked b = random.blocked(shape, random.below(6), random.below(2));
    PaddedShared s;
    unsigned limit = 16;
    for (unsigned n = 1 + random.below(2); s.intervals.size() < n;) {
      unsigned interval = 1u << random.below(7);
      if (!s.intervals.empty() && s.intervals[0] == interval)
        continue;
      s.intervals.push_back(interval);
      s.paddings.push_back(1u << random.below(5));
      limit = std::min({limit, s.intervals.back(), s.paddings.back()});
    }
    for (unsigned d : random.blocked(shape, 0, 0).order)
      for (unsigned at = 1; at < shape[d]; at *= 2) {
        s.offsets.emplace_back(rank, 0);
        s.offsets.back()[d] = at;
      }
    ASSERT_EQ(verify(s, rank).error(), "");
    LinearLayout registers = toLinearLayout(b, shape);
    std::map<uint64_t, uint64_t> offsets = lowestOffsets(toLinearLayout(s, shape));
    auto offsetOf = [&](uint64_t element) { return paddedOffset(s, offsets.at(element)); };
    unsigned elementBytes = 1u << random.below(4);
    expectSame(sharedAccessCost(registers, s, 8 * elementBytes),
               costByBruteForce(registers, offsetOf, elementBytes, limit));
  }
}

TEST(SharedAccessCost, KnownTiles) {
  std::vector<int64_t> shape = {64, 64};
  LinearLayout rows = toLinearLayout(Blocked{{1, 8}, {4, 8}, {4, 1}, {1, 0}}, shape);
  LinearLayout columns = toLinearLayout(Blocked{{8, 1}, {8, 4}, {1, 4}, {0, 1}}, shape);
  LinearLayout plain = toLinearLayout(SwizzledShared{1, 1, 1, {1, 0}}, shape);
  // 16-bit rows of 128 bytes: vectors of 8 along them, without conflicts. 8 * 4 warps each.
  Result<SharedAccessCost> cost = sharedAccessCost(rows, plain, 16);
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->vector, 8u);
  EXPECT_EQ(cost->accesses, 4u * 4);
  EXPECT_EQ(cost->conflicts(), 0u);
  // Down the columns: one element at a time; lanes of a row apart are in the same bank.
  cost = sharedAccessCost(columns, plain, 16);
  EXPECT_EQ(cost->vector, 1u);
  EXPECT_EQ(cost->accesses, 32u * 4);
  EXPECT_EQ(cost->conflicts(), 7u * 32 * 4);
  // With holes of one bank after each row, rows 8 apart are 8 banks apart: 2 share a bank.
  PaddedShared padded{{64}, {2}, {}, {}};
  for (unsigned bit = 0; bit < 12; ++bit)
    padded.offsets.push_back(bit < 6 ? std::vector<unsigned>{0, 1u << bit}
                                     : std::vector<unsigned>{1u << (bit - 6), 0});
  cost = sharedAccessCost(columns, padded, 16);
  EXPECT_EQ(cost->conflicts(), 1u * 32 * 4);
}

TEST(SharedAccessCost, ElementsWiderThanAnAccess) {
  std::vector<int64_t> shape = {128};
  LinearLayout registers = toLinearLayout(Blocked{{1}, {32}, {4}, {0}}, shape);
  LinearLayout plain = toLinearLayout(SwizzledShared{1, 1, 1, {0}}, shape);
  ExchangeModel narrow;
  narrow.maxAccessBits = 32;
  // Two accesses of 4 bytes, each to every other word.
  Result<SharedAccessCost> cost = sharedAccessCost(registers, plain, 64, narrow);
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->accesses, 2u * 4);
  EXPECT_EQ(cost->transactions, 2u * 2 * 4);
  EXPECT_EQ(cost->idealTransactions, 2u * 4);
}

TEST(SharedAccessCost, BlocksOfACluster) {
  std::vector<int64_t> shape = {32, 64};
  Blocked b{{1, 8}, {4, 8}, {4, 1}, {1, 0}, {{1, 0}}};
  SwizzledShared same{8, 1, 8, {1, 0}, {{1, 0}}}, other{8, 1, 8, {1, 0}, {{0, 1}}};
  Result<SharedAccessCost> own =
      sharedAccessCost(toLinearLayout(b, shape), toLinearLayout(same, shape), 16);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->accesses, 4u);
  EXPECT_EQ(own->conflicts(), 0u);
  Result<SharedAccessCost> crossing =
      sharedAccessCost(toLinearLayout(b, shape), toLinearLayout(other, shape), 16);
  ASSERT_FALSE(crossing);
  EXPECT_EQ(crossing.error(), "a block holds elements that are in the memory of another block");
  // The blocks' parts are the same ones, but those of other blocks.
  Blocked quarters{{1, 8}, {4, 8}, {4, 1}, {1, 0}, {{1, 0}, {2, 0}}};
  SwizzledShared renumbered{8, 1, 8, {1, 0}, {{2, 0}, {1, 0}}};
  EXPECT_EQ(sharedAccessCost(toLinearLayout(quarters, shape), toLinearLayout(renumbered, shape), 16)
                .error(),
            "a block holds elements that are in the memory of another block");
  // Blocks that hold the same may have their own copies in memory, or all of the tensor.
  Blocked copies{{1, 8}, {4, 8}, {4, 1}, {1, 0}, {{0, 0}}};
  SwizzledShared ofEach{8, 1, 8, {1, 0}, {{0, 0}}}, alone{8, 1, 8, {1, 0}};
  EXPECT_TRUE(sharedAccessCost(toLinearLayout(copies, shape), toLinearLayout(ofEach, shape), 16));
  EXPECT_TRUE(sharedAccessCost(toLinearLayout(b, shape), toLinearLayout(alone, shape), 16));
}

TEST(SharedAccessCost, LayoutsOfOtherTensorsHaveErrors) {
  std::vector<int64_t> small = {32, 32}, large = {64, 32}, line = {32};
  LinearLayout registers = toLinearLayout(Blocked{{1, 1}, {4, 8}, {4, 1}, {1, 0}}, small);
  const char *message = "the layouts of registers and of memory are of different tensors";
  for (const LinearLayout &shared : {toLinearLayout(SwizzledShared{1, 1, 1, {1, 0}}, large),
                                     toLinearLayout(SwizzledShared{1, 1, 1, {0}}, line)})
    EXPECT_EQ(sharedAccessCost(registers, shared, 16).error(), message);
  EXPECT_EQ(sharedAccessCost(registers, PaddedShared{{4}, {1}, {{1}}, {}}, 16).error(),
            "a basis of 'offset' has 1 value, but there are 2 output dimensions");
  EXPECT_EQ(sharedAccessCost(registers, PaddedShared{{4}, {1}, {{1, 0}, {0, 1}}, {}}, 16).error(),
            "the bases span 2 elements of dimension 0, but the tensor has 32");
}

} // namespace
