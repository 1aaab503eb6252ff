//===- TensorMemoryAccessTest.cpp - Tensors to and from tensor memory -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A plan is right if each word that an instruction moves, by the figures of the PTX ISA, is where
// the memory's layout has the elements that the layout of registers gives the lane. The figures are
// written out here again, lane by lane.
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/plan/TensorMemoryAccess.h"

#include "layout/encoding/NvidiaMma.h"
#include "layout/encoding/TensorMemory.h"
#include "target/Target.h"

#include <gmock/gmock.h>

#include <map>

using namespace tilewright;
using namespace tilewright::vendor::nvidia;
using layout::LinearLayout;
using layout::nvidia::columnDim;
using layout::nvidia::rowDim;
using layout::nvidia::TensorMemory;
using target::Space;
using ::testing::HasSubstr;
namespace dims = layout::dims;

namespace {

struct Place {
  unsigned row, column;
};

/// PTX ISA, "Matrix fragments" of tcgen05.ld and tcgen05.st: where word `word` of a lane is.
Place placeIn(const std::string &shape, unsigned lane, unsigned word, unsigned split) {
  if (shape == "32x32b")
    return {lane, word};
  if (shape == "16x64b")
    return {lane / 4 + 8 * (lane % 2), lane % 4 / 2 + 2 * word};
  if (shape == "16x128b")
    return {lane / 4 + 8 * (word % 2), lane % 4 + 4 * (word / 2)};
  if (shape == "16x256b")
    return {lane / 4 + 8 * (word / 2 % 2), 2 * (lane % 4) + word % 2 + 8 * (word / 4)};
  return {lane % 16, lane / 16 * split + word};
}

std::span<const target::CopyAtom> copies(bool isLoad) {
  const auto list = target::Target::find("cuda:100")->copies();
  return isLoad ? copiesBetween(list, Space::TensorMemory, Space::Registers)
                : copiesBetween(list, Space::Registers, Space::TensorMemory);
}

/// Carries the plan out and compares every element; returns the shape that was taken.
std::string expectRight(const LinearLayout &registers, const LinearLayout &memory, unsigned bits,
                        unsigned maxWords = 128) {
  const Result<TensorMemoryAccess> access =
      planTensorMemoryAccess(copies(true), registers, memory, bits, maxWords);
  EXPECT_TRUE(access) << access.error();
  if (!access)
    return "";
  const std::string shape = access->atom->name.substr(std::string("tcgen05.ld.").size());
  const LinearLayout own = registers.transposeOuts({dims::Dim0, dims::Dim1});
  const unsigned parts = static_cast<unsigned>(access->parts.size());
  for (unsigned warp = 0; warp < own.inSize(dims::Warp); ++warp)
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::map<unsigned, unsigned> moved;
      for (const TensorMemoryAccess::Message &message : access->messages) {
        uint32_t address = message.address;
        for (size_t bit = 0; bit < access->addressOfWarp.size(); ++bit)
          address += warp >> bit & 1 ? access->addressOfWarp[bit] : 0;
        EXPECT_LE(access->wordsOfMessage(), maxWords);
        for (size_t i = 0; i < message.registers.size(); ++i) {
          const unsigned word = static_cast<unsigned>(i) / parts;
          const Place at = placeIn(shape, lane, word, access->splitColumns);
          const uint64_t row = (address >> 16) + at.row;
          const uint64_t column =
              ((address & 0xffff) + at.column) * (32 / bits) + access->parts[i % parts];
          EXPECT_EQ(row / 32, warp % 4) << "a warp reaches its own rows only";
          const unsigned r = message.registers[i];
          const std::vector<layout::DimValue> wanted =
              own.apply({{dims::Register, r}, {dims::Lane, lane}, {dims::Warp, warp}});
          const std::vector<layout::DimValue> found =
              memory.apply({{rowDim(), row}, {columnDim(), column}});
          EXPECT_EQ(wanted, found) << shape << " warp " << warp << " lane " << lane << " r " << r;
          ++moved[r];
        }
      }
      // Every element that the lane has, once.
      std::map<uint64_t, unsigned> elements;
      for (unsigned r = 0; r < own.inSize(dims::Register); ++r)
        elements[own.applyFlat(r)] += moved[r];
      for (auto [element, times] : elements)
        EXPECT_EQ(times, 1u);
      if (testing::Test::HasFailure())
        return shape;
    }
  return shape;
}

LinearLayout linear(std::vector<std::vector<unsigned>> registers,
                    std::vector<std::vector<unsigned>> lanes,
                    std::vector<std::vector<unsigned>> warps, std::vector<int64_t> shape) {
  return toLinearLayout(
             layout::Linear{std::move(registers), std::move(lanes), std::move(warps), {}}, shape)
      .dropIn(dims::Block);
}

