//===- CorpusTest.cpp - The example kernels on every target -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include <numeric>

using namespace tilewright::test;

namespace {

class Corpus : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Targets, Corpus, testing::ValuesIn(corpusTargets), nameOfTarget);

class CorpusElsewhere : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Targets, CorpusElsewhere, testing::ValuesIn(otherTargets), nameOfTarget);

void testVectorAdd(int64_t n, int block, int numWarps, const std::string &target,
                   const std::string &sizeType) {
  auto x = randomValues<float>(n, 1, -10, 10), y = randomValues<float>(n, 2, -10, 10);
  std::vector<double> expected(n);
  for (int64_t i = 0; i < n; ++i)
    expected[i] = x[i] + y[i]; // one rounding, as in the kernel
  auto arguments = runOnSimulator(
      {.source = exampleSource("elementwise.py"),
       .signature = "*fp32:16, *fp32:16, *fp32:16, " + sizeType + ", " + std::to_string(block),
       .arguments = {toArray(x), toArray(y), unwritten<float>(n), n},
       .grid = {static_cast<uint32_t>((n + block - 1) / block)},
       .numWarps = numWarps,
       .target = target,
       .kernel = "vector_add"});
  expectClose(fromArray<float>(arguments[2]), expected, 0);
}

TEST_P(Corpus, VectorAdd) {
  testVectorAdd(1003, 256, 4, GetParam(), "i32");
  for (int numWarps : {1, 2, 8})
    for (int64_t n : {1, 31, 513, 1024})
      testVectorAdd(n, 512, numWarps, GetParam(), "i32");
}

TEST_P(Corpus, VectorAddOfDivisibleSizeVectorises) {
  testVectorAdd(2048 + 16, 1024, 4, GetParam(), "i32:16");
}

// A block smaller than the threads: several threads hold each element, one stores it.
TEST_P(Corpus, VectorAddInABlockSmallerThanThreads) {
  testVectorAdd(100, 32, 4, GetParam(), "i32");
}

TEST_P(CorpusElsewhere, VectorAdd) { testVectorAdd(1003, 256, 4, GetParam(), "i32"); }

void testSoftmax(int64_t rows, int64_t columns, int block, int numWarps,
                 const std::string &target) {
  auto x = randomValues<float>(rows * columns, 3, -20, 20);
  std::vector<double> expected(rows * columns);
  for (int64_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (int64_t i = 0; i < columns; ++i)
      sum += std::exp(double(x[row * columns + i]));
    for (int64_t i = 0; i < columns; ++i)
      expected[row * columns + i] = std::exp(double(x[row * columns + i])) / sum;
  }
  auto arguments =
      runOnSimulator({.source = exampleSource("rowwise.py"),
                      .signature = "*fp32:16, *fp32:16, i32, i32, " + std::to_string(block),
                      .arguments = {toArray(x), unwritten<float>(rows * columns), columns, columns},
                      .grid = {static_cast<uint32_t>(rows)},
                      .numWarps = numWarps,
                      .target = target,
                      .kernel = "softmax"});
  // exp2 of a scaled argument (|x| <= 40 log2 e) and a sum of up to a thousand terms in f32.
  expectClose(fromArray<float>(arguments[1]), expected, 1e-5);
}

TEST_P(Corpus, Softmax) {
  testSoftmax(3, 100, 128, 4, GetParam());
  testSoftmax(2, 1000, 1024, 8, GetParam());
  testSoftmax(2, 33, 64, 1, GetParam());
  testSoftmax(1, 1, 32, 2, GetParam());
  testSoftmax(4, 16, 16, 4, GetParam()); // fewer elements than threads
}

TEST_P(CorpusElsewhere, Softmax) { testSoftmax(3, 100, 128, 4, GetParam()); }

void testLayerNorm(int64_t rows, int64_t columns, int64_t block, int numWarps,
                   const std::string &target) {
  auto x = randomValues<float>(rows * columns, 6, -2, 4);
  auto w = randomValues<float>(columns, 7, -1, 1), b = randomValues<float>(columns, 8, -1, 1);
  const double eps = 1e-3;
  std::vector<double> y, means, rstds;
  for (int64_t row = 0; row < rows; ++row) {
    const float *in = &x[row * columns];
    double mean = std::accumulate(in, in + columns, 0.0) / columns, variance = 0;
    for (int64_t i = 0; i < columns; ++i)
      variance += (in[i] - mean) * (in[i] - mean) / columns;
    means.push_back(mean);
    rstds.push_back(1 / std::sqrt(variance + eps));
    for (int64_t i = 0; i < columns; ++i)
      y.push_back((in[i] - mean) * rstds.back() * w[i] + b[i]);
  }
  auto arguments = runOnSimulator(
      {.source = exampleSource("rowwise.py"),
       .signature = "*fp32:16, *fp32:16, *fp32:16, *fp32:16, *fp32, *fp32, i32, "
                    "i32, fp32, " +
                    std::to_string(block),
       .arguments = {toArray(x), toArray(w), toArray(b), unwritten<float>(rows * columns),
                     unwritten<float>(rows), unwritten<float>(rows), columns, columns, eps},
       .grid = {static_cast<uint32_t>(rows)},
       .numWarps = numWarps,
       .target = target,
       .kernel = "layer_norm"});
  // Sums of up to some hundreds of f32 terms of size 4, then a fast division and square root.
  expectClose(fromArray<float>(arguments[3]), y, 1e-4);
  expectClose(fromArray<float>(arguments[4]), means, 1e-5);
  expectClose(fromArray<float>(arguments[5]), rstds, 1e-4);
}

