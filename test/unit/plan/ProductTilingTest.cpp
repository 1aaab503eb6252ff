//===- ProductTilingTest.cpp - Tilings of products against brute force --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tiling is run: every lane of every warp has the elements that the layouts give it, each step is
// the small product that the atom's maps describe, and in the end each lane must have the elements
// of A * B + C that the layout of the result gives it.
//
//===--------------------------------------------------------------------------===//

#include "plan/matrix/ProductTiling.h"

#include "layout/encoding/AmdWmma.h"
#include "layout/encoding/IntelDpas.h"
#include "layout/encoding/NvidiaMma.h"
#include "target/AmdAtoms.h"
#include "target/IntelAtoms.h"
#include "target/NvidiaAtoms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace tilewright;
using namespace tilewright::plan;
using layout::nvidia::Mma;
namespace dims = tilewright::layout::dims;

namespace {

/// M, N and K, and the batch, or 0 for none.
struct Shape {
  int64_t m, n, k, batch = 0;
};

unsigned lanesOf(const LinearLayout &map) { return map.inSize(dims::Lane); }

const MmaAtom &atomOf(std::string_view name) {
  for (const MmaAtom &atom : target::nvidia::sm90Products())
    if (atom.name == name)
      return atom;
  throw std::runtime_error("no atom " + std::string(name));
}

std::vector<int64_t> withBatch(const Shape &shape, int64_t rows, int64_t columns) {
  std::vector<int64_t> sizes = {rows, columns};
  if (shape.batch)
    sizes.insert(sizes.begin(), shape.batch);
  return sizes;
}

ProductLayouts layoutsOf(const Shape &shape, std::vector<unsigned> warps, unsigned kWidth) {
  Mma mma = {2, 0, std::move(warps), {16, 8}};
  if (shape.batch)
    mma.instrShape.insert(mma.instrShape.begin(), 1);
  return {operandLayout(mma, 0, kWidth, withBatch(shape, shape.m, shape.k)),
          operandLayout(mma, 1, kWidth, withBatch(shape, shape.k, shape.n)),
          toLinearLayout(mma, withBatch(shape, shape.m, shape.n))};
}

/// The elements of a tensor, the last dimension fastest, as a layout distributes them.
class Distributed {
public:
  Distributed(const LinearLayout &layout, const std::vector<int> &elements) : layout(layout) {
    for (unsigned warp = 0; warp < layout.inSize(dims::Warp); ++warp)
      for (unsigned lane = 0; lane < lanesOf(layout); ++lane)
        for (unsigned reg = 0; reg < registers(); ++reg)
          values.push_back(elements[elementAt(warp, lane, reg)]);
  }

