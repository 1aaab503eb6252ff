//===- JoinTest.cpp - Joining, splitting, gathering, counting -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ElementTypes.h"
#include "Harness.h"

#include <numeric>

using namespace tilewright::test;

namespace {

/// Runs a kernel on vectors x and y of `size` elements of `type`, whole numbers; `body`
/// computes z, whose `results` elements as fp32, in row-major order, are returned.
std::vector<float> compute(const std::string &body, const std::string &type,
                           const std::vector<float> &x, const std::vector<float> &y, int results,
                           int numWarps) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, B: tl.constexpr, N: tl.constexpr):
    o = tl.arange(0, B)
    x = tl.load(x_ptr + o).to(tl.)" +
                       type + R"()
    y = tl.load(y_ptr + o).to(tl.)" +
                       type + ")\n" + body + R"(
    tl.store(out_ptr + tl.arange(0, N), tl.reshape(z, (N,)).to(tl.float32))
)";
  auto arguments =
      runOnSimulator({.source = source,
                      .signature = "*fp32:16, *fp32:16, *fp32:16, " + std::to_string(x.size()) +
                                   ", " + std::to_string(results),
                      .arguments = {toArray(x), toArray(y), unwritten<float>(results)},
                      .numWarps = numWarps});
  return fromArray<float>(arguments[2]);
}

std::vector<float> numbersOf(const std::string &type, int count, unsigned seed) {
  auto whole = randomValues<int32_t>(count, seed, 0, type == "int1" ? 2 : 100);
  return {whole.begin(), whole.end()};
}

TEST(Join, EveryType) {
  const int size = 64;
  for (const char *type : elementTypes) {
    SCOPED_TRACE(type);
    auto x = numbersOf(type, size, 91), y = numbersOf(type, size, 92);
    auto joined = compute("    z = tl.join(x, y)", type, x, y, 2 * size, 4);
    auto mixed = compute("    z = tl.interleave(y, x)", type, x, y, 2 * size, 4);
    auto concatenated = compute("    z = tl.cat(x, y)", type, x, y, 2 * size, 4);
    auto halves = compute("    a, b = tl.split(tl.reshape(x, (B // 2, 2)))\n    z = tl.cat(b, a)",
                          type, x, y, size, 4);
    for (int i = 0; i < size; ++i) {
      EXPECT_EQ(joined[2 * i], x[i]);
      EXPECT_EQ(joined[2 * i + 1], y[i]);
      EXPECT_EQ(mixed[2 * i], y[i]);
      EXPECT_EQ(mixed[2 * i + 1], x[i]);
      EXPECT_EQ(concatenated[i], x[i]);
      EXPECT_EQ(concatenated[size + i], y[i]);
      EXPECT_EQ(halves[(i % 2 ? 0 : size / 2) + i / 2], x[i]);
    }
  }
}

TEST(Join, ShapesAndWarps) {
  const int size = 128;
  auto x = numbersOf("float32", size, 93), y = numbersOf("float32", size, 94);
  for (int numWarps : {1, 2, 4, 8}) {
    SCOPED_TRACE(numWarps);
    // Along the last of three dimensions, and back.
    auto got = compute("    a = tl.reshape(x, (4, 8, 4))\n    b = tl.reshape(y, (4, 8, 4))\n"
                       "    c, d = tl.join(a, b).split()\n    z = tl.interleave(d, c)",
                       "float32", x, y, 2 * size, numWarps);
    for (int i = 0; i < size; ++i) {
      ASSERT_EQ(got[2 * i], y[i]);
      ASSERT_EQ(got[2 * i + 1], x[i]);
    }
    // Any order: the same elements.
    got = compute("    z = tl.cat(x, y, can_reorder=True)", "float32", x, y, 2 * size, numWarps);
    std::vector<float> all = x;
    all.insert(all.end(), y.begin(), y.end());
    std::ranges::sort(all);
    std::ranges::sort(got);
    ASSERT_EQ(got, all);
    // Scalars, as tensors of two and back; a shape for the sum.
    got = compute("    a, b = tl.split(tl.join(tl.sum(x), tl.max(y)))\n    z = tl.join(b, a)",
                  "float32", x, y, 2, numWarps);
    ASSERT_EQ(got[0], *std::ranges::max_element(y));
    ASSERT_EQ(got[1], std::accumulate(x.begin(), x.end(), 0.0f));
    got = compute("    z = tl.squeeze(tl.unsqueeze(x, 0), 0) + y.sum(keep_dims=True).item()",
                  "float32", x, y, size, numWarps);
    for (int i = 0; i < size; ++i)
      ASSERT_EQ(got[i], x[i] + std::accumulate(y.begin(), y.end(), 0.0f));
  }
}

