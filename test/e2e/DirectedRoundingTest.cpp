//===- DirectedRoundingTest.cpp - Arithmetic that rounds toward one side ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// libdevice's add_rz and its like against the host's arithmetic in that rounding mode, bit by bit.
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include <bit>
#include <cfenv>

using namespace tilewright::test;

namespace {

struct Mode {
  const char *name;
  int host;
};
constexpr Mode modes[] = {{"rz", FE_TOWARDZERO}, {"rd", FE_DOWNWARD}, {"ru", FE_UPWARD}};

/// What `compute` gives while the host rounds like that; nothing is folded or moved out.
template <typename F> auto rounded(int mode, F compute) {
  std::fesetround(mode);
  volatile auto result = compute();
  std::fesetround(FE_TONEAREST);
  return result;
}

template <typename T> std::string nameOf() {
  return std::is_same_v<T, double>    ? "fp64"
         : std::is_same_v<T, float>   ? "fp32"
         : std::is_same_v<T, int64_t> ? "i64"
                                      : "i32";
}

template <typename T> bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// Numbers of all sizes, limits among them.
template <typename T> std::vector<T> numbers(unsigned seed) {
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  std::vector<T> limits = {0,
                           1,
                           3,
                           T(0.1),
                           Limits::max(),
                           Limits::min(),
                           Limits::denorm_min(),
                           Limits::min() / 3,
                           Limits::epsilon(),
                           Limits::infinity()};
  std::mt19937_64 random(seed);
  std::vector<T> values(512);
  for (size_t i = 0; i < values.size(); ++i) {
    T fraction = std::uniform_real_distribution<T>(-2, 2)(random);
    T value = i % 4 == 0   ? limits[random() % limits.size()] * (random() % 2 ? 1 : -1)
              : i % 4 == 1 ? std::bit_cast<T>(static_cast<Bits>(random()))
                           : std::ldexp(fraction, static_cast<int>(random() % 60) - 30);
    values[i] = std::isnan(value) ? T(2.5) : value;
  }
  return values;
}

template <typename T> void checkArithmetic() {
  for (const Mode &mode : modes) {
    SCOPED_TRACE(mode.name);
    const std::string suffix = std::string("_") + mode.name;
    const std::string source = std::string(imports) + R"(
from triton.language.extra import libdevice

@triton.jit
def kernel(x_ptr, y_ptr, z_ptr, out_ptr, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + o)
    y = tl.load(y_ptr + o)
    z = tl.load(z_ptr + o)
    tl.store(out_ptr + o, libdevice.add)" +
                               suffix + R"((x, y))
    tl.store(out_ptr + BLOCK + o, libdevice.sub)" +
                               suffix + R"((x, y))
    tl.store(out_ptr + 2 * BLOCK + o, libdevice.mul)" +
                               suffix + R"((x, y))
    tl.store(out_ptr + 3 * BLOCK + o, libdevice.div)" +
                               suffix + R"((x, y))
    tl.store(out_ptr + 4 * BLOCK + o, libdevice.fma)" +
                               suffix + R"((x, y, z))
    tl.store(out_ptr + 5 * BLOCK + o, libdevice.sqrt)" +
                               suffix + R"((tl.abs(x)))
    tl.store(out_ptr + 6 * BLOCK + o, libdevice.rcp)" +
                               suffix + R"((y))
)";
    const std::vector<T> xs = numbers<T>(1), ys = numbers<T>(2), zs = numbers<T>(3);
    const size_t size = xs.size();
    const std::string pointer = "*" + nameOf<T>() + ", ";
    auto out = fromArray<T>(runOnSimulator(
        {.source = source,
         .signature = pointer + pointer + pointer + pointer + std::to_string(size),
         .arguments = {toArray(xs), toArray(ys), toArray(zs), unwritten<T>(7 * size)}})[3]);
    for (size_t i = 0; i < size; ++i) {
      const volatile T x = xs[i], y = ys[i], z = zs[i];
      const T expected[7] = {
          rounded(mode.host, [&] { return T(x + y); }),
          rounded(mode.host, [&] { return T(x - y); }),
          rounded(mode.host, [&] { return T(x * y); }),
          rounded(mode.host, [&] { return T(x / y); }),
          rounded(mode.host, [&] { return std::fma(T(x), T(y), T(z)); }),
          rounded(mode.host, [&] { return std::sqrt(std::fabs(T(x))); }),
          rounded(mode.host, [&] { return T(T(1) / y); }),
      };
      // In f64 the last bits of so small a product are lost (DirectedRounding.h).
      const bool isTiny = sizeof(T) == 8 && std::fabs(T(x) * T(y)) < 0x1p-760;
      for (size_t k = 0; k < 7; ++k)
        if (k != 4 || !isTiny)
          ASSERT_TRUE(same(out[k * size + i], expected[k]))
              << "operation " << k << " of " << x << ", " << y << ", " << z << ": "
              << out[k * size + i] << ", not " << expected[k];
    }
  }
}

TEST(DirectedRounding, Single) { checkArithmetic<float>(); }
TEST(DirectedRounding, Double) { checkArithmetic<double>(); }

/// A conversion, all of whose results fit.
template <typename From, typename To>
void checkConversion(const std::string &function, const std::vector<From> &values) {
  for (const Mode &mode : modes) {
    SCOPED_TRACE(function + "_" + mode.name);
    const std::string source = std::string(imports) + R"(
from triton.language.extra import libdevice

@triton.jit
def kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    tl.store(out_ptr + o, libdevice.)" +
                               function + "_" + mode.name + R"((tl.load(x_ptr + o)))
)";
    auto out = fromArray<To>(
        runOnSimulator({.source = source,
                        .signature = "*" + nameOf<From>() + ", *" + nameOf<To>() + ", " +
                                     std::to_string(values.size()),
                        .arguments = {toArray(values), unwritten<To>(values.size())}})[1]);
    for (size_t i = 0; i < values.size(); ++i) {
      const volatile From x = values[i];
      ASSERT_TRUE(same(out[i], rounded(mode.host, [&] { return static_cast<To>(x); }))) << x;
    }
  }
}

TEST(DirectedRounding, Conversions) {
  std::mt19937_64 random(4);
  std::vector<int32_t> words(256);
  std::vector<int64_t> longs(256);
  for (int32_t &word : words)
    word = static_cast<int32_t>(random()) >> random() % 32;
  for (int64_t &number : longs)
    number = static_cast<int64_t>(random()) >> random() % 64;
  words[0] = INT32_MIN;
  longs[0] = INT64_MIN;
  longs[1] = INT64_MAX;
  checkConversion<int32_t, float>("int2float", words);
  checkConversion<int64_t, float>("ll2float", longs);
  checkConversion<int64_t, double>("ll2double", longs);
  checkConversion<double, float>("double2float", numbers<double>(5));
}

} // namespace
