//===- CollectiveTest.cpp - Scans, gathers and histograms ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright::test;

namespace {

/// Sums along `axis` of a matrix, each up to its element.
template <typename T>
void checkSums(const std::string &type, int rows, int columns, int axis, bool reverse, int numWarps,
               double tolerance) {
  SCOPED_TRACE(type + " along " + std::to_string(axis) + ", " + std::to_string(numWarps) +
               " warps");
  auto x = randomValues<T>(rows * columns, 31, -4, 4);
  std::vector<double> expected(rows * columns);
  const int length = axis ? columns : rows, stride = axis ? 1 : columns;
  for (int line = 0; line < (axis ? rows : columns); ++line) {
    double sum = 0;
    for (int k = 0; k < length; ++k) {
      int i = line * (axis ? columns : 1) + (reverse ? length - 1 - k : k) * stride;
      expected[i] = sum += x[i];
    }
  }
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr):
    offs = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    x = tl.load(x_ptr + offs)
    tl.store(out_ptr + offs, tl.cumsum(x, axis=)" +
                       std::to_string(axis) + ", reverse=" + (reverse ? "True" : "False") + "))\n";
  auto arguments =
      runOnSimulator({.source = source,
                      .signature = "*" + type + ":16, *" + type + ":16, " + std::to_string(rows) +
                                   ", " + std::to_string(columns),
                      .arguments = {toArray(x), unwritten<T>(rows * columns)},
                      .numWarps = numWarps});
  expectClose(fromArray<T>(arguments[1]), expected, tolerance);
}

TEST(Collective, CumulativeSums) {
  for (int numWarps : {1, 2, 4, 8})
    checkSums<int32_t>("i32", 16, 64, numWarps % 3 ? 1 : 0, numWarps == 2, numWarps, 0);
  for (bool reverse : {false, true}) {
    checkSums<int64_t>("i64", 64, 4, 0, reverse, 4, 0);
    // Up to 256 additions of numbers up to 4.
    checkSums<float>("fp32", 2, 256, 1, reverse, 4, 1e-4);
    checkSums<double>("fp64", 2, 256, 1, reverse, 2, 1e-12);
  }
}

// A function of three values that is not commutative and that branches: which is the last element,
// how many of the last are equal to it, and how many there are.
TEST(Collective, ScanByAFunction) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def combine(va, ca, la, vb, cb, lb):
    count = cb
    if (va == vb) & (cb == lb):
        count = ca + cb
    return vb, count, la + lb

@triton.jit
def kernel(x_ptr, out_ptr, N: tl.constexpr):
    offs = tl.arange(0, N)
    x = tl.load(x_ptr + offs)
    ones = tl.full([N], 1, tl.int32)
    value, count, length = tl.associative_scan((x, ones, ones), 0, combine)
    tl.store(out_ptr + offs, count)
)";
  const int size = 512;
  std::vector<int32_t> x(size);
  std::vector<double> expected(size);
  for (int i = 0; i < size; ++i) {
    x[i] = (i / 7) * (i / 7) % 3;
    expected[i] = i && x[i] == x[i - 1] ? expected[i - 1] + 1 : 1;
  }
  for (int numWarps : {1, 4}) {
    auto arguments = runOnSimulator({.source = source,
                                     .signature = "*i32:16, *i32:16, 512",
                                     .arguments = {toArray(x), unwritten<int32_t>(size)},
                                     .numWarps = numWarps,
                                     .kernel = "kernel"});
    expectClose(fromArray<int32_t>(arguments[1]), expected, 0);
  }
}

TEST(Collective, Gathers) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, index_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr, K: tl.constexpr):
    rows = tl.arange(0, R)[:, None]
    x = tl.load(x_ptr + rows * C + tl.arange(0, C)[None, :])
    offs = rows * K + tl.arange(0, K)[None, :]
    tl.store(out_ptr + offs, tl.gather(x, tl.load(index_ptr + offs), 1))
)";
  const int rows = 8;
  for (auto [columns, picked] : {std::pair(64, 32), {16, 64}, {256, 16}}) {
    auto x = randomValues<float>(rows * columns, 33, -5, 5);
    auto index = randomValues<int32_t>(rows * picked, 34, 0, columns - 1);
    std::vector<double> expected(rows * picked);
    for (int i = 0; i < rows * picked; ++i)
      expected[i] = x[i / picked * columns + index[i]];
    for (int numWarps : {1, 4, 8}) {
      auto arguments = runOnSimulator(
          {.source = source,
           .signature = "*fp32:16, *i32:16, *fp32:16, 8, " + std::to_string(columns) + ", " +
                        std::to_string(picked),
           .arguments = {toArray(x), toArray(index), unwritten<float>(rows * picked)},
           .numWarps = numWarps});
      expectClose(fromArray<float>(arguments[2]), expected, 0);
    }
  }
}

TEST(Collective, Histograms) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, n, N: tl.constexpr, BINS: tl.constexpr):
    offs = tl.arange(0, N)
    x = tl.load(x_ptr + offs, mask=offs < n)
    tl.store(out_ptr + tl.arange(0, BINS), tl.histogram(x, BINS, mask=offs < n))
)";
  for (auto [size, bins] : {std::pair(1024, 16), {64, 256}, {256, 2}}) {
    const int valid = size - 13;
    // Some are in no bin.
    auto x = randomValues<int32_t>(size, 35, -2, bins + 2);
    std::vector<double> expected(bins);
    for (int i = 0; i < valid; ++i)
      if (x[i] >= 0 && x[i] < bins)
        ++expected[x[i]];
    for (int numWarps : {1, 4}) {
      auto arguments =
          runOnSimulator({.source = source,
                          .signature = "*i32:16, *i32:16, i32, " + std::to_string(size) + ", " +
                                       std::to_string(bins),
                          .arguments = {toArray(x), unwritten<int32_t>(bins), int64_t(valid)},
                          .numWarps = numWarps});
      expectClose(fromArray<int32_t>(arguments[1]), expected, 0);
    }
  }
}

} // namespace
