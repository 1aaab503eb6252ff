//===- ClusterTest.cpp - Programs that clusters of blocks run -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A program gives the same results however many blocks run it.
//
//===--------------------------------------------------------------------------===//

#include "IRText.h"

#include <gmock/gmock.h>
#include <numeric>

using namespace tilewright;
using namespace tilewright::test;
using ::testing::HasSubstr;

namespace {

CompileResult compileFor(const std::string &body, const std::string &signature, int blocks,
                         const std::string &target = "cuda:90") {
  CompileOptions options;
  options.target = target;
  options.signature = signature;
  options.numCtas = blocks;
  Compiler compiler;
  noteRun();
  return compiler.compile({"test.py", imports + body}, options);
}

std::string errorsOf(const CompileResult &result) {
  std::string text;
  for (const Diagnostic &diagnostic : result.diagnostics)
    text += render(diagnostic);
  return text;
}

/// Compiles and runs; the arguments are the results then.
void runFor(const std::string &body, const std::string &signature, int blocks,
            std::vector<ArgumentValue> &arguments, Grid grid = {}) {
  CompileResult result = compileFor(body, signature, blocks);
  ASSERT_TRUE(result) << errorsOf(result);
  EXPECT_EQ(result.compilation->kernel.metadata.numCtas, blocks);
  auto done = runWith(simulate::AsyncCompletion::Late, result.compilation->kernel, arguments, grid);
  ASSERT_TRUE(done) << render(done.error());
}

class Cluster : public testing::TestWithParam<int> {};

const char *const softmax = R"(
@triton.jit
def kernel(x, y, n, B: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, B)
    v = tl.load(x + r * n + c, mask=c < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + r * n + c, e / tl.sum(e, 0), mask=c < n)
)";

} // namespace

TEST_P(Cluster, RowsAreReducedAcrossBlocks) {
  const int rows = 3, columns = 1000;
  const auto x = randomValues<float>(rows * columns, 1, -4, 4);
  std::vector<ArgumentValue> arguments = {toArray(x), unwritten<float>(x.size()), int64_t(columns)};
  runFor(softmax, "*fp32:16, *fp32:16, i32, 1024", GetParam(), arguments, {rows});
  const auto y = fromArray<float>(arguments[1]);
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int column = 0; column < columns; ++column)
      sum += std::exp(double(x[row * columns + column]));
    for (int column = 0; column < columns; ++column) {
      const int i = row * columns + column;
      ASSERT_NEAR(y[i], std::exp(double(x[i])) / sum, 1e-6) << i;
    }
  }
}

TEST_P(Cluster, TilesThatAreWantedInTwoWays) {
  // Along rows and along columns, transposed, and an arg max, whose indices are the tile's.
  const char *const body = R"(
@triton.jit
def kernel(x, rows, columns, turned, best, R: tl.constexpr, C: tl.constexpr):
    r = tl.arange(0, R)
    c = tl.arange(0, C)
    v = tl.load(x + r[:, None] * C + c[None, :])
    tl.store(rows + r, tl.sum(v, 1))
    tl.store(columns + c, tl.max(v, 0))
    tl.store(turned + c[:, None] * R + r[None, :], tl.trans(v) + tl.sum(v, 1)[None, :])
    tl.store(best, tl.argmax(tl.max(v, 1), 0))
)";
  constexpr int r = 16, c = 64;
  auto x = randomValues<int32_t>(r * c, 2, -100, 100);
  x[13 * c + 7] = 1000;
  std::vector<ArgumentValue> arguments = {toArray(x), unwritten<int32_t>(r), unwritten<int32_t>(c),
                                          unwritten<int32_t>(r * c), unwritten<int32_t>(1)};
  runFor(body, "*i32:16, *i32:16, *i32:16, *i32:16, *i32:16, 16, 64", GetParam(), arguments);
  const auto rows = fromArray<int32_t>(arguments[1]), columns = fromArray<int32_t>(arguments[2]),
             turned = fromArray<int32_t>(arguments[3]);
  for (int i = 0; i < r; ++i) {
    const int sum = std::accumulate(&x[i * c], &x[i * c] + c, 0);
    EXPECT_EQ(rows[i], sum);
    for (int j = 0; j < c; ++j)
      EXPECT_EQ(turned[j * r + i], x[i * c + j] + sum);
  }
  for (int j = 0; j < c; ++j) {
    int most = x[j];
    for (int i = 0; i < r; ++i)
      most = std::max(most, x[i * c + j]);
    EXPECT_EQ(columns[j], most);
  }
  EXPECT_EQ(fromArray<int32_t>(arguments[4])[0], 13);
}

