//===- ScanTest.cpp - Scans with built-in and user functions ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ElementTypes.h"
#include "Harness.h"

using namespace tilewright::test;

namespace {

/// Scans a matrix of `type` by an expression in x, and compares each line along `axis` with
/// what `step` makes of the result before and the element.
void check(const std::string &expression, const std::string &type, int rows, int columns, int axis,
           bool reverse, int numWarps, int least, int greatest,
           const std::function<double(double, double)> &step, const std::string &functions = "") {
  SCOPED_TRACE(expression + " of " + type + " " + std::to_string(rows) + "x" +
               std::to_string(columns) + " with " + std::to_string(numWarps) + " warps");
  auto whole = randomValues<int32_t>(rows * columns, 101, least, greatest);
  std::vector<float> x(whole.begin(), whole.end());
  std::vector<double> expected(x.begin(), x.end());
  int lines = axis == 0 ? columns : rows, length = axis == 0 ? rows : columns;
  int stride = axis == 0 ? columns : 1;
  for (int line = 0; line < lines; ++line) {
    double *first = &expected[axis == 0 ? line : line * columns];
    for (int i = 1; i < length; ++i) {
      int at = reverse ? length - 1 - i : i, before = reverse ? at + 1 : at - 1;
      first[at * stride] = step(first[before * stride], first[at * stride]);
    }
  }
  std::string source = std::string(imports) + functions + R"(
@triton.jit
def kernel(x_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr):
    offs = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    x = tl.load(x_ptr + offs).to(tl.)" +
                       type + ")\n    tl.store(out_ptr + offs, (" + expression +
                       ").to(tl.float32))\n";
  auto arguments = runOnSimulator(
      {.source = source,
       .signature = "*fp32:16, *fp32:16, " + std::to_string(rows) + ", " + std::to_string(columns),
       .arguments = {toArray(x), unwritten<float>(rows * columns)},
       .numWarps = numWarps,
       .kernel = "kernel"});
  expectClose(fromArray<float>(arguments[1]), expected, 0);
}

double add(double a, double b) { return a + b; }
double multiply(double a, double b) { return a * b; }

// Sums that every type holds exactly; narrow integers are summed in 32 bits.
TEST(Scan, Types) {
  for (const char *type : elementTypes) {
    bool isBool = type == std::string("int1");
    check("tl.cumsum(x, 1)", type, 4, 32, 1, false, 4, 0, isBool ? 2 : 7, add);
    check("tl.cumprod(x, 0)", type, 4, 8, 0, false, 2, isBool ? 0 : 1, isBool ? 2 : 3, multiply);
  }
  check("tl.cumsum(x, 1, dtype=tl.float64)", "int8", 4, 32, 1, false, 4, -100, 100, add);
}

TEST(Scan, AxesDirectionsAndWarps) {
  for (int numWarps : {1, 2, 4, 8})
    for (auto [rows, columns] : {std::pair(16, 64), {64, 4}, {1, 128}, {32, 1}}) {
      check("x.cumsum(-1)", "float32", rows, columns, 1, false, numWarps, -9, 9, add);
      check("tl.cumsum(x, 0, reverse=True)", "float32", rows, columns, 0, true, numWarps, -9, 9,
            add);
    }
}

const char *functions = R"(
@triton.jit
def larger(a, b):
    return tl.maximum(a, b)

# The last element that is not zero, and a linear recurrence.
@triton.jit
def last(a, b):
    return tl.where(b != 0, b, a)

@triton.jit
def recur(a_scale, a_value, b_scale, b_value):
    return a_scale * b_scale, a_value * b_scale + b_value

@triton.jit
def recurrence(x, scale, AXIS: tl.constexpr, REVERSE: tl.constexpr):
    s, v = tl.associative_scan((tl.full(x.shape, scale, x.dtype), x), AXIS, recur, REVERSE)
    return v
)";

// By functions, also ones that do not commute: the earlier elements stand on the left.
TEST(Scan, Functions) {
  auto latest = [](double before, double now) { return now != 0 ? now : before; };
  auto recurrence = [](double before, double now) { return before * -1 + now; };
  auto maximum = [](double a, double b) { return std::max(a, b); };
  for (int numWarps : {1, 4})
    for (int axis : {0, 1})
      for (bool reverse : {false, true}) {
        std::string arguments = std::to_string(axis) + ", ", way = reverse ? "True" : "False";
        auto run = [&](const std::string &expression, const char *type, auto step) {
          check(expression, type, 16, 32, axis, reverse, numWarps, -2, 3, step, functions);
        };
        run("tl.associative_scan(x, " + arguments + "larger, reverse=" + way + ")", "int32",
            maximum);
        run("x.associative_scan(" + arguments + "last, " + way + ")", "int16", latest);
        run("recurrence(x, -1, " + arguments + way + ")", "float32", recurrence);
      }
}

} // namespace
