//===- GemmKernel.cpp - A matrix product by a loop over tiles of K ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "GemmKernel.h"

#include "IRText.h"

#include <array>

using namespace tilewright;
using namespace tilewright::test;
using enum ElementType;
using runtime::nameOf;

static constexpr const char *kernel = R"(
@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), RESULT)
    for k in range(0, K, BK):
        ks = k + rk
        a = tl.load(a_ptr + rm[:, None] * stride_am + ks[None, :] * stride_ak,
                    mask=(rm[:, None] < M) & (ks[None, :] < K), other=0)
        b = tl.load(b_ptr + ks[:, None] * stride_bk + rn[None, :] * stride_bn,
                    mask=(ks[:, None] < K) & (rn[None, :] < N), other=0)
        acc = tl.dot(a, b, acc, out_dtype=RESULT)
    tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))
)";

void test::checkGemm(const Gemm &g) {
  SCOPED_TRACE(std::string(nameOf(g.left)) + " x " + std::string(nameOf(g.right)) +
               ", transposed " + std::to_string(g.leftTransposed) +
               std::to_string(g.rightTransposed) + ", " + std::to_string(g.numWarps) + " warps, " +
               std::to_string(g.numStages) + " stages, blocks of " + std::to_string(g.blockM) +
               " x " + std::to_string(g.blockN) + " x " + std::to_string(g.blockK) + ", " +
               g.target);
  const auto [M, N, K] = std::array{g.m, g.n, g.k};
  const HostArray a = quarters(g.left, {M, K}, 1), b = quarters(g.right, {K, N}, 2);
  // The same numbers in the same order: what is transposed is what the strides make of them.
  const int64_t am = g.leftTransposed ? 1 : K, ak = g.leftTransposed ? M : 1,
                bk = g.rightTransposed ? 1 : N, bn = g.rightTransposed ? K : 1;
  auto pointer = [](ElementType type) { return "*" + std::string(nameOf(type)) + ":16, "; };
  // Strides of 1 are constants, as a JIT would have them.
  // `i32:1` is the number 1.
  const std::string hint = g.divisor == 1 ? "" : ":" + std::to_string(g.divisor);
  const std::string size = "i32" + hint + ", ";
  auto stride = [&](int64_t value) { return value == 1 ? std::string("1, ") : size; };
  std::vector<ArgumentValue> values = {a, b, HostArray(g.result, {M, N}), M, N, K};
  for (int64_t value : {am, ak, bk, bn})
    if (value != 1)
      values.emplace_back(value);
  const std::string source = replaceAll(imports + std::string(kernel), "RESULT",
                                        g.result == Int32     ? "tl.int32"
                                        : g.result == Float64 ? "tl.float64"
                                                              : "tl.float32");
  const auto arguments = runOnSimulator(
      {.source = source,
       .signature = pointer(g.left) + pointer(g.right) + pointer(g.result) + size + size + size +
                    stride(am) + stride(ak) + stride(bk) + stride(bn) + std::to_string(g.blockM) +
                    ", " + std::to_string(g.blockN) + ", " + std::to_string(g.blockK),
       .arguments = values,
       .grid = {uint32_t((M + g.blockM - 1) / g.blockM), uint32_t((N + g.blockN - 1) / g.blockN)},
       .numWarps = g.numWarps,
       .target = g.target,
       .numStages = g.numStages,
       .options = g.launch});
  const HostArray &out = std::get<HostArray>(arguments[2]);
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < K; ++k)
        sum += a.at(i * am + k * ak) * b.at(k * bk + j * bn);
      ASSERT_EQ(out.at(i * N + j), sum) << i << ", " << j;
    }
}
