//===- IntelEncodingsTest.cpp - The operands of DPAS ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "test/support/IntelTestSupport.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::layout;
using namespace tilewright::layout::intel;

namespace {

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

TEST(Dpas, BlocksOfAClusterShareOperandsAlongK) {
  Dpas d = dpas(2, 16);
  d.cluster = {{1, 0}, {0, 1}};
  EXPECT_EQ(accumulator(d, {16, 32}).toString(),
            "{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], "
            "warp = [], block = [[8, 0], [0, 16]]} -> {dim0 = 16, dim1 = 32}");
  EXPECT_EQ(operand(d, 0, {16, 16}).toString(),
            "{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], "
            "warp = [], block = [[8, 0], [0, 0]]} -> {dim0 = 16, dim1 = 16}");
  EXPECT_EQ(operand(d, 1, {16, 32}).toString(),
            "{register = [[1, 0], [2, 0], [4, 0], [8, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [], block = [[0, 0], [0, 16]]}"
            " -> {dim0 = 16, dim1 = 32}");
}

TEST(Dpas, WrongParametersHaveErrors) {
  auto with = [](auto change) {
    Dpas d = dpas(2, 16);
    change(d);
    return verify(d).error();
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

  EXPECT_EQ(verifyOperand(dpas(2, 16), 0, 2).error(),
            "kWidth is 2, but operand A of DPAS with opsPerChan 2 has kWidth 1");
  EXPECT_EQ(verifyOperand(dpas(2, 16), 1, 1).error(),
            "kWidth is 1, but operand B of DPAS with opsPerChan 2 has kWidth 2");
  EXPECT_EQ(verifyOperand(dpas(4, 16), 0, 2).error(), "");
  EXPECT_EQ(verifyOperand(dpas(1, 16), 0, 1).error(), "");
  EXPECT_EQ(verifyOperand(dpas(2, 16), 2, 1).error(),
            "opIdx is 2, but DPAS has operands 0 (A) and 1 (B)");
}

//===----------------------------------------------------------------------------===//
// The tables of the texts on block loads (test/data/reference/block-loads)
//===----------------------------------------------------------------------------===//

std::pair<uint64_t, uint64_t> elementAt(const LinearLayout &map, uint64_t reg, uint64_t lane,
                                        uint64_t warp = 0) {
  std::vector<DimValue> out =
      map.apply({{dims::Register, reg}, {dims::Lane, lane}, {dims::Warp, warp}});
  return {out[0].value, out[1].value};
}

std::string padded(uint64_t value, uint64_t size) {
  std::string text = std::to_string(value);
  return std::string(std::to_string(size - 1).size() - text.size(), ' ') + text;
}

/// One line a register of the first warp: the elements of its lanes.
std::string hardwareView(const LinearLayout &map) {
  std::string text = "Warp0:\n";
  for (uint64_t reg = 0; reg < map.inSize(dims::Register); ++reg) {
    for (uint64_t lane = 0; lane < map.inSize(dims::Lane); ++lane) {
      auto [row, col] = elementAt(map, reg, lane);
      text += lane ? ", (" : "(";
      text += padded(row, map.outSize(dims::Dim0)) + "," + padded(col, map.outSize(dims::Dim1));
      text += ")";
    }
    text += "\n";
  }
  return text;
}

TEST(DpasReference, HardwareViewOfA) {
  EXPECT_EQ(hardwareView(operand(referenceDpas(), 0, {256, 32})), referenceText("a.hw-view.txt"));
}

TEST(DpasReference, HardwareViewOfB) {
  EXPECT_EQ(hardwareView(operand(referenceDpas(), 1, {32, 256})), referenceText("b.hw-view.txt"));
}

/// One line a 32-bit or 16-bit register, one cell a lane; elements that share a register are
/// separated by colons.
std::string operandTable(const LinearLayout &map, uint64_t packed) {
  std::string text;
  for (uint64_t reg = 0; reg < map.inSize(dims::Register); reg += packed) {
    text += "|";
    for (uint64_t lane = 0; lane < map.inSize(dims::Lane); ++lane) {
      for (uint64_t i = 0; i < packed; ++i) {
        auto [row, col] = elementAt(map, reg + i, lane);
        text += (i ? " : " : " ") + std::to_string(row) + ", " + std::to_string(col);
      }
      text += " |";
    }
    text += "\n";
  }
  return text;
}

TEST(DpasReference, OperandTables) {
  EXPECT_EQ(operandTable(operand(dpas(2, 16), 0, {8, 16}), 1), referenceText("a.operand.txt"));
  EXPECT_EQ(operandTable(operand(dpas(2, 16), 1, {16, 16}), 2), referenceText("b.operand.txt"));
}

//===----------------------------------------------------------------------------===//
// By multiplying
//===----------------------------------------------------------------------------===//

/// The register file of one sub-group as far as one operand of one instruction needs it: the
/// register `slot` of a sub-group lies lane by lane, after those before it.
uint64_t inRegisterFile(uint64_t slot, uint64_t lane, const Dpas &d) {
  return slot * d.threadsPerWarp + lane;
}

using Matrix = std::vector<std::vector<int64_t>>;

/// What DPAS reads and writes, as the manual of the instruction has it: A row by row; of B in
/// channel n of register i the opsPerChan elements of column n from row i * opsPerChan on; C
/// row by row.
struct Instruction {
  explicit Instruction(const Dpas &d)
      : dpas(d), depth(d.systolicDepth * d.opsPerChan), a(d.repeatCount * depth),
        b(depth * d.executionSize), c(d.repeatCount * d.executionSize) {}

  void setA(uint64_t reg, uint64_t lane, int64_t value) {
    uint64_t packed = dpas.opsPerChan == 4 ? 2 : 1;
    a[inRegisterFile(reg / packed, lane, dpas) * packed + reg % packed] = value;
  }
  void setB(uint64_t reg, uint64_t lane, int64_t value) {
    uint64_t packed = dpas.opsPerChan;
    b[inRegisterFile(reg / packed, lane, dpas) * packed + reg % packed] = value;
  }
  int64_t &atC(uint64_t reg, uint64_t lane) { return c[inRegisterFile(reg, lane, dpas)]; }

  void execute() {
    unsigned n = dpas.executionSize, ops = dpas.opsPerChan;
    for (unsigned row = 0; row < dpas.repeatCount; ++row)
      for (unsigned channel = 0; channel < n; ++channel)
        for (unsigned step = 0; step < dpas.systolicDepth; ++step)
          for (unsigned op = 0; op < ops; ++op)
            c[row * n + channel] +=
                a[row * depth + step * ops + op] * b[(step * n + channel) * ops + op];
  }

  const Dpas &dpas;
  uint64_t depth;
  std::vector<int64_t> a, b, c;
};

/// A product of M x K and K x N by DPAS: each sub-group does its part, in the order in which
/// clusters and repetitions are numbered.
Matrix multiply(const Dpas &d, const Matrix &a, const Matrix &b, Matrix c) {
  auto m = static_cast<int64_t>(a.size()), k = static_cast<int64_t>(b.size()),
       n = static_cast<int64_t>(b[0].size());
  LinearLayout mapA = operand(d, 0, {m, k}), mapB = operand(d, 1, {k, n}),
               mapC = accumulator(d, {m, n});
  Instruction shape(d);
  uint64_t regsA = shape.a.size() / d.threadsPerWarp, regsB = shape.b.size() / d.threadsPerWarp,
           regsC = shape.c.size() / d.threadsPerWarp;
  uint64_t clusterM = d.repCluster[0], clusterN = d.repCluster[1];
  // At least once: where the tensor is smaller, several do the same.
  uint64_t repsM = std::max<uint64_t>(1, static_cast<uint64_t>(m) /
                                             (d.repeatCount * clusterM * d.warpsPerCTA[0]));
  uint64_t repsN = std::max<uint64_t>(1, static_cast<uint64_t>(n) /
                                             (d.executionSize * clusterN * d.warpsPerCTA[1]));
  uint64_t repsK = static_cast<uint64_t>(k) / shape.depth;
  Matrix result = c;
  for (uint64_t warp = 0; warp < d.warpsPerCTA[0] * d.warpsPerCTA[1]; ++warp)
    for (uint64_t mi = 0; mi < clusterM * repsM; ++mi)
      for (uint64_t ni = 0; ni < clusterN * repsN; ++ni) {
        uint64_t mc = mi % clusterM, mr = mi / clusterM, nc = ni % clusterN, nr = ni / clusterN;
        uint64_t numberC = nc + clusterN * (mc + clusterM * (nr + repsN * mr));
        Instruction dpas(d);
        for (uint64_t lane = 0; lane < d.threadsPerWarp; ++lane)
          for (uint64_t reg = 0; reg < regsC; ++reg) {
            auto [row, col] = elementAt(mapC, numberC * regsC + reg, lane, warp);
            dpas.atC(reg, lane) = c[row][col];
          }
        for (uint64_t ki = 0; ki < repsK; ++ki) {
          uint64_t numberA = mc + clusterM * (ki + repsK * mr);
          uint64_t numberB = nc + clusterN * (ki + repsK * nr);
          for (uint64_t lane = 0; lane < d.threadsPerWarp; ++lane) {
            for (uint64_t reg = 0; reg < regsA; ++reg) {
              auto [row, col] = elementAt(mapA, numberA * regsA + reg, lane, warp);
              dpas.setA(reg, lane, a[row][col]);
            }
            for (uint64_t reg = 0; reg < regsB; ++reg) {
              auto [row, col] = elementAt(mapB, numberB * regsB + reg, lane, warp);
              dpas.setB(reg, lane, b[row][col]);
            }
          }
          dpas.execute();
        }
        for (uint64_t lane = 0; lane < d.threadsPerWarp; ++lane)
          for (uint64_t reg = 0; reg < regsC; ++reg) {
            auto [row, col] = elementAt(mapC, numberC * regsC + reg, lane, warp);
            result[row][col] = dpas.atC(reg, lane);
          }
      }
  return result;
}

Matrix randomMatrix(RandomDpas &random, uint64_t rows, uint64_t cols) {
  Matrix result(rows, std::vector<int64_t>(cols));
  for (std::vector<int64_t> &row : result)
    for (int64_t &value : row)
      value = static_cast<int64_t>(random.below(201)) - 100;
  return result;
}

TEST(Dpas, MultipliesMatrices) {
  RandomDpas random(1);
  for (unsigned i = 0; i < 200; ++i) {
    Dpas d = random.next();
    d.warpsPerCTA = {random.powerBelow(2), random.powerBelow(2)};
    d.repCluster = {random.powerBelow(2), random.powerBelow(3)};
    uint64_t m = d.repeatCount * random.powerBelow(5);
    uint64_t n = d.executionSize * random.powerBelow(5);
    uint64_t k = 8 * d.opsPerChan * random.powerBelow(3);
    Matrix a = randomMatrix(random, m, k), b = randomMatrix(random, k, n),
           c = randomMatrix(random, m, n);
    Matrix expected = c;
    for (uint64_t row = 0; row < m; ++row)
      for (uint64_t col = 0; col < n; ++col)
        for (uint64_t at = 0; at < k; ++at)
          expected[row][col] += a[row][at] * b[at][col];
    ASSERT_EQ(multiply(d, a, b, c), expected)
        << "opsPerChan " << d.opsPerChan << ", " << d.threadsPerWarp << " lanes, executionSize "
        << d.executionSize << ", repeatCount " << d.repeatCount;
  }
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
  EXPECT_EQ(verify(encoding).error(), "");
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
    return verify(b).error();
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
