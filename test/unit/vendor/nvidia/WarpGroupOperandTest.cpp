//===- WarpGroupOperandTest.cpp - Descriptors of wgmma's operands ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A plan is right if the descriptor of every tile leads to every element of it: by brute force,
// element by element, against the layout.
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/plan/WarpGroupOperand.h"

#include "layout/encoding/NvidiaMma.h"
#include "layout/encoding/SharedEncodings.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::vendor::nvidia;
using layout::LinearLayout;
using ::testing::HasSubstr;
namespace dims = layout::dims;

namespace {

/// The offset of the element at (dim0, dim1).
uint64_t offsetAt(const OperandInMemory &operand, uint64_t row, uint64_t depth) {
  const std::pair<layout::Dim, uint64_t> places[] = {{operand.rowDim, row},
                                                     {operand.depthDim, depth}};
  uint64_t offset = 0;
  for (auto [dim, value] : places)
    for (unsigned bit = 0; bit < operand.offsets.inBits(dim); ++bit)
      if (value >> bit & 1)
        offset ^= operand.offsets.basis(dim, bit, dims::Offset);
  return offset;
}

/// All tiles of the operand, whose memory begins at `base`, and of which `begin` (in elements) is
/// the part that is meant.
void expectReachesAll(const OperandInMemory &operand, const WarpGroupOperand &plan, uint64_t rows,
                      uint64_t depth, uint64_t begin = 0) {
  const unsigned bytes = operand.elementBits / 8;
  const uint64_t base = 7 * operand.alignment;
  for (uint64_t row = 0; row < rows; row += operand.tileRows)
    for (uint64_t k = 0; k < depth; k += operand.tileDepth) {
      const uint64_t tile = (offsetAt(operand, row, k) ^ begin) * bytes;
      const uint64_t start = base + plan.startOf(tile);
      for (unsigned r = 0; r < operand.tileRows; ++r)
        for (unsigned d = 0; d < operand.tileDepth; ++d)
          ASSERT_EQ(plan.form.addressOf(start, r, d, bytes, plan.alongRows),
                    base + (offsetAt(operand, row + r, k + d) ^ begin) * bytes)
              << "tile " << row << ", " << k << ", element " << r << ", " << d;
    }
}

OperandInMemory operandOf(const LinearLayout &layout, unsigned bits, uint64_t alignment,
                          bool isLeft, unsigned tileRows) {
  return {.offsets = layout.pseudoInvert(),
          .elementBits = bits,
          .alignment = alignment,
          .rowDim = isLeft ? dims::Dim0 : dims::Dim1,
          .depthDim = isLeft ? dims::Dim1 : dims::Dim0,
          .tileRows = tileRows,
          .tileDepth = 256 / bits};
}

} // namespace

// As Triton writes it for 128 bytes, 8 rows 1024 bytes apart; the unused stride is a unit here.
TEST(MatrixDescriptor, Fields) {
  const MatrixDescriptor form = {0x1230, 16, 1024, 128};
  EXPECT_EQ(form.encode(), 4611686293305294848u + 0x123 + (1 << 16));
  EXPECT_EQ(MatrixDescriptor::decode(form.encode()), form);
  for (unsigned width : {0, 32, 64, 128})
    EXPECT_EQ(MatrixDescriptor::decode(MatrixDescriptor{0, 16, 32, width}.encode()).swizzleBytes,
              width);
}

// PTX ISA's figures of the swizzles: the 16-byte piece c of row r is c ^ (r mod 8) of 128 bytes,
// c ^ (r / 2 mod 4) of 64, c ^ (r / 4 mod 2) of 32.
TEST(MatrixDescriptor, Swizzle) {
  for (unsigned width : {32, 64, 128})
    for (unsigned row = 0; row < 16; ++row)
      for (unsigned piece = 0; piece < width / 16; ++piece)
        EXPECT_EQ(swizzle(row * width + 16 * piece, width),
                  row * width + 16 * (piece ^ (row * width / 128 % (width / 16))));
}

TEST(WarpGroupOperand, NvmmaShared) {
  unsigned planned = 0;
  for (unsigned bits : {8, 16, 32})
    for (unsigned width : {32, 64, 128})
      for (bool transposed : {false, true})
        for (bool isLeft : {false, true})
          for (int64_t rows : {64, 128, 256})
            for (int64_t depth : {16, 32, 64, 128}) {
              const int64_t shape[] = {isLeft ? rows : depth, isLeft ? depth : rows};
              const layout::nvidia::NvmmaShared shared = {width, transposed, bits};
              if (!verifyShape(shared, shape))
                continue;
              SCOPED_TRACE(std::to_string(bits) + " bits, " + std::to_string(width) + " bytes, " +
                           std::to_string(rows) + " x " + std::to_string(depth) +
                           (transposed ? ", transposed" : "") + (isLeft ? ", left" : ", right"));
              for (unsigned tileRows : {64, 256}) {
                if (tileRows > rows || 256 / bits > depth || (isLeft && tileRows != 64))
                  continue;
                OperandInMemory operand =
                    operandOf(toLinearLayout(shared, shape), bits, 8 * width, isLeft, tileRows);
                Result<WarpGroupOperand> plan = planOperand(operand);
                const bool alongRows = transposed == isLeft;
                if (alongRows && bits != 16) {
                  ASSERT_FALSE(plan);
                  EXPECT_THAT(plan.error(), HasSubstr("only those of 16 bits may be"));
                  continue;
                }
                ASSERT_TRUE(plan) << plan.error();
                EXPECT_EQ(plan->alongRows, alongRows);
                EXPECT_EQ(plan->form.swizzleBytes, width);
                expectReachesAll(operand, *plan, rows, depth);
                ++planned;
              }
            }
  EXPECT_GT(planned, 150u);
}

