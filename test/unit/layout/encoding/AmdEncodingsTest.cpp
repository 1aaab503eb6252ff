//===- AmdEncodingsTest.cpp - AMD's layouts by definition -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The maps of WMMA's fragments and of rotating shared memory: some literally, all against their
// definitions by division and remainder, and the fragments by multiplying matrices with them.
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/AmdWmma.h"

#include "WmmaInstruction.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace tilewright;
using namespace tilewright::layout::amd;
using namespace tilewright::test;
using layout::LinearLayout;
namespace dims = layout::dims;

namespace {

using Shape = std::vector<int64_t>;
using Counts = std::vector<unsigned>;
using Coordinates = std::vector<uint64_t>;

Wmma wmma(unsigned version, Counts warps, Counts tiles = {}, bool transposed = false) {
  Wmma result;
  result.version = version;
  result.isTranspose = transposed;
  result.rank = static_cast<unsigned>(warps.size());
  if (!tiles.empty())
    result.registers = tileBases(tiles);
  result.warps = tileBases(warps, result.registers);
  return result;
}

Coordinates at(const LinearLayout &map, uint64_t reg, uint64_t lane, uint64_t warp,
               uint64_t block = 0) {
  Coordinates result;
  for (layout::DimValue v : map.apply(
           {{dims::Register, reg}, {dims::Lane, lane}, {dims::Warp, warp}, {dims::Block, block}}))
    result.push_back(v.value);
  return result;
}

//===----------------------------------------------------------------------------===//
// Literally
//===----------------------------------------------------------------------------===//

TEST(AmdEncodings, Accumulators) {
  EXPECT_EQ(toLinearLayout(wmma(1, {1, 1}), Shape{16, 16}).toString(),
            "{register = [[2, 0], [4, 0], [8, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = [], block = []} "
            "-> {dim0 = 16, dim1 = 16}");
  EXPECT_EQ(toLinearLayout(wmma(2, {1, 1}), Shape{16, 16}).toString(),
            "{register = [[1, 0], [2, 0], [4, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [8, 0]], warp = [], block = []} "
            "-> {dim0 = 16, dim1 = 16}");
  EXPECT_EQ(toLinearLayout(wmma(2, {2, 2}, {}, true), Shape{64, 64}).toString(),
            "{register = [[0, 1], [0, 2], [0, 4], [0, 32], [32, 0]], "
            "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 8]], warp = [[0, 16], [16, 0]], "
            "block = []} -> {dim0 = 64, dim1 = 64}");
}

TEST(AmdEncodings, Operands) {
  EXPECT_EQ(operandLayout(wmma(1, {2, 2}), 0, 16, Shape{64, 64}).toString(),
            "{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [32, 0]], "
            "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = [[0, 0], [16, 0]], "
            "block = []} -> {dim0 = 64, dim1 = 64}");
  EXPECT_EQ(operandLayout(wmma(2, {2, 2}), 1, 8, Shape{64, 64}).toString(),
            "{register = [[1, 0], [2, 0], [4, 0], [16, 0], [32, 0], [0, 32]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [8, 0]], warp = [[0, 16], [0, 0]], "
            "block = []} -> {dim0 = 64, dim1 = 64}");
  EXPECT_EQ(operandLayout(wmma(2, {2, 2}), 0, 4, Shape{64, 64}).toString(),
            "{register = [[0, 1], [0, 2], [0, 8], [0, 16], [0, 32], [32, 0]], "
            "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 4]], warp = [[0, 0], [16, 0]], "
            "block = []} -> {dim0 = 64, dim1 = 64}");
  // 4-bit elements of a K32 instruction.
  EXPECT_EQ(operandLayout(wmma(2, {1, 1}), 0, 16, Shape{16, 32}).toString(),
            "{register = [[0, 1], [0, 2], [0, 4], [0, 8]], "
            "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 16]], warp = [], block = []} "
            "-> {dim0 = 16, dim1 = 32}");
}

TEST(AmdEncodings, FragmentsAreWholeWhereTheTensorIsShort) {
  Wmma parent = wmma(2, {1, 1});
  EXPECT_EQ(operandLayout(parent, 0, 4, Shape{16, 1}).toString(),
            "{register = [[0, 0], [0, 0], [0, 0]], "
            "lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = [], block = []} "
            "-> {dim0 = 16, dim1 = 1}");
  parent.instrShape = {16, 16, 32};
  EXPECT_EQ(operandLayout(parent, 1, 8, Shape{16, 16}).toString(),
            "{register = [[1, 0], [2, 0], [4, 0], [0, 0]], "
            "lane = [[0, 1], [0, 2], [0, 4], [0, 8], [8, 0]], warp = [], block = []} "
            "-> {dim0 = 16, dim1 = 16}");
}

TEST(AmdEncodings, TilesCountTheLastDimensionFirst) {
  using Bases = std::vector<std::vector<unsigned>>;
  EXPECT_EQ(tileBases(Counts{2, 2}), (Bases{{0, 1}, {1, 0}}));
  EXPECT_EQ(tileBases(Counts{4, 1}), (Bases{{1, 0}, {2, 0}}));
  EXPECT_EQ(tileBases(Counts{2, 2, 2}), (Bases{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}));
  EXPECT_EQ(tileBases(Counts{1, 1}), Bases{});
  Bases registers = tileBases(Counts{2, 4});
  EXPECT_EQ(tileBases(Counts{2, 2}, registers), (Bases{{0, 4}, {2, 0}}));
}

//===----------------------------------------------------------------------------===//
// By definition
//===----------------------------------------------------------------------------===//

/// Takes the digits of a mixed-radix number, lowest first.
class Digits {
public:
  explicit Digits(uint64_t number) : number(number) {}
  uint64_t next(uint64_t size) {
    uint64_t digit = number % size;
    number /= size;
    return digit;
  }

private:
  uint64_t number;
};

/// The accumulator: which element of the tensor a place holds.
Coordinates accumulatorElement(unsigned version, bool transposed, const Counts &tiles,
                               const Counts &warps, const Shape &shape, uint64_t reg, uint64_t lane,
                               uint64_t warp) {
  size_t rank = shape.size();
  Digits registers(reg), ofWarp(warp);
  uint64_t inTile = registers.next(8), half = lane / 16;
  uint64_t row = version == 1 ? 2 * inTile + half : inTile + 8 * half, column = lane % 16;
  if (transposed)
    std::swap(row, column);
  Coordinates tile(rank), place(rank), repetition(rank), size(rank, 1);
  size[rank - 2] = size[rank - 1] = 16;
  for (size_t d = rank; d-- > 0;) {
    tile[d] = registers.next(tiles[d]);
    place[d] = ofWarp.next(warps[d]);
  }
  Coordinates result(rank);
  for (size_t d = rank; d-- > 0;) {
    uint64_t covered = size[d] * tiles[d] * warps[d];
    repetition[d] =
        registers.next(std::max<uint64_t>(1, static_cast<uint64_t>(shape[d]) / covered));
    result[d] = size[d] * (tile[d] + tiles[d] * (place[d] + warps[d] * repetition[d]));
  }
  result[rank - 2] += row;
  result[rank - 1] += column;
  for (size_t d = 0; d < rank; ++d)
    result[d] %= static_cast<uint64_t>(shape[d]);
  return result;
}

/// The same for operand opIdx.
Coordinates operandElement(unsigned version, unsigned opIdx, unsigned kWidth, const Counts &tiles,
                           const Counts &warps, const Shape &shape, uint64_t reg, uint64_t lane,
                           uint64_t warp) {
  size_t rank = shape.size();
  size_t k = opIdx == 0 ? rank - 1 : rank - 2, other = opIdx == 0 ? rank - 2 : rank - 1;
  Digits registers(reg), ofWarp(warp);
  uint64_t perTile = version == 1 ? kWidth : 2 * kWidth;
  Coordinates result(rank, 0), tile(rank, 0), place(rank, 0), size(rank, 1);
  size[other] = 16;
  result[k] = registers.next(kWidth) + (version == 1 ? 0 : kWidth * (lane / 16));
  uint64_t depth = std::max<uint64_t>(16, static_cast<uint64_t>(shape[k]));
  result[k] += perTile * registers.next(std::max<uint64_t>(1, depth / perTile));
  for (size_t d = rank; d-- > 0;) {
    uint64_t ofDim = ofWarp.next(warps[d]);
    if (d == k)
      continue;
    place[d] = ofDim;
    tile[d] = registers.next(tiles[d]);
  }
  std::vector<size_t> others = {other};
  if (rank == 3)
    others.push_back(0);
  for (size_t d : others) {
    uint64_t covered = size[d] * tiles[d] * warps[d];
    uint64_t repetition =
        registers.next(std::max<uint64_t>(1, static_cast<uint64_t>(shape[d]) / covered));
    result[d] = size[d] * (tile[d] + tiles[d] * (place[d] + warps[d] * repetition));
  }
  result[other] += lane % 16;
  for (size_t d = 0; d < rank; ++d)
    result[d] %= static_cast<uint64_t>(shape[d]);
  return result;
}

struct Arrangement {
  Counts warps, tiles;
  Shape shape;
};

const Arrangement Arrangements[] = {
    {{1, 1}, {1, 1}, {16, 16}},          {{1, 1}, {1, 1}, {64, 32}},
    {{2, 2}, {1, 1}, {64, 128}},         {{4, 1}, {1, 1}, {128, 16}},
    {{1, 4}, {1, 1}, {16, 128}},         {{2, 2}, {2, 1}, {128, 64}},
    {{2, 2}, {2, 2}, {128, 128}},        {{1, 2}, {1, 4}, {32, 128}},
    {{2, 4}, {1, 1}, {16, 16}},          {{2, 2}, {1, 1}, {8, 4}},
    {{2, 2}, {1, 1}, {1, 64}},           {{2, 2}, {2, 2}, {1, 1}},
    {{1, 1, 1}, {1, 1, 1}, {4, 16, 32}}, {{2, 2, 2}, {1, 1, 1}, {8, 64, 64}},
    {{4, 1, 1}, {1, 1, 1}, {2, 32, 16}}, {{1, 2, 1}, {2, 1, 2}, {4, 32, 64}}};

TEST(AmdEncodings, AccumulatorByDefinition) {
  for (unsigned version : {1u, 2u})
    for (bool transposed : {false, true})
      for (const Arrangement &a : Arrangements) {
        Wmma encoding = wmma(version, a.warps, a.tiles, transposed);
        ASSERT_EQ(verify(encoding).error(), "");
        LinearLayout map = toLinearLayout(encoding, a.shape);
        EXPECT_TRUE(map.isSurjective());
        EXPECT_EQ(map.inSize(dims::Lane), 32u);
        EXPECT_TRUE(map.hasIn(dims::Block));
        for (uint64_t reg = 0; reg < map.inSize(dims::Register); ++reg)
          for (uint64_t lane = 0; lane < 32; ++lane)
            for (uint64_t warp = 0; warp < map.inSize(dims::Warp); ++warp)
              ASSERT_EQ(at(map, reg, lane, warp),
                        accumulatorElement(version, transposed, a.tiles, a.warps, a.shape, reg,
                                           lane, warp))
                  << map.toString();
      }
}

TEST(AmdEncodings, OperandsByDefinition) {
  for (unsigned version : {1u, 2u})
    for (unsigned opIdx : {0u, 1u})
      for (unsigned kWidth : {4u, 8u, 16u})
        for (bool transposed : {false, true})
          for (const Arrangement &a : Arrangements) {
            Wmma parent = wmma(version, a.warps, a.tiles, transposed);
            if (!verifyOperand(parent, opIdx, kWidth)) {
              EXPECT_EQ(version * 10 + kWidth, 14u);
              continue;
            }
            LinearLayout map = operandLayout(parent, opIdx, kWidth, a.shape);
            EXPECT_TRUE(map.isSurjective());
            for (uint64_t reg = 0; reg < map.inSize(dims::Register); ++reg)
              for (uint64_t lane = 0; lane < 32; ++lane)
                for (uint64_t warp = 0; warp < map.inSize(dims::Warp); ++warp)
                  ASSERT_EQ(at(map, reg, lane, warp),
                            operandElement(version, opIdx, kWidth, a.tiles, a.warps, a.shape, reg,
                                           lane, warp))
                      << map.toString();
          }
}

TEST(AmdEncodings, VersionThreeByDefinition) {
  for (unsigned depth : {4, 32, 64, 128}) {
    Wmma parent = wmma(3, {1, 1});
    parent.instrShape = {16, 16, depth};
    ASSERT_EQ(verify(parent).error(), "");
    EXPECT_EQ(toLinearLayout(parent, Shape{16, 16}).toString(),
              toLinearLayout(wmma(2, {1, 1}), Shape{16, 16}).toString());
    for (unsigned kWidth : {2, 8, 16}) {
      ASSERT_EQ(verifyOperand(parent, 0, kWidth).error(), "");
      if (2 * kWidth > depth)
        continue;
      LinearLayout a = operandLayout(parent, 0, kWidth, Shape{16, depth});
      LinearLayout b = operandLayout(parent, 1, kWidth, Shape{depth, 16});
      ASSERT_EQ(a.inSize(dims::Register), depth / 2);
      // Lanes 0 .. 15 have kWidth neighbours along K, the other half the next, and so on.
      for (uint64_t reg = 0; reg < depth / 2; ++reg)
        for (uint64_t lane = 0; lane < 32; ++lane) {
          const uint64_t k = reg % kWidth + kWidth * (lane / 16) + 2 * kWidth * (reg / kWidth);
          ASSERT_EQ(at(a, reg, lane, 0), (Coordinates{lane % 16, k}));
          ASSERT_EQ(at(b, reg, lane, 0), (Coordinates{k, lane % 16}));
        }
    }
  }
}

TEST(AmdEncodings, ClustersSplitTheResultAndItsOperands) {
  Wmma encoding = wmma(2, {1, 2});
  encoding.cluster = {{0, 1}, {1, 0}};
  ASSERT_EQ(verify(encoding).error(), "");
  LinearLayout c = toLinearLayout(encoding, Shape{64, 128});
  LinearLayout a = operandLayout(encoding, 0, 8, Shape{64, 32});
  LinearLayout b = operandLayout(encoding, 1, 8, Shape{32, 128});
  Wmma alone = wmma(2, {1, 2});
  for (uint64_t block = 0; block < 4; ++block) {
    uint64_t row = 32 * (block / 2), column = 64 * (block % 2);
    auto shifted = [](Coordinates c, uint64_t row, uint64_t column) {
      return Coordinates{c[0] + row, c[1] + column};
    };
    for (uint64_t lane = 0; lane < 32; ++lane)
      for (uint64_t warp = 0; warp < 2; ++warp)
        for (uint64_t reg = 0; reg < 32; ++reg) {
          EXPECT_EQ(
              at(c, reg, lane, warp, block),
              shifted(at(toLinearLayout(alone, Shape{32, 64}), reg, lane, warp), row, column));
          EXPECT_EQ(
              at(a, reg, lane, warp, block),
              shifted(at(operandLayout(alone, 0, 8, Shape{32, 32}), reg, lane, warp), row, 0));
          EXPECT_EQ(
              at(b, reg, lane, warp, block),
              shifted(at(operandLayout(alone, 1, 8, Shape{32, 64}), reg, lane, warp), 0, column));
        }
  }
}

//===----------------------------------------------------------------------------===//
// By multiplying
//===----------------------------------------------------------------------------===//

int valueOfA(uint64_t m, uint64_t k) { return static_cast<int>((m * 7 + k * 3 + m * k) % 15) - 7; }
int valueOfB(uint64_t k, uint64_t n) {
  return static_cast<int>((k * 5 + n * 11 + k * k * n) % 13) - 6;
}

/// The registers of one warp that are elements first, first + 1, ... of an operand's lanes.
Wave fragment(const LinearLayout &map, WmmaType type, uint64_t warp, uint64_t first, unsigned count,
              int (*value)(uint64_t, uint64_t)) {
  Wave wave;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned element = 0; element < count; ++element) {
      Coordinates c = at(map, first + element, lane, warp);
      setElement(wave, type, lane, element, value(c[0], c[1]));
    }
  return wave;
}

