//===- MfmaTest.cpp - MFMA's fragments by definition ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Maps of MFMA literally, and every place of a block against the ISA's definition of where it
// is, by division and remainder.
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/AmdMfma.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::layout::amd;
using layout::LinearLayout;
namespace dims = layout::dims;

namespace {

using Shape = std::vector<int64_t>;
using Counts = std::vector<unsigned>;

Mfma mfma(Counts instrShape, bool transposed, Counts warps, Counts tiles = {}) {
  Mfma result;
  result.instrShape = std::move(instrShape);
  result.isTransposed = transposed;
  result.tilesPerWarp = tiles.empty() ? Counts(warps.size(), 1) : std::move(tiles);
  result.warpsPerCTA = std::move(warps);
  return result;
}

Mfma doubles(bool transposed) {
  Mfma result = mfma({16, 16, 4}, transposed, {2, 2});
  result.elementBitWidth = 64;
  return result;
}

std::vector<uint64_t> at(const LinearLayout &map, uint64_t reg, uint64_t lane, uint64_t warp) {
  std::vector<uint64_t> result;
  for (layout::DimValue v :
       map.apply({{dims::Register, reg}, {dims::Lane, lane}, {dims::Warp, warp}}))
    result.push_back(v.value);
  return result;
}

TEST(Mfma, Results) {
  EXPECT_EQ(toLinearLayout(mfma({32, 32, 8}, false, {2, 2}), Shape{128, 128}).toString(),
            "{register = [[1, 0], [2, 0], [8, 0], [16, 0], [0, 64], [64, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [4, 0]], warp = [[0, 32], [32, 0]], "
            "block = []} -> {dim0 = 128, dim1 = 128}");
  EXPECT_EQ(toLinearLayout(mfma({16, 16, 16}, true, {2, 2}), Shape{64, 64}).toString(),
            "{register = [[0, 1], [0, 2], [0, 32], [32, 0]], "
            "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], warp = [[0, 16], [16, 0]], "
            "block = []} -> {dim0 = 64, dim1 = 64}");
  EXPECT_EQ(toLinearLayout(mfma({64, 4, 4}, true, {2, 2}), Shape{256, 16}).toString(),
            "{register = [[0, 1], [0, 2], [0, 8], [128, 0]], "
            "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], warp = [[0, 4], [64, 0]], "
            "block = []} -> {dim0 = 256, dim1 = 16}");
  EXPECT_EQ(toLinearLayout(mfma({4, 64, 4}, true, {1, 1}), Shape{4, 64}).toString(),
            "{register = [[0, 1], [0, 2]], "
            "lane = [[1, 0], [2, 0], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [], block = []} "
            "-> {dim0 = 4, dim1 = 64}");
  EXPECT_EQ(toLinearLayout(doubles(false), Shape{64, 64}).toString(),
            "{register = [[4, 0], [8, 0], [0, 32], [32, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], warp = [[0, 16], [16, 0]], "
            "block = []} -> {dim0 = 64, dim1 = 64}");
}

TEST(Mfma, TilesBatchesAndClusters) {
  EXPECT_EQ(toLinearLayout(mfma({32, 32, 16}, true, {2, 2}, {2, 2}), Shape{256, 256}).toString(),
            "{register = [[0, 1], [0, 2], [0, 8], [0, 16], [0, 32], [0, 128], [32, 0], [128, 0]], "
            "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], warp = [[0, 64], [64, 0]], "
            "block = []} -> {dim0 = 256, dim1 = 256}");
  EXPECT_EQ(toLinearLayout(mfma({16, 16, 32}, true, {4, 1}, {1, 2}), Shape{16, 16}).toString(),
            "{register = [[0, 1], [0, 2], [0, 0]], "
            "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4], [0, 8]], warp = [[0, 0], [0, 0]], "
            "block = []} -> {dim0 = 16, dim1 = 16}");
  EXPECT_EQ(toLinearLayout(mfma({32, 32, 8}, true, {2, 2, 1}), Shape{4, 128, 128}).toString(),
            "{register = [[0, 0, 1], [0, 0, 2], [0, 0, 8], [0, 0, 16], [0, 0, 32], [0, 0, 64], "
            "[0, 64, 0], [2, 0, 0]], lane = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 8, 0], "
            "[0, 16, 0], [0, 0, 4]], warp = [[0, 32, 0], [1, 0, 0]], block = []} "
            "-> {dim0 = 4, dim1 = 128, dim2 = 128}");
  Mfma clustered = mfma({32, 32, 8}, true, {2, 2});
  clustered.cluster = {{1, 0}};
  EXPECT_EQ(toLinearLayout(clustered, Shape{128, 128}).toString(),
            "{register = [[0, 1], [0, 2], [0, 8], [0, 16], [0, 64]], "
            "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], warp = [[0, 32], [32, 0]], "
            "block = [[64, 0]]} -> {dim0 = 128, dim1 = 128}");
}

TEST(Mfma, Operands) {
  EXPECT_EQ(operandLayout(mfma({32, 32, 8}, true, {2, 2}), 0, 4, Shape{128, 64}).toString(),
            "{register = [[0, 1], [0, 2], [0, 8], [0, 16], [0, 32], [64, 0]], "
            "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], warp = [[0, 0], [32, 0]], "
            "block = []} -> {dim0 = 128, dim1 = 64}");
  EXPECT_EQ(operandLayout(mfma({16, 16, 16}, true, {2, 2}), 1, 8, Shape{64, 128}).toString(),
            "{register = [[1, 0], [2, 0], [4, 0], [32, 0], [0, 32], [0, 64]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [8, 0], [16, 0]], warp = [[0, 16], [0, 0]], "
            "block = []} -> {dim0 = 64, dim1 = 128}");
  EXPECT_EQ(operandLayout(mfma({64, 4, 4}, false, {1, 1}), 1, 4, Shape{64, 64}).toString(),
            "{register = [[1, 0], [2, 0], [0, 4], [0, 8], [0, 16], [0, 32]], "
            "lane = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0], [32, 0]], warp = [], block = []} "
            "-> {dim0 = 64, dim1 = 64}");
  EXPECT_EQ(operandLayout(mfma({32, 32, 8}, true, {2, 2}), 1, 2, Shape{4, 16}).toString(),
            "{register = [[1, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 0], [2, 0]], warp = [[0, 0], [0, 0]], "
            "block = []} -> {dim0 = 4, dim1 = 16}");
  EXPECT_EQ(operandLayout(mfma({32, 32, 16}, true, {2, 1, 2}, {1, 2, 2}), 1, 8, Shape{4, 64, 256})
                .toString(),
            "{register = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 16, 0], [0, 32, 0], [0, 0, 32], "
            "[0, 0, 128], [2, 0, 0]], lane = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8], "
            "[0, 0, 16], [0, 8, 0]], warp = [[0, 0, 64], [1, 0, 0]], block = []} "
            "-> {dim0 = 4, dim1 = 64, dim2 = 256}");
  // Blocks that differ in rows of the result have the same of B.
  Mfma clustered = mfma({32, 32, 8}, true, {2, 2});
  clustered.cluster = {{1, 0}};
  EXPECT_EQ(operandLayout(clustered, 1, 4, Shape{64, 128}).bases(dims::Block)[0], 0u);
}

/// One instruction's result, of 32-bit elements: the lane's column, and four rows of each group of
/// as many as all lanes of a column have.
TEST(Mfma, ResultOfOneInstruction) {
  for (auto [m, n] : {std::pair(32u, 32u), {16u, 16u}, {64u, 4u}, {4u, 64u}}) {
    LinearLayout map = toLinearLayout(mfma({m, n, 4}, false, {1, 1}), Shape{m, n});
    ASSERT_EQ(map.inSize(dims::Register) * 64, uint64_t(m) * n);
    for (uint64_t lane = 0; lane < 64; ++lane)
      for (uint64_t reg = 0; reg < map.inSize(dims::Register); ++reg) {
        uint64_t group = 4 * (64 / n), row = reg / 4 * group + lane / n * 4 + reg % 4;
        EXPECT_EQ(at(map, reg, lane, 0), (std::vector<uint64_t>{row, lane % n}));
      }
  }
}

/// Transposing the tensor is the same as `isTransposed`, for squares.
TEST(Mfma, Transposed) {
  for (unsigned size : {16u, 32u}) {
    LinearLayout plain = toLinearLayout(mfma({size, size, 8}, false, {1, 1}), Shape{size, size});
    LinearLayout turned = toLinearLayout(mfma({size, size, 8}, true, {1, 1}), Shape{size, size});
    for (uint64_t lane = 0; lane < 64; ++lane)
      for (uint64_t reg = 0; reg < plain.inSize(dims::Register); ++reg) {
        std::vector<uint64_t> a = at(plain, reg, lane, 0), b = at(turned, reg, lane, 0);
        EXPECT_EQ(a[0], b[1]);
        EXPECT_EQ(a[1], b[0]);
      }
  }
}

TEST(Mfma, Errors) {
  Mfma good = mfma({32, 32, 8}, true, {2, 2});
  EXPECT_EQ(verify(good).error(), "");
  auto with = [&](auto change) {
    Mfma bad = good;
    change(bad);
    return verify(bad).error();
  };
  EXPECT_EQ(with([](Mfma &m) { m.version = 5; }),
            "MFMA has the versions 1 to 4, and 0 for any, not 5");
  EXPECT_EQ(with([](Mfma &m) { m.warpsPerCTA = {4}; }),
            "an MFMA layout has 2 or 3 dimensions, not 1");
  EXPECT_EQ(with([](Mfma &m) { m.instrShape = {32, 32}; }),
            "instrShape is [M, N, K], not [32, 32]");
  EXPECT_EQ(with([](Mfma &m) { m.instrShape = {32, 16, 8}; }),
            "MFMA gives 32 x 32, 16 x 16, 64 x 4 or 4 x 64 elements, not 32 x 16");
  EXPECT_EQ(with([](Mfma &m) { m.instrShape = {32, 32, 3}; }),
            "K of instrShape is a power of two up to 256, not 3");
  EXPECT_EQ(with([](Mfma &m) { m.elementBitWidth = 16; }), "elementBitWidth is 32 or 64, not 16");
  EXPECT_EQ(with([](Mfma &m) { m.elementBitWidth = 64; }),
            "elements of 64 bits come from instructions of 16 x 16, not of 32 x 32");
  EXPECT_EQ(with([](Mfma &m) { m.warpsPerCTA = {3, 1}; }),
            "warpsPerCTA has the entry 3, which is not a power of two");
  EXPECT_EQ(with([](Mfma &m) { m.tilesPerWarp = {1}; }),
            "tilesPerWarp has 1 entries, but there are 2 dimensions");
  EXPECT_EQ(with([](Mfma &m) { m.warpsPerCTA = {64, 64}; }),
            "warpsPerCTA and tilesPerWarp make a tile that is too large");
  EXPECT_EQ(verifyOperand(good, 0, 4).error(), "");
  EXPECT_EQ(verifyOperand(good, 2, 4).error(), "opIdx is 0 (A) or 1 (B), not 2");
  EXPECT_EQ(verifyOperand(good, 0, 0).error(),
            "kWidth of an operand of MFMA is a power of two from 1 to 64, not 0");
}

} // namespace
