//===- CombineTest.cpp - Reductions with functions and tie-breaking -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ElementTypes.h"
#include "Harness.h"

using namespace tilewright::test;

namespace {

/// Whole numbers from 0 on that every type holds exactly, many of them equal.
std::vector<float> numbersOf(const std::string &type, int count) {
  auto whole = randomValues<int32_t>(count, 81, 0, type == "int1" ? 2 : 12);
  return {whole.begin(), whole.end()};
}

/// Runs a kernel on a matrix x of `type`: `body` computes y, whose `results` elements as fp32
/// are returned.
std::vector<float> compute(const std::string &functions, const std::string &body,
                           const std::string &type, const std::vector<float> &x, int columns,
                           int results, int numWarps) {
  std::string source = std::string(imports) + functions + R"(
@triton.jit
def kernel(x_ptr, out_ptr, R: tl.constexpr, C: tl.constexpr, N: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :])
    x = x.to(tl.)" + type +
                       ")\n" + body + R"(
    tl.store(out_ptr + tl.arange(0, N), tl.reshape(y, (N,)).to(tl.float32))
)";
  auto rows = static_cast<int>(x.size()) / columns;
  auto arguments =
      runOnSimulator({.source = source,
                      .signature = "*fp32:16, *fp32:16, " + std::to_string(rows) + ", " +
                                   std::to_string(columns) + ", " + std::to_string(results),
                      .arguments = {toArray(x), unwritten<float>(results)},
                      .numWarps = numWarps,
                      .kernel = "kernel"});
  return fromArray<float>(arguments[1]);
}

//===--------------------------------------------------------------------------===//
// Indices of extrema
//===--------------------------------------------------------------------------===//

// Of equal elements the first one counts.
TEST(ArgumentOfExtremum, FirstOfEqualElements) {
  const int rows = 8, columns = 32;
  for (const char *type : elementTypes) {
    SCOPED_TRACE(type);
    auto x = numbersOf(type, rows * columns);
    for (bool larger : {true, false}) {
      auto got = compute("", std::string("    y = tl.") + (larger ? "argmax" : "argmin") + "(x, 1)",
                         type, x, columns, rows, 4);
      for (int row = 0; row < rows; ++row) {
        auto begin = x.begin() + row * columns, end = begin + columns;
        auto place = larger ? std::max_element(begin, end) : std::min_element(begin, end);
        EXPECT_EQ(got[row], static_cast<float>(place - begin)) << "row " << row;
      }
    }
  }
}

// Along either axis, with the value, over all dimensions, for every number of warps.
TEST(ArgumentOfExtremum, AxesAndWarps) {
  const int rows = 16, columns = 16;
  auto x = numbersOf("float32", rows * columns);
  for (int numWarps : {1, 2, 4, 8}) {
    auto got = compute("", "    v, i = tl.max(x, 0, return_indices=True)\n    y = v * 1000 + i",
                       "float32", x, columns, columns, numWarps);
    for (int column = 0; column < columns; ++column) {
      int best = 0;
      for (int row = 1; row < rows; ++row)
        if (x[row * columns + column] > x[best * columns + column])
          best = row;
      EXPECT_EQ(got[column], x[best * columns + column] * 1000 + static_cast<float>(best));
    }
    got = compute("", "    y = tl.argmin(x, None, keep_dims=True)", "float32", x, columns, 1,
                  numWarps);
    EXPECT_EQ(got[0], static_cast<float>(std::ranges::min_element(x) - x.begin()));
  }
}

// Without the rule for ties, any of the equal elements may be named, but one of them.
TEST(ArgumentOfExtremum, AnyOfEqualElements) {
  const int columns = 64;
  auto x = numbersOf("float32", columns);
  auto got =
      compute("", "    y = tl.argmax(x, 1, tie_break_left=False)", "float32", x, columns, 1, 4);
  EXPECT_EQ(x[static_cast<size_t>(got[0])], *std::ranges::max_element(x));
}

//===--------------------------------------------------------------------------===//
// Operators and functions
//===--------------------------------------------------------------------------===//

TEST(Combine, SumsAndExtremaOfEveryType) {
  const int rows = 4, columns = 64;
  for (const char *type : elementTypes) {
    SCOPED_TRACE(type);
    auto x = numbersOf(type, rows * columns);
    auto sums = compute("", "    y = tl.sum(x, 1)", type, x, columns, rows, 4);
    auto tops = compute("", "    y = x.max(1)", type, x, columns, rows, 4);
    auto lows = compute("", "    y = x.min(0, keep_dims=True)", type, x, columns, columns, 4);
    for (int row = 0; row < rows; ++row) {
      float sum = 0, top = 0;
      for (int column = 0; column < columns; ++column) {
        sum += x[row * columns + column];
        top = std::max(top, x[row * columns + column]);
      }
      // The sums of whole numbers up to 768 need ten bits; bf16 has eight.
      EXPECT_NEAR(sums[row], sum, type == std::string("bfloat16") ? sum / 32 : 0);
      EXPECT_EQ(tops[row], top);
    }
    for (int column = 0; column < columns; ++column) {
      float low = x[column];
      for (int row = 1; row < rows; ++row)
        low = std::min(low, x[row * columns + column]);
      EXPECT_EQ(lows[column], low);
    }
  }
}

