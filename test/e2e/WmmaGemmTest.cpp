//===- WmmaGemmTest.cpp - Whole matrix products by WMMA -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// C = A B by a loop over tiles of K, for each RDNA target: either operand stored by rows or by
// columns, sizes that no tile divides, every pair of types of the units (8-bit floats are widened
// on gfx11), by 1 to 8 waves. A few of these 384 products run by default, all of them with
// TILEWRIGHT_GRID=all in the environment. Corpus in the suite's name: they choose their targets.
//
//===--------------------------------------------------------------------------===//

#include "GemmKernel.h"
#include "IRText.h"
#include "RunKernel.h"

using namespace tilewright;
using namespace tilewright::test;

namespace {

using enum ElementType;

class WmmaGemmCorpus : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Targets, WmmaGemmCorpus,
                         testing::Values("hip:gfx1100", "hip:gfx1150", "hip:gfx1200",
                                         "hip:gfx1201"),
                         nameOfTarget);

TEST_P(WmmaGemmCorpus, TypesOrdersAndWaves) {
  const ElementType types[][3] = {{Float16, Float16, Float32},
                                  {BFloat16, BFloat16, Float32},
                                  {Int8, Int8, Int32},
                                  {Float8E4M3, Float8E4M3, Float32},
                                  {Float8E4M3, Float8E5M2, Float32},
                                  {Float8E5M2, Float8E4M3, Float32},
                                  {Float8E5M2, Float8E5M2, Float32}};
  // 21 goes past all orders, numbers of waves and nearly all types.
  constexpr unsigned part = 21;
  unsigned number = 0;
  for (const auto &[left, right, result] : types)
    for (bool leftTransposed : {false, true})
      for (bool rightTransposed : {false, true})
        for (int numWarps : {1, 2, 4, 8})
          if (number++ % part == 0 || runsWholeGrid())
            checkGemm({left, right, result, leftTransposed, rightTransposed, numWarps, GetParam()});
}

/// Rows that are whole accesses: gfx12 transposes what does not lie along K while it is loaded,
/// with masks of rows, of which the last tile has only some, and of columns.
TEST_P(WmmaGemmCorpus, WholeAccesses) {
  for (auto type : {Float16, BFloat16})
    checkGemm({type, type, Float32, /*leftTransposed=*/true, /*rightTransposed=*/false,
               /*numWarps=*/type == Float16 ? 4 : 1, GetParam(), /*m=*/40, /*n=*/72, /*k=*/88,
               /*divisor=*/8});
}

/// The product of two matrices of 4-bit integers, 32x64 and 64x32, of which each byte holds one.
constexpr const char *fourBits = R"(
tt.func public @kernel(%a: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %b: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %o: !tt.ptr<i32> {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %k = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %rc = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %rr = tt.expand_dims %r {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %kc = tt.expand_dims %k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %kr = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %c64 = arith.constant dense<64> : tensor<32x1xi32>
  %c32 = arith.constant dense<32> : tensor<64x1xi32>
  %c32o = arith.constant dense<32> : tensor<32x1xi32>
  %aRow = arith.muli %rc, %c64 : tensor<32x1xi32>
  %aRows = tt.broadcast %aRow : tensor<32x1xi32> -> tensor<32x64xi32>
  %aColumns = tt.broadcast %kr : tensor<1x64xi32> -> tensor<32x64xi32>
  %aOffsets = arith.addi %aRows, %aColumns : tensor<32x64xi32>
  %bRow = arith.muli %kc, %c32 : tensor<64x1xi32>
  %bRows = tt.broadcast %bRow : tensor<64x1xi32> -> tensor<64x32xi32>
  %bColumns = tt.broadcast %rr : tensor<1x32xi32> -> tensor<64x32xi32>
  %bOffsets = arith.addi %bRows, %bColumns : tensor<64x32xi32>
  %oRow = arith.muli %rc, %c32o : tensor<32x1xi32>
  %oRows = tt.broadcast %oRow : tensor<32x1xi32> -> tensor<32x32xi32>
  %oColumns = tt.broadcast %rr : tensor<1x32xi32> -> tensor<32x32xi32>
  %oOffsets = arith.addi %oRows, %oColumns : tensor<32x32xi32>
  %aBase = tt.splat %a : !tt.ptr<i8> -> tensor<32x64x!tt.ptr<i8>>
  %aPointers = tt.addptr %aBase, %aOffsets : tensor<32x64x!tt.ptr<i8>>, tensor<32x64xi32>
  %bBase = tt.splat %b : !tt.ptr<i8> -> tensor<64x32x!tt.ptr<i8>>
  %bPointers = tt.addptr %bBase, %bOffsets : tensor<64x32x!tt.ptr<i8>>, tensor<64x32xi32>
  %oBase = tt.splat %o : !tt.ptr<i32> -> tensor<32x32x!tt.ptr<i32>>
  %oPointers = tt.addptr %oBase, %oOffsets : tensor<32x32x!tt.ptr<i32>>, tensor<32x32xi32>
  %a8 = tt.load %aPointers : tensor<32x64x!tt.ptr<i8>>
  %b8 = tt.load %bPointers : tensor<64x32x!tt.ptr<i8>>
  %a4 = arith.trunci %a8 : tensor<32x64xi8> to tensor<32x64xi4>
  %b4 = arith.trunci %b8 : tensor<64x32xi8> to tensor<64x32xi4>
  %zero = arith.constant dense<0> : tensor<32x32xi32>
  %d = tt.dot %a4, %b4, %zero : tensor<32x64xi4> * tensor<64x32xi4> -> tensor<32x32xi32>
  tt.store %oPointers, %d : tensor<32x32x!tt.ptr<i32>>
  tt.return
}
)";

/// The signed number in the low four bits.
int signedNibble(double value) { return ((static_cast<int>(value) & 15) ^ 8) - 8; }

TEST_P(WmmaGemmCorpus, FourBitIntegers) {
  for (int numWarps : {1, 4}) {
    SCOPED_TRACE(numWarps);
    CompileOptions options = optionsFor(GetParam());
    options.numWarps = numWarps;
    noteRun();
    CompileResult compiled =
        Compiler().compile({"test.ttir", fourBits, SourceLanguage::TTIR}, options);
    for (const Diagnostic &diagnostic : compiled.diagnostics)
      ADD_FAILURE() << render(diagnostic);
    ASSERT_TRUE(compiled);
    EXPECT_NE(compiled.compilation->assembly.find("_iu4 "), std::string::npos);
    // All eight bits are random: the upper four must not matter.
    const std::vector<int8_t> a = randomValues<int8_t>(32 * 64, 1, -128, 128),
                              b = randomValues<int8_t>(64 * 32, 2, -128, 128);
    std::vector<ArgumentValue> arguments = {toArray(a), toArray(b), unwritten<int32_t>(32 * 32)};
    auto done = runKernel(compiled.compilation->kernel, {}, arguments);
    ASSERT_TRUE(done) << render(done.error());
    const std::vector<int32_t> out = fromArray<int32_t>(arguments[2]);
    for (int i = 0; i < 32; ++i)
      for (int j = 0; j < 32; ++j) {
        int sum = 0;
        for (int k = 0; k < 64; ++k)
          sum += signedNibble(a[i * 64 + k]) * signedNibble(b[k * 32 + j]);
        ASSERT_EQ(out[i * 32 + j], sum) << i << ", " << j;
      }
  }
}

} // namespace
