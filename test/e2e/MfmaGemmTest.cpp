//===- MfmaGemmTest.cpp - Whole matrix products by MFMA -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// C = A B by a loop over tiles of K, for each CDNA target: either operand stored by rows or by
// columns, sizes that no tile divides, the types of the units, tiles of several sizes, 1 to 3
// stages, 1 to 8 waves, with the instructions that the compiler chooses or those that launch
// options ask for. A few of these 3,456 products run by default, all of them with
// TILEWRIGHT_GRID=all in the environment. Corpus in the suite's name: they choose their targets.
//
//===--------------------------------------------------------------------------===//

#include "GemmKernel.h"

using namespace tilewright;
using namespace tilewright::test;

namespace {

using enum ElementType;

class MfmaGemmCorpus : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Targets, MfmaGemmCorpus,
                         testing::Values("hip:gfx90a", "hip:gfx942", "hip:gfx950"), nameOfTarget);

/// Rows and columns of the instructions, and how many of them along K a load feeds.
struct Asked {
  std::optional<int> nonKDim, kPack;
};

TEST_P(MfmaGemmCorpus, TypesTilesOrdersStagesAndWaves) {
  const ElementType types[][3] = {{Float16, Float16, Float32},
                                  {BFloat16, BFloat16, Float32},
                                  {Float32, Float32, Float32},
                                  {Float64, Float64, Float64},
                                  {Int8, Int8, Int32},
                                  {Float8E4M3, Float8E4M3, Float32},
                                  {Float8E4M3, Float8E5M2, Float32},
                                  {Float8E5M2, Float8E5M2, Float32}};
  const int64_t tiles[][3] = {{32, 64, 32}, {16, 32, 128}, {64, 64, 16}, {128, 32, 64}};
  const Asked asked[] = {{}, {16, 1}, {32, 2}};
  // Goes past all orders, tiles, stages and nearly all types.
  constexpr unsigned part = 97;
  unsigned number = 0;
  for (const auto &[left, right, result] : types)
    for (const auto &[m, n, k] : tiles)
      for (bool leftTransposed : {false, true})
        for (bool rightTransposed : {false, true})
          for (int numStages : {1, 2, 3})
            for (int numWarps : {1, 4, 8}) {
              const Asked &options = asked[number % std::size(asked)];
              if (number++ % part != 0 && !runsWholeGrid())
                continue;
              Gemm gemm = {left,     right,     result, leftTransposed, rightTransposed,
                           numWarps, GetParam()};
              gemm.blockM = m;
              gemm.blockN = n;
              gemm.blockK = k;
              gemm.numStages = numStages;
              gemm.launch.matrixNonKDim = options.nonKDim;
              gemm.launch.kPack = options.kPack;
              checkGemm(gemm);
            }
}

/// Rows that are whole accesses.
TEST_P(MfmaGemmCorpus, WholeAccesses) {
  for (auto type : {Float16, BFloat16})
    checkGemm({type, type, Float32, /*leftTransposed=*/true, /*rightTransposed=*/false,
               /*numWarps=*/type == Float16 ? 4 : 1, GetParam(), /*m=*/40, /*n=*/72, /*k=*/88,
               /*divisor=*/8});
}

} // namespace
