//===- DotCorpusTest.cpp - The example kernels with products ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright::test;

namespace {

using tilewright::runtime::nameOf;

class DotCorpus : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Targets, DotCorpus, testing::ValuesIn(corpusTargets), nameOfTarget);

class DotCorpusElsewhere : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Targets, DotCorpusElsewhere, testing::ValuesIn(otherTargets),
                         nameOfTarget);

/// Random numbers in [-1, 1] as `type` has them.
HostArray uniform(ElementType type, std::vector<int64_t> shape, unsigned seed) {
  HostArray array(type, std::move(shape));
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> distribution(-1, 1);
  for (size_t i = 0; i < array.size(); ++i)
    array.set(i, distribution(generator));
  return array;
}

HostArray notANumber(ElementType type, std::vector<int64_t> shape) {
  HostArray array(type, std::move(shape));
  std::ranges::fill(array.bytes, std::byte(0xFF));
  return array;
}

struct Tile {
  int64_t m, n, k;
};

/// C[M, N] = A[M, K] B[K, N] by the kernel matmul, or with B stored [N, K] by matmul_bt and,
/// through tensor descriptors, by matmul_desc.
void testMatmul(const std::string &kernel, ElementType type, int64_t M, int64_t N, int64_t K,
                Tile tile, int numWarps, const std::string &target) {
  SCOPED_TRACE(kernel + " " + std::string(nameOf(type)) + " " + std::to_string(M) + "x" +
               std::to_string(N) + "x" + std::to_string(K));
  const bool described = kernel == "matmul_desc";
  const bool transposed = described || kernel == "matmul_bt";
  HostArray a = uniform(type, {M, K}, 1);
  HostArray b = uniform(type, {transposed ? N : K, transposed ? K : N}, 2);
  std::string pointer = "*" + std::string(nameOf(type)) + ":16, ";
  auto integer = [](int64_t value) -> std::string { return value % 16 ? "i32, " : "i32:16, "; };
  const int64_t strideB = transposed ? K : N;
  std::vector<ArgumentValue> values = {a, b, notANumber(type, {M, N}), M, N, K};
  std::string strides;
  if (!described) {
    values.insert(values.end(), {K, strideB, N});
    strides = integer(K) + integer(strideB) + integer(N);
  }
  auto arguments = runOnSimulator(
      {.source = exampleSource("gemm.py"),
       .signature = pointer + pointer + pointer + integer(M) + integer(N) + integer(K) + strides +
                    std::to_string(tile.m) + ", " + std::to_string(tile.n) + ", " +
                    std::to_string(tile.k) + ", 8",
       .arguments = values,
       .grid = {static_cast<uint32_t>((M + tile.m - 1) / tile.m * ((N + tile.n - 1) / tile.n))},
       .numWarps = numWarps,
       .target = target,
       .kernel = kernel});
  const HostArray &out = std::get<HostArray>(arguments[2]);
  // K roundings of sums in f32, and one of the result in its own type: half of its last place. A
  // matrix unit takes 11 bits of each f32: products of numbers up to 1 lose up to 2^-9.
  const double ofOperands = type == ElementType::Float32 ? K * 0x1p-9 : 0;
  const double ofSum = K * K * 0x1p-24 + ofOperands,
               ofResult = type == ElementType::Float16 ? 0x1p-11 : 0;
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < K; ++k)
        sum += a.at(i * K + k) * b.at(transposed ? j * K + k : k * N + j);
      ASSERT_NEAR(out.at(i * N + j), sum, ofSum + ofResult * std::fabs(sum)) << i << ", " << j;
    }
}

TEST_P(DotCorpus, MatmulF16) {
  testMatmul("matmul", ElementType::Float16, 64, 128, 128, {64, 128, 64}, 4, GetParam());
  testMatmul("matmul", ElementType::Float16, 70, 40, 50, {32, 32, 32}, 4, GetParam());
}

TEST_P(DotCorpus, MatmulF16LargestTile) {
  testMatmul("matmul", ElementType::Float16, 128, 256, 64, {128, 256, 64}, 8, GetParam());
}