LinearLayout blocked(unsigned columns, unsigned lanesOfRows, unsigned warpsOfColumns,
                     std::vector<int64_t> shape) {
  return toLinearLayout(
             layout::Blocked{
                 {1, columns}, {lanesOfRows, 32 / lanesOfRows}, {4, warpsOfColumns}, {0, 1}},
             shape)
      .dropIn(dims::Block);
}

LinearLayout memoryOf(TensorMemory encoding, std::vector<int64_t> shape) {
  return toLinearLayout(encoding, shape);
}

TEST(TensorMemoryAccess, RowsOfLanes) {
  for (unsigned warps : {1, 2})
    for (int64_t n : {16, 64, 128, 256}) {
      const std::vector<int64_t> shape = {128, n};
      EXPECT_EQ(expectRight(blocked(n / warps, 32, warps, shape),
                            memoryOf({128, unsigned(n), 1}, shape), 32),
                "32x32b");
    }
  // Two blocks of rows, and narrower messages.
  EXPECT_EQ(expectRight(blocked(64, 32, 1, {256, 64}), memoryOf({128, 64, 1}, {256, 64}), 32, 16),
            "32x32b");
}

TEST(TensorMemoryAccess, NarrowElements) {
  for (unsigned bits : {8, 16}) {
    EXPECT_EQ(expectRight(blocked(64, 32, 1, {128, 64}), memoryOf({128, 64, 1}, {128, 64}), bits),
              "32x32b");
    // One element a word.
    EXPECT_EQ(
        expectRight(blocked(64, 32, 1, {128, 64}), memoryOf({128, 64, 32 / bits}, {128, 64}), bits),
        "32x32b");
  }
}

TEST(TensorMemoryAccess, RowsOfHalfWarps) {
  // 64 rows: 16 of each warp's 32. The upper lanes take the right half of the columns.
  EXPECT_EQ(expectRight(blocked(64, 16, 1, {64, 128}), memoryOf({64, 128, 1}, {64, 128}), 32),
            "16x32bx2");
  // Triton's layout of scores with eight warps.
  EXPECT_EQ(expectRight(linear({{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}},
                               {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 32}},
                               {{32, 0}, {64, 0}, {16, 0}}, {128, 64}),
                        memoryOf({128, 64, 1}, {128, 64}), 32),
            "16x32bx2");
}

TEST(TensorMemoryAccess, Fragments) {
  // The accumulator of wgmma, whose warps have 16 rows each.
  const int64_t shape[] = {64, 64};
  const LinearLayout fragment =
      toLinearLayout(layout::nvidia::Mma{3, 0, {4, 1}, {16, 64, 16}}, shape).dropIn(dims::Block);
  EXPECT_EQ(expectRight(fragment, memoryOf({64, 64, 1}, {64, 64}), 32), "16x256b");
  EXPECT_EQ(
      expectRight(linear({{8, 0}, {0, 4}, {0, 8}, {16, 0}},
                         {{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}}, {{32, 0}, {64, 0}}, {128, 16}),
                  memoryOf({128, 16, 1}, {128, 16}), 32),
      "16x128b");
  EXPECT_EQ(
      expectRight(linear({{0, 2}, {0, 4}, {0, 8}, {16, 0}},
                         {{8, 0}, {0, 1}, {1, 0}, {2, 0}, {4, 0}}, {{32, 0}, {64, 0}}, {128, 16}),
                  memoryOf({128, 16, 1}, {128, 16}), 32),
      "16x64b");
}

TEST(TensorMemoryAccess, ScalesGoToAllRows) {
  const Result<TensorMemoryAccess> access = planTensorMemoryAccess(
      copies(false),
      linear({{0, 1}, {0, 2}, {32, 0}, {64, 0}}, {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}},
             {{0, 0}, {0, 0}}, {128, 4}),
      layout::nvidia::scalesToLinearLayout(std::vector<int64_t>{128, 4}), 8, 128);
  ASSERT_TRUE(access) << access.error();
  EXPECT_EQ(access->atom->name, "tcgen05.st.32x32b");
  EXPECT_EQ(access->messages.size() * access->wordsOfMessage(), 4u);
}

TEST(TensorMemoryAccess, Refusals) {
  const LinearLayout memory = memoryOf({128, 64, 1}, {128, 64});
  auto errorOf = [&](const LinearLayout &registers) {
    return planTensorMemoryAccess(copies(true), registers, memory, 32, 128).error();
  };
  EXPECT_THAT(errorOf(blocked(64, 16, 1, {128, 64})), HasSubstr("other rows"));
  EXPECT_THAT(errorOf(linear({{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {64, 0}},
                             {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}, {{32, 0}}, {128, 32})),
              HasSubstr("four warps"));
  EXPECT_THAT(
      errorOf(linear({{0, 4}, {0, 8}, {0, 16}, {0, 32}, {8, 0}, {16, 0}},
                     {{0, 1}, {0, 2}, {1, 0}, {4, 0}, {2, 0}}, {{32, 0}, {64, 0}}, {128, 64})),
      HasSubstr("no shape"));
}

} // namespace
