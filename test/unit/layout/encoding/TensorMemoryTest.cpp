//===- TensorMemoryTest.cpp - Tiles of tensor memory against the manual -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// PTX ISA, "tcgen05: Data Path Layout Organization" and "Scale factor layouts": where an element
// is, written out as a formula.
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/TensorMemory.h"

#include <gtest/gtest.h>

#include <functional>

using namespace tilewright::layout;
using namespace tilewright::layout::nvidia;

namespace {

struct Place {
  uint64_t row, column;
};

void expectElements(const LinearLayout &map, uint64_t rows, uint64_t columns,
                    const std::function<Place(uint64_t, uint64_t)> &placeOf) {
  ASSERT_EQ(map.outSize(dims::Dim0), rows);
  ASSERT_EQ(map.outSize(dims::Dim1), columns);
  ASSERT_TRUE(map.isSurjective());
  for (uint64_t m = 0; m < rows; ++m)
    for (uint64_t n = 0; n < columns; ++n) {
      const Place place = placeOf(m, n);
      const uint64_t element = map.applyFlat(map.packInput(
          std::initializer_list<DimValue>{{rowDim(), place.row}, {columnDim(), place.column}}));
      ASSERT_EQ(map.outValue(element, dims::Dim0), m);
      ASSERT_EQ(map.outValue(element, dims::Dim1), n);
    }
}

LinearLayout mapOf(TensorMemory encoding, std::vector<int64_t> shape) {
  return toLinearLayout(encoding, shape);
}

TEST(TensorMemory, RowsInOrder) {
  // Layout D, and blocks of it: all rows of the tensor, then further columns.
  expectElements(mapOf({128, 64, 1}, {256, 128}), 256, 128, [](uint64_t m, uint64_t n) {
    return Place{m % 128, n % 64 + 64 * (m / 128) + 128 * (n / 64)};
  });
  // One element of 16 bits to a word.
  expectElements(mapOf({128, 32, 2}, {128, 32}), 128, 32,
                 [](uint64_t m, uint64_t n) { return Place{m, 2 * n}; });
}

TEST(TensorMemory, SixtyFourRows) {
  // Layout F: 16 rows of each warp's 32.
  auto row = [](uint64_t m) { return m % 16 + 32 * (m / 16 % 4); };
  expectElements(mapOf({64, 32, 1}, {64, 32}), 64, 32,
                 [&](uint64_t m, uint64_t n) { return Place{row(m), n}; });
  EXPECT_EQ(mapOf({64, 32, 1}, {64, 32}).basis(rowDim(), 4), 0u) << "the other 16 are free";
  // A second block has the other 16: of rows, or of columns.
  expectElements(mapOf({64, 32, 1}, {128, 32}), 128, 32,
                 [&](uint64_t m, uint64_t n) { return Place{row(m) + 16 * (m / 64), n}; });
  expectElements(mapOf({64, 32, 1}, {64, 128}), 64, 128, [&](uint64_t m, uint64_t n) {
    return Place{row(m) + 16 * (n / 32 % 2), n % 32 + 32 * (n / 64)};
  });
}

TEST(TensorMemory, TwoBlocks) {
  // Layout B: each block its 64 rows, the right half of the columns in the other rows.
  TensorMemory encoding = {64, 64, 1, /*twoBlocks=*/true, {{1, 0}}};
  expectElements(mapOf(encoding, {128, 64}), 64, 64,
                 [](uint64_t m, uint64_t n) { return Place{m + 64 * (n / 32), n % 32}; });
  // 256 rows: each block its 128.
  encoding.blockM = 128;
  expectElements(mapOf(encoding, {256, 64}), 128, 64,
                 [](uint64_t m, uint64_t n) { return Place{m, n}; });
}

TEST(TensorMemory, Scales) {
  const int64_t shape[] = {128, 8};
  const LinearLayout map = scalesToLinearLayout(shape);
  for (uint64_t warp = 0; warp < 4; ++warp)
    expectElements(map, 128, 8, [&](uint64_t m, uint64_t k) {
      return Place{m % 32 + 32 * warp, k % 4 + 4 * (m / 32) + 16 * (k / 4)};
    });
}

} // namespace
