//===- DotGridTest.cpp - The grid of products ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Every pair of types of operands, in several sizes, with both orders of each operand in memory, by
// 1, 4 and 8 warps, on two targets of each vendor, which differ in their matrix units: 3,960
// products. One in eleven of them runs by default, another each time one goes to the
// next size; all of them with TILEWRIGHT_DOT_GRID=all in the environment.
//
//===--------------------------------------------------------------------------===//

#include "DotKernel.h"

#include <cstdlib>

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

bool runsAll() {
  const char *chosen = std::getenv("TILEWRIGHT_DOT_GRID");
  return chosen && std::string_view(chosen) == "all";
}

class DotGrid : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Targets, DotGrid,
                         testing::Values("cuda:80", "cuda:90", "hip:gfx1100", "hip:gfx1201",
                                         "xpu:pvc", "xpu:bmg"),
                         nameOfTarget);

TEST_P(DotGrid, Products) {
  constexpr unsigned part = 11;
  unsigned number = 0;
  for (const Types &types : allTypes)
    for (const Size &size : allSizes)
      for (int numWarps : {1, 4, 8})
        for (bool leftTransposed : {false, true})
          for (bool rightTransposed : {false, true}) {
            if (number++ % part != 0 && !runsAll())
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
                          .target = GetParam()});
          }
}

} // namespace
