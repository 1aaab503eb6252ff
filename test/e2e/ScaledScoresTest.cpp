//===- ScaledScoresTest.cpp - Maxima of scaled products -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Rows of scaled products: their maxima and sums over a loop, as attention needs them, with scales
// of either sign. Whole numbers, so that all is exact.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright::test;

namespace {

TEST(ScaledScores, SignsOfTheScale) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(q_ptr, k_ptr, m_ptr, l_ptr, scale, n, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rm = tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    q = tl.load(q_ptr + rm[:, None] * D + rd[None, :])
    m = tl.full((BM,), -1.0e6, dtype=tl.float32)
    l = tl.zeros((BM,), dtype=tl.float32)
    for start in range(0, n, BN):
        k = tl.load(k_ptr + (start + rn)[None, :] * D + rd[:, None])
        t = tl.dot(q, k) * scale
        m = tl.maximum(m, tl.max(t, 1))
        l += tl.sum(t, 1)
    tl.store(m_ptr + rm, m)
    tl.store(l_ptr + rm, l)
)";
  constexpr int rows = 64, keys = 192, depth = 64;
  const auto q = randomWholeNumbers(rows * depth, 1, -4, 4),
             k = randomWholeNumbers(keys * depth, 2, -4, 4);
  auto halves = [](const std::vector<float> &values) {
    HostArray array(ElementType::Float16, {static_cast<int64_t>(values.size())});
    for (size_t i = 0; i < values.size(); ++i)
      array.set(i, values[i]);
    return array;
  };
  for (float scale : {0.5f, -0.25f, 0.0f}) {
    auto arguments = runOnSimulator(
        {.source = source,
         .signature = "*fp16:16, *fp16:16, *fp32:16, *fp32:16, fp32, i32:16, 64, 64, 64",
         .arguments = {halves(q), halves(k), unwritten<float>(rows), unwritten<float>(rows),
                       static_cast<double>(scale), int64_t(keys)}});
    const auto maxima = fromArray<float>(arguments[2]), sums = fromArray<float>(arguments[3]);
    for (int i = 0; i < rows; ++i) {
      float most = -1.0e6, sum = 0;
      for (int j = 0; j < keys; ++j) {
        float score = 0;
        for (int n = 0; n < depth; ++n)
          score += q[i * depth + n] * k[j * depth + n];
        most = std::max(most, score * scale);
        sum += score * scale;
      }
      ASSERT_EQ(maxima[i], most) << scale << ", row " << i;
      ASSERT_EQ(sums[i], sum) << scale << ", row " << i;
    }
  }
}

} // namespace
