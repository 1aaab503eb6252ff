//===- ByteProductTest.cpp - Loops of products of bytes -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Sums over K of products of i8, in tiles of 64 along K, of any number of iterations. Rows of both
// operands lie along K, where two iterations may be one (tilewright-nvidia-join-iterations), or
// across it, where threads load neighbours and exchange bytes (NeighborRows.h).
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include <random>

using namespace tilewright::test;

namespace {

constexpr int rows = 64, columns = 32, depth = 64;

struct Order {
  bool leftAlongK, rightAlongK;
};

/// Checks C = A @ B with `k` of K.
void checkSums(Order order, int k, const std::string &target, int numWarps) {
  SCOPED_TRACE(target + ", K = " + std::to_string(k) + (order.leftAlongK ? ", A along K" : "") +
               (order.rightAlongK ? ", B along K" : ""));
  const std::string source =
      std::string(imports) + R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.int32)
    for k in range(0, K, BK):
)" +
      (order.leftAlongK ? "        a = tl.load(a_ptr + rm[:, None] * K + (k + rk)[None, :])\n"
                        : "        a = tl.load(a_ptr + (k + rk)[None, :] * BM + rm[:, None])\n") +
      (order.rightAlongK ? "        b = tl.load(b_ptr + rn[None, :] * K + (k + rk)[:, None])\n"
                         : "        b = tl.load(b_ptr + (k + rk)[:, None] * BN + rn[None, :])\n") +
      R"(        acc = tl.dot(a, b, acc, out_dtype=tl.int32)
    tl.store(c_ptr + rm[:, None] * BN + rn[None, :], acc)
)";
  std::mt19937 generator(k + 1);
  auto bytes = [&](int count) {
    std::vector<int8_t> values(std::max(count, 1));
    for (int8_t &value : values)
      value = static_cast<int8_t>(generator());
    return values;
  };
  const std::vector<int8_t> a = bytes(rows * k), b = bytes(columns * k);
  auto arguments = runOnSimulator(
      {.source = source,
       .signature = "*i8:16, *i8:16, *i32:16, i32:16, 64, 32, 64",
       .arguments = {toArray(a), toArray(b), unwritten<int32_t>(rows * columns), int64_t(k)},
       .numWarps = numWarps,
       .target = target});
  const auto c = fromArray<int32_t>(arguments[2]);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      int32_t sum = 0;
      for (int n = 0; n < k; ++n)
        sum += a[order.leftAlongK ? i * k + n : n * rows + i] *
               b[order.rightAlongK ? j * k + n : n * columns + j];
      ASSERT_EQ(c[i * columns + j], sum) << i << ", " << j;
    }
}

class ByteProduct : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Targets, ByteProduct, testing::Values("cuda:80", "cuda:90"), nameOfTarget);

// A load that is not masked off after the last iteration would be outside of the arrays.
TEST_P(ByteProduct, Iterations) {
  for (int iterations : {0, 1, 2, 3, 5, 8})
    checkSums({true, true}, iterations * depth, GetParam(), 4);
}

TEST_P(ByteProduct, Orders) {
  for (bool leftAlongK : {false, true})
    for (bool rightAlongK : {false, true})
      for (int numWarps : {1, 4, 8})
        checkSums({leftAlongK, rightAlongK}, 3 * depth, GetParam(), numWarps);
}

} // namespace