/// What one product is made with.
struct Product {
  unsigned version;
  WmmaType type;
  unsigned depth;
  unsigned kWidthA, kWidthB;
  bool transposed = false;
};

/// Multiplies an MxK by a KxN matrix with the instruction, every warp by itself from what it
/// holds. Whether all elements of the result that the warps then hold are right.
bool multiplies(const Product &p, const Arrangement &arrangement, int64_t k) {
  Wmma parent = wmma(p.version, arrangement.warps, arrangement.tiles, p.transposed);
  parent.instrShape = {16, 16, p.depth};
  EXPECT_EQ(verifyOperand(parent, 0, p.kWidthA).error(), "");
  EXPECT_EQ(verifyOperand(parent, 1, p.kWidthB).error(), "");
  int64_t m = arrangement.shape[0], n = arrangement.shape[1];
  LinearLayout a = operandLayout(parent, 0, p.kWidthA, Shape{m, k});
  LinearLayout b = operandLayout(parent, 1, p.kWidthB, Shape{k, n});
  LinearLayout c = toLinearLayout(parent, Shape{m, n});
  WmmaInstruction instruction(p.version == 1 ? 11 : 12, p.type, p.depth);
  unsigned elements = instruction.operandVgprs() * 32 / bitsOf(p.type);
  unsigned perTile = elements * static_cast<unsigned>(k) / p.depth;

  // The registers with all of K for the tile at `index` rows or columns.
  auto find = [&](const LinearLayout &map, unsigned dim, uint64_t warp, uint64_t index) {
    for (uint64_t first = 0; first < map.inSize(dims::Register); first += perTile)
      if (at(map, first, 0, warp)[dim] == index)
        return first;
    ADD_FAILURE() << "warp " << warp << " lacks an operand";
    return uint64_t(0);
  };
  for (uint64_t warp = 0; warp < c.inSize(dims::Warp); ++warp)
    for (uint64_t tile = 0; tile < c.inSize(dims::Register); tile += 8) {
      Coordinates origin = at(c, tile, 0, warp);
      uint64_t firstA = find(a, 0, warp, origin[0]), firstB = find(b, 1, warp, origin[1]);
      Wave sum;
      for (std::vector<uint32_t> &vgprs : sum)
        vgprs.resize(8, instruction.encodeResult(0));
      for (unsigned step = 0; step < perTile; step += elements) {
        Wave fragmentA = fragment(a, p.type, warp, firstA + step, elements, valueOfA);
        Wave fragmentB = fragment(b, p.type, warp, firstB + step, elements, valueOfB);
        // The transposed result is the product of the transposed operands in the other order.
        sum = p.transposed ? instruction(fragmentB, fragmentA, sum)
                           : instruction(fragmentA, fragmentB, sum);
      }
      for (uint64_t lane = 0; lane < 32; ++lane)
        for (uint64_t reg = 0; reg < 8; ++reg) {
          Coordinates where = at(c, tile + reg, lane, warp);
          int expected = 0;
          for (uint64_t i = 0; i < static_cast<uint64_t>(k); ++i)
            expected += valueOfA(where[0], i) * valueOfB(i, where[1]);
          if (instruction.decodeResult(sum[lane][reg]) != static_cast<float>(expected))
            return false;
        }
    }
  return true;
}

