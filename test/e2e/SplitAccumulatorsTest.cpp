//===- SplitAccumulatorsTest.cpp - Products computed in parts -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Tiles with 8,192 sums in one wave: a lane of AMD's has 256 registers, so that they are computed
// in two parts, and the first waits in shared memory.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright::test;

namespace {

constexpr int depth = 96;

/// Multiplies `rows` x 96 by 96 x `columns` bytes by the kernel with `body`, which has pointers to
/// the sums' elements in `to` and stores what `result` says of the product's element.
void testProduct(const std::string &target, int rows, int columns, const std::string &body,
                 const std::function<double(int64_t product, int r, int c)> &result) {
  SCOPED_TRACE(testing::Message() << target << ", " << rows << " x " << columns);
  const auto a = randomValues<int8_t>(rows * depth, 1, -128, 128);
  const auto b = randomValues<int8_t>(depth * columns, 2, -128, 128);
  std::vector<double> expected(rows * columns);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      int64_t product = 0;
      for (int k = 0; k < depth; ++k)
        product += a[r * depth + k] * b[k * columns + c];
      expected[r * columns + c] = result(product, r, c);
    }
  auto arguments = runOnSimulator(
      {.source = std::string(imports) + R"(
@triton.jit
def kernel(a_ptr, b_ptr, out_ptr, n, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, C)
    k = tl.arange(0, 32)
    to = out_ptr + r[:, None] * C + c[None, :]
    for tile in range(1):
        acc = tl.zeros((R, C), dtype=tl.int32)
        for i in range(0, n, 32):
            x = tl.load(a_ptr + r[:, None] * n + (i + k)[None, :])
            y = tl.load(b_ptr + (i + k)[:, None] * C + c[None, :])
            acc = tl.dot(x, y, acc, out_dtype=tl.int32)
)" + body,
       .signature = "*i8:16, *i8:16, *i32:16, i32:16, " + std::to_string(rows) + ", " +
                    std::to_string(columns),
       .arguments = {toArray(a), toArray(b), toArray(std::vector<int32_t>(rows * columns, 5)),
                     int64_t(depth)},
       .numWarps = 1,
       .target = target});
  expectClose(fromArray<int32_t>(arguments[2]), expected, 0);
}

constexpr const char *targets[] = {"hip:gfx1100", "hip:gfx1201"};

} // namespace

// What is added has been stored before: 5 where nothing was.
TEST(SplitAccumulators, Columns) {
  for (const char *target : targets)
    testProduct(target, 64, 128, R"(
        tl.store(to, acc + tl.load(to), mask=(c % 48 < 40)[None, :] & (r < 50)[:, None])
)",
                [](int64_t product, int r, int c) {
                  return c % 48 < 40 && r < 50 ? double(product + 5) : 5.0;
                });
}

TEST(SplitAccumulators, Rows) {
  for (const char *target : targets)
    testProduct(target, 128, 64, R"(
        rounded = acc.to(tl.int8).to(tl.int32)
        if n > 32:
            tl.store(to, rounded * (r * 64)[:, None] + c[None, :])
)",
                [](int64_t product, int r, int c) {
                  return double(static_cast<int8_t>(product) * (r * 64) + c);
                });
}

TEST(SplitAccumulators, Transposed) {
  for (const char *target : targets)
    testProduct(target, 64, 128, R"(
        tl.store(out_ptr + c[:, None] + r[None, :] * C, tl.trans(acc))
)",
                [](int64_t product, int, int) { return double(product); });
}

// The product is written where its operand is: all parts have read it before.
TEST(SplitAccumulators, InPlace) {
  constexpr int rows = 64, size = 128;
  const auto a = randomValues<int8_t>(rows * size, 1, -128, 128);
  const auto b = randomValues<int8_t>(size * size, 2, -128, 128);
  std::vector<double> expected(rows * size);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < size; ++c) {
      int product = 0;
      for (int k = 0; k < size; ++k)
        product += a[r * size + k] * b[k * size + c];
      expected[r * size + c] = static_cast<int8_t>(product);
    }
  for (const char *target : targets) {
    auto arguments = runOnSimulator({.source = std::string(imports) + R"(
@triton.jit
def kernel(a_ptr, b_ptr, n):
    r = tl.arange(0, 64)
    c = tl.arange(0, 128)
    k = tl.arange(0, 32)
    acc = tl.zeros((64, 128), dtype=tl.int32)
    for i in range(0, n, 32):
        x = tl.load(a_ptr + r[:, None] * 128 + (i + k)[None, :])
        y = tl.load(b_ptr + (i + k)[:, None] * 128 + c[None, :])
        acc = tl.dot(x, y, acc, out_dtype=tl.int32)
    tl.store(a_ptr + r[:, None] * 128 + c[None, :], acc.to(tl.int8))
)",
                                     .signature = "*i8:16, *i8:16, i32:16",
                                     .arguments = {toArray(a), toArray(b), int64_t(size)},
                                     .numWarps = 1,
                                     .target = target});
    expectClose(fromArray<int8_t>(arguments[0]), expected, 0);
  }
}
