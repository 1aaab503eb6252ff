//===- NvidiaSharedTest.cpp - Shared memory of NVIDIA matrix units --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// nvmma_shared against its definition on byte addresses.
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/NvidiaMma.h"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::layout;
using namespace tilewright::layout::nvidia;

namespace {

using Shape = std::vector<int64_t>;

NvmmaShared nvmma(unsigned swizzle, unsigned bits, unsigned rank = 2, bool transposed = false,
                  bool fp4Padded = false) {
  return {swizzle, transposed, bits, fp4Padded, rank, {}};
}

/// Bits [4, 4 + B) of an address XORed with bits [7, 7 + B); B = 1, 2, 3 for 32, 64, 128.
uint64_t swizzled(uint64_t address, unsigned swizzle) {
  if (!swizzle)
    return address;
  unsigned b = static_cast<unsigned>(std::countr_zero(swizzle)) - 4;
  return address ^ (address >> 7 & ((1u << b) - 1)) << 4;
}

/// The byte address of an element: first its box, then the address in it.
uint64_t addressOf(const NvmmaShared &e, const Shape &shape, const std::vector<uint64_t> &element) {
  unsigned contiguous = e.transposed ? 0 : e.rank - 1;
  uint64_t elementBytes = e.elementBitWidth / 8;
  Shape box;
  for (int64_t size : shape)
    box.push_back(std::min<int64_t>(size, 256));
  if (e.swizzlingByteWidth)
    box[contiguous] =
        static_cast<int64_t>(e.swizzlingByteWidth / elementBytes / (e.fp4Padded ? 2 : 1));
  else if (e.fp4Padded)
    box[contiguous] = std::min<int64_t>(box[contiguous], 128);
  uint64_t boxNumber = 0, boxBytes = elementBytes, boxes = 1;
  std::vector<uint64_t> inBox;
  for (unsigned d = 0; d < e.rank; ++d) {
    auto size = static_cast<uint64_t>(box[d]);
    boxNumber += boxes * (element[d] / size);
    boxes *= static_cast<uint64_t>(shape[d]) / size;
    boxBytes *= size;
    inBox.push_back(element[d] % size);
  }
  bool padded = e.fp4Padded && e.swizzlingByteWidth;
  if (padded)
    boxBytes *= 2;
  uint64_t row = 0;
  for (unsigned d = 0; d < e.rank; ++d)
    if (d != contiguous)
      row = row * static_cast<uint64_t>(box[d]) + inBox[d];
  uint64_t column = inBox[contiguous];
  if (padded)
    column = column / 8 * 16 + column % 8;
  uint64_t rowBytes = static_cast<uint64_t>(box[contiguous]) * elementBytes * (padded ? 2 : 1);
  return boxNumber * boxBytes +
         swizzled(row * rowBytes + column * elementBytes, e.swizzlingByteWidth);
}

void expectAddresses(const NvmmaShared &e, const Shape &shape) {
  ASSERT_EQ(verify(e).error(), "");
  ASSERT_EQ(verifyShape(e, shape).error(), "");
  LinearLayout map = toLinearLayout(e, shape);
  bool padded = e.fp4Padded && e.swizzlingByteWidth;
  uint64_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<uint64_t>(size);
  ASSERT_EQ(map.inSize(dims::Offset), padded ? 2 * count : count);
  ASSERT_TRUE(map.hasIn(dims::Block));
  for (uint64_t i = 0; i < count; ++i) {
    std::vector<uint64_t> element(shape.size());
    uint64_t rest = i;
    for (size_t d = 0; d < shape.size(); ++d) {
      element[d] = rest % static_cast<uint64_t>(shape[d]);
      rest /= static_cast<uint64_t>(shape[d]);
    }
    uint64_t offset = addressOf(e, shape, element) / (e.elementBitWidth / 8);
    for (uint64_t copy : {uint64_t(0), uint64_t(8)}) {
      if (copy && !padded)
        continue;
      std::vector<DimValue> found = map.apply({{dims::Offset, offset + copy}});
      for (size_t d = 0; d < shape.size(); ++d)
        ASSERT_EQ(found[d].value, element[d]) << map.toString();
    }
  }
}

TEST(NvidiaShared, ByteAddressesOfMatrices) {
  for (unsigned swizzle : {0, 32, 64, 128})
    for (unsigned bits : {8, 16, 32, 64})
      for (bool transposed : {false, true})
        for (auto [rows, columns] :
             {std::pair(8, 128), std::pair(64, 64), std::pair(512, 128), std::pair(16, 512)}) {
          // The contiguous dimension is the longer one, unless it is long enough anyway.
          if (columns * int(bits) / 8 < int(swizzle))
            continue;
          Shape shape = {rows, columns};
          if (transposed)
            std::swap(shape[0], shape[1]);
          expectAddresses(nvmma(swizzle, bits, 2, transposed), shape);
        }
}

TEST(NvidiaShared, ByteAddressesInOtherRanks) {
  expectAddresses(nvmma(0, 16, 1), {64});
  expectAddresses(nvmma(0, 16, 1), {1024});
  for (unsigned swizzle : {0, 32, 64, 128}) {
    expectAddresses(nvmma(swizzle, 16, 3), {4, 16, 64});
    expectAddresses(nvmma(swizzle, 32, 3), {8, 1, 128});
    expectAddresses(nvmma(swizzle, 8, 4), {2, 4, 2, 256});
    expectAddresses(nvmma(swizzle, 16, 5), {2, 2, 1, 4, 64});
    expectAddresses(nvmma(swizzle, 16, 3, true), {128, 4, 8});
    expectAddresses(nvmma(swizzle, 8, 4, true), {128, 2, 4, 2});
  }
}

TEST(NvidiaShared, ByteAddressesOfPaddedPairs) {
  for (unsigned swizzle : {0, 32, 64, 128})
    for (bool transposed : {false, true})
      expectAddresses(nvmma(swizzle, 8, 2, transposed, true), {256, 256});
}

TEST(NvidiaShared, ChunksOfAnAtom) {
  // 16-byte chunk c of row r lies at c ^ r, c ^ (r / 2), c ^ (r / 4).
  for (auto [swizzle, divisor] : {std::pair(128, 1), std::pair(64, 2), std::pair(32, 4)}) {
    int64_t columns = swizzle / 2;
    LinearLayout map = toLinearLayout(nvmma(static_cast<unsigned>(swizzle), 16), Shape{8, columns});
    for (uint64_t row = 0; row < 8; ++row)
      for (uint64_t chunk = 0; chunk < static_cast<uint64_t>(columns) / 8; ++chunk) {
        uint64_t at = chunk ^ row / static_cast<uint64_t>(divisor);
        at %= static_cast<uint64_t>(columns) / 8;
        std::vector<DimValue> found =
            map.apply({{dims::Offset, row * static_cast<uint64_t>(columns) + at * 8}});
        EXPECT_EQ(found[0].value, row);
        EXPECT_EQ(found[1].value, chunk * 8);
      }
  }
}

TEST(NvidiaShared, BlocksOfAClusterHaveTheirOwnMemory) {
  NvmmaShared e = nvmma(128, 16);
  e.cluster = {{1, 0}, {0, 0}};
  LinearLayout map = toLinearLayout(e, Shape{128, 64});
  EXPECT_EQ(map.inSize(dims::Offset), 64u * 64);
  EXPECT_EQ(map.basis(dims::Block, 0, dims::Dim0), 64u);
  EXPECT_EQ(map.basis(dims::Block, 1), 0u);
  EXPECT_EQ(map.sublayout({dims::Offset}, {dims::Dim0, dims::Dim1}).bases()[11],
            toLinearLayout(nvmma(128, 16), Shape{64, 64}).bases()[11]);
}

TEST(NvidiaShared, WrongParametersHaveErrors) {
  EXPECT_EQ(verify(nvmma(16, 16)).error(), "swizzlingByteWidth is 16, but it is 0, 32, 64 or 128");
  EXPECT_EQ(verify(nvmma(256, 16)).error(),
            "swizzlingByteWidth is 256, but it is 0, 32, 64 or 128");
  EXPECT_EQ(verify(nvmma(128, 4)).error(), "elementBitWidth is 4, but it is 8, 16, 32 or 64");
  EXPECT_EQ(verify(nvmma(0, 0)).error(), "elementBitWidth is 0, but it is 8, 16, 32 or 64");
  EXPECT_EQ(verify(nvmma(0, 16, 0)).error(),
            "rank is 0, but the tensor memory accelerator has 1 to 5 dimensions");
  EXPECT_EQ(verify(nvmma(0, 16, 6)).error(),
            "rank is 6, but the tensor memory accelerator has 1 to 5 dimensions");
  EXPECT_EQ(verify(nvmma(64, 16, 1)).error(),
            "a tensor of one dimension has no rows to be swizzled");
  EXPECT_EQ(verify(nvmma(128, 16, 2, false, true)).error(),
            "fp4Padded is for pairs of 4-bit elements in bytes, but elementBitWidth is 16");
  NvmmaShared gap = nvmma(128, 16);
  gap.cluster = {{2, 0}};
  EXPECT_EQ(verify(gap).error(), "the bases of the cluster leave a gap");
}

TEST(NvidiaShared, WrongShapesHaveErrors) {
  EXPECT_EQ(verifyShape(nvmma(128, 16), Shape{8, 8, 64}).error(),
            "the tensor has 3 dimensions, but rank is 2");
  EXPECT_EQ(verifyShape(nvmma(128, 16), Shape{64, 32}).error(),
            "a swizzled row of 128 bytes has 64 elements, but dimension 1 of a block's part of the "
            "tensor has 32");
  EXPECT_EQ(verifyShape(nvmma(64, 32, 2, true), Shape{8, 64}).error(),
            "a swizzled row of 64 bytes has 16 elements, but dimension 0 of a block's part of the "
            "tensor has 8");
  EXPECT_EQ(verifyShape(nvmma(128, 16), Shape{4, 64}).error(),
            "the swizzle takes 8 rows, but a block's part of the tensor has 4");
  EXPECT_EQ(verifyShape(nvmma(128, 16, 3), Shape{2, 4, 64}).error(), "");
  EXPECT_EQ(verifyShape(nvmma(0, 16), Shape{1, 1}).error(), "");
  NvmmaShared split = nvmma(128, 16);
  split.cluster = {{1, 0}};
  EXPECT_EQ(verifyShape(split, Shape{8, 64}).error(),
            "the swizzle takes 8 rows, but a block's part of the tensor has 4");
}

} // namespace