const Arrangement Products[] = {{{1, 1}, {1, 1}, {16, 16}},
                                {{2, 2}, {1, 1}, {64, 32}},
                                {{4, 1}, {1, 1}, {64, 16}},
                                {{1, 2}, {2, 2}, {64, 64}}};

TEST(AmdEncodings, Gfx11Multiplies) {
  for (const Arrangement &a : Products)
    for (WmmaType type : {WmmaType::F16, WmmaType::IU8, WmmaType::IU4})
      for (unsigned kWidth : {8u, 16u})
        for (bool transposed : {false, true})
          EXPECT_TRUE(multiplies({1, type, 16, kWidth, kWidth, transposed}, a, 32));
}

TEST(AmdEncodings, Gfx12Multiplies) {
  for (const Arrangement &a : Products)
    for (WmmaType type : {WmmaType::F16, WmmaType::IU8, WmmaType::IU4})
      for (unsigned kWidth : {4u, 8u, 16u})
        for (bool transposed : {false, true}) {
          EXPECT_TRUE(multiplies({2, type, 16, kWidth, kWidth, transposed}, a, 64));
          if (type == WmmaType::IU4) {
            EXPECT_TRUE(multiplies({2, type, 32, kWidth, kWidth, transposed}, a, 64));
          }
        }
}

