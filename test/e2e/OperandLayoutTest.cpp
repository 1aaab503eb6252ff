//===- OperandLayoutTest.cpp - Products of operands laid out for others -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// TTGIR may give a tt.dot operands and results in layouts that no matrix unit of the target takes
// together: another kWidth than the other operand's, another parent, the other operand's layout,
// fragments of another target. Such a product is right all the same, with a warning where it goes
// without the matrix unit.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"
#include "IRText.h"

using namespace tilewright;
using namespace tilewright::test;

namespace {

constexpr int size = 64;

constexpr const char *mma = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
                            "warpsPerCTA = [2, 2], instrShape = [16, 8]}>";
constexpr const char *wmma1 =
    "#ttg.amd_wmma<{version = 1, isTranspose = false, warpsPerCTA = [2, 2]}>";
constexpr const char *wmma2 =
    "#ttg.amd_wmma<{version = 2, isTranspose = false, warpsPerCTA = [2, 2]}>";
constexpr const char *dpas =
    "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, "
    "threadsPerWarp = 32, warpsPerCTA = [2, 2], repCluster = [1, 1]}>";
constexpr const char *blocked = "#blocked";

std::string operand(int index, const std::string &parent, int kWidth) {
  return "#ttg.dot_op<{opIdx = " + std::to_string(index) + ", parent = " + parent +
         (kWidth ? ", kWidth = " + std::to_string(kWidth) : "") + "}>";
}

/// A product of a matrix with itself, in these layouts.
std::string kernelOf(const std::string &target, const std::string &acc, const std::string &a,
                     const std::string &b) {
  std::string text = R"(
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #blocked}>
#columns = #ttg.slice<{dim = 0, parent = #blocked}>
#acc = ACC
#a = OPERAND_A
#b = OPERAND_B
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "TARGET", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%x: !tt.ptr<f16>, %y: !tt.ptr<f32>) {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #rows>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #blocked>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #columns> -> tensor<1x64xi32, #blocked>
    %stride = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %r2 = arith.muli %r1, %stride : tensor<64x1xi32, #blocked>
    %r3 = tt.broadcast %r2 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %c3 = tt.broadcast %c1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %at = arith.addi %r3, %c3 : tensor<64x64xi32, #blocked>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %xp = tt.addptr %xs, %at : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %v = tt.load %xp : tensor<64x64x!tt.ptr<f16>, #blocked>
    %a = ttg.convert_layout %v : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
    %b = ttg.convert_layout %v : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #b>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %d = tt.dot %a, %b, %zero : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #acc>
    %e = ttg.convert_layout %d : tensor<64x64xf32, #acc> -> tensor<64x64xf32, #blocked>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %yp = tt.addptr %ys, %at : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    tt.store %yp, %e : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
)";
  for (const auto &[name, layout] :
       {std::pair("OPERAND_A", a), std::pair("OPERAND_B", b), std::pair("ACC", acc)})
    text = replaceAll(text, name, layout);
  return replaceAll(text, "TARGET", target);
}

/// Whole numbers, whose sums of products are exact.
std::vector<double> values() {
  std::vector<double> all(size * size);
  for (int i = 0; i < size * size; ++i)
    all[i] = i * 37 % 7 - 3;
  return all;
}

struct Case {
  const char *name, *target, *acc;
  std::string a, b;
  /// Whether a matrix unit takes it.
  bool fits = false;
};

class OperandLayout : public testing::TestWithParam<Case> {};

} // namespace

TEST_P(OperandLayout, GivesTheProduct) {
  const Case &c = GetParam();
  CompileResult compiled = compileText(kernelOf(c.target, c.acc, c.a, c.b));
  for (const Diagnostic &diagnostic : compiled.diagnostics) {
    EXPECT_EQ(diagnostic.severity, Severity::Warning) << render(diagnostic);
    EXPECT_NE(diagnostic.message.find("is computed by multiply-adds"), std::string::npos);
  }
  EXPECT_EQ(compiled.diagnostics.empty(), c.fits);
  ASSERT_TRUE(compiled);

  const std::vector<double> x = values();
  HostArray in(ElementType::Float16, {size * size});
  for (int i = 0; i < size * size; ++i)
    in.set(i, x[i]);
  std::vector<ArgumentValue> arguments = {in, unwritten<float>(size * size)};
  auto done = runWith(simulate::AsyncCompletion::Late, compiled.compilation->kernel, arguments);
  ASSERT_TRUE(done) << render(done.error());
  std::vector<double> expected(size * size);
  for (int r = 0; r < size; ++r)
    for (int k = 0; k < size; ++k)
      for (int column = 0; column < size; ++column)
        expected[r * size + column] += x[r * size + k] * x[k * size + column];
  expectClose(fromArray<float>(arguments[1]), expected, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, OperandLayout,
    testing::Values(Case{"as the unit has it", "cuda:90", mma, operand(0, mma, 2),
                         operand(1, mma, 2), true},
                    Case{"wide", "cuda:90", mma, operand(0, mma, 16), operand(1, mma, 16), true},
                    Case{"exchanged", "cuda:90", mma, operand(1, mma, 2), operand(0, mma, 2)},
                    Case{"operands of a unit", "cuda:90", blocked, operand(0, mma, 2),
                         operand(1, mma, 2), true},
                    Case{"fragments of WMMA on NVIDIA", "cuda:90", wmma2, operand(0, wmma2, 8),
                         operand(1, wmma2, 8)},
                    Case{"fragments of DPAS on NVIDIA", "cuda:90", dpas, operand(0, dpas, 1),
                         operand(1, dpas, 2)},
                    Case{"fragments of mma.sync on AMD", "hip:gfx1201", mma, operand(0, mma, 2),
                         operand(1, mma, 2)},
                    Case{"of gfx11 on gfx12", "hip:gfx1201", wmma1, operand(0, wmma1, 16),
                         operand(1, wmma1, 16)},
                    Case{"of gfx12 on gfx11", "hip:gfx1100", wmma2, operand(0, wmma2, 8),
                         operand(1, wmma2, 8)}),
    [](const auto &info) { return replaceAll(replaceAll(info.param.name, " ", "_"), ".", "_"); });
