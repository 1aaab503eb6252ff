//===- SplitLoopTest.cpp - Loops split where a mask begins to matter ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Sums of products that a mask selects, which holds at first and fails from some index on, at any
// place of the loop; also where indices wrap around.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright::test;

namespace {

constexpr int rows = 64, columns = 64, depth = 16;

/// The sum of two indices as the kernel has it.
int32_t add(int64_t a, int64_t b) { return static_cast<int32_t>(static_cast<uint32_t>(a + b)); }

/// Runs a kernel with the mask `text`, of index i, row r and column c, and compares it with `mask`.
/// Products are multiplied by `scale` if it is not 1.
void testMask(const std::string &text, int64_t first, int64_t lower, int64_t upper, int64_t step,
              std::function<bool(int64_t i, int r, int c)> mask, double scale = 1) {
  SCOPED_TRACE(testing::Message() << text << ": first " << first << ", from " << lower << " to "
                                  << upper << " step " << step << ", scale " << scale);
  const auto x = randomWholeNumbers(rows * depth, 1, -4, 4);
  const auto y = randomWholeNumbers(depth * columns, 2, -4, 4);
  std::vector<double> expected(rows * columns);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      double product = 0;
      for (int k = 0; k < depth; ++k)
        product += x[r * depth + k] * y[k * columns + c];
      for (int64_t i = lower; i < upper; i += step)
        expected[r * columns + c] += mask(i, r, c) ? scale * product : 1000;
    }
  const std::string product = scale == 1 ? "tl.dot(x, y)" : "tl.dot(x, y) * scale";
  auto arguments =
      runOnSimulator({.source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, first, lower, upper, zero, scale, STEP: tl.constexpr):
    r = tl.arange(0, 64)[:, None]
    c = tl.arange(0, 64)[None, :]
    k = tl.arange(0, 16)
    x = tl.load(x_ptr + r * 16 + k[None, :])
    acc = tl.zeros((64, 64), dtype=tl.float32)
    for i in range(lower, upper, STEP):
        y = tl.load(y_ptr + i * zero + k[:, None] * 64 + c)  # or the product leaves the loop
        acc += tl.where()" + text +
                                ", " + product + R"(, 1000.0)
    tl.store(out_ptr + r * 64 + c, acc)
)",
                      .signature = "*fp32:16, *fp32:16, *fp32:16, i32, i32, i32, i32, fp32, " +
                                   std::to_string(step),
                      .arguments = {toArray(x), toArray(y), unwritten<float>(rows * columns), first,
                                    lower, upper, int64_t(0), scale}});
  expectClose(fromArray<float>(arguments[2]), expected, 0);
}

} // namespace

TEST(SplitLoop, Causal) {
  auto test = [](int64_t first, int64_t lower, int64_t upper, int64_t step) {
    testMask("first + r >= i + c", first, lower, upper, step,
             [&](int64_t i, int r, int c) { return add(first, r) >= add(i, c); });
  };
  // The first loop has no iteration, some, all; the diagonal at its beginning and inside of a tile.
  for (int64_t first : {-1, 62, 63, 64, 191, 200, 1000})
    test(first, 0, 320, 64);
  test(100, 0, 0, 64);
  test(100, 64, -64, 64);
  test(100, 7, 300, 19);
  test(-300, -500, -100, 64);
}

TEST(SplitLoop, WrappingIndices) {
  constexpr int64_t largest = std::numeric_limits<int32_t>::max(), least = -largest - 1;
  auto test = [](int64_t first, int64_t lower, int64_t upper) {
    testMask("first + r >= i + c", first, lower, upper, 64,
             [&](int64_t i, int r, int c) { return add(first, r) >= add(i, c); });
  };
  // Rows that wrap around, columns that do, both; the difference of the two does.
  test(largest - 30, 0, 200);
  test(largest - 300, largest - 500, largest - 64);
  test(largest, largest - 200, largest - 64);
  test(largest - 100, least, least + 200);
  test(least, largest - 200, largest - 64);
  // The limit moves, too, and wraps around while the mask would hold.
  testMask("i + first + r >= 2 * i + c", 1'500'000'000, 0, 1'200'000'000, 400'000'000,
           [&](int64_t i, int r, int c) { return add(i + r, 1'500'000'000) >= add(2 * i, c); });
}

TEST(SplitLoop, DecreasingLimit) {
  auto test = [](int64_t first, int64_t count) {
    testMask("c + r < first - i * 48", first, 0, count, 1, [&](int64_t i, int r, int c) {
      return c + r < static_cast<int32_t>(static_cast<uint32_t>(first - i * 48));
    });
  };
  for (int64_t first : {0, 126, 127, 150, 175, 270, 271, 1000})
    test(first, 5);
  // 48 * i has wrapped around: no limit is known.
  test(std::numeric_limits<int32_t>::min() + 100, 5);
}

TEST(SplitLoop, TwoMasks) {
  testMask("(first + r >= i + c) & (i + c < 150)", 200, 0, 320, 64,
           [](int64_t i, int r, int c) { return 200 + r >= i + c && i + c < 150; });
}

// Products that are scaled before the mask selects them, by a number that the kernel gets.
TEST(SplitLoop, Scaled) {
  for (double scale : {0.5, -3.0, 0.0})
    for (int64_t first : {-1, 100, 1000})
      testMask(
          "first + r >= i + c", first, 0, 320, 64,
          [&](int64_t i, int r, int c) { return add(first, r) >= add(i, c); }, scale);
}