TEST(AmdEncodings, Gfx12OperandsMustNumberSlotsOfKAlike) {
  EXPECT_FALSE(multiplies({2, WmmaType::F16, 16, 4, 8}, Products[0], 16));
  EXPECT_FALSE(multiplies({2, WmmaType::F16, 16, 8, 4}, Products[0], 16));
}

//===----------------------------------------------------------------------------===//
// Rotating shared memory
//===----------------------------------------------------------------------------===//

std::vector<Coordinates> inMemoryOrder(const RotatingShared &encoding, const Shape &shape) {
  LinearLayout map = toLinearLayout(encoding, shape);
  std::vector<Coordinates> result;
  for (uint64_t offset = 0; offset < map.inSize(dims::Offset); ++offset) {
    Coordinates c;
    for (layout::DimValue v : map.apply({{dims::Offset, offset}}))
      c.push_back(v.value);
    result.push_back(std::move(c));
  }
  return result;
}

TEST(AmdEncodings, RotatingSharedOf4x4) {
  RotatingShared encoding{1, 1, 2, {1, 0}};
  ASSERT_EQ(verify(encoding, 2).error(), "");
  std::vector<Coordinates> expected = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 0},
                                       {1, 3}, {1, 2}, {2, 1}, {2, 0}, {2, 3}, {2, 2},
                                       {3, 0}, {3, 1}, {3, 2}, {3, 3}};
  EXPECT_EQ(inMemoryOrder(encoding, {4, 4}), expected);
}