TEST(Gather, EveryType) {
  const int size = 64;
  for (const char *type : elementTypes) {
    SCOPED_TRACE(type);
    auto x = numbersOf(type, size, 95), y = x;
    auto got = compute("    z = tl.gather(x, (o * 7 + 3) % B, 0)", type, x, y, size, 4);
    for (int i = 0; i < size; ++i)
      ASSERT_EQ(got[i], x[(i * 7 + 3) % size]);
  }
}

TEST(Gather, AxesIndexTypesAndWarps) {
  const int size = 128; // 8 x 16
  auto x = numbersOf("float32", size, 96), y = x;
  for (int numWarps : {1, 2, 4, 8})
    for (const char *type : {"int8", "int32", "int64", "uint16"}) {
      SCOPED_TRACE(std::string(type) + " with " + std::to_string(numWarps) + " warps");
      // Four elements of each row, in another order.
      auto got = compute("    m = tl.reshape(x, (8, 16))\n"
                         "    r = tl.arange(0, 8)[:, None]\n"
                         "    c = tl.arange(0, 4)[None, :]\n"
                         "    z = m.gather(((r + c * 5) % 16).to(tl." +
                             std::string(type) + "), axis=1)",
                         "float32", x, y, 32, numWarps);
      for (int r = 0; r < 8; ++r)
        for (int c = 0; c < 4; ++c)
          ASSERT_EQ(got[r * 4 + c], x[r * 16 + (r + c * 5) % 16]);
      // More rows than there are, from the columns.
      got = compute("    m = tl.reshape(x, (8, 16))\n"
                    "    r = tl.arange(0, 32)[:, None]\n"
                    "    c = tl.arange(0, 16)[None, :]\n"
                    "    z = tl.gather(m, ((r * 3 + c) % 8).to(tl." +
                        std::string(type) + "), 0)",
                    "float32", x, y, 512, numWarps);
      for (int r = 0; r < 32; ++r)
        for (int c = 0; c < 16; ++c)
          ASSERT_EQ(got[r * 16 + c], x[(r * 3 + c) % 8 * 16 + c]);
    }
}

// Every integer type; a mask; numbers that are no bin's.
TEST(Histogram, TypesMasksAndWarps) {
  const int size = 128, bins = 16;
  for (int numWarps : {1, 2, 4, 8})
    for (const char *type : {"int8", "int16", "int32", "int64", "uint8", "uint32"}) {
      SCOPED_TRACE(std::string(type) + " with " + std::to_string(numWarps) + " warps");
      auto x = numbersOf(type, size, 97), y = x;
      for (float &value : x)
        value = std::floor(value / 5); // 0 .. 19, four of which are no bins
      auto all = compute("    z = tl.histogram(x % 16, 16)", type, x, y, bins, numWarps);
      auto some =
          compute("    z = x.histogram(16, mask=(o < 101) & (x < 16))", type, x, y, bins, numWarps);
      for (int bin = 0; bin < bins; ++bin) {
        int count = 0, masked = 0;
        for (int i = 0; i < size; ++i) {
          count += static_cast<int>(x[i]) % 16 == bin;
          masked += i < 101 && static_cast<int>(x[i]) == bin;
        }
        EXPECT_EQ(all[bin], static_cast<float>(count)) << "bin " << bin;
        EXPECT_EQ(some[bin], static_cast<float>(masked)) << "bin " << bin;
      }
    }
}

} // namespace