TEST_P(Cluster, ScansAndSortsNeedWholeRows) {
  const char *const body = R"(
@triton.jit
def kernel(x, sums, sorted, B: tl.constexpr):
    c = tl.arange(0, B)
    v = tl.load(x + c)
    tl.store(sums + c, tl.cumsum(v, 0))
    tl.store(sorted + c, tl.sort(v))
)";
  auto x = randomValues<int32_t>(128, 3, -1000, 1000);
  std::vector<ArgumentValue> arguments = {toArray(x), unwritten<int32_t>(x.size()),
                                          unwritten<int32_t>(x.size())};
  runFor(body, "*i32:16, *i32:16, *i32:16, 128", GetParam(), arguments);
  std::vector<int32_t> sums(x.size());
  std::partial_sum(x.begin(), x.end(), sums.begin());
  EXPECT_EQ(fromArray<int32_t>(arguments[1]), sums);
  std::ranges::sort(x);
  EXPECT_EQ(fromArray<int32_t>(arguments[2]), x);
}

TEST_P(Cluster, EffectsHappenOnce) {
  // A ticket that one block draws is all blocks'; a tile smaller than the cluster is added once.
  const char *const body = R"(
@triton.jit
def kernel(tickets, counts, x, B: tl.constexpr):
    t = tl.atomic_add(tickets, 1)
    c = tl.arange(0, B)
    tl.store(x + t * B + c, c + 1000 * t)
    two = tl.arange(0, 2)
    tl.atomic_add(counts + two, two + 5)
)";
  std::vector<ArgumentValue> arguments = {toArray(std::vector<int32_t>{0}),
                                          toArray(std::vector<int32_t>{0, 0}),
                                          unwritten<int32_t>(3 * 64)};
  runFor(body, "*i32:16, *i32:16, *i32:16, 64", GetParam(), arguments, {3});
  EXPECT_EQ(fromArray<int32_t>(arguments[0]), std::vector<int32_t>{3});
  EXPECT_EQ(fromArray<int32_t>(arguments[1]), (std::vector<int32_t>{15, 18}));
  const auto x = fromArray<int32_t>(arguments[2]);
  for (int i = 0; i < 3 * 64; ++i)
    EXPECT_EQ(x[i], i % 64 + 1000 * (i / 64));
}

