//===- ElementwiseTest.cpp - Arithmetic, types and masks ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

using namespace tilewright::test;

namespace {

constexpr int count = 256;

/// Runs `out[i] = EXPRESSION` with x and y loaded from arrays of T, and compares.
template <typename In, typename Out>
void check(const std::string &expression, const std::string &inType, const std::string &outType,
           double low, double high, const std::function<double(In, In)> &reference,
           double tolerance) {
  SCOPED_TRACE(expression + " on " + inType);
  auto x = randomValues<In>(count, 11, low, high), y = randomValues<In>(count, 12, low, high);
  std::vector<double> expected(count);
  for (int i = 0; i < count; ++i)
    expected[i] = reference(x[i], y[i]);
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs)
    y = tl.load(y_ptr + offs)
    tl.store(out_ptr + offs, )" +
                       expression + ")\n";
  auto arguments = runOnSimulator(
      {.source = source,
       .signature = "*" + inType + ":16, *" + inType + ":16, *" + outType + ":16, 256",
       .arguments = {toArray(x), toArray(y), unwritten<Out>(count)}});
  expectClose(fromArray<Out>(arguments[2]), expected, tolerance);
}

TEST(Elementwise, FloatArithmetic) {
  auto f32 = [](const std::string &expression, double low, double high,
                const std::function<double(float, float)> &reference, double tolerance) {
    check<float, float>(expression, "fp32", "fp32", low, high, reference, tolerance);
  };
  f32("x + y", -9, 9, [](float x, float y) { return x + y; }, 0);
  f32("x - y", -9, 9, [](float x, float y) { return x - y; }, 0);
  f32("x * y", -9, 9, [](float x, float y) { return x * y; }, 0);
  // The fast division of the hardware is within 2 ulp.
  f32("x / y", 1, 9, [](float x, float y) { return double(x) / y; }, 3e-7);
  f32("-x", -9, 9, [](float x, float) { return -x; }, 0);
  f32("x * 2 + 1", -9, 9, [](float x, float) { return double(x) * 2 + 1; }, 2e-7);
  f32("tl.maximum(x, y)", -9, 9, [](float x, float y) { return std::max(x, y); }, 0);
  f32("tl.minimum(x, y)", -9, 9, [](float x, float y) { return std::min(x, y); }, 0);
  f32("tl.where(x < y, x, y * 3)", -9, 9, [](float x, float y) { return x < y ? x : y * 3; }, 0);
  f32("tl.abs(x)", -9, 9, [](float x, float) { return std::fabs(x); }, 0);
}

// Beside a comparison and most functions a number has a type of its own, fp32 for a float, and fp16
// is widened to it: 1e-8 and 0.1 are no numbers of fp16.
TEST(Elementwise, NumbersBesideHalfPrecision) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, N: tl.constexpr):
    offs = tl.arange(0, N)
    x = tl.load(x_ptr + offs)
    tl.store(out_ptr + offs, x / tl.maximum(x, 1e-8))
    tl.store(out_ptr + N + offs, tl.where(x >= 0.1, 1, 0))
    tl.store(out_ptr + 2 * N + offs, tl.fma(x, 1e-8, 1e-8))
    tl.store(out_ptr + 3 * N + offs, tl.clamp(x, 1e-8, 0.1))
    tl.store(out_ptr + 4 * N + offs, max(x, 1e-8))
    tl.store(out_ptr + 5 * N + offs, tl.sqrt(tl.maximum(x, 0.0)))
    tl.store(out_ptr + 6 * N + offs, tl.where(offs > 0, x, 0.1))
)";
  // 0.0999755859375 is the number of fp16 that is next to 0.1.
  const std::vector<float> half = {0, 0.0999755859375f, 4, -1}; // 0, 0x2e66, 0x4400, 0xbc00
  HostArray input = toArray(std::vector<int16_t>{0, 0x2e66, 0x4400, int16_t(0xbc00)});
  input.type = ElementType::Float16;
  auto arguments = runOnSimulator({.source = source,
                                   .signature = "*fp16, *fp32, 4",
                                   .arguments = {input, unwritten<float>(28)},
                                   .numWarps = 1});
  std::vector<float> out = fromArray<float>(arguments[1]);
  for (size_t i = 0; i < half.size(); ++i) {
    const float x = half[i], least = 1e-8f, limited = std::max(x, least);
    EXPECT_FLOAT_EQ(out[i], x / limited) << x;
    EXPECT_EQ(out[4 + i], x >= 0.1f) << x;
    EXPECT_EQ(out[8 + i], std::fma(x, least, least)) << x;
    EXPECT_EQ(out[12 + i], std::min(limited, 0.1f)) << x;
    EXPECT_EQ(out[16 + i], limited) << x;
    EXPECT_FLOAT_EQ(out[20 + i], std::sqrt(std::max(x, 0.0f))) << x;
    // tl.where rounds its number to the type of the other operand.
    EXPECT_EQ(out[24 + i], i ? x : half[1]) << x;
  }
}