TEST(AmdEncodings, RotatingSharedByDefinition) {
  for (uint64_t vec : {1, 2, 8})
    for (uint64_t perPhase : {1, 2, 4})
      for (uint64_t maxPhase : {1, 2, 4, 8})
        for (const Counts &order : {Counts{1, 0}, Counts{0, 1}, Counts{2, 1, 0}, Counts{1, 2, 0}}) {
          size_t rank = order.size();
          Shape shape(rank, 2);
          shape[order[0]] = 16;
          shape[order[1]] = 32;
          RotatingShared encoding{static_cast<unsigned>(vec), static_cast<unsigned>(perPhase),
                                  static_cast<unsigned>(maxPhase), order};
          ASSERT_EQ(verify(encoding, static_cast<unsigned>(rank)).error(), "");
          std::vector<Coordinates> held = inMemoryOrder(encoding, shape);
          for (uint64_t offset = 0; offset < held.size(); ++offset) {
            uint64_t column = offset % 16, row = offset / 16 % 32;
            uint64_t phase = row / perPhase % maxPhase;
            uint64_t block = row / (perPhase * maxPhase) % maxPhase;
            Coordinates expected(rank);
            expected[order[0]] = (column ^ (vec * (phase ^ block))) % 16;
            expected[order[1]] = row;
            if (rank == 3)
              expected[order[2]] = offset / (16 * 32);
            ASSERT_EQ(held[offset], expected) << vec << " " << perPhase << " " << maxPhase;
          }
        }
}