TEST_P(Cluster, ProductsInLoops) {
  // The second product takes the first one's rows; the loop carries a pointer in two kinds of
  // parts.
  const char *const body = R"(
@triton.jit
def kernel(a, b, y, K, M: tl.constexpr, N: tl.constexpr, BK: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, BK)
    pa = a + m[:, None] * K + k[None, :]
    pb = b + k[:, None] * N + n[None, :]
    acc = tl.zeros((M, N), tl.float32)
    for i in range(0, K, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc)
        pa += BK
        pb += BK * N
    tl.store(y + m[:, None] * N + n[None, :], acc - tl.max(acc, 1)[:, None])
)";
  constexpr int m = 128, n = 64, k = 96;
  const auto a = randomValues<int32_t>(m * k, 4, -3, 3), b = randomValues<int32_t>(k * n, 5, -3, 3);
  auto halves = [](const std::vector<int32_t> &values) {
    HostArray array(ElementType::Float16, {static_cast<int64_t>(values.size())});
    for (size_t i = 0; i < values.size(); ++i)
      array.setInteger(i, values[i]);
    return array;
  };
  std::vector<ArgumentValue> arguments = {halves(a), halves(b), unwritten<float>(m * n),
                                          int64_t(k)};
  runFor(body, "*fp16:16, *fp16:16, *fp32:16, i32:16, 128, 64, 32", GetParam(), arguments);
  const auto y = fromArray<float>(arguments[2]);
  for (int i = 0; i < m; ++i) {
    std::vector<int> row(n, 0);
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l)
        row[j] += a[i * k + l] * b[l * n + j];
    for (int j = 0; j < n; ++j)
      ASSERT_EQ(y[i * n + j], row[j] - *std::ranges::max_element(row)) << i << ", " << j;
  }
}

INSTANTIATE_TEST_SUITE_P(Blocks, Cluster, testing::Values(2, 8));

TEST(ClusterErrors, SizesThatTheTargetHasNot) {
  for (int blocks : {0, 3, 16, -2})
    EXPECT_THAT(errorsOf(compileFor(softmax, "*fp32, *fp32, i32, 1024", blocks)),
                HasSubstr("error: a program cannot be run by a cluster of " +
                          std::to_string(blocks) +
                          " blocks: cuda:90 has clusters of 1, 2, 4 and 8 blocks"));
  for (const char *target : {"cuda:80", "hip:gfx1201", "xpu:bmg"})
    EXPECT_THAT(errorsOf(compileFor(softmax, "*fp32, *fp32, i32, 1024", 2, target)),
                HasSubstr(std::string(target) + " has no clusters"));
}

// A row's greatest element is exchanged in each iteration, in the same memory.
TEST(ClusterErrors, MemoryOfOtherBlocks) {
  const char *const body = R"(
@triton.jit
def kernel(x, y, n, B: tl.constexpr):
    c = tl.arange(0, B)
    sum = 0.0
    for row in range(n):
        sum += tl.max(tl.load(x + row * B + c), 0)
    tl.store(y, sum)
)";
  CompileResult result = compileFor(body, "*fp32:16, *fp32:16, i32, 256", 2);
  ASSERT_TRUE(result) << errorsOf(result);
  const CompiledKernel good = result.compilation->kernel;
  auto run = [](const CompiledKernel &kernel, int64_t rows) {
    std::vector<ArgumentValue> arguments = {toArray(std::vector<float>(1024, 1)),
                                            toArray(std::vector<float>{0}), rows};
    auto done = runWith(simulate::AsyncCompletion::Late, kernel, arguments);
    return done ? "sum " + std::to_string(int(fromArray<float>(arguments[1])[0]))
                : render(done.error());
  };
  EXPECT_EQ(run(good, 3), "sum 3");
  // Without the barrier that so many others stand before.
  auto without = [&](int number) {
    CompiledKernel bad = good;
    for (const char *step : {"arrive", "wait"}) {
      size_t at = 0;
      for (int i = 0; i <= number; ++i)
        at = bad.llir.find("call void @llvm.nvvm.barrier.cluster." + std::string(step), at + 1);
      EXPECT_NE(at, std::string::npos);
      const size_t begin = bad.llir.rfind('\n', at);
      bad.llir.erase(begin, bad.llir.find('\n', at) - begin);
    }
    return bad;
  };
  const char *const unordered = "of the shared memory of block 0 of the cluster is read with no "
                                "barrier of the cluster after it was written";
  EXPECT_THAT(run(without(0), 1), HasSubstr(unordered));
  EXPECT_THAT(run(without(1), 2), HasSubstr(unordered));
  EXPECT_THAT(run(without(1), 1), HasSubstr("shared memory of block 0 of the cluster is read, "
                                            "which may have ended"));
}