TEST(Combine, BitwiseOfEveryInteger) {
  const int rows = 4, columns = 32;
  for (const char *type : elementTypes) {
    if (std::string(type).find("float") != std::string::npos)
      continue;
    SCOPED_TRACE(type);
    auto x = numbersOf(type, rows * columns);
    auto odd = compute("", "    y = tl.xor_sum(x, 1)", type, x, columns, rows, 2);
    auto any = compute("", "    y = tl.reduce_or(x, 1)", type, x, columns, rows, 2);
    for (int row = 0; row < rows; ++row) {
      int exclusive = 0, inclusive = 0;
      for (int column = 0; column < columns; ++column) {
        exclusive ^= static_cast<int>(x[row * columns + column]);
        inclusive |= static_cast<int>(x[row * columns + column]);
      }
      EXPECT_EQ(odd[row], static_cast<float>(exclusive));
      EXPECT_EQ(any[row], static_cast<float>(inclusive));
    }
  }
}

// A function of the file, with a constant of its own, and one that calls another.
TEST(Combine, Functions) {
  const char *functions = R"(
@triton.jit
def larger(a, b):
    return tl.where(a > b, a, b)

@triton.jit
def joined(a, b):
    # Associative: addition, shifted by 3.
    return larger(a + b, a) + 3
)";
  const int rows = 8, columns = 16;
  for (const char *type : {"int32", "int64", "float32", "float64", "float16"}) {
    SCOPED_TRACE(type);
    auto x = numbersOf(type, rows * columns);
    for (int numWarps : {1, 4}) {
      auto got =
          compute(functions, "    y = tl.reduce(x, 1, joined)", type, x, columns, rows, numWarps);
      for (int row = 0; row < rows; ++row) {
        float sum = 3 * (columns - 1);
        for (int column = 0; column < columns; ++column)
          sum += x[row * columns + column];
        EXPECT_EQ(got[row], sum);
      }
      got = compute(functions, "    y = x.reduce(None, larger, keep_dims=True)", type, x, columns,
                    1, numWarps);
      EXPECT_EQ(got[0], *std::ranges::max_element(x));
    }
  }
}

// Functions that call the device's library: the length of a vector, of its beginnings too.
TEST(Combine, LibraryFunctions) {
  const char *functions = R"(
from triton.language.extra import libdevice

@triton.jit
def length(a, b):
    return libdevice.hypot(a, b)
)";
  const int rows = 4, columns = 32;
  auto x = randomValues<float>(rows * columns, 83, -4, 4);
  for (int numWarps : {1, 4}) {
    auto whole = compute(functions, "    y = tl.reduce(x, 1, length)", "float32", x, columns, rows,
                         numWarps);
    auto begun = compute(functions, "    y = tl.associative_scan(x, 1, length)", "float32", x,
                         columns, rows * columns, numWarps);
    for (int row = 0; row < rows; ++row) {
      double squares = 0;
      for (int i = row * columns; i < (row + 1) * columns; ++i) {
        squares += double(x[i]) * x[i];
        if (i > row * columns)
          EXPECT_NEAR(begun[i], std::sqrt(squares), 1e-4) << "element " << i;
      }
      EXPECT_NEAR(whole[row], std::sqrt(squares), 1e-4) << "row " << row;
    }
  }
}

// Three tensors of different types at once: mean and variance by Welford's method.
TEST(Combine, TupleOfThree) {
  const char *functions = R"(
@triton.jit
def welford(mean_a, m2_a, count_a, mean_b, m2_b, count_b):
    count = count_a + count_b
    delta = mean_b - mean_a
    part = count_b / tl.maximum(count, 1)
    m2 = m2_a + m2_b + delta * delta * count_a * part
    return mean_a + delta * part, m2, count
)";
  const int rows = 8, columns = 32;
  auto x = randomValues<float>(rows * columns, 82, -4, 4);
  // The columns from `limit` on are masked away: they count zero times.
  const char *body = R"(
    counts = (tl.arange(0, C)[None, :] < 27).to(tl.int32) + tl.zeros((R, C), tl.int32)
    mean, m2, count = tl.reduce((x, tl.zeros_like(x), counts), 1, welford)
    y = tl.join(mean, m2 / count))";
  for (int numWarps : {1, 2, 8}) {
    auto got = compute(functions, body, "float32", x, columns, 2 * rows, numWarps);
    for (int row = 0; row < rows; ++row) {
      double mean = 0, variance = 0;
      for (int column = 0; column < 27; ++column)
        mean += x[row * columns + column] / 27.0;
      for (int column = 0; column < 27; ++column)
        variance += std::pow(x[row * columns + column] - mean, 2) / 27;
      EXPECT_NEAR(got[2 * row], mean, 1e-5);
      EXPECT_NEAR(got[2 * row + 1], variance, 1e-5);
    }
  }
}

//===--------------------------------------------------------------------------===//
// Functions made of reductions
//===--------------------------------------------------------------------------===//

TEST(Combine, SoftmaxAndSigmoid) {
  const int rows = 4, columns = 32;
  for (const char *type : {"float16", "bfloat16", "float32", "float64"}) {
    SCOPED_TRACE(type);
    auto x = numbersOf(type, rows * columns);
    auto got = compute("", "    y = tl.softmax(x, 1, keep_dims=True)", type, x, columns,
                       rows * columns, 4);
    auto down = compute("", "    y = x.softmax()", type, x, columns, rows * columns, 4);
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        double along = 0, across = 0, own = std::exp(x[row * columns + column]);
        for (int i = 0; i < columns; ++i)
          along += std::exp(x[row * columns + i]);
        for (int i = 0; i < rows; ++i)
          across += std::exp(x[i * columns + column]);
        EXPECT_NEAR(got[row * columns + column], own / along, 2e-6);
        EXPECT_NEAR(down[row * columns + column], own / across, 2e-6);
      }
  }
}

} // namespace