TEST_P(DotCorpus, MatmulF32) {
  testMatmul("matmul", ElementType::Float32, 128, 128, 64, {128, 128, 32}, 8, GetParam());
  testMatmul("matmul", ElementType::Float32, 33, 65, 17, {16, 64, 16}, 2, GetParam());
}

TEST_P(DotCorpus, MatmulTransposed) {
  testMatmul("matmul_bt", ElementType::Float16, 64, 64, 128, {64, 64, 32}, 4, GetParam());
  testMatmul("matmul_bt", ElementType::Float16, 48, 80, 31, {64, 32, 16}, 1, GetParam());
}

TEST_P(DotCorpus, MatmulThroughDescriptors) {
  testMatmul("matmul_desc", ElementType::Float16, 64, 64, 128, {64, 64, 32}, 4, GetParam());
  testMatmul("matmul_desc", ElementType::Float16, 48, 72, 40, {32, 64, 16}, 2, GetParam());
}

TEST_P(DotCorpusElsewhere, MatmulF16) {
  testMatmul("matmul", ElementType::Float16, 32, 64, 64, {32, 64, 32}, 4, GetParam());
}

void testFlash(bool causal, int64_t sequence, int64_t d, int64_t bm, int64_t bn, int numWarps,
               const std::string &target) {
  SCOPED_TRACE("causal " + std::to_string(causal) + ", head dimension " + std::to_string(d));
  const int64_t heads = 2;
  using enum ElementType;
  HostArray q = uniform(Float16, {heads, sequence, d}, 3),
            k = uniform(Float16, {heads, sequence, d}, 4),
            v = uniform(Float16, {heads, sequence, d}, 5);
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  auto arguments = runOnSimulator(
      {.source = exampleSource("attention.py"),
       .signature = "*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, fp32, i32:16, " +
                    std::to_string(bm) + ", " + std::to_string(bn) + ", " + std::to_string(d) +
                    (causal ? ", True" : ", False"),
       .arguments = {q, k, v, notANumber(Float16, {heads, sequence, d}),
                     notANumber(Float32, {heads, sequence}), scale, sequence},
       .grid = {static_cast<uint32_t>(sequence / bm), static_cast<uint32_t>(heads)},
       .numWarps = numWarps,
       .target = target,
       .kernel = "flash_fwd"});
  const HostArray &out = std::get<HostArray>(arguments[3]),
                  &lse = std::get<HostArray>(arguments[4]);
  for (int64_t h = 0; h < heads; ++h)
    for (int64_t i = 0; i < sequence; ++i) {
      std::vector<double> weights(sequence, 0);
      double sum = 0;
      for (int64_t j = 0; j < (causal ? i + 1 : sequence); ++j) {
        double score = 0;
        for (int64_t l = 0; l < d; ++l)
          score += q.at((h * sequence + i) * d + l) * k.at((h * sequence + j) * d + l);
        sum += weights[j] = std::exp(score * scale);
      }
      // Weights are rounded to f16 (half an ulp: 2^-11) before they are multiplied by numbers up
      // to 1, and so is the result.
      for (int64_t l = 0; l < d; ++l) {
        double value = 0;
        for (int64_t j = 0; j < sequence; ++j)
          value += weights[j] / sum * v.at((h * sequence + j) * d + l);
        ASSERT_NEAR(out.at((h * sequence + i) * d + l), value, 2 * 0x1p-11) << h << ", " << i;
      }
      ASSERT_NEAR(lse.at(h * sequence + i), std::log2(sum), 1e-5);
    }
}

TEST_P(DotCorpus, FlashAttention) {
  testFlash(/*causal=*/false, 64, 32, 32, 32, 4, GetParam());
  testFlash(/*causal=*/false, 128, 64, 128, 64, 8, GetParam());
}

TEST_P(DotCorpus, CausalFlashAttention) {
  testFlash(/*causal=*/true, 64, 32, 32, 32, 4, GetParam());
  testFlash(/*causal=*/true, 64, 64, 64, 32, 2, GetParam());
}

} // namespace