// As Triton, `-x` is 0 - x: the negative of 0 is 0, and not -0.
TEST(Elementwise, TheSignOfZero) {
  const std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, N: tl.constexpr):
    offs = tl.arange(0, N)
    tl.store(out_ptr + offs, -tl.load(x_ptr + offs))
)";
  auto arguments = runOnSimulator(
      {.source = source,
       .signature = "*fp32, *fp32, 4",
       .arguments = {toArray(std::vector<float>{0.0f, -0.0f, 1, -2}), unwritten<float>(4)},
       .numWarps = 1});
  std::vector<float> out = fromArray<float>(arguments[1]);
  EXPECT_EQ(out, (std::vector<float>{0, 0, -1, 2}));
  EXPECT_FALSE(std::signbit(out[0]));
  EXPECT_FALSE(std::signbit(out[1]));
}

TEST(Elementwise, FloatFunctions) {
  auto f32 = [](const std::string &expression, double low, double high,
                const std::function<double(float, float)> &reference, double tolerance) {
    check<float, float>(expression, "fp32", "fp32", low, high, reference, tolerance);
  };
  // exp(x) is exp2(x log2 e): the rounding of the product costs |x| ulp.
  f32("tl.exp(x)", -10, 10, [](float x, float) { return std::exp(double(x)); }, 2e-6);
  f32("tl.exp2(x)", -10, 10, [](float x, float) { return std::exp2(double(x)); }, 5e-7);
  f32("tl.log(x)", 0.1, 10, [](float x, float) { return std::log(double(x)); }, 1e-6);
  f32("tl.log2(x)", 0.1, 10, [](float x, float) { return std::log2(double(x)); }, 1e-6);
  f32("tl.sqrt(x)", 0.1, 10, [](float x, float) { return std::sqrt(double(x)); }, 5e-7);
  f32("tl.rsqrt(x)", 0.1, 10, [](float x, float) { return 1 / std::sqrt(double(x)); }, 1e-6);
  f32("tl.floor(x)", -9, 9, [](float x, float) { return std::floor(x); }, 0);
  f32("tl.ceil(x)", -9, 9, [](float x, float) { return std::ceil(x); }, 0);
  f32("tl.fma(x, y, x)", -9, 9, [](float x, float y) { return std::fma(x, y, x); }, 0);
}

TEST(Elementwise, Integers) {
  auto i32 = [](const std::string &expression,
                const std::function<double(int32_t, int32_t)> &reference) {
    check<int32_t, int32_t>(expression, "i32", "i32", 1, 1000, reference, 0);
  };
  i32("x + y", [](int32_t x, int32_t y) { return x + y; });
  i32("x * y - x", [](int32_t x, int32_t y) { return x * y - x; });
  i32("x // y", [](int32_t x, int32_t y) { return x / y; });
  i32("x % y", [](int32_t x, int32_t y) { return x % y; });
  // Division truncates toward zero, unlike Python's.
  i32("(-x) // y", [](int32_t x, int32_t y) { return -x / y; });
  i32("(-x) % y", [](int32_t x, int32_t y) { return -x % y; });
  i32("(x & y) | (x ^ 5)", [](int32_t x, int32_t y) { return (x & y) | (x ^ 5); });
  i32("(x << 3) >> 1", [](int32_t x, int32_t) { return (x << 3) >> 1; });
  i32("~x", [](int32_t x, int32_t) { return ~x; });
  i32("tl.maximum(x, y)", [](int32_t x, int32_t y) { return std::max(x, y); });
  i32("tl.where((x > y) & (x < 500), x, -y)",
      [](int32_t x, int32_t y) { return x > y && x < 500 ? x : -y; });
  i32("tl.cdiv(x, 16)", [](int32_t x, int32_t) { return (x + 15) / 16; });
}

