//===- UniformBasesTest.cpp - Bases that threads share and their offsets -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Products whose operands are addressed in every way that a loop's addresses are taken apart into a
// base and offsets, and where they must not be: rows from the last to the first, and numbers of
// rows that wrap around. And rows of which each has a base that differs from the others' in a
// constant.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright::test;

namespace {

constexpr int rows = 32, columns = 32;

/// Multiplies 32 x `depth` by `depth` x 32 elements. A's rows are `stride` apart, from the last to
/// the first if it is negative.
void testProduct(const std::string &target, const std::string &body, int depth, int stride,
                 int numWarps = 4) {
  SCOPED_TRACE(testing::Message() << target << ", depth " << depth << ", stride " << stride);
  const int width = std::abs(stride);
  const auto a = randomValues<int8_t>(rows * width, 1, -128, 128);
  const auto b = randomValues<int8_t>(depth * columns, 2, -128, 128);
  std::vector<double> expected(rows * columns);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      for (int k = 0; k < depth; ++k)
        expected[r * columns + c] +=
            a[(stride < 0 ? rows - 1 - r : r) * width + k] * b[k * columns + c];
  auto arguments =
      runOnSimulator({.source = std::string(imports) + R"(
@triton.jit
def kernel(a_ptr, b_ptr, out_ptr, first, stride, depth, rows):
    r = tl.arange(0, 32)
    k = tl.arange(0, 32)
    acc = tl.zeros((32, 32), dtype=tl.int32)
)" + body + R"(
    tl.store(out_ptr + r[:, None] * 32 + r[None, :], acc)
)",
                      .signature = "*i8:16, *i8:16, *i32:16, i32, i32, i32, i32",
                      .arguments = {toArray(a), toArray(b), unwritten<int32_t>(rows * columns),
                                    int64_t(stride < 0 ? (rows - 1) * width : 0), int64_t(stride),
                                    int64_t(depth), int64_t(rows)},
                      .numWarps = numWarps,
                      .target = target});
  expectClose(fromArray<int32_t>(arguments[2]), expected, 0);
}

constexpr const char *carried = R"(
    a = a_ptr + first + (r % rows)[:, None] * stride + k[None, :]
    b = b_ptr + k[:, None] * 32 + r[None, :]
    for i in range(0, tl.cdiv(depth, 32)):
        x = tl.load(a, mask=k[None, :] < depth - i * 32, other=0)
        y = tl.load(b, mask=k[:, None] < depth - i * 32, other=0)
        acc = tl.dot(x, y, acc, out_dtype=tl.int32)
        a += 32
        b += 32 * 32
)";

constexpr const char *indexed = R"(
    for i in range(0, depth, 32):
        x = tl.load(a_ptr + first + r[:, None].to(tl.int64) * stride + (i + k)[None, :])
        y = tl.load(b_ptr + (i // 2 * 2 + k)[:, None] * 32 + r[None, :])
        acc = tl.dot(x, y, acc, out_dtype=tl.int32)
)";

/// In one warp more registers than there are: 128 pointers, and the sums.
constexpr const char *manyPointers = R"(
    k = tl.arange(0, 64)
    a = a_ptr + first - rows * stride + (r + rows)[:, None] * stride + k[None, :]
    b = b_ptr + k[:, None] * 32 + (r % rows)[None, :]
    for i in range(0, tl.cdiv(depth, 64)):
        x = tl.load(a, mask=k[None, :] < depth - i * 64, other=0)
        y = tl.load(b, mask=k[:, None] < depth - i * 64, other=0)
        acc = tl.dot(x, y, acc, out_dtype=tl.int32)
        a += 64
        b += 64 * 32
)";

} // namespace

TEST(UniformBases, Carried) {
  for (const char *target : {"hip:gfx1100", "hip:gfx1201"})
    for (int stride : {72, -72})
      for (int depth : {0, 20, 72})
        testProduct(target, carried, depth, stride);
}

TEST(UniformBases, OfTheIndex) {
  for (const char *target : {"hip:gfx1100", "hip:gfx1201"})
    for (int stride : {96, -96})
      testProduct(target, indexed, 96, stride);
}

TEST(UniformBases, ManyPointers) {
  for (const char *target : {"hip:gfx1100", "hip:gfx1201"})
    for (int stride : {136, -136})
      testProduct(target, manyPointers, /*depth=*/136, stride, /*numWarps=*/1);
}

TEST(UniformBases, RowsAtConstantDistances) {
  constexpr int count = 75, width = 256, steps = 3, step = 70;
  const auto x = randomValues<int32_t>(96 * width, 3, -1000, 1000);
  for (const char *target : {"hip:gfx1100", "hip:gfx1201", "hip:gfx942"})
    for (int numWarps : {1, 4, 8}) {
      SCOPED_TRACE(testing::Message() << target << ", " << numWarps << " warps");
      std::vector<double> expected(96 * width, -1);
      for (int r = 0; r < count; ++r)
        for (int c = 0; c < 30; ++c)
          for (int s = 0; s < steps; ++s)
            expected[r * width + 2 * c + step * s] = 3.0 * x[r * width + 2 * c + step * s];
      auto arguments = runOnSimulator(
          {.source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, rows):
    r = tl.program_id(0) * 32 + tl.arange(0, 32)
    c = tl.arange(0, 32)
    mask = (r[:, None] < rows) & (c[None, :] < 30)
    at = r[:, None] * 256 + c[None, :] * 2
    for s in tl.static_range(3):
        x = tl.load(x_ptr + at + s * 70, mask=mask, other=0)
        tl.store(out_ptr + at + s * 70, 3 * x, mask=mask)
)",
           .signature = "*i32:16, *i32:16, i32",
           .arguments = {toArray(x), toArray(std::vector<int32_t>(96 * width, -1)), int64_t(count)},
           .grid = {3, 1, 1},
           .numWarps = numWarps,
           .target = target});
      expectClose(fromArray<int32_t>(arguments[1]), expected, 0);
    }
}
