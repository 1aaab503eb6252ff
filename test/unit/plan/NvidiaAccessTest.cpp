//===- NvidiaAccessTest.cpp - Accesses of fragments and of nvmma_shared ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What the analysis of accesses says of the matrix units' layouts: by brute force, and the
// numbers that are known of them.
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/NvidiaMma.h"

#include "BruteForceAccess.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::plan;
using namespace tilewright::layout::nvidia;

namespace {

using Shape = std::vector<int64_t>;

const Mma Sync{2, 0, {2, 2}, {16, 8}, {}};
const Mma Warpgroup{3, 0, {4, 1}, {16, 64, 16}, {}};

void expectBruteForce(const LinearLayout &registers, const LinearLayout &shared,
                      unsigned elementBytes) {
  SCOPED_TRACE(registers.toString() + " and " + shared.toString());
  std::map<uint64_t, uint64_t> offsets = lowestOffsets(shared);
  SharedAccessCost expected = costByBruteForce(
      registers, [&](uint64_t element) { return offsets.at(element); }, elementBytes);
  Result<SharedAccessCost> found = sharedAccessCost(registers, shared, 8 * elementBytes);
  ASSERT_TRUE(found) << found.error();
  EXPECT_EQ(found->vector, expected.vector);
  EXPECT_EQ(found->accesses, expected.accesses);
  EXPECT_EQ(found->transactions, expected.transactions);
  EXPECT_EQ(found->idealTransactions, expected.idealTransactions);
}

TEST(NvidiaAccess, FragmentsInSharedMemoryByBruteForce) {
  Shape shape = {64, 64};
  for (unsigned elementBytes : {1, 2, 4}) {
    unsigned bits = 8 * elementBytes, kWidth = 4 / elementBytes;
    LinearLayout fragments[] = {toLinearLayout(Sync, shape), toLinearLayout(Warpgroup, shape),
                                operandLayout(Sync, 0, kWidth, shape),
                                operandLayout(Sync, 1, kWidth, shape),
                                operandLayout(Warpgroup, 0, kWidth, shape)};
    std::vector<LinearLayout> memories = {toLinearLayout(SwizzledShared{1, 1, 1, {1, 0}}, shape),
                                          toLinearLayout(SwizzledShared{8, 1, 8, {0, 1}}, shape)};
    for (unsigned swizzle : {0, 32, 64})
      for (bool transposed : {false, true}) {
        NvmmaShared memory{swizzle, transposed, bits, false, 2, {}};
        ASSERT_EQ(verifyShape(memory, shape).error(), "");
        memories.push_back(toLinearLayout(memory, shape));
      }
    for (const LinearLayout &fragment : fragments)
      for (const LinearLayout &memory : memories)
        expectBruteForce(fragment, memory, elementBytes);
  }
}

TEST(NvidiaAccess, PaddedPairsByBruteForce) {
  // Half of each chunk holds nothing: 8 bytes are contiguous at most.
  Shape shape = {16, 64};
  LinearLayout memory = toLinearLayout(NvmmaShared{128, false, 8, true, 2, {}}, shape);
  LinearLayout rows = toLinearLayout(Blocked{{1, 16}, {8, 4}, {1, 1}, {1, 0}}, shape);
  expectBruteForce(rows, memory, 1);
  EXPECT_EQ(sharedAccessCost(rows, memory, 8)->vector, 8u);
}

TEST(NvidiaAccess, SwizzlesSpreadOneChunkOfEightRows) {
  // 16-byte vectors: along rows of 128 bytes, as coalesced loads from global memory bring them;
  // and the same chunk of 8 rows, as the matrix unit reads them.
  Shape shape = {64, 64};
  LinearLayout alongRows = toLinearLayout(Blocked{{1, 8}, {4, 8}, {4, 1}, {1, 0}}, shape);
  LinearLayout downRows = toLinearLayout(Blocked{{1, 8}, {32, 1}, {1, 4}, {1, 0}}, shape);
  for (unsigned swizzle : {0, 32, 64, 128}) {
    SCOPED_TRACE(swizzle);
    LinearLayout memory = toLinearLayout(NvmmaShared{swizzle, false, 16, false, 2, {}}, shape);
    Result<SharedAccessCost> down = sharedAccessCost(downRows, memory, 16);
    ASSERT_TRUE(down);
    EXPECT_EQ(down->vector, 8u);
    EXPECT_EQ(down->transactions, (swizzle ? 1 : 8) * down->idealTransactions);
    Result<SharedAccessCost> along = sharedAccessCost(alongRows, memory, 16);
    ASSERT_TRUE(along);
    EXPECT_EQ(along->vector, 8u);
    EXPECT_EQ(along->accesses, 16u);
    // Where a row of the tensor lies in several boxes, its chunks are 64 rows apart.
    unsigned ways = swizzle == 32 ? 4 : swizzle == 64 ? 2 : 1;
    EXPECT_EQ(along->transactions, ways * along->idealTransactions);
  }
}

TEST(NvidiaAccess, AccumulatorsInMemories) {
  // The table in docs/layouts.md.
  Shape shape = {64, 64};
  LinearLayout c = toLinearLayout(Sync, shape);
  auto expectCost = [](const Result<SharedAccessCost> &cost, uint64_t conflicts) {
    ASSERT_TRUE(cost);
    EXPECT_EQ(cost->vector, 2u);
    EXPECT_EQ(cost->accesses, 64u);
    EXPECT_EQ(cost->conflicts(), conflicts);
  };
  expectCost(sharedAccessCost(c, toLinearLayout(SwizzledShared{1, 1, 1, {1, 0}}, shape), 16), 448);
  for (auto [swizzle, conflicts] : {std::pair(0u, 448u), {32u, 0u}, {64u, 0u}, {128u, 0u}}) {
    NvmmaShared memory{swizzle, false, 16, false, 2, {}};
    expectCost(sharedAccessCost(c, toLinearLayout(memory, shape), 16), conflicts);
  }
  PaddedShared padded{{64}, {8}, {}, {}};
  for (unsigned bit = 0; bit < 12; ++bit)
    padded.offsets.push_back(bit < 6 ? std::vector<unsigned>{0, 1u << bit}
                                     : std::vector<unsigned>{1u << (bit - 6), 0});
  expectCost(sharedAccessCost(c, padded, 16), 0);
}

TEST(NvidiaAccess, FragmentsInGlobalMemory) {
  Shape shape = {64, 64};
  unsigned rowMajor[] = {1, 0}, columnMajor[] = {0, 1};
  LinearLayout c = toLinearLayout(Sync, shape);
  EXPECT_EQ(contiguousPerThread(c, rowMajor), 2u);
  EXPECT_EQ(contiguousPerThread(c, columnMajor), 1u);
  // 8 rows of 8 elements: a sector each for 4 bytes, half of one for 2.
  EXPECT_EQ(sectorsPerWarpAccess(c, rowMajor, 4, 2), 8u);
  EXPECT_EQ(sectorsPerWarpAccess(c, rowMajor, 2, 2), 8u);
  // 4 columns (every other one) of 8 elements.
  EXPECT_EQ(sectorsPerWarpAccess(c, columnMajor, 4, 1), 4u);
  for (unsigned kWidth : {1, 2, 4, 8}) {
    EXPECT_EQ(contiguousPerThread(operandLayout(Sync, 0, kWidth, shape), rowMajor), kWidth);
    EXPECT_EQ(contiguousPerThread(operandLayout(Sync, 1, kWidth, shape), columnMajor), kWidth);
  }
}

} // namespace