TEST_P(Corpus, LayerNormInOneBlockOrSeveralOfARow) {
  testLayerNorm(3, 200, 256, 4, GetParam());
  testLayerNorm(2, 200, 64, 2, GetParam()); // three whole blocks and a part of one
  testLayerNorm(2, 128, 64, 1, GetParam()); // no part
}

// Of equal ones the first.
TEST_P(Corpus, RowArgmax) {
  constexpr int64_t rows = 8, columns = 100;
  // Whole numbers, few enough that the greatest stands in a row more than once.
  std::vector<float> x(rows * columns);
  auto numbers = randomValues<int32_t>(rows * columns, 9, -20, 20);
  std::ranges::copy(numbers, x.begin());
  std::vector<float> values;
  std::vector<int32_t> indices;
  for (int64_t row = 0; row < rows; ++row) {
    auto begin = x.begin() + row * columns, greatest = std::max_element(begin, begin + columns);
    values.push_back(*greatest);
    indices.push_back(static_cast<int32_t>(greatest - begin));
  }
  auto arguments = runOnSimulator({.source = exampleSource("rowwise.py"),
                                   .signature = "*fp32:16, *fp32:16, *i32:16, i32, i32, 4, 128",
                                   .arguments = {toArray(x), unwritten<float>(rows),
                                                 unwritten<int32_t>(rows), columns, columns},
                                   .grid = {rows / 4},
                                   .target = GetParam(),
                                   .kernel = "row_argmax"});
  EXPECT_EQ(fromArray<float>(arguments[1]), values);
  EXPECT_EQ(fromArray<int32_t>(arguments[2]), indices);
}

/// C[M, K] = A[M, N] B[N, K] in tiles of bm x bk. The kernel reads A and B without masks, so
/// the arrays are padded to whole tiles; C is not.
void testMatmul(int64_t M, int64_t N, int64_t K, int bm, int bk, int numWarps, bool unitStrides,
                const std::string &target) {
  int64_t rows = (M + bm - 1) / bm * bm, columns = (K + bk - 1) / bk * bk;
  auto a = randomValues<float>(rows * N, 4, -1, 1), b = randomValues<float>(N * columns, 5, -1, 1);
  std::vector<double> expected(M * K, 0);
  for (int64_t i = 0; i < M; ++i)
    for (int64_t n = 0; n < N; ++n)
      for (int64_t k = 0; k < K; ++k)
        expected[i * K + k] += double(a[i * N + n]) * b[n * columns + k];
  std::string one = unitStrides ? "1" : "i32";
  std::vector<ArgumentValue> arguments = {toArray(a), toArray(b), unwritten<float>(M * K), M, N, K};
  for (int64_t stride : {N, columns, K}) {
    arguments.push_back(stride);
    if (!unitStrides)
      arguments.push_back(int64_t(1));
  }
  std::string wide = N % 16 == 0 && K % 16 == 0 ? "i32:16" : "i32";
  arguments = runOnSimulator(
      {.source = exampleSource("gemm.py"),
       .signature = "*fp32:16, *fp32:16, *fp32:16, i32, i32, i32, " + wide + ", " + one + ", " +
                    wide + ", " + one + ", " + wide + ", " + one + ", " + std::to_string(bm) +
                    ", " + std::to_string(bk),
       .arguments = arguments,
       .grid = {static_cast<uint32_t>(columns / bk), static_cast<uint32_t>(rows / bm)},
       .numWarps = numWarps,
       .target = target,
       .kernel = "matmul_fma"});
  // N fused multiply-adds of numbers up to 1.
  expectClose(fromArray<float>(arguments[2]), expected, N * 6e-8);
}

TEST_P(Corpus, MatmulByRankOneUpdates) { testMatmul(128, 32, 64, 128, 64, 4, true, GetParam()); }

TEST_P(Corpus, MatmulByRankOneUpdatesWithRuntimeStrides) {
  testMatmul(64, 32, 64, 64, 64, 4, false, GetParam());
}

TEST_P(Corpus, MatmulByRankOneUpdatesMasksEdges) {
  testMatmul(70, 17, 100, 64, 64, 4, true, GetParam());
  testMatmul(70, 17, 100, 64, 64, 4, false, GetParam());
}

TEST_P(Corpus, MatmulByRankOneUpdatesInOtherTilesAndWarps) {
  testMatmul(64, 16, 128, 32, 128, 2, true, GetParam());
  testMatmul(16, 16, 16, 16, 16, 1, true, GetParam());
  testMatmul(128, 16, 128, 128, 128, 8, true, GetParam());
}

TEST_P(Corpus, MatmulByRankOneUpdatesWithoutIterations) {
  testMatmul(64, 0, 64, 64, 64, 4, true, GetParam());
}

TEST_P(CorpusElsewhere, MatmulByRankOneUpdates) {
  testMatmul(128, 32, 64, 128, 64, 4, true, GetParam());
}

} // namespace