// What is shifted keeps its sign, also where the type of the count makes the result unsigned.
TEST(Elementwise, ShiftsByTheOtherSignedness) {
  check<int32_t, int32_t>(
      "x >> (y & 7).to(tl.uint32)", "i32", "i32", -1000, 1000,
      [](int32_t x, int32_t y) { return x >> (y & 7); }, 0);
  check<int8_t, int16_t>(
      "x >> (y & 7).to(tl.uint16)", "i8", "i16", -128, 127,
      [](int8_t x, int8_t y) { return x >> (y & 7); }, 0);
  check<uint32_t, uint32_t>(
      "x >> (y & 7).to(tl.int32)", "u32", "u32", 0, 4e9,
      [](uint32_t x, uint32_t y) { return x >> (y & 7); }, 0);
}

TEST(Elementwise, SmallAndWideTypes) {
  check<int8_t, int8_t>("x + y", "i8", "i8", -50, 50, [](int8_t x, int8_t y) { return x + y; }, 0);
  check<int16_t, int16_t>(
      "x * y", "i16", "i16", -100, 100, [](int16_t x, int16_t y) { return x * y; }, 0);
  check<int64_t, int64_t>(
      "x * y", "i64", "i64", -100000, 100000, [](int64_t x, int64_t y) { return double(x * y); },
      0);
  check<double, double>(
      "x * y + x", "fp64", "fp64", -9, 9, [](double x, double y) { return x * y + x; }, 1e-15);
  check<uint32_t, uint32_t>(
      "x // y", "u32", "u32", 1, 4e9, [](uint32_t x, uint32_t y) { return x / y; }, 0);
}

TEST(Elementwise, Conversions) {
  check<float, int32_t>(
      "(x * y).to(tl.int32)", "fp32", "i32", -30, 30,
      [](float x, float y) { return std::trunc(x * y); }, 0);
  check<int32_t, float>(
      "x.to(tl.float32) / 2", "i32", "fp32", -1000, 1000,
      [](int32_t x, int32_t) { return x / 2.0; }, 1e-7);
  // Through f16 and back: 11 significant bits.
  check<float, float>(
      "x.to(tl.float16).to(tl.float32)", "fp32", "fp32", -9, 9, [](float x, float) { return x; },
      5e-4);
  check<float, float>(
      "x.to(tl.bfloat16).to(tl.float32)", "fp32", "fp32", -9, 9, [](float x, float) { return x; },
      4e-3);
  check<int8_t, int32_t>(
      "x.to(tl.int32) * y", "i8", "i32", -100, 100, [](int8_t x, int8_t y) { return x * y; }, 0);
  check<float, double>(
      "x.to(tl.float64) * 3", "fp32", "fp64", -9, 9, [](float x, float) { return double(x) * 3; },
      1e-15);
}

// Masked-off elements are `other` when loaded and untouched when stored.
TEST(Elementwise, Masks) {
  auto x = randomValues<float>(count, 13, -9, 9);
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs % 3 == 0, other=7.0)
    tl.store(out_ptr + offs, x, mask=offs < n)
)";
  auto arguments = runOnSimulator(
      {.source = source,
       .signature = "*fp32:16, *fp32:16, i32, 256",
       .arguments = {toArray(x), toArray(std::vector<float>(count, -1)), int64_t(101)}});
  std::vector<double> expected(count, -1);
  for (int i = 0; i < 101; ++i)
    expected[i] = i % 3 == 0 ? x[i] : 7;
  expectClose(fromArray<float>(arguments[1]), expected, 0);
}

// A scalar is loaded and stored once a program.
TEST(Elementwise, Scalars) {
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, scale):
    pid = tl.program_id(0)
    x = tl.load(x_ptr + pid)
    tl.store(out_ptr + pid, x * scale + tl.num_programs(0))
)";
  std::vector<float> x = {1, 2, 3, 4, 5};
  auto arguments = runOnSimulator({.source = source,
                                   .signature = "*fp32, *fp32, fp32",
                                   .arguments = {toArray(x), unwritten<float>(5), 0.5},
                                   .grid = {5}});
  expectClose(fromArray<float>(arguments[1]), {5.5, 6, 6.5, 7, 7.5}, 0);
}

} // namespace
