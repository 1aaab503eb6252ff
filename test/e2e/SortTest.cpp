//===- SortTest.cpp - Sort, top-k and flip ------------------------------------===//
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

/// Rearranges the rows (or with `axis` 0 the columns) of a matrix by an expression in x, which
/// has the element type `type`, and compares with what `reference` makes of each of them.
/// The values are whole numbers from 0 on, which every type holds exactly.
void check(const std::string &expression, const std::string &type, int rows, int columns, int axis,
           int numWarps, const std::function<void(std::vector<float> &)> &reference) {
  SCOPED_TRACE(expression + " of " + type + " " + std::to_string(rows) + "x" +
               std::to_string(columns) + " with " + std::to_string(numWarps) + " warps");
  int greatest = type == "int1" ? 2 : 100;
  auto numbers = randomValues<int32_t>(rows * columns, 71, 0, greatest);
  std::vector<float> x(numbers.begin(), numbers.end());
  int lines = axis == 0 ? columns : rows, length = axis == 0 ? rows : columns;
  std::vector<std::vector<float>> expected;
  for (int line = 0; line < lines; ++line) {
    std::vector<float> values;
    for (int i = 0; i < length; ++i)
      values.push_back(axis == 0 ? x[i * columns + line] : x[line * columns + i]);
    reference(values);
    expected.push_back(values);
  }
  int kept = static_cast<int>(expected[0].size());
  int outRows = axis == 0 ? kept : rows, outColumns = axis == 0 ? columns : kept;
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr, OR: tl.constexpr, OC: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :])
    x = x.to(tl.)" + type +
                       R"()
    y = )" + expression +
                       R"(
    offs = tl.arange(0, OR)[:, None] * OC + tl.arange(0, OC)[None, :]
    tl.store(out_ptr + offs, y.to(tl.float32))
)";
  auto constant = [](int value) { return ", " + std::to_string(value); };
  auto arguments =
      runOnSimulator({.source = source,
                      .signature = "*fp32:16, *fp32:16" + constant(rows) + constant(columns) +
                                   constant(outRows) + constant(outColumns),
                      .arguments = {toArray(x), unwritten<float>(outRows * outColumns)},
                      .numWarps = numWarps});
  auto values = fromArray<float>(arguments[1]);
  for (int line = 0; line < lines; ++line)
    for (int i = 0; i < kept; ++i)
      ASSERT_EQ(axis == 0 ? values[i * columns + line] : values[line * kept + i], expected[line][i])
          << "element " << i << " of " << line;
}

void ascending(std::vector<float> &values) { std::ranges::sort(values); }
void descending(std::vector<float> &values) { std::ranges::sort(values, std::greater()); }
void reversed(std::vector<float> &values) { std::ranges::reverse(values); }
auto greatest(size_t count) {
  return [count](std::vector<float> &values) {
    descending(values);
    values.resize(count);
  };
}

TEST(Sort, Types) {
  for (const char *type : elementTypes) {
    check("tl.sort(x)", type, 2, 32, 1, 4, ascending);
    check("tl.topk(x, 4)", type, 2, 16, 1, 4, greatest(4));
    check("x.flip(1)", type, 4, 16, 1, 4, reversed);
  }
}

TEST(Sort, ShapesAxesAndWarps) {
  for (int numWarps : {1, 2, 4, 8}) {
    check("x.sort(descending=True)", "float32", 1, 256, 1, numWarps, descending);
    check("tl.sort(x, 0)", "float32", 64, 4, 0, numWarps, ascending);
    check("tl.topk(x, 8)", "float32", 4, 64, 1, numWarps, greatest(8));
    check("tl.flip(x, 0)", "float32", 32, 8, 0, numWarps, reversed);
  }
  check("tl.sort(x)", "float32", 16, 1, 1, 4, ascending);
  check("tl.sort(x, 1, True)", "float32", 16, 2, 1, 4, descending);
  check("tl.topk(x, 1)", "float32", 4, 16, 1, 4, greatest(1));
  check("tl.topk(x, 16)", "float32", 4, 16, 1, 4, greatest(16));
  check("tl.topk(x, 2, dim=0)", "float32", 16, 4, 0, 4, greatest(2));
  check("tl.flip(x)", "float32", 4, 1, 1, 4, reversed);
}

// A row that rises and then falls is sorted by one merge.
TEST(Sort, BitonicMerge) {
  const char *bitonic = "tl.bitonic_merge(tl.where(tl.arange(0, 32)[None, :] < 16, tl.sort(x), "
                        "tl.sort(x, descending=True)), descending=True)";
  check(bitonic, "float32", 2, 32, 1, 2, [](std::vector<float> &values) {
    std::vector<float> sorted = values;
    ascending(sorted);
    // The lower halves of both orders.
    std::copy(sorted.begin(), sorted.begin() + 16, values.begin());
    std::copy(sorted.begin(), sorted.begin() + 16, values.begin() + 16);
    descending(values);
  });
}

// Rows of an odd length, padded with infinity.
TEST(Sort, MaskedRow) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, n, B: tl.constexpr):
    o = tl.arange(0, B)
    x = tl.load(x_ptr + o, mask=o < n, other=float("inf"))
    tl.store(out_ptr + o, tl.sort(x), mask=o < n)
)";
  const int64_t n = 77;
  auto x = randomValues<float>(n, 72, -50, 50);
  std::vector<double> expected(x.begin(), x.end());
  std::ranges::sort(expected);
  for (int numWarps : {1, 4}) {
    auto arguments = runOnSimulator({.source = source,
                                     .signature = "*fp32:16, *fp32:16, i32, 128",
                                     .arguments = {toArray(x), unwritten<float>(n), n},
                                     .numWarps = numWarps});
    expectClose(fromArray<float>(arguments[1]), expected, 0);
  }
}

} // namespace
