//===- ReductionTest.cpp - Reductions over any axis ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright::test;

namespace {

/// Reduces a rows x columns matrix along `axis` with tl.FUNCTION.
template <typename T>
void check(const std::string &function, const std::string &type, int rows, int columns, int axis,
           int numWarps, const std::function<double(double, double)> &combine, double tolerance) {
  SCOPED_TRACE(function + " of " + std::to_string(rows) + "x" + std::to_string(columns) + " " +
               type + " along " + std::to_string(axis) + " with " + std::to_string(numWarps) +
               " warps");
  auto x = randomValues<T>(rows * columns, 21, -50, 50);
  int results = axis == 0 ? columns : rows;
  std::vector<double> expected(results);
  for (int i = 0; i < results; ++i)
    for (int j = 0; j < (axis == 0 ? rows : columns); ++j) {
      double value = axis == 0 ? x[j * columns + i] : x[i * columns + j];
      expected[i] = j == 0 ? value : combine(expected[i], value);
    }
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :])
    tl.store(out_ptr + tl.arange(0, N), tl.)" +
                       function + "(x, axis=" + std::to_string(axis) + "))\n";
  auto arguments =
      runOnSimulator({.source = source,
                      .signature = "*" + type + ":16, *" + type + ":16, " + std::to_string(rows) +
                                   ", " + std::to_string(columns) + ", " + std::to_string(results),
                      .arguments = {toArray(x), unwritten<T>(results)},
                      .numWarps = numWarps});
  expectClose(fromArray<T>(arguments[1]), expected, tolerance);
}

double add(double a, double b) { return a + b; }
double maximum(double a, double b) { return std::max(a, b); }
double minimum(double a, double b) { return std::min(a, b); }

TEST(Reduction, AxesShapesAndWarps) {
  for (int numWarps : {1, 4})
    for (auto [rows, columns] : {std::pair(64, 32), {4, 128}, {128, 4}, {1, 64}, {64, 1}, {2, 2}})
      for (int axis : {0, 1})
        check<int32_t>("sum", "i32", rows, columns, axis, numWarps, add, 0);
}

TEST(Reduction, Kinds) {
  for (int axis : {0, 1}) {
    check<float>("max", "fp32", 16, 64, axis, 4, maximum, 0);
    check<float>("min", "fp32", 16, 64, axis, 4, minimum, 0);
    // Up to 64 additions of numbers up to 50.
    check<float>("sum", "fp32", 16, 64, axis, 4, add, 2e-4);
    check<double>("sum", "fp64", 16, 64, axis, 8, add, 1e-12);
    check<int64_t>("max", "i64", 16, 64, axis, 2, maximum, 0);
  }
}

// A reduction inside a loop: its scratch is used again in each iteration.
TEST(Reduction, InALoop) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, steps, BLOCK: tl.constexpr):
    total = 0.0
    best = -float("inf")
    for i in range(steps):
        x = tl.load(x_ptr + i * BLOCK + tl.arange(0, BLOCK))
        total += tl.sum(x, axis=0)
        best = tl.maximum(best, tl.max(x * total, axis=0))
    tl.store(out_ptr, total)
    tl.store(out_ptr + 1, best)
)";
  const int steps = 5, block = 512;
  auto x = randomValues<float>(steps * block, 22, 0, 1);
  double total = 0, best = -INFINITY;
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < block; ++i)
      total += x[step * block + i];
    for (int i = 0; i < block; ++i)
      best = std::max(best, x[step * block + i] * total);
  }
  for (int numWarps : {1, 4, 8}) {
    auto arguments = runOnSimulator({.source = source,
                                     .signature = "*fp32:16, *fp32, i32, 512",
                                     .arguments = {toArray(x), unwritten<float>(2), int64_t(steps)},
                                     .numWarps = numWarps});
    expectClose(fromArray<float>(arguments[1]), {total, best}, 1e-5);
  }
}

// The result of a reduction goes back to the shape it came from.
TEST(Reduction, CentredRows) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr):
    offs = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    x = tl.load(x_ptr + offs)
    mean = tl.sum(x, axis=1, keep_dims=True) / C
    tl.store(out_ptr + offs, x - mean + tl.max(x, axis=0)[None, :])
)";
  const int rows = 8, columns = 64;
  auto x = randomValues<float>(rows * columns, 23, -5, 5);
  std::vector<double> expected(rows * columns);
  for (int r = 0; r < rows; ++r) {
    double mean = 0;
    for (int c = 0; c < columns; ++c)
      mean += x[r * columns + c] / double(columns);
    for (int c = 0; c < columns; ++c) {
      double top = -INFINITY;
      for (int i = 0; i < rows; ++i)
        top = std::max<double>(top, x[i * columns + c]);
      expected[r * columns + c] = x[r * columns + c] - mean + top;
    }
  }
  auto arguments = runOnSimulator({.source = source,
                                   .signature = "*fp32:16, *fp32:16, 8, 64",
                                   .arguments = {toArray(x), unwritten<float>(rows * columns)}});
  expectClose(fromArray<float>(arguments[1]), expected, 1e-5);
}

} // namespace
