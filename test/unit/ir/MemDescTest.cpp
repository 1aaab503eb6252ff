//===- MemDescTest.cpp - Element offsets in shared memory ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What !ttg.memdesc answers those who lower it: sizes and offsets against counting.
//
//===--------------------------------------------------------------------------===//

#include "Parsing.h"

#include "ir/ttg/Dialect.h"

#include "gtest/gtest.h"

using namespace tilewright;
using namespace tilewright::test;
using ttg::MemDescType;
namespace dims = layout::dims;

namespace {

const std::string plain =
    "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>";
const std::string swizzled =
    "#ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}>";
const std::string padded = "#ttg.padded_shared<[4:+2] {order = [1, 0], shape = [4, 8]}>";

MemDescType memory(const std::string &shape, const std::string &encoding,
                   const std::string &rest = "") {
  auto type = llvm::dyn_cast_or_null<MemDescType>(mlir::parseType(
      "!ttg.memdesc<" + shape + ", " + encoding + ", #ttg.shared_memory" + rest + ">", &context()));
  if (!type)
    throw std::invalid_argument("no memory: " + shape);
  return type;
}

uint64_t offsetOf(MemDescType type, uint64_t row, uint64_t column) {
  return type.toOffsets().apply({{dims::Dim0, row}, {dims::Dim1, column}})[0].value;
}

TEST(MemDesc, Sizes) {
  MemDescType whole = memory("3x4x8xf16", plain, ", mutable");
  EXPECT_EQ(whole.getRank(), 3u);
  EXPECT_EQ(whole.getLayoutRank(), 2u);
  EXPECT_EQ(whole.getLayoutShape().vec(), (std::vector<int64_t>{4, 8}));
  EXPECT_EQ(whole.getBufferShape().vec(), (std::vector<int64_t>{3}));
  EXPECT_EQ(whole.getNumElements(), 96);
  EXPECT_EQ(whole.getBufferStride(), 32u);
  EXPECT_EQ(whole.getAllocBytes(), 192u);
  // A part is as large as it says, its memory as large as it is.
  MemDescType part = memory("4x2xf16", plain, ", mutable, 4x8");
  EXPECT_EQ(part.getNumElements(), 8);
  EXPECT_EQ(part.getLayoutShape().vec(), (std::vector<int64_t>{4, 8}));
  EXPECT_EQ(part.getAllocBytes(), 64u);
  EXPECT_TRUE(memory("4x8xf16", plain, ", mutable").withShape({4, 2}) == part);
  // After each 4 elements there are 2 that hold nothing, but not after the last ones.
  EXPECT_EQ(memory("4x8xf32", padded).getBufferStride(), 32u + 7 * 2);
  // Truth values have a byte each, pointers 8.
  EXPECT_EQ(memory("4x8xi1", plain).getAllocBytes(), 32u);
  EXPECT_EQ(memory("4x8x!tt.ptr<f16>", plain).getAllocBytes(), 256u);
}

TEST(MemDesc, Offsets) {
  for (const std::string &encoding : {plain, swizzled}) {
    MemDescType type = memory("4x8xf16", encoding);
    layout::LinearLayout map = type.toLinearLayout();
    for (uint64_t offset = 0; offset < 32; ++offset) {
      auto at = map.apply({{dims::Offset, offset}});
      EXPECT_EQ(offsetOf(type, at[0].value, at[1].value), offset);
    }
  }
  EXPECT_EQ(offsetOf(memory("4x8xf16", plain), 2, 5), 21u);
  // Pairs of row 2 are exchanged with those 2 pairs further.
  EXPECT_EQ(offsetOf(memory("4x8xf16", swizzled), 2, 5), 16u + ((2 ^ 2) * 2 + 1));
}

TEST(MemDesc, PermutedEncodings) {
  for (const std::string &encoding :
       {plain, swizzled, padded,
        std::string(
            "#ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}>"),
        std::string("#ttg.shared_linear<{offset = [[0, 1], [1, 1], [2, 0], [0, 2], [0, 4]]}, "
                    "alignment = 16>")}) {
    auto shared = parse<ttg::SharedLayoutEncoding>(encoding);
    auto turned = llvm::cast<ttg::SharedLayoutEncoding>(shared.inferTrans({1, 0}));
    layout::LinearLayout map = shared.toLinearLayout({4, 8});
    layout::LinearLayout other = turned.toLinearLayout({8, 4});
    ASSERT_EQ(map.inSize(dims::Offset), other.inSize(dims::Offset));
    for (uint64_t offset = 0; offset < map.inSize(dims::Offset); ++offset) {
      auto a = map.apply({{dims::Offset, offset}}), b = other.apply({{dims::Offset, offset}});
      EXPECT_EQ(a[0].value, b[1].value) << encoding;
      EXPECT_EQ(a[1].value, b[0].value) << encoding;
    }
    EXPECT_TRUE(turned.inferTrans({1, 0}) == shared);
  }
}

/// Of the tensor memory accelerator's layouts, as the address alone decides the swizzle.
TEST(MemDesc, PermutedNvmma) {
  auto shared = parse<ttg::SharedLayoutEncoding>(
      "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>");
  auto turned = llvm::cast<ttg::SharedLayoutEncoding>(shared.inferTrans({1, 0}));
  layout::LinearLayout map = shared.toLinearLayout({16, 64});
  layout::LinearLayout other = turned.toLinearLayout({64, 16});
  for (uint64_t offset = 0; offset < 1024; ++offset) {
    auto a = map.apply({{dims::Offset, offset}}), b = other.apply({{dims::Offset, offset}});
    EXPECT_EQ(a[0].value, b[1].value);
    EXPECT_EQ(a[1].value, b[0].value);
  }
}

} // namespace