TEST(AmdEncodings, RotatingSharedOfOneDimensionOrACluster) {
  EXPECT_EQ(toLinearLayout(RotatingShared{2, 1, 4, {0}}, Shape{8}).toString(),
            "{offset = [[1], [2], [4]], block = []} -> {dim0 = 8}");
  EXPECT_EQ(toLinearLayout(RotatingShared{1, 1, 2, {1, 0}, {{1, 0}}}, Shape{8, 2}).toString(),
            "{offset = [[0, 1], [1, 1], [2, 1]], block = [[4, 0]]} -> {dim0 = 8, dim1 = 2}");
}

//===----------------------------------------------------------------------------===//
// Wrong input
//===----------------------------------------------------------------------------===//

TEST(AmdEncodings, Verify) {
  auto message = [](auto change) {
    Wmma encoding = wmma(2, {2, 2});
    change(encoding);
    return verify(encoding).error();
  };
  EXPECT_EQ(message([](Wmma &) {}), "");
  EXPECT_EQ(message([](Wmma &e) { e.version = 4; }),
            "WMMA has the versions 1 (gfx11), 2 (gfx12) and 3 (gfx1250), not 4");
  EXPECT_EQ(message([](Wmma &e) { e.rank = 4; }), "a WMMA layout has 2 or 3 dimensions, not 4");
  EXPECT_EQ(message([](Wmma &e) { e.version = 1, e.instrShape = {16, 16, 32}; }),
            "instrShape of WMMA version 1 is [16, 16, 16], not [16, 16, 32]");
  EXPECT_EQ(message([](Wmma &e) { e.instrShape = {16, 16, 32}; }), "");
  EXPECT_EQ(message([](Wmma &e) { e.instrShape = {32, 16}; }),
            "instrShape of WMMA version 2 is [16, 16, 16] or [16, 16, 32], not [32, 16]");
  EXPECT_EQ(message([](Wmma &e) { e.rank = 3; }),
            "the basis [0, 1] of ctaLayout has 2 values, but there are 3 dimensions");
  EXPECT_EQ(message([](Wmma &e) { e.warps = {{0, 3}}; }),
            "the basis [0, 3] of ctaLayout has the value 3, which is not a power of two");
  EXPECT_EQ(message([](Wmma &e) { e.registers = {{1, 0}}; }),
            "ctaLayout has the basis [1, 0] twice");
  EXPECT_EQ(message([](Wmma &e) { e.warps = {{1, 1}}; }),
            "the basis [1, 1] of ctaLayout points along two dimensions");
  EXPECT_EQ(message([](Wmma &e) { e.warps = {{0, 2}}; }),
            "the bases of ctaLayout leave a gap in dimension 1");
  EXPECT_EQ(message([](Wmma &e) { e.warps = {{0, 0}, {0, 1}}; }), "");
  EXPECT_EQ(message([](Wmma &e) { e.registers.assign(17, {0, 0}); }),
            "ctaLayout has at most 16 bases");
  EXPECT_EQ(message([](Wmma &e) { e.cluster = {{2, 0}}; }), "the bases of the cluster leave a gap");
}

