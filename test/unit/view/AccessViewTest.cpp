//===- AccessViewTest.cpp - Cost tables of accesses ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/AccessView.h"
#include "layout/encoding/SharedEncodings.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::view;

TEST(AccessView, GlobalMemory) {
  // 8 lanes side by side along dim1 with 4 elements each, 4 rows of them.
  Blocked encoding{{1, 4}, {4, 8}, {1, 1}, {1, 0}};
  std::vector<GlobalAccess> accesses =
      globalAccesses(toLinearLayout(encoding, std::vector<int64_t>{64, 64}), 16);
  ASSERT_EQ(accesses.size(), 2u);
  EXPECT_EQ(accesses[0].order, (std::vector<unsigned>{1, 0}));
  EXPECT_EQ(accesses[0].contiguous, 4u);
  EXPECT_EQ(accesses[0].vector, 4u);
  // 4 rows of 64 bytes, each 2 sectors.
  EXPECT_EQ(accesses[0].sectors, 8u);
  EXPECT_EQ(accesses[0].leastSectors, 8u);
  // Column by column: lanes are 4 columns apart, 4 rows are 8 bytes in one sector.
  EXPECT_EQ(accesses[1].order, (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(accesses[1].vector, 1u);
  EXPECT_EQ(accesses[1].sectors, 8u);
  EXPECT_EQ(accesses[1].leastSectors, 2u);
  EXPECT_EQ(
      accessJson(accesses, 16),
      "{\"element_bits\": 16, \"accesses\": [{\"order\": [1, 0], \"contiguous\": 4, \"vector\": 4, "
      "\"sectors\": 8, \"least_sectors\": 8}, {\"order\": [0, 1], \"contiguous\": 1, \"vector\": "
      "1, \"sectors\": 8, \"least_sectors\": 2}]}");
}

TEST(AccessView, VectorsEndAt128Bits) {
  Blocked encoding{{32}, {32}, {1}, {0}};
  LinearLayout map = toLinearLayout(encoding, std::vector<int64_t>{1024});
  std::vector<GlobalAccess> accesses = globalAccesses(map, 32);
  ASSERT_EQ(accesses.size(), 1u);
  EXPECT_EQ(accesses[0].contiguous, 32u);
  EXPECT_EQ(accesses[0].vector, 4u);
  // Lanes are 128 bytes apart: each takes half a sector.
  EXPECT_EQ(accesses[0].sectors, 32u);
  EXPECT_EQ(accesses[0].leastSectors, 16u);
}

TEST(AccessView, OrdersOfMoreDimensions) {
  Blocked three{{1, 1, 1}, {1, 1, 32}, {1, 1, 1}, {2, 1, 0}};
  EXPECT_EQ(globalAccesses(toLinearLayout(three, std::vector<int64_t>{2, 2, 32}), 8).size(), 6u);
  Blocked four{{1, 1, 1, 1}, {1, 1, 1, 32}, {1, 1, 1, 1}, {3, 2, 1, 0}};
  EXPECT_EQ(globalAccesses(toLinearLayout(four, std::vector<int64_t>{2, 2, 2, 32}), 8).size(), 2u);
}

/// The access along `dim` with vectors of `vector`.
static SharedRead find(const std::vector<SharedRead> &accesses, unsigned dim, unsigned vector) {
  for (const SharedRead &access : accesses)
    if (access.dim == dim && access.vector == vector)
      return access;
  ADD_FAILURE() << "no access along " << dim << " of " << vector;
  return {};
}

TEST(AccessView, BankConflicts) {
  std::vector<int64_t> shape{64, 64};
  // Rows of 128 bytes below each other: a column lies in one bank.
  auto plain = sharedReads(toLinearLayout(SwizzledShared{1, 1, 1, {1, 0}}, shape), 16);
  EXPECT_EQ(find(plain, 0, 1).transactions, 32u);
  EXPECT_EQ(find(plain, 0, 8).transactions, 32u);
  EXPECT_EQ(find(plain, 0, 8).leastTransactions, 4u);
  EXPECT_EQ(find(plain, 1, 1).transactions, 1u);
  // Swizzled by 16 bytes, as matrix loads want it.
  auto swizzled = sharedReads(toLinearLayout(SwizzledShared{8, 1, 8, {1, 0}}, shape), 16);
  EXPECT_EQ(find(swizzled, 0, 1).transactions, 4u);
  EXPECT_EQ(find(swizzled, 0, 8).transactions, 4u);
  EXPECT_EQ(find(swizzled, 1, 8).lanes, 8u);
}

TEST(AccessView, PaddingTakesConflictsAwayAndLimitsVectors) {
  LinearLayout map = toLinearLayout(SwizzledShared{1, 1, 1, {1, 0}}, std::vector<int64_t>{64, 64});
  // Two elements, one bank, after each row.
  auto padded = sharedReads(map, 16, [](uint64_t offset) { return offset + offset / 64 * 2; });
  EXPECT_EQ(find(padded, 0, 1).transactions, 1u);
  EXPECT_EQ(find(padded, 0, 2).transactions, 1u);
  for (const SharedRead &access : padded)
    EXPECT_LE(access.vector, 2u);
}

TEST(AccessView, ElementsWithSeveralOffsets) {
  LinearLayout map = *LinearLayout::parse("{offset = [[1], [0]], block = []} -> {dim0 = 2}");
  EXPECT_TRUE(sharedReads(map, 16).empty());
  EXPECT_THAT(accessText(sharedReads(map, 16), 16), testing::HasSubstr("several offsets"));
}

TEST(AccessView, Tables) {
  LinearLayout map = toLinearLayout(SwizzledShared{1, 1, 1, {0}}, std::vector<int64_t>{64});
  EXPECT_EQ(accessText(sharedReads(map, 32), 32),
            "lanes along  lanes  a lane reads            transactions  at least\n"
            "dim0         32     1 x 32 bits             1             1\n"
            "dim0         16     4 x 32 bits along dim0  2             2\n");
}
