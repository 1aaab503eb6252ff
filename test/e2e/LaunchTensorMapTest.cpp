//===- LaunchTensorMapTest.cpp - Tensor maps that the launch makes ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tile of 32 x 64 f32 is copied from one tensor to another by the tensor memory accelerator.
//
//===--------------------------------------------------------------------------===//

#include "IRText.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::test;
using simulate::AsyncCompletion;
using ::testing::HasSubstr;

namespace {

constexpr int64_t tileRows = 32, tileColumns = 64;

/// A kernel with these arguments. `before` comes first, and makes %in and %out if they are none.
std::string textOf(const std::string &arguments, const std::string &before = "",
                   const std::string &at = "%at") {
  std::string text = R"(
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!desc = !tt.tensordesc<tensor<32x64xf32, #s>>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%ARGUMENTS%) {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
%BEFORE%
    %tile = ttg.local_alloc : () -> !ttg.memdesc<32x64xf32, #s, #smem, mutable>
    %full = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %full, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.barrier_expect %full, 8192, %true : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_global_to_local %in[%AT%, %c0] %tile, %full, %true : !desc, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<32x64xf32, #s, #smem, mutable>
    ttng.wait_barrier %full, %c0 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.inval_barrier %full : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_local_to_global %out[%c0, %c0] %tile : !desc, !ttg.memdesc<32x64xf32, #s, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}
)";
  text = replaceAll(text, "%ARGUMENTS%", arguments);
  text = replaceAll(text, "%BEFORE%", before);
  return replaceAll(text, "%AT%", at);
}

HostArray arrayOf(const std::vector<float> &values, std::vector<int64_t> shape) {
  HostArray array = toArray(values);
  array.shape = std::move(shape);
  return array;
}

/// out[r][c] = in[at + r][c], where both are inside.
void expectCopied(const std::vector<float> &in, int64_t inRows, int64_t inColumns, int64_t at,
                  const HostArray &result, int64_t columns) {
  const auto out = fromArray<float>(result);
  for (int64_t i = 0; i < static_cast<int64_t>(out.size()); ++i) {
    const int64_t row = i / columns, column = i % columns;
    const bool isInside = at + row < inRows && column < inColumns;
    if (row >= tileRows || column >= tileColumns)
      ASSERT_TRUE(std::isnan(out[i])) << row << ", " << column;
    else
      ASSERT_EQ(out[i], isInside ? in[(at + row) * inColumns + column] : 0)
          << row << ", " << column;
  }
}

/// The arguments of Triton's IR, where sizes and strides follow descriptors.
const char *const tritonArguments =
    "%in: !desc loc(\"in\"), %i0: i32 loc(\"in\"), %i1: i32 loc(\"in\"), %i2: i64 loc(\"in\"), "
    "%i3: i64 loc(\"in\"), %at: i32 loc(\"at\"), %out: !desc loc(\"out\"), %o0: i32 loc(\"out\"), "
    "%o1: i32 loc(\"out\"), %o2: i64 loc(\"out\"), %o3: i64 loc(\"out\")";

TEST(LaunchTensorMap, DescriptorArguments) {
  // With sizes and strides after it, and without; an i32 of another name is none of them.
  for (const std::string arguments :
       {tritonArguments,
        "%in: !desc loc(\"in\"), %at: i32 loc(\"at\"), %out: !desc loc(\"out\")"}) {
    const CompiledKernel compiled = compileGoodText(textOf(arguments));
    ASSERT_EQ(compiled.metadata.arguments.size(), 3u);
    EXPECT_EQ(compiled.metadata.arguments[0].name, "in");
    EXPECT_EQ(compiled.metadata.arguments[0].type, "tensordesc<fp32[32, 64]>");
    EXPECT_EQ(compiled.metadata.arguments[1].type, "i32");
    EXPECT_EQ(compiled.metadata.tensorMaps.size(), 2u);
    EXPECT_EQ(compiled.metadata.globalScratchBytes, 0);
    for (auto [rows, columns, at] : {std::array<int64_t, 3>{40, 72, 8}, {20, 16, 3}})
      for (AsyncCompletion completion : allCompletions) {
        const auto in = randomValues<float>(rows * columns, 3, -9, 9);
        std::vector<ArgumentValue> values = {arrayOf(in, {rows, columns}), at,
                                             arrayOf(std::vector<float>(48 * 80, NAN), {48, 80})};
        auto done = runWith(completion, compiled, values);
        ASSERT_TRUE(done) << render(done.error());
        expectCopied(in, rows, columns, at, std::get<HostArray>(values[2]), 80);
      }
  }
}