TEST(AmdEncodings, VerifyOperand) {
  EXPECT_EQ(verifyOperand(wmma(1, {1, 1}), 0, 16).error(), "");
  EXPECT_EQ(verifyOperand(wmma(1, {1, 1}), 0, 4).error(),
            "kWidth of an operand of WMMA version 1 is 8 or 16, not 4");
  EXPECT_EQ(verifyOperand(wmma(2, {1, 1}), 1, 0).error(),
            "kWidth of an operand of WMMA version 2 is 4, 8 or 16, not 0");
  EXPECT_EQ(verifyOperand(wmma(2, {1, 1}), 2, 8).error(), "opIdx is 0 (A) or 1 (B), not 2");
  EXPECT_EQ(verifyOperand(wmma(7, {1, 1}), 0, 8).error(),
            "WMMA has the versions 1 (gfx11), 2 (gfx12) and 3 (gfx1250), not 7");
}

TEST(AmdEncodings, VerifyRotatingShared) {
  EXPECT_EQ(verify(RotatingShared{3, 1, 1, {1, 0}}, 2).error(),
            "vec is 3, which is not a power of two");
  EXPECT_EQ(verify(RotatingShared{1, 1, 1, {1, 1}}, 2).error(),
            "order is not a permutation of the dimensions");
}

} // namespace
