//===- CoalescingTest.cpp - Tests of the sectors that a warp touches ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/Coalescing.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilewright;
using namespace tilewright::report;
using namespace tilewright::layout;
using transform::AxisInfo;

namespace {

/// (register, lane) -> (dim0, dim1) of a tile of rows x columns, lanes along `laneDim` first, each
/// with `vector` elements of it.
LinearLayout rowsOfLanes(unsigned laneDim, uint64_t vector, uint64_t rows, uint64_t columns) {
  const Dim along = Dim::tensor(laneDim), across = Dim::tensor(1 - laneDim);
  LinearLayout layout = LinearLayout::identity1D(vector, dims::Register, along) *
                        LinearLayout::identity1D(32, dims::Lane, along) *
                        LinearLayout::identity1D(laneDim ? rows : columns, dims::Register, across);
  layout = layout * LinearLayout::identity1D(1, dims::Warp, along) *
           LinearLayout::identity1D(1, dims::Block, along);
  return layout.transposeOuts({dims::Dim0, dims::Dim1});
}

/// Addresses of a row-major tensor whose rows are far apart.
AxisInfo rowMajor(int64_t columns) {
  AxisInfo info = AxisInfo::unknown(2);
  info.dims[1] = {columns, 16, 1};
  return info;
}

/// The sectors of an access to a row-major tensor with `pitch` bytes a row, by its addresses.
size_t countSectors(const LinearLayout &layout, unsigned elements, unsigned bytes, uint64_t pitch) {
  std::set<uint64_t> sectors;
  for (uint64_t lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < elements; ++i) {
      auto at = layout.apply(
          {{dims::Register, i}, {dims::Lane, lane}, {dims::Warp, 0}, {dims::Block, 0}});
      sectors.insert((at[0].value * pitch + at[1].value * bytes) / 32);
    }
  return sectors.size();
}

TEST(Coalescing, LanesAlongRowsTouchAsManySectorsAsTheirBytesFill) {
  for (unsigned vector : {1, 2, 4}) {
    const LinearLayout layout = rowsOfLanes(1, vector, 8, 32 * vector);
    const WarpAccess access = describeWarpAccess(layout, rowMajor(32 * vector), 1, vector, 4, 32);
    EXPECT_EQ(access.bytes, 128u * vector);
    EXPECT_EQ(access.sectors, countSectors(layout, vector, 4, 4096));
    EXPECT_EQ(access.sectors, access.leastSectors);
  }
}

TEST(Coalescing, LanesDownColumnsTouchASectorEach) {
  const LinearLayout layout = rowsOfLanes(0, 1, 32, 8);
  const WarpAccess access = describeWarpAccess(layout, rowMajor(8), 1, 1, 4, 32);
  EXPECT_EQ(access.sectors, countSectors(layout, 1, 4, 4096));
  EXPECT_EQ(access.sectors, 32u);
  EXPECT_EQ(access.leastSectors, 4u);
}

TEST(Coalescing, AddressesOfWhichNothingIsKnownHaveNoSectorInCommon) {
  const LinearLayout layout = rowsOfLanes(1, 1, 1, 32);
  EXPECT_EQ(describeWarpAccess(layout, AxisInfo::unknown(2), 1, 1, 2, 32).sectors, 32u);
}

TEST(Coalescing, EqualAddressesAreOne) {
  AxisInfo info = AxisInfo::unknown(2);
  info.dims[1].constancy = 32;
  const WarpAccess access = describeWarpAccess(rowsOfLanes(1, 1, 1, 32), info, 1, 1, 4, 32);
  EXPECT_EQ(access.bytes, 4u);
  EXPECT_EQ(access.sectors, 1u);
}

TEST(Coalescing, NeighboursAreCountedInRegistersOnly) {
  EXPECT_EQ(countNeighbours(rowsOfLanes(1, 4, 8, 128), 1), 4u);
  EXPECT_EQ(countNeighbours(rowsOfLanes(1, 4, 8, 128), 0), 8u);
  EXPECT_EQ(countNeighbours(rowsOfLanes(0, 1, 32, 8), 0), 1u);
}

} // namespace