/// Descriptors that the kernel makes: of arguments, products of them and constants.
TEST(LaunchTensorMap, MadeOfArguments) {
  const std::string text =
      textOf("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %m: i32, %half: i32, %at: i32", R"(
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i32
    %width = arith.constant 80 : i64
    %outcolumns = arith.constant 80 : i32
    %outrows = arith.constant 48 : i32
    %n = arith.muli %half, %two : i32
    %pitch = arith.extsi %n : i32 to i64
    %in = tt.make_tensor_descriptor %x, [%m, %n], [%pitch, %one] : !tt.ptr<f32>, !desc
    %out = tt.make_tensor_descriptor %y, [%outrows, %outcolumns], [%width, %one] : !tt.ptr<f32>, !desc
)");
  const CompiledKernel compiled = compileGoodText(text);
  ASSERT_EQ(compiled.metadata.tensorMaps.size(), 2u);
  const TensorMapRecipe &in = compiled.metadata.tensorMaps[0];
  EXPECT_EQ(in.element, "f32");
  EXPECT_EQ(in.address, 0u);
  EXPECT_EQ(in.sizes, (std::vector<LaunchValue>{{2, {3}}, {1, {2}}}));
  EXPECT_EQ(in.strides, (std::vector<LaunchValue>{{8, {3}}}));
  EXPECT_EQ(in.box, (std::vector<int>{32, 32}));
  EXPECT_EQ(in.swizzleBytes, 128);
  const auto x = randomValues<float>(40 * 72, 4, -9, 9);
  std::vector<ArgumentValue> values = {toArray(x), toArray(std::vector<float>(48 * 80, NAN)),
                                       int64_t(40), int64_t(36), int64_t(8)};
  auto done = runWith(AsyncCompletion::Late, compiled, values);
  ASSERT_TRUE(done) << render(done.error());
  expectCopied(x, 40, 72, 8, std::get<HostArray>(values[1]), 80);
}

std::string launchError(const CompiledKernel &compiled, std::vector<ArgumentValue> values) {
  auto done = runWith(AsyncCompletion::Late, compiled, values);
  return done ? "no error" : render(done.error());
}

TEST(LaunchTensorMap, ErrorsOfLaunches) {
  const CompiledKernel compiled = compileGoodText(textOf(tritonArguments));
  auto matrix = [](int64_t rows, int64_t columns) {
    return arrayOf(std::vector<float>(rows * columns), {rows, columns});
  };
  EXPECT_THAT(launchError(compiled, {matrix(40, 70), int64_t(0), matrix(32, 64)}),
              HasSubstr("the argument 'in' of type tensordesc<fp32[32, 64]> got a tensor with a "
                        "stride of 70 elements in dimension 0, 280 bytes, which is no multiple of "
                        "16"));
  EXPECT_THAT(launchError(compiled, {matrix(32, 64), int64_t(0), toArray(std::vector<float>(64))}),
              HasSubstr("the argument 'out' of type tensordesc<fp32[32, 64]> got a tensor of 1 "
                        "dimension"));
  EXPECT_THAT(launchError(compiled, {matrix(32, 64), int64_t(0), int64_t(5)}),
              HasSubstr("got the integer 5"));
  EXPECT_THAT(launchError(compiled, {matrix(0, 64), int64_t(0), matrix(32, 64)}),
              HasSubstr("the tensor of 'in' has 0 elements in dimension 0 (size 0 of 'in')"));
}

TEST(LaunchTensorMap, ErrorsOfMaps) {
  const CompiledKernel compiled = compileGoodText(
      textOf("%x: !tt.ptr<f32> loc(\"x\"), %n: i32 loc(\"n\"), %k: i32 loc(\"k\")", R"(
    %one = arith.constant 1 : i64
    %product = arith.muli %n, %k : i32
    %pitch = arith.extsi %product : i32 to i64
    %in = tt.make_tensor_descriptor %x, [%n, %k], [%pitch, %one] : !tt.ptr<f32>, !desc
    %out = tt.make_tensor_descriptor %x, [%n, %k], [%pitch, %one] : !tt.ptr<f32>, !desc
)",
             "%c0"));
  EXPECT_EQ(compiled.metadata.tensorMaps.size(), 1u);
  const HostArray x = toArray(std::vector<float>(4096));
  EXPECT_THAT(launchError(compiled, {x, int64_t(3), int64_t(7)}),
              HasSubstr("the tensor of 'x' has a stride of 84 bytes in dimension 0 ('n' times "
                        "'k'), which is not a multiple of 16"));
  EXPECT_THAT(launchError(compiled, {x, int64_t(-1), int64_t(4)}),
              HasSubstr("the tensor of 'x' has -1 elements in dimension 0 ('n')"));
  EXPECT_EQ(launchError(compiled, {x, int64_t(2), int64_t(64)}), "no error");
}

/// A constant stride is looked at by the compiler.
TEST(LaunchTensorMap, ConstantStride) {
  const std::string text = textOf("%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %at: i32", R"(
    %one = arith.constant 1 : i64
    %pitch = arith.constant 70 : i64
    %n = arith.constant 64 : i32
    %in = tt.make_tensor_descriptor %x, [%n, %n], [%pitch, %one] : !tt.ptr<f32>, !desc
    %out = tt.make_tensor_descriptor %y, [%n, %n], [%pitch, %one] : !tt.ptr<f32>, !desc
)");
  CompileResult result = compileText(text);
  ASSERT_FALSE(result);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_THAT(render(result.diagnostics[0]),
              HasSubstr("stride 0 of this descriptor is 280 bytes; rows of its tensor begin at "
                        "multiples of 16 bytes"));
}

} // namespace