// What hopper-sized tiles are known to take: f16 of 64 x 128 bytes along K, and 64 x 256 along N.
TEST(WarpGroupOperand, Strides) {
  const int64_t a[] = {128, 64}, b[] = {64, 256};
  const layout::nvidia::NvmmaShared shared = {128, false, 16};
  Result<WarpGroupOperand> left =
      planOperand(operandOf(toLinearLayout(shared, a), 16, 1024, true, 64));
  ASSERT_TRUE(left);
  EXPECT_EQ(left->form, (MatrixDescriptor{0, 16, 1024, 128}));
  Result<WarpGroupOperand> right =
      planOperand(operandOf(toLinearLayout(shared, b), 16, 1024, false, 256));
  ASSERT_TRUE(right);
  EXPECT_EQ(right->form, (MatrixDescriptor{0, 64 * 128, 1024, 128}));
}

// Parts that begin at whole tiles, of a memory that is larger along both dimensions.
TEST(WarpGroupOperand, PartsOfAMemory) {
  const int64_t shape[] = {256, 128};
  for (unsigned width : {32, 64, 128}) {
    OperandInMemory operand =
        operandOf(toLinearLayout(layout::nvidia::NvmmaShared{width, false, 16}, shape), 16,
                  8 * width, true, 64);
    Result<WarpGroupOperand> plan = planOperand(operand);
    ASSERT_TRUE(plan) << plan.error();
    for (uint64_t row : {64, 128})
      for (uint64_t k : {16, 64})
        expectReachesAll(operand, *plan, 64, 16, offsetAt(operand, row, k));
  }
}

// The same memory under other names: a swizzle that is given by hand, and none with rows of 16
// bytes, which lie one after the other.
TEST(WarpGroupOperand, OtherEncodings) {
  const int64_t shape[] = {64, 64};
  const layout::SwizzledShared swizzled = {8, 1, 8, {1, 0}};
  OperandInMemory operand = operandOf(toLinearLayout(swizzled, shape), 16, 1024, true, 64);
  Result<WarpGroupOperand> plan = planOperand(operand);
  ASSERT_TRUE(plan) << plan.error();
  EXPECT_EQ(plan->form.swizzleBytes, 128u);
  expectReachesAll(operand, *plan, 64, 64);

  for (bool alongRows : {false, true}) {
    // 8 elements along one dimension, all 64 of the other, then the rest of the first.
    const layout::Dim along = alongRows ? dims::Dim0 : dims::Dim1,
                      across = alongRows ? dims::Dim1 : dims::Dim0;
    const LinearLayout pieces = (LinearLayout::identity1D(8, dims::Offset, along) *
                                 LinearLayout::identity1D(64, dims::Offset, across) *
                                 LinearLayout::identity1D(8, dims::Offset, along))
                                    .transposeOuts({dims::Dim0, dims::Dim1});
    operand = operandOf(pieces, 16, 16, true, 64);
    plan = planOperand(operand);
    ASSERT_TRUE(plan) << plan.error();
    EXPECT_EQ(plan->alongRows, alongRows);
    EXPECT_EQ(plan->form.swizzleBytes, 0u);
    expectReachesAll(operand, *plan, 64, 64);
  }
}

TEST(WarpGroupOperand, WhatNoDescriptorNames) {
  const int64_t shape[] = {64, 64}, small[] = {32, 64};
  auto errorOf = [](const OperandInMemory &operand) {
    Result<WarpGroupOperand> plan = planOperand(operand);
    return plan ? "no error" : plan.error();
  };
  const layout::SwizzledShared plain = {1, 1, 1, {1, 0}}, swizzled = {8, 1, 8, {1, 0}};
  EXPECT_THAT(errorOf(operandOf(toLinearLayout(plain, shape), 16, 1024, true, 64)),
              HasSubstr("its layout is none of rows"));
  EXPECT_THAT(errorOf(operandOf(toLinearLayout(swizzled, shape), 16, 512, true, 64)),
              HasSubstr("begins at multiples of 1024 bytes, but of its memory only 512 is known"));
  EXPECT_THAT(errorOf(operandOf(toLinearLayout(swizzled, small), 16, 1024, true, 64)),
              HasSubstr("an instruction takes 64 x 16 elements of it, but it has 32 x 64"));
}
