//===- IntelEncodingsTest.cpp - The operands of DPAS ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/intel/Encodings.h"

#include <gtest/gtest.h>

using namespace tilewright::layout;
using namespace tilewright::target::intel;

namespace {

using Shape = std::vector<int64_t>;

Dpas dpas(unsigned opsPerChan, unsigned threadsPerWarp, std::vector<unsigned> warps = {1, 1},
          std::vector<unsigned> cluster = {1, 1}) {
  Dpas result;
  result.opsPerChan = opsPerChan;
  result.threadsPerWarp = threadsPerWarp;
  result.warpsPerCTA = std::move(warps);
  result.repCluster = std::move(cluster);
  return result;
}

LinearLayout operand(const Dpas &parent, unsigned opIdx, const Shape &shape) {
  unsigned kWidth = opIdx ? parent.opsPerChan : std::max(1u, parent.opsPerChan / 2);
  EXPECT_EQ(verify(parent), "");
  EXPECT_EQ(verifyOperand(parent, opIdx, kWidth), "");
  return operandLayout(parent, opIdx, kWidth, shape);
}

LinearLayout accumulator(const Dpas &parent, const Shape &shape) {
  EXPECT_EQ(verify(parent), "");
  return toLinearLayout(parent, shape);
}

/// The text of a map without the parts that all maps of one instruction share.
std::string bases(const LinearLayout &map) {
  std::string text = map.toString();
  return text.substr(0, text.find(", warp = "));
}

//===----------------------------------------------------------------------------===//
// Literal tables
//===----------------------------------------------------------------------------===//

TEST(Dpas, OneInstructionWith16Lanes) {
  EXPECT_EQ(bases(operand(dpas(2, 16), 0, {8, 16})),
            "{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]]");
  EXPECT_EQ(bases(operand(dpas(2, 16), 1, {16, 16})),
            "{register = [[1, 0], [2, 0], [4, 0], [8, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8]]");
  EXPECT_EQ(bases(operand(dpas(1, 16), 0, {8, 8})),
            "{register = [[2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [1, 0]]");
  EXPECT_EQ(bases(operand(dpas(1, 16), 1, {8, 16})),
            "{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]]");
  EXPECT_EQ(bases(operand(dpas(4, 16), 0, {8, 32})),
            "{register = [[0, 1], [1, 0], [2, 0], [4, 0]], "
            "lane = [[0, 2], [0, 4], [0, 8], [0, 16]]");
  EXPECT_EQ(bases(operand(dpas(4, 16), 1, {32, 16})),
            "{register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8]]");
  for (unsigned opsPerChan : {1, 2, 4})
    EXPECT_EQ(bases(accumulator(dpas(opsPerChan, 16), {8, 16})),
              "{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]]");
}

TEST(Dpas, OneInstructionWith32Lanes) {
  EXPECT_EQ(bases(operand(dpas(2, 32), 0, {8, 16})),
            "{register = [[2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]]");
  EXPECT_EQ(bases(operand(dpas(2, 32), 1, {16, 16})),
            "{register = [[1, 0], [4, 0], [8, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [2, 0]]");
  EXPECT_EQ(bases(operand(dpas(1, 32), 0, {8, 8})),
            "{register = [[4, 0]], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]");
  EXPECT_EQ(bases(operand(dpas(1, 32), 1, {8, 16})),
            "{register = [[2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]]");
  EXPECT_EQ(bases(operand(dpas(4, 32), 0, {8, 32})),
            "{register = [[0, 1], [2, 0], [4, 0]], "
            "lane = [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]]");
  EXPECT_EQ(bases(operand(dpas(4, 32), 1, {32, 16})),
            "{register = [[1, 0], [2, 0], [8, 0], [16, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [4, 0]]");
  for (unsigned opsPerChan : {1, 2, 4})
    EXPECT_EQ(bases(accumulator(dpas(opsPerChan, 32), {8, 16})),
              "{register = [[2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]]");
}

TEST(Dpas, ClustersWarpsAndRepetitions) {
  EXPECT_EQ(accumulator(dpas(2, 16, {1, 1}, {4, 2}), {32, 32}).toString(),
            "{register = [[1, 0], [2, 0], [4, 0], [0, 16], [8, 0], [16, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [], block = []}"
            " -> {dim0 = 32, dim1 = 32}");
  EXPECT_EQ(accumulator(dpas(2, 32, {2, 2}, {2, 2}), {128, 128}).toString(),
            "{register = [[2, 0], [4, 0], [0, 16], [8, 0], [0, 64], [32, 0], [64, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = [[0, 32], [16, 0]], "
            "block = []} -> {dim0 = 128, dim1 = 128}");
  EXPECT_EQ(operand(dpas(2, 32, {2, 2}, {4, 2}), 0, {64, 64}).toString(),
            "{register = [[2, 0], [4, 0], [8, 0], [16, 0], [0, 16], [0, 32]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = [[0, 0], [32, 0]], "
            "block = []} -> {dim0 = 64, dim1 = 64}");
  EXPECT_EQ(operand(dpas(2, 32, {2, 2}, {4, 2}), 1, {64, 64}).toString(),
            "{register = [[1, 0], [4, 0], [8, 0], [0, 16], [16, 0], [32, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [2, 0]], warp = [[0, 32], [0, 0]], "
            "block = []} -> {dim0 = 64, dim1 = 64}");
}

TEST(Dpas, ABatchIsDividedLast) {
  Dpas batched = dpas(2, 16, {2, 2, 1}, {1, 2, 1});
  EXPECT_EQ(accumulator(batched, {4, 32, 16}).toString(),
            "{register = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 8, 0], [2, 0, 0]], "
            "lane = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8]], "
            "warp = [[0, 16, 0], [1, 0, 0]], block = []} -> {dim0 = 4, dim1 = 32, dim2 = 16}");
  EXPECT_EQ(operand(batched, 0, {4, 32, 32}).toString(),
            "{register = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 8, 0], [0, 0, 16], [2, 0, 0]], "
            "lane = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8]], "
            "warp = [[0, 16, 0], [1, 0, 0]], block = []} -> {dim0 = 4, dim1 = 32, dim2 = 32}");
  EXPECT_EQ(operand(batched, 1, {4, 32, 16}).toString(),
            "{register = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 8, 0], [0, 16, 0], [2, 0, 0]], "
            "lane = [[0, 0, 1], [0, 0, 2], [0, 0, 4], [0, 0, 8]], "
            "warp = [[0, 0, 0], [1, 0, 0]], block = []} -> {dim0 = 4, dim1 = 32, dim2 = 16}");
}

TEST(Dpas, SmallerTensorsAreHeldByMoreThanOne) {
  // Two warps along M, but only one instruction's rows: both hold the same.
  EXPECT_EQ(operand(dpas(2, 16, {2, 1}, {2, 1}), 0, {8, 16}).toString(),
            "{register = [[1, 0], [2, 0], [4, 0], [0, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 0]], block = []}"
            " -> {dim0 = 8, dim1 = 16}");
}

TEST(Dpas, WrongParametersHaveErrors) {
  auto with = [](auto change) {
    Dpas d = dpas(2, 16);
    change(d);
    return verify(d);
  };
  EXPECT_EQ(with([](Dpas &d) { d.repeatCount = 9; }), "repeatCount is 9, not 1, 2, 4 or 8");
  EXPECT_EQ(with([](Dpas &d) { d.repeatCount = 3; }), "repeatCount is 3, not 1, 2, 4 or 8");
  EXPECT_EQ(with([](Dpas &d) { d.repeatCount = 0; }), "repeatCount is 0, not 1, 2, 4 or 8");
  EXPECT_EQ(with([](Dpas &d) { d.systolicDepth = 4; }), "systolicDepth is 4, not 8");
  EXPECT_EQ(with([](Dpas &d) { d.executionSize = 32; }), "executionSize is 32, not 8 or 16");
  EXPECT_EQ(with([](Dpas &d) { d.opsPerChan = 8; }), "opsPerChan is 8, not 1, 2 or 4");
  EXPECT_EQ(with([](Dpas &d) { d.threadsPerWarp = 8; }), "threadsPerWarp is 8, not 16 or 32");
  EXPECT_EQ(with([](Dpas &d) { d.fp4KPack = 2; }),
            "fp4KPack is 2, which needs opsPerChan 4, not 2");
  EXPECT_EQ(with([](Dpas &d) { d.fp4KPack = 1; }), "fp4KPack is 1, not 2");
  EXPECT_EQ(with([](Dpas &d) { d.fp4KPack = 2, d.opsPerChan = 4; }), "");
  EXPECT_EQ(with([](Dpas &d) { d.repeatCount = 1; }), "");
  EXPECT_EQ(with([](Dpas &d) { d.repeatCount = 1, d.threadsPerWarp = 32; }),
            "repeatCount is 1, but the 32 lanes of a warp hold 2 rows");
  EXPECT_EQ(with([](Dpas &d) { d.repeatCount = 1, d.opsPerChan = 1; }),
            "repeatCount is 1, but the 16 lanes of a warp hold 2 rows");
  EXPECT_EQ(with([](Dpas &d) { d.warpsPerCTA = {4}; }),
            "warpsPerCTA has 1 entries, but the operands of DPAS have 2 or 3 dimensions");
  EXPECT_EQ(with([](Dpas &d) { d.warpsPerCTA = {3, 1}; }),
            "warpsPerCTA has the entry 3, which is not a power of two");
  EXPECT_EQ(with([](Dpas &d) { d.repCluster = {1, 1, 1}; }),
            "repCluster has 3 entries, but there are 2 dimensions");
  EXPECT_EQ(with([](Dpas &d) { d.warpsPerCTA = {1, 1, 1}, d.repCluster = {2, 1, 1}; }),
            "repCluster is 2 along the batch, where it is always 1");
  EXPECT_EQ(with([](Dpas &d) { d.warpsPerCTA = {1 << 9, 1 << 9}; }),
            "warpsPerCTA and repCluster make a tile of 2^18 instructions, more than 2^17");
  EXPECT_EQ(with([](Dpas &d) { d.cluster = {{1}}; }),
            "a basis of the cluster has 1 values, but there are 2 dimensions");

  EXPECT_EQ(verifyOperand(dpas(2, 16), 0, 2),
            "kWidth is 2, but operand A of DPAS with opsPerChan 2 has kWidth 1");
  EXPECT_EQ(verifyOperand(dpas(2, 16), 1, 1),
            "kWidth is 1, but operand B of DPAS with opsPerChan 2 has kWidth 2");
  EXPECT_EQ(verifyOperand(dpas(4, 16), 0, 2), "");
  EXPECT_EQ(verifyOperand(dpas(1, 16), 0, 1), "");
  EXPECT_EQ(verifyOperand(dpas(2, 16), 2, 1), "opIdx is 2, but DPAS has operands 0 (A) and 1 (B)");
}

//===----------------------------------------------------------------------------===//
// 2D block messages
//===----------------------------------------------------------------------------===//

Subgroup2DBlock block(std::vector<unsigned> instrShape, unsigned numBlocks,
                      std::vector<unsigned> order) {
  Subgroup2DBlock result;
  result.warpsPerCTA = {8, 4};
  result.instrShape = std::move(instrShape);
  result.numBlocks = numBlocks;
  result.order = std::move(order);
  result.kWidth = 2;
  return result;
}

LinearLayout mapOf(const Subgroup2DBlock &encoding, const Shape &shape) {
  EXPECT_EQ(verify(encoding), "");
  return toLinearLayout(encoding, shape);
}

TEST(Subgroup2DBlock, TilesOfMatmul) {
  EXPECT_EQ(mapOf(block({32, 32}, 1, {1, 0}), {256, 32}).toString(),
            "{register = [[0, 1], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], "
            "lane = [[0, 2], [0, 4], [0, 8], [0, 16]], "
            "warp = [[0, 0], [0, 0], [32, 0], [64, 0], [128, 0]], block = []}"
            " -> {dim0 = 256, dim1 = 32}");
  EXPECT_EQ(mapOf(block({32, 16}, 2, {1, 0}), {256, 32}).toString(),
            "{register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 16]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8]], "
            "warp = [[0, 0], [0, 0], [32, 0], [64, 0], [128, 0]], block = []}"
            " -> {dim0 = 256, dim1 = 32}");
  EXPECT_EQ(mapOf(block({32, 16}, 2, {0, 1}), {32, 256}).toString(),
            "{register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 16], [0, 128]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8]], "
            "warp = [[0, 32], [0, 64], [0, 0], [0, 0], [0, 0]], block = []}"
            " -> {dim0 = 32, dim1 = 256}");
}

TEST(Subgroup2DBlock, NarrowTilesPutRowsIntoTheOtherLanes) {
  Subgroup2DBlock narrow = block({8, 8}, 1, {1, 0});
  narrow.warpsPerCTA = {1, 1};
  EXPECT_EQ(bases(mapOf(narrow, {8, 8})),
            "{register = [[2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [1, 0]]");
  narrow.instrShape = {1, 8};
  EXPECT_EQ(bases(mapOf(narrow, {1, 8})),
            "{register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 0]]");
}

TEST(Subgroup2DBlock, WrongParametersHaveErrors) {
  auto with = [](auto change) {
    Subgroup2DBlock b = block({8, 16}, 1, {1, 0});
    change(b);
    return verify(b);
  };
  using B = Subgroup2DBlock;
  EXPECT_EQ(with([](B &b) { b.warpsPerCTA = {1, 1, 1}; }),
            "warpsPerCTA has 3 entries, but a 2D block has 2 dimensions");
  EXPECT_EQ(with([](B &b) { b.instrShape = {8}; }),
            "instrShape has 1 entries, but there are 2 dimensions");
  EXPECT_EQ(with([](B &b) { b.instrShape = {8, 12}; }),
            "instrShape has the entry 12, which is not a power of two");
  EXPECT_EQ(with([](B &b) { b.numBlocks = 3; }), "numBlocks is 3, which is not a power of two");
  EXPECT_EQ(with([](B &b) { b.kWidth = 8; }), "kWidth is 8, not 1, 2 or 4");
  EXPECT_EQ(with([](B &b) { b.threadsPerWarp = 32; }), "threadsPerWarp is 32, not 16");
  EXPECT_EQ(with([](B &b) { b.order = {1, 1}; }), "order is not a permutation of the dimensions");
  EXPECT_EQ(with([](B &b) { b.instrShape = {1 << 10, 1 << 10}; }),
            "warpsPerCTA, instrShape and numBlocks make a tile of 2^25 elements, more than 2^17");
}

} // namespace
