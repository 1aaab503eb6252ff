//===- NvidiaMmaTest.cpp - Fragments of NVIDIA matrix units ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The maps of accumulators and operands against PTX ISA's formulas, with warps and
// repetitions by ordinary arithmetic, and by multiplying with them.
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/NvidiaMma.h"

#include "NvidiaFragments.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace tilewright;
using namespace tilewright::layout;
using namespace tilewright::layout::nvidia;

namespace {

using Shape = std::vector<int64_t>;
using Coordinates = std::vector<uint64_t>;

Coordinates at(const LinearLayout &map, uint64_t reg, uint64_t lane, uint64_t warp,
               uint64_t block = 0) {
  Coordinates result;
  for (DimValue v : map.apply(
           {{dims::Register, reg}, {dims::Lane, lane}, {dims::Warp, warp}, {dims::Block, block}}))
    result.push_back(v.value);
  return result;
}

Mma mmaSync(std::vector<unsigned> warps, ClusterBases cluster = {}) {
  std::vector<unsigned> shape(warps.size() - 2, 1);
  shape.insert(shape.end(), {16, 8});
  return {2, 0, warps, shape, cluster};
}

Mma wgmma(std::vector<unsigned> warps, unsigned n, unsigned k) {
  return {3, 0, warps, {16, n, k}, {}};
}

//===----------------------------------------------------------------------------===//
// One instruction: the tables
//===----------------------------------------------------------------------------===//

/// Every value of every lane of the three fragments.
void expectTable(const Atom &atom) {
  SCOPED_TRACE(atom.name);
  Mma mma = mmaSync({1, 1});
  ASSERT_EQ(verify(mma).error(), "");
  LinearLayout a = operandLayout(mma, 0, atom.kWidth, Shape{atom.m, atom.k});
  LinearLayout b = operandLayout(mma, 1, atom.kWidth, Shape{atom.k, atom.n});
  LinearLayout c = toLinearLayout(mma, Shape{atom.m, atom.n});
  for (unsigned t = 0; t < 32; ++t) {
    for (unsigned v = 0; v < atom.aValues; ++v) {
      auto [m, k] = atom.a(t, v);
      EXPECT_EQ(at(a, v, t, 0), (Coordinates{m, k})) << "A " << t << " " << v;
    }
    for (unsigned v = 0; v < atom.bValues; ++v) {
      auto [n, k] = atom.b(t, v);
      EXPECT_EQ(at(b, v, t, 0), (Coordinates{k, n})) << "B " << t << " " << v;
    }
    for (unsigned v = 0; v < atom.cValues; ++v) {
      auto [m, n] = atom.c(t, v);
      EXPECT_EQ(at(c, v, t, 0), (Coordinates{m, n})) << "C " << t << " " << v;
    }
  }
}

TEST(NvidiaMma, TablesOfMmaSync) {
  for (const Atom *atom : {&M16N8K16F16, &M16N8K8F16, &M16N8K8TF32, &M16N8K32I8, &M8N8K4F64})
    expectTable(*atom);
}

TEST(NvidiaMma, TableOfWgmma) {
  for (unsigned n : {8, 16, 64, 256}) {
    Mma mma = wgmma({4, 1}, n, 16);
    ASSERT_EQ(verify(mma).error(), "");
    LinearLayout c = toLinearLayout(mma, Shape{64, n});
    ASSERT_EQ(c.inSize(dims::Register), n / 2);
    for (unsigned t = 0; t < 128; ++t)
      for (unsigned v = 0; v < n / 2; ++v) {
        auto [row, col] = wgmmaAccumulator(t, v);
        ASSERT_EQ(at(c, v, t % 32, t / 32), (Coordinates{row, col}));
      }
  }
  // A in registers, 16 bits: the accumulator's formula with k for n.
  LinearLayout a = operandLayout(wgmma({4, 1}, 64, 16), 0, 2, Shape{64, 16});
  ASSERT_EQ(a.inSize(dims::Register), 8u);
  for (unsigned t = 0; t < 128; ++t)
    for (unsigned v = 0; v < 8; ++v) {
      auto [row, k] = wgmmaAccumulator(t, v);
      ASSERT_EQ(at(a, v, t % 32, t / 32), (Coordinates{row, k}));
    }
}

//===----------------------------------------------------------------------------===//
// Warps and repetitions, by arithmetic
//===----------------------------------------------------------------------------===//

/// The digits of a number, the first radix' lowest.
std::vector<unsigned> digits(uint64_t number, const std::vector<unsigned> &radices) {
  std::vector<unsigned> result;
  for (unsigned radix : radices) {
    result.push_back(static_cast<unsigned>(number % radix));
    number /= radix;
  }
  return result;
}

/// A rank-3 view of tensors: batch, rows, columns of the matrix, all at least 1.
struct Tiling {
  std::vector<unsigned> tile, warps, repetitions;
};

Tiling tilingOf(const Mma &mma, const Shape &shape, std::vector<unsigned> tile) {
  Tiling result{std::move(tile), mma.warpsPerCTA, {}};
  if (mma.rank() == 2)
    result.warps.insert(result.warps.begin(), 1);
  for (unsigned d = 0; d < 3; ++d) {
    bool batch = mma.rank() == 2 && d == 0;
    int64_t size = batch ? 1 : shape[d + mma.rank() - 3];
    unsigned covered = result.tile[d] * result.warps[d];
    result.repetitions.push_back(std::max<unsigned>(1, static_cast<unsigned>(size) / covered));
  }
  return result;
}

/// The element of value (inBatch 0, row, col) of the fragment in repetition `rep` and for
/// warp `warp` (both batch, row, col), wrapped into the tensor.
Coordinates elementOf(const Tiling &t, const std::vector<unsigned> &rep,
                      const std::vector<unsigned> &warp, unsigned row, unsigned col,
                      const Shape &shape) {
  unsigned within[] = {0, row, col};
  Coordinates result;
  for (size_t d = 3 - shape.size(); d < 3; ++d) {
    uint64_t place = within[d] + t.tile[d] * (warp[d] + t.warps[d] * uint64_t(rep[d]));
    result.push_back(place % static_cast<uint64_t>(shape[d - (3 - shape.size())]));
  }
  return result;
}

std::vector<unsigned> reversed(std::vector<unsigned> list) {
  std::reverse(list.begin(), list.end());
  return list;
}

/// The warp's (batch, row, col): columns count first, for wgmma rows.
std::vector<unsigned> warpPlace(const Mma &mma, const Tiling &t, unsigned warp) {
  if (mma.versionMajor == 2)
    return reversed(digits(warp, {t.warps[2], t.warps[1], t.warps[0]}));
  std::vector<unsigned> d = digits(warp, {t.warps[1], t.warps[2], t.warps[0]});
  return {d[2], d[0], d[1]};
}

void expectAccumulator(const Mma &mma, const Shape &shape) {
  ASSERT_EQ(verify(mma).error(), "");
  unsigned n = mma.versionMajor == 2 ? 8 : mma.instrShape[1];
  Tiling t = tilingOf(mma, shape, {1, 16, n});
  LinearLayout map = toLinearLayout(mma, shape);
  ASSERT_TRUE(map.isSurjective());
  unsigned values = 16 * n / 32;
  uint64_t registers = values * t.repetitions[0] * t.repetitions[1] * t.repetitions[2];
  ASSERT_EQ(map.inSize(dims::Register), registers) << map.toString();
  for (uint64_t warp = 0; warp < map.inSize(dims::Warp); ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (uint64_t reg = 0; reg < registers; ++reg) {
        std::vector<unsigned> rep =
            reversed(digits(reg / values, {t.repetitions[2], t.repetitions[1], t.repetitions[0]}));
        auto [row, col] = wgmmaAccumulator(lane, static_cast<unsigned>(reg % values));
        ASSERT_EQ(
            at(map, reg, lane, warp),
            elementOf(t, rep, warpPlace(mma, t, static_cast<unsigned>(warp)), row, col, shape))
            << map.toString();
      }
}

TEST(NvidiaMma, AccumulatorsOfManyWarpsAndRepetitions) {
  for (Shape shape : {Shape{64, 64}, Shape{16, 8}, Shape{8, 4}, Shape{128, 16}, Shape{1, 128}})
    for (std::vector<unsigned> warps :
         {std::vector<unsigned>{1, 1}, {4, 1}, {1, 4}, {2, 2}, {2, 4}})
      expectAccumulator(mmaSync(warps), shape);
  for (Shape shape : {Shape{4, 32, 32}, Shape{1, 16, 8}, Shape{2, 64, 4}})
    for (std::vector<unsigned> warps :
         {std::vector<unsigned>{1, 1, 1}, {2, 2, 1}, {1, 2, 2}, {4, 1, 2}})
      expectAccumulator(mmaSync(warps), shape);
  for (Shape shape : {Shape{128, 128}, Shape{64, 16}, Shape{256, 64}})
    for (std::vector<unsigned> warps : {std::vector<unsigned>{4, 1}, {8, 1}, {4, 2}})
      for (unsigned n : {8, 32, 128})
        expectAccumulator(wgmma(warps, n, 16), shape);
  for (Shape shape : {Shape{4, 64, 32}, Shape{1, 128, 64}})
    for (std::vector<unsigned> warps : {std::vector<unsigned>{4, 1, 1}, {1, 4, 1}, {2, 2, 2}})
      expectAccumulator(wgmma(warps, 32, 16), shape);
}

/// An operand by arithmetic: `width` elements along K, 4 lanes, 8 lanes along the other
/// dimension; registers then along that dimension, along K, and repetitions, K first.
void expectOperand(const Mma &mma, unsigned opIdx, unsigned width, const Shape &shape) {
  ASSERT_EQ(verifyOperand(mma, opIdx, width).error(), "");
  unsigned other = opIdx == 0 ? 16 : 8, k = 8 * width;
  std::vector<unsigned> tile = {1, opIdx == 0 ? other : k, opIdx == 0 ? k : other};
  Mma oneAlongK = mma;
  oneAlongK.warpsPerCTA[mma.rank() - 1 - opIdx] = 1;
  Tiling t = tilingOf(oneAlongK, shape, tile), all = tilingOf(mma, shape, tile);
  LinearLayout map = operandLayout(mma, opIdx, width, shape);
  ASSERT_TRUE(map.isSurjective());
  unsigned values = other * k / 32;
  uint64_t registers = values * t.repetitions[0] * t.repetitions[1] * t.repetitions[2];
  ASSERT_EQ(map.inSize(dims::Register), registers) << map.toString();
  unsigned kDim = opIdx == 0 ? 2 : 1, otherDim = 3 - kDim;
  for (uint64_t warp = 0; warp < map.inSize(dims::Warp); ++warp)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (uint64_t reg = 0; reg < registers; ++reg) {
        std::vector<unsigned> value = digits(reg, {width, other / 8, 2});
        unsigned inK = value[0] + width * (lane % 4 + 4 * value[2]);
        unsigned inOther = lane / 4 + 8 * value[1];
        std::vector<unsigned> d =
            digits(reg / values, {t.repetitions[kDim], t.repetitions[otherDim], t.repetitions[0]});
        std::vector<unsigned> rep(3);
        rep[kDim] = d[0];
        rep[otherDim] = d[1];
        rep[0] = d[2];
        std::vector<unsigned> place = warpPlace(mma, all, static_cast<unsigned>(warp));
        place[kDim] = 0;
        ASSERT_EQ(at(map, reg, lane, warp), elementOf(t, rep, place, opIdx == 0 ? inOther : inK,
                                                      opIdx == 0 ? inK : inOther, shape))
            << map.toString();
      }
}

TEST(NvidiaMma, OperandsOfManyWarpsAndRepetitions) {
  for (unsigned width : {1, 2, 4, 8})
    for (Shape shape : {Shape{64, 64}, Shape{16, 16}, Shape{8, 128}, Shape{128, 4}})
      for (std::vector<unsigned> warps : {std::vector<unsigned>{1, 1}, {4, 1}, {1, 4}, {2, 2}}) {
        expectOperand(mmaSync(warps), 0, width, shape);
        expectOperand(mmaSync(warps), 1, width, shape);
        expectOperand(wgmma({4, warps[1]}, 64, 8 * width), 0, width, shape);
      }
  for (unsigned width : {1, 2, 4})
    for (std::vector<unsigned> warps : {std::vector<unsigned>{2, 2, 1}, {1, 2, 2}, {4, 1, 1}})
      for (Shape shape : {Shape{4, 32, 32}, Shape{1, 16, 64}}) {
        expectOperand(mmaSync(warps), 0, width, shape);
        expectOperand(mmaSync(warps), 1, width, shape);
        expectOperand(wgmma(warps, 64, 8 * width), 0, width, shape);
      }
}

TEST(NvidiaMma, BlocksOfAClusterDivideTheResult) {
  Mma mma = mmaSync({4, 1}, {{1, 0}, {0, 1}});
  ASSERT_EQ(verify(mma).error(), "");
  LinearLayout c = toLinearLayout(mma, Shape{128, 64});
  EXPECT_EQ(at(c, 0, 0, 0, 1), (Coordinates{64, 0}));
  EXPECT_EQ(at(c, 0, 0, 0, 2), (Coordinates{0, 32}));
  EXPECT_EQ(c.inSize(dims::Register), 128u * 64 / 4 / 128);
  // Blocks side by side share A's rows, those one above the other B's columns.
  LinearLayout a = operandLayout(mma, 0, 2, Shape{128, 32});
  EXPECT_EQ(at(a, 0, 0, 0, 1), (Coordinates{64, 0}));
  EXPECT_EQ(at(a, 0, 0, 0, 2), (Coordinates{0, 0}));
  LinearLayout b = operandLayout(mma, 1, 2, Shape{32, 64});
  EXPECT_EQ(at(b, 0, 0, 0, 1), (Coordinates{0, 0}));
  EXPECT_EQ(at(b, 0, 0, 0, 2), (Coordinates{0, 32}));
}

//===----------------------------------------------------------------------------===//
// By multiplying
//===----------------------------------------------------------------------------===//

struct Matrix {
  size_t rows, cols;
  std::vector<int64_t> values;

  Matrix(size_t rows, size_t cols) : rows(rows), cols(cols), values(rows * cols, 0) {}
  int64_t &operator()(size_t r, size_t c) { return values[r * cols + c]; }
  int64_t operator()(size_t r, size_t c) const { return values[r * cols + c]; }
  Shape shape() const { return {static_cast<int64_t>(rows), static_cast<int64_t>(cols)}; }
};

Matrix randomMatrix(size_t rows, size_t cols, unsigned seed) {
  std::mt19937 generator(seed);
  Matrix result(rows, cols);
  for (int64_t &value : result.values)
    value = static_cast<int64_t>(generator() % 64) - 32;
  return result;
}

Matrix product(const Matrix &a, const Matrix &b) {
  Matrix c(a.rows, b.cols);
  for (size_t m = 0; m < a.rows; ++m)
    for (size_t n = 0; n < b.cols; ++n)
      for (size_t k = 0; k < a.cols; ++k)
        c(m, n) += a(m, k) * b(k, n);
  return c;
}

/// The registers of all lanes of a warp: [lane][register].
using Registers = std::vector<std::vector<int64_t>>;

Registers spread(const Matrix &matrix, const LinearLayout &map, uint64_t warp) {
  Registers result(32);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (uint64_t reg = 0; reg < map.inSize(dims::Register); ++reg) {
      Coordinates place = at(map, reg, lane, warp);
      result[lane].push_back(matrix(place[0], place[1]));
    }
  return result;
}

/// What one mma.sync does: fragments in, accumulator updated. `a`, `b` and `c` give the
/// register of value v.
template <typename A, typename B, typename C>
void execute(const Atom &atom, const Registers &aRegs, const Registers &bRegs, Registers &cRegs,
             A a, B b, C c) {
  Matrix left(atom.m, atom.k), right(atom.n, atom.k);
  for (unsigned t = 0; t < 32; ++t) {
    for (unsigned v = 0; v < atom.aValues; ++v)
      left(atom.a(t, v)[0], atom.a(t, v)[1]) = aRegs[t][a(v)];
    for (unsigned v = 0; v < atom.bValues; ++v)
      right(atom.b(t, v)[0], atom.b(t, v)[1]) = bRegs[t][b(v)];
  }
  for (unsigned t = 0; t < 32; ++t)
    for (unsigned v = 0; v < atom.cValues; ++v) {
      auto [m, n] = atom.c(t, v);
      for (unsigned k = 0; k < atom.k; ++k)
        cRegs[t][c(v)] += left(m, k) * right(n, k);
    }
}

struct Problem {
  unsigned m, n, k;
  std::vector<unsigned> warps;
};

/// Multiplies with the fragments of `mma` and compares. `tile(A, B, C registers, first register
/// of A's tile, of B's, of C's)` does one tile of the encoding with the atom.
template <typename Tile>
void multiply(const Mma &mma, unsigned kWidth, const Problem &p, const Tile &tile) {
  Matrix a = randomMatrix(p.m, p.k, 1), b = randomMatrix(p.k, p.n, 2), c(p.m, p.n);
  Matrix expected = product(a, b);
  LinearLayout aMap = operandLayout(mma, 0, kWidth, a.shape());
  LinearLayout bMap = operandLayout(mma, 1, kWidth, b.shape());
  LinearLayout cMap = toLinearLayout(mma, c.shape());
  // Tiles of a warp: along K as often as A has it, along N as often as the result.
  size_t tileK = 8 * kWidth, aSize = 16 * tileK / 32, bSize = 8 * tileK / 32;
  size_t along[] = {std::max<size_t>(1, p.m / (16 * p.warps[0])),
                    std::max<size_t>(1, p.n / (8 * p.warps[1])), p.k / tileK};
  for (uint64_t warp = 0; warp < cMap.inSize(dims::Warp); ++warp) {
    Registers aRegs = spread(a, aMap, warp), bRegs = spread(b, bMap, warp);
    Registers cRegs = spread(c, cMap, warp);
    ASSERT_EQ(aRegs[0].size(), along[0] * along[2] * aSize);
    ASSERT_EQ(bRegs[0].size(), along[1] * along[2] * bSize);
    ASSERT_EQ(cRegs[0].size(), along[0] * along[1] * 4);
    for (size_t m = 0; m < along[0]; ++m)
      for (size_t n = 0; n < along[1]; ++n)
        for (size_t k = 0; k < along[2]; ++k)
          tile(aRegs, bRegs, cRegs, (m * along[2] + k) * aSize, (n * along[2] + k) * bSize,
               (m * along[1] + n) * 4);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (uint64_t reg = 0; reg < cRegs[0].size(); ++reg) {
        Coordinates place = at(cMap, reg, lane, warp);
        ASSERT_EQ(cRegs[lane][reg], expected(place[0], place[1]))
            << "warp " << warp << " lane " << lane << " register " << reg;
      }
  }
}

const Problem Problems[] = {{16, 8, 32, {1, 1}},  {64, 32, 64, {2, 2}}, {128, 16, 32, {4, 1}},
                            {32, 64, 64, {1, 4}}, {64, 64, 32, {4, 2}}, {16, 8, 64, {2, 2}},
                            {32, 128, 32, {2, 1}}};

/// Encodings whose tile is one instruction.
void expectProducts(const Atom &atom) {
  SCOPED_TRACE(atom.name);
  for (const Problem &p : Problems)
    multiply(mmaSync(p.warps), atom.kWidth, p,
             [&](const Registers &a, const Registers &b, Registers &c, size_t aFirst, size_t bFirst,
                 size_t cFirst) {
               execute(
                   atom, a, b, c, [&](unsigned v) { return aFirst + v; },
                   [&](unsigned v) { return bFirst + v; }, [&](unsigned v) { return cFirst + v; });
             });
}

TEST(NvidiaMma, ProductsOfMmaSync) {
  expectProducts(M16N8K16F16);
  expectProducts(M16N8K8TF32);
  expectProducts(M16N8K32I8);
}

// Operands with the kWidth of a narrower element have K in another order, the same for both
// sides; the instructions of a tile take turns with the pieces of a lane.
TEST(NvidiaMma, ProductsOfWidenedOperands) {
  for (unsigned pieces : {2, 4})
    for (const Problem &p : Problems) {
      if (p.k < 16 * pieces)
        continue;
      unsigned width = 2 * pieces;
      multiply(mmaSync(p.warps), width, p,
               [&](const Registers &a, const Registers &b, Registers &c, size_t aFirst,
                   size_t bFirst, size_t cFirst) {
                 for (unsigned piece = 0; piece < pieces; ++piece)
                   execute(
                       M16N8K16F16, a, b, c,
                       [&](unsigned v) { return aFirst + v % 2 + 2 * piece + width * (v / 2); },
                       [&](unsigned v) { return bFirst + v % 2 + 2 * piece + width * (v / 2); },
                       [&](unsigned v) { return cFirst + v; });
               });
    }
}

// A tile of the encoding is 16 x 8 x 8: m8n8k4 does it in two halves of rows and two of K.
TEST(NvidiaMma, ProductsOfDoubles) {
  for (const Problem &p : Problems)
    multiply(mmaSync(p.warps), 1, p,
             [&](const Registers &a, const Registers &b, Registers &c, size_t aFirst, size_t bFirst,
                 size_t cFirst) {
               for (unsigned rows = 0; rows < 2; ++rows)
                 for (unsigned k = 0; k < 2; ++k)
                   execute(
                       M8N8K4F64, a, b, c, [&](unsigned) { return aFirst + rows + 2 * k; },
                       [&](unsigned) { return bFirst + k; },
                       [&](unsigned v) { return cFirst + 2 * rows + v; });
             });
}

TEST(NvidiaMma, ProductsOfWgmmaWithAInRegisters) {
  for (unsigned kWidth : {1, 2, 4})
    for (std::vector<unsigned> warps : {std::vector<unsigned>{4, 1}, {8, 1}, {4, 2}}) {
      unsigned instrN = 32, instrK = 8 * kWidth;
      Mma mma = wgmma(warps, instrN, instrK);
      Matrix a = randomMatrix(256, 64, 3), b = randomMatrix(64, 128, 4), c(256, 128);
      Matrix expected = product(a, b);
      LinearLayout aMap = operandLayout(mma, 0, kWidth, a.shape());
      LinearLayout cMap = toLinearLayout(mma, c.shape());
      const Atom &atom = kWidth == 1 ? M16N8K8TF32 : kWidth == 2 ? M16N8K16F16 : M16N8K32I8;
      unsigned repM = 256 / (16 * warps[0]), repN = 128 / (instrN * warps[1]), repK = 64 / instrK;
      std::vector<Registers> aRegs, cRegs;
      for (uint64_t warp = 0; warp < cMap.inSize(dims::Warp); ++warp) {
        aRegs.push_back(spread(a, aMap, warp));
        cRegs.push_back(spread(c, cMap, warp));
      }
      for (size_t group = 0; group < aRegs.size(); group += 4)
        for (unsigned rm = 0; rm < repM; ++rm)
          for (unsigned rn = 0; rn < repN; ++rn)
            for (unsigned rk = 0; rk < repK; ++rk) {
              // A warpgroup's instruction: A gathered from its registers, the rows of warp i
              // being 16 i and further; B from the matrix in memory.
              Matrix left(64, instrK);
              for (unsigned t = 0; t < 128; ++t)
                for (unsigned v = 0; v < atom.aValues; ++v) {
                  auto [row, k] = atom.a(t % 32, v);
                  left(16 * (t / 32) + row, k) =
                      aRegs[group + t / 32][t % 32][(rm * repK + rk) * atom.aValues + v];
                }
              size_t warpN = group / warps[0];
              size_t firstN = (rn * warps[1] + warpN) * instrN;
              for (unsigned t = 0; t < 128; ++t)
                for (unsigned v = 0; v < instrN / 2; ++v) {
                  auto [row, col] = wgmmaAccumulator(t, v);
                  int64_t &sum = cRegs[group + t / 32][t % 32][(rm * repN + rn) * (instrN / 2) + v];
                  for (unsigned k = 0; k < instrK; ++k)
                    sum += left(row, k) * b(rk * instrK + k, firstN + col);
                }
            }
      for (uint64_t warp = 0; warp < cMap.inSize(dims::Warp); ++warp)
        for (unsigned lane = 0; lane < 32; ++lane)
          for (uint64_t reg = 0; reg < cMap.inSize(dims::Register); ++reg) {
            Coordinates place = at(cMap, reg, lane, warp);
            ASSERT_EQ(cRegs[warp][lane][reg], expected(place[0], place[1]));
          }
    }
}

//===----------------------------------------------------------------------------===//
// Bad input
//===----------------------------------------------------------------------------===//

TEST(NvidiaMma, WrongParametersHaveErrors) {
  EXPECT_EQ(verify(Mma{1, 0, {4, 1}, {16, 16}}).error(),
            "versionMajor is 1, but layouts of registers are those of 2 (mma.sync) and 3 (wgmma)");
  EXPECT_EQ(verify(Mma{5, 0, {4, 1}, {128, 64}}).error(),
            "versionMajor is 5, but layouts of registers are those of 2 (mma.sync) and 3 (wgmma)");
  EXPECT_EQ(verify(Mma{2, 0, {4}, {8}}).error(),
            "warpsPerCTA has 1 entries, but the result of a matrix product has 2 or 3 dimensions");
  EXPECT_EQ(verify(Mma{2, 0, {}, {}}).error(),
            "warpsPerCTA has 0 entries, but the result of a matrix product has 2 or 3 dimensions");
  EXPECT_EQ(verify(Mma{2, 0, {4, 1}, {16, 16}}).error(),
            "instrShape is [16, 16], but of mma.sync it is [16, 8]");
  EXPECT_EQ(verify(Mma{2, 0, {1, 4, 1}, {16, 8}}).error(),
            "instrShape is [16, 8], but of mma.sync it is [1, 16, 8]");
  EXPECT_EQ(verify(Mma{3, 0, {4, 1}, {16, 64}}).error(),
            "instrShape is [16, 64], but of wgmma it is [16, N, K]");
  EXPECT_EQ(verify(Mma{3, 0, {4, 1}, {64, 64, 16}}).error(),
            "instrShape is [64, 64, 16], but of wgmma it is [16, N, K]");
  EXPECT_EQ(verify(wgmma({4, 1}, 24, 16)).error(),
            "N in instrShape is 24, but it is a power of two from 8 to 256");
  EXPECT_EQ(verify(wgmma({4, 1}, 512, 16)).error(),
            "N in instrShape is 512, but it is a power of two from 8 to 256");
  EXPECT_EQ(verify(wgmma({4, 1}, 64, 4)).error(),
            "K in instrShape is 4, but it is a power of two from 8 to 256");
  EXPECT_EQ(verify(mmaSync({3, 1})).error(),
            "warpsPerCTA has the entry 3, which is not a power of two");
  EXPECT_EQ(verify(mmaSync({1u << 20, 1})).error(), "warpsPerCTA is too large");
  EXPECT_EQ(verify(mmaSync({4, 1}, {{2, 0}})).error(), "the bases of the cluster leave a gap");
  EXPECT_EQ(verifyOperand(mmaSync({4, 1}), 2, 2).error(),
            "opIdx is 2, but a product has operands 0 and 1");
  EXPECT_EQ(verifyOperand(wgmma({4, 1}, 64, 16), 1, 2).error(),
            "wgmma reads operand 1 from shared memory, so there is no layout of registers for it");
  EXPECT_EQ(verifyOperand(mmaSync({4, 1}), 0, 0).error(),
            "kWidth is 0, but it is a power of two from 1 to 32");
  EXPECT_EQ(verifyOperand(mmaSync({4, 1}), 0, 3).error(),
            "kWidth is 3, but it is a power of two from 1 to 32");
  EXPECT_EQ(verifyOperand(mmaSync({4, 1}), 0, 64).error(),
            "kWidth is 64, but it is a power of two from 1 to 32");
}

} // namespace
