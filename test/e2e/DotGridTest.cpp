//===- DotGridTest.cpp - The grid of products ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Every pair of types of operands, in several sizes, with both orders of each operand in memory, by
// 1, 4 and 8 warps, on two targets of each vendor, which differ in their matrix units, and on
// relatives of AMD's: 5,280 products. One in eleven of them runs by default, another each time one
// goes to the next size, and one in 61 for the relatives; all of them with TILEWRIGHT_GRID=all in
// the environment, by run_grids.py on many cores. A test for each target and pair of types.
//
//===--------------------------------------------------------------------------===//

#include "DotKernel.h"

using namespace tilewright::test;

namespace {

using enum ElementType;

struct Types {
  ElementType left, right, result = Float32;
};

const Types allTypes[] = {
    {Float16, Float16},       {Float16, Float16, Float16},      {BFloat16, BFloat16},
    {Float32, Float32},       {Float64, Float64, Float64},      {Int8, Int8, Int32},
    {Float8E4M3, Float8E4M3}, {Float8E4M3, Float8E5M2},         {Float8E5M2, Float8E4M3},
    {Float8E5M2, Float8E5M2}, {Float8E5M2, Float8E5M2, Float16}};

struct Size {
  int64_t m, n, k;
};

// From 16 to 128; with each of M, N and K the largest and the smallest.
const Size allSizes[] = {{16, 16, 16}, {64, 32, 128}, {128, 64, 32}, {32, 128, 64}, {16, 64, 32}};

/// A target and an index into allTypes.
using TargetAndTypes = std::tuple<const char *, size_t>;

std::string nameOfCase(const testing::TestParamInfo<TargetAndTypes> &info) {
  const auto &[target, index] = info.param;
  const Types &types = allTypes[index];
  std::string name = nameOfTarget({target, info.index});
  for (ElementType type : {types.left, types.right, types.result})
    name += "_" + std::string(tilewright::runtime::nameOf(type));
  return name;
}

auto withAllTypes(auto targets) {
  return testing::Combine(targets, testing::Range<size_t>(0, std::size(allTypes)));
}

class DotGrid : public testing::TestWithParam<TargetAndTypes> {};
INSTANTIATE_TEST_SUITE_P(Targets, DotGrid,
                         withAllTypes(testing::Values("cuda:80", "cuda:90", "hip:gfx1100",
                                                      "hip:gfx1201", "xpu:pvc", "xpu:bmg")),
                         nameOfCase);

/// Relatives of these. Corpus in the name: they choose their targets.
class DotGridCorpusElsewhere : public DotGrid {};
INSTANTIATE_TEST_SUITE_P(Targets, DotGridCorpusElsewhere,
                         withAllTypes(testing::Values("hip:gfx1150", "hip:gfx1200", "hip:gfx90a",
                                                      "hip:gfx942", "hip:gfx950")),
                         nameOfCase);

/// One of `part` products, or all.
void checkGrid(const TargetAndTypes &chosen, unsigned part) {
  const auto &[target, index] = chosen;
  const Types &types = allTypes[index];
  constexpr unsigned productsOfTypes = std::size(allSizes) * 3 * 2 * 2;
  unsigned number = index * productsOfTypes;
  for (const Size &size : allSizes)
    for (int numWarps : {1, 4, 8})
      for (bool leftTransposed : {false, true})
        for (bool rightTransposed : {false, true}) {
          if (number++ % part != 0 && !runsWholeGrid())
            continue;
          const bool isHalf = types.result == Float16;
          checkProduct({.left = types.left,
                        .right = types.right,
                        .result = types.result,
                        .m = size.m,
                        .n = size.n,
                        .k = size.k,
                        .numWarps = numWarps,
                        .accumulates = number % 2 == 0,
                        .leftTransposed = leftTransposed,
                        .rightTransposed = rightTransposed,
                        .options = isHalf ? ", out_dtype=tl.float16" : "",
                        .target = target});
        }
}

TEST_P(DotGrid, Products) { checkGrid(GetParam(), 11); }
TEST_P(DotGridCorpusElsewhere, Products) { checkGrid(GetParam(), 61); }

} // namespace