  unsigned registers() const { return static_cast<unsigned>(layout.inSize(dims::Register)); }
  int &at(unsigned warp, unsigned lane, unsigned reg) {
    return values[(warp * lanesOf(layout) + lane) * registers() + reg];
  }
  size_t elementAt(unsigned warp, unsigned lane, unsigned reg) const {
    size_t at = 0;
    for (auto [dim, value] :
         layout.apply({{dims::Register, reg}, {dims::Lane, lane}, {dims::Warp, warp}}))
      at = at * layout.outSize(dim) + value;
    return at;
  }

private:
  LinearLayout layout;
  std::vector<int> values;
};

/// The element of an atom's operand that register `reg` of a lane holds.
std::pair<unsigned, unsigned> placeOf(const LinearLayout &map, unsigned lane, unsigned reg) {
  const uint64_t at = map.applyFlat(uint64_t(reg) << map.inShift(dims::Register) |
                                    uint64_t(lane) << map.inShift(dims::Lane));
  return {map.outValue(at, dims::Dim0), map.outValue(at, dims::Dim1)};
}

/// One instruction of one warp.
void multiply(const MmaAtom &atom, const ProductTiling &tiling, const ProductTiling::Step &step,
              unsigned warp, Distributed &a, Distributed &b, Distributed &sum) {
  using Fragment = ProductTiling::Fragment;
  std::vector<std::vector<int>> left(atom.m, std::vector<int>(atom.k)),
      right(atom.k, std::vector<int>(atom.n));
  auto forEach = [&](const LinearLayout &map, const Fragment &fragment, auto visit) {
    ASSERT_EQ(fragment.size(), map.inSize(dims::Register));
    for (unsigned lane = 0; lane < lanesOf(map); ++lane)
      for (unsigned reg = 0; reg < fragment.size(); ++reg) {
        auto [row, column] = placeOf(map, lane, reg);
        visit(lane, fragment[reg], row, column);
      }
  };
  forEach(atom.aOperand.map, tiling.a[step.a],
          [&](unsigned lane, unsigned reg, unsigned m, unsigned k) {
            left[m][k] = a.at(warp, lane, reg);
          });
  forEach(atom.bOperand.map, tiling.b[step.b],
          [&](unsigned lane, unsigned reg, unsigned k, unsigned n) {
            right[k][n] = b.at(warp, lane, reg);
          });
  // All sums before any is written: a register may hold several of them, which are equal.
  std::vector<std::pair<int *, int>> results;
  forEach(atom.accumulatorOperand.map, tiling.accumulators[step.accumulator],
          [&](unsigned lane, unsigned reg, unsigned m, unsigned n) {
            int value = sum.at(warp, lane, reg);
            for (unsigned k = 0; k < atom.k; ++k)
              value += left[m][k] * right[k][n];
            results.emplace_back(&sum.at(warp, lane, reg), value);
          });
  for (auto [place, value] : results)
    *place = value;
}

std::vector<int> randomElements(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<int> elements(count);
  for (int &element : elements)
    element = static_cast<int>(generator() % 19) - 9;
  return elements;
}

void expectProduct(const MmaAtom &atom, const Shape &shape, const ProductLayouts &layouts) {
  const unsigned numWarps = static_cast<unsigned>(layouts.result.inSize(dims::Warp));
  const std::optional<ProductTiling> tiling = tileProduct(layouts, atom);
  ASSERT_TRUE(tiling);

  const int64_t batches = std::max<int64_t>(1, shape.batch);
  const auto [m, n, k, batch] = shape;
  const std::vector<int> a = randomElements(batches * m * k, 1),
                         b = randomElements(batches * k * n, 2),
                         c = randomElements(batches * m * n, 3);
  Distributed ofA(layouts.a, a), ofB(layouts.b, b), sum(layouts.result, c);
  for (unsigned warp = 0; warp < numWarps; ++warp)
    for (const ProductTiling::Step &step : tiling->steps)
      multiply(atom, *tiling, step, warp, ofA, ofB, sum);

  std::vector<int> expected = c;
  for (int64_t z = 0; z < batches; ++z)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        for (int64_t l = 0; l < k; ++l)
          expected[(z * m + i) * n + j] += a[(z * m + i) * k + l] * b[(z * k + l) * n + j];
  std::vector<bool> summed(sum.registers());
  for (const ProductTiling::Fragment &fragment : tiling->accumulators)
    for (unsigned reg : fragment)
      summed[reg] = true;
  for (unsigned warp = 0; warp < numWarps; ++warp)
    for (unsigned lane = 0; lane < lanesOf(layouts.result); ++lane)
      for (unsigned reg = 0; reg < sum.registers(); ++reg)
        if (summed[reg]) {
          ASSERT_EQ(sum.at(warp, lane, reg), expected[sum.elementAt(warp, lane, reg)])
              << "warp " << warp << ", lane " << lane << ", register " << reg;
        }
  // What no step sums is a copy of what one does.
  const LinearLayout copies = layouts.result.removeZeroBasesAlong(dims::Register);
  EXPECT_EQ(std::count(summed.begin(), summed.end(), true), copies.inSize(dims::Register));
}

void expectProduct(const MmaAtom &atom, const Shape &shape, std::vector<unsigned> warps,
                   unsigned kWidth) {
  SCOPED_TRACE(atom.name + " for " + std::to_string(shape.batch) + "x" + std::to_string(shape.m) +
               "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k) + ", kWidth " +
               std::to_string(kWidth) + ", " + std::to_string(warps.back()) + " warps along N");
  expectProduct(atom, shape, layoutsOf(shape, std::move(warps), kWidth));
}

/// The same with WMMA's tiles, as they are or transposed: the product of the transposed matrices is
/// then what the instructions compute.
void expectWmma(const MmaAtom &atom, unsigned version, const Shape &shape,
                std::vector<unsigned> warps, unsigned kWidth, bool isTransposed) {
  SCOPED_TRACE(atom.name + " of version " + std::to_string(version) + " for " +
               std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" +
               std::to_string(shape.k) + ", kWidth " + std::to_string(kWidth) +
               (isTransposed ? ", transposed" : ""));
  layout::amd::Wmma wmma;
  wmma.version = version;
  wmma.isTranspose = isTransposed;
  wmma.instrShape = {atom.m, atom.n, atom.k};
  wmma.rank = static_cast<unsigned>(warps.size());
  wmma.warps = layout::amd::tileBases(warps);
  const ProductLayouts layouts = {
      operandLayout(wmma, 0, kWidth, withBatch(shape, shape.m, shape.k)),
      operandLayout(wmma, 1, kWidth, withBatch(shape, shape.k, shape.n)),
      toLinearLayout(wmma, withBatch(shape, shape.m, shape.n))};
  EXPECT_EQ(tileProduct(layouts, atom).has_value(), !isTransposed);
  EXPECT_EQ(tileProduct(transpose(layouts), atom).has_value(), isTransposed);
  if (isTransposed)
    expectProduct(atom, {shape.n, shape.m, shape.k, shape.batch}, transpose(layouts));
  else
    expectProduct(atom, shape, layouts);
}

TEST(ProductTiling, AtomsOfAWave) {
  for (unsigned version : {1, 2})
    for (const MmaAtom &atom :
         version == 1 ? target::amd::rdna3Products() : target::amd::rdna4Products())
      for (bool isTransposed : {false, true}) {
        const unsigned kWidth = version == 1 ? 16 : atom.k / 2;
        expectWmma(atom, version, {64, 32, 64}, {1, 1}, kWidth, isTransposed);
        expectWmma(atom, version, {32, 64, 32}, {2, 4}, 16, isTransposed);
        expectWmma(atom, version, {32, 16, 32, 4}, {2, 2, 1}, kWidth, isTransposed);
      }
}

/// The same with DPAS's tiles, of which a sub-group does `cluster` side by side.
void expectDpas(const MmaAtom &atom, const Shape &shape, std::vector<unsigned> warps,
                std::vector<unsigned> cluster) {
  SCOPED_TRACE(atom.name + " for " + std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" +
               std::to_string(shape.k) + ", " + std::to_string(warps.back()) + " warps along N");
  layout::intel::Dpas dpas;
  dpas.repeatCount = atom.m;
  dpas.opsPerChan = 32 / target::bitsOf(atom.b);
  dpas.warpsPerCTA = std::move(warps);
  dpas.repCluster = std::move(cluster);
  ASSERT_TRUE(layout::intel::verify(dpas));
  auto operand = [&](unsigned index, int64_t rows, int64_t columns) {
    return operandLayout(dpas, index, operandKWidth(dpas, index), withBatch(shape, rows, columns));
  };
  expectProduct(atom, shape,
                {operand(0, shape.m, shape.k), operand(1, shape.k, shape.n),
                 toLinearLayout(dpas, withBatch(shape, shape.m, shape.n))});
}

TEST(ProductTiling, AtomsOfASubGroup) {
  for (const MmaAtom &atom : target::intel::xeHpcProducts()) {
    expectDpas(atom, {64, 64, 64}, {1, 1}, {4, 2});
    expectDpas(atom, {32, 64, 32}, {2, 2}, {1, 1});
    expectDpas(atom, {16, 32, 32, 4}, {2, 2, 1}, {1, 2, 1});
    // Fewer rows and columns than a cluster of them has.
    expectDpas(atom, {4, 8, 32}, {1, 2}, {2, 2});
  }
}

/// Each atom of a warp, with elements as many to a register as there are, and twice as many.
TEST(ProductTiling, AtomsOfAWarp) {
  for (const MmaAtom &atom : target::nvidia::sm90Products()) {
    if (atom.issuer != target::Issuer::Warp)
      continue;
    const unsigned kWidth = std::max(1u, 32 / target::bitsOf(atom.a));
    expectProduct(atom, {64, 32, 64}, {1, 1}, kWidth);
    expectProduct(atom, {64, 64, 64}, {2, 4}, kWidth);
    expectProduct(atom, {64, 64, 64}, {4, 1}, 2 * kWidth);
  }
}

TEST(ProductTiling, MoreWarpsThanTiles) {
  expectProduct(atomOf("mma.m16n8k16.f32.f16.f16"), {16, 8, 16}, {2, 4}, 2);
  expectProduct(atomOf("mma.m16n8k32.s32.s8.s8"), {32, 16, 32}, {4, 4}, 4);
}

TEST(ProductTiling, TensorsSmallerThanTheAtom) {
  for (int64_t m : {1, 2, 4, 8, 16})
    for (int64_t n : {1, 2, 4, 8})
      for (unsigned kWidth : {2, 4})
        expectProduct(atomOf("mma.m16n8k16.f32.f16.f16"), {m, n, 32}, {2, 1}, kWidth);
  expectProduct(atomOf("mma.m16n8k8.f32.f16.f16"), {16, 8, 8}, {1, 1}, 2);
  expectProduct(atomOf("mma.m8n8k4.f64.f64.f64"), {8, 8, 4}, {1, 1}, 1);
}

TEST(ProductTiling, Batches) {
  expectProduct(atomOf("mma.m16n8k16.f32.bf16.bf16"), {32, 16, 32, 4}, {1, 1, 1}, 2);
  expectProduct(atomOf("mma.m16n8k16.f32.bf16.bf16"), {32, 16, 32, 4}, {2, 2, 1}, 2);
  expectProduct(atomOf("mma.m16n8k8.f32.tf32.tf32"), {16, 16, 16, 2}, {4, 1, 1}, 1);
}

/// Fewer elements along K than the atom adds up: the others would be added twice.
TEST(ProductTiling, TooLittleAlongK) {
  EXPECT_FALSE(tileProduct(layoutsOf({16, 8, 8}, {1, 1}, 2), atomOf("mma.m16n8k16.f32.f16.f16")));
  EXPECT_FALSE(tileProduct(layoutsOf({16, 8, 4}, {1, 1}, 2), atomOf("mma.m16n8k8.f32.f16.f16")));
}

/// Operands whose K is in different orders, or that other warps hold.
TEST(ProductTiling, OperandsThatDoNotMatch) {
  const MmaAtom &atom = atomOf("mma.m16n8k16.f32.f16.f16");
  const Shape shape = {32, 32, 32};
  ProductLayouts layouts = layoutsOf(shape, {2, 2}, 2);
  ASSERT_TRUE(tileProduct(layouts, atom));
  layouts.b = layoutsOf(shape, {2, 2}, 4).b;
  EXPECT_FALSE(tileProduct(layouts, atom));
  layouts.b = layoutsOf(shape, {4, 1}, 2).b;
  EXPECT_FALSE(tileProduct(layouts, atom));
  layouts.b = layoutsOf(shape, {2, 2}, 2).b;
  layouts.a = layoutsOf(shape, {1, 4}, 2).a;
  EXPECT_FALSE(tileProduct(layouts, atom));
}

/// Neighbouring steps add to different accumulators, so that none waits for the one before.
TEST(ProductTiling, StepsDoNotWaitForEachOther) {
  const std::optional<ProductTiling> tiling =
      tileProduct(layoutsOf({64, 64, 64}, {2, 2}, 2), atomOf("mma.m16n8k16.f32.f16.f16"));
  ASSERT_TRUE(tiling);
  EXPECT_EQ(tiling->a.size(), 8U);
  EXPECT_EQ(tiling->b.size(), 16U);
  EXPECT_EQ(tiling->accumulators.size(), 8U);
  ASSERT_EQ(tiling->steps.size(), 32U);
  for (size_t i = 1; i < tiling->steps.size(); ++i)
    EXPECT_NE(tiling->steps[i].accumulator, tiling->steps[i - 1].accumulator);
}

} // namespace
