//===- MathTest.cpp - Mathematical functions and libdevice --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each function once from source to result. How exact they are over their whole range is
// the matter of lower-tests (FormulaTest).
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include <bit>
#include <numbers>

using namespace tilewright;
using namespace tilewright::test;

namespace {

using Reference = std::function<double(double, double)>;

struct Function {
  std::string expression;
  double low, high;
  Reference reference;
  /// In units of the last place: of the result's size in f32, and in f64.
  double singleUlps, doubleUlps = 4;
};

/// An odd size in two programs, with a mask, in a layout of 1 to 8 warps.
template <typename T>
std::vector<T> run(const std::string &expression, const std::vector<T> &x, const std::vector<T> &y,
                   int numWarps) {
  std::string type = std::is_same_v<T, double>    ? "fp64"
                     : std::is_same_v<T, float>   ? "fp32"
                     : std::is_same_v<T, int64_t> ? "i64"
                                                  : "i32";
  std::string source = std::string(imports) + R"(
from triton.language.extra import libdevice

@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offs, mask=offs < n)
    y = tl.load(y_ptr + offs, mask=offs < n)
    tl.store(out_ptr + offs, )" +
                       expression + ", mask=offs < n)\n";
  auto arguments = runOnSimulator(
      {.source = source,
       .signature = "*" + type + ":16, *" + type + ":16, *" + type + ", i32, 256",
       .arguments = {toArray(x), toArray(y), unwritten<T>(x.size()), int64_t(x.size())},
       .grid = {static_cast<uint32_t>((x.size() + 255) / 256)},
       .numWarps = numWarps});
  return fromArray<T>(arguments[2]);
}

template <typename T> void check(const Function &function, int numWarps) {
  SCOPED_TRACE(function.expression);
  auto x = randomValues<T>(301, 21, function.low, function.high);
  auto y = randomValues<T>(301, 22, function.low, function.high);
  std::vector<T> out = run(function.expression, x, y, numWarps);
  double ulps = std::is_same_v<T, double> ? function.doubleUlps : function.singleUlps;
  for (size_t i = 0; i < x.size(); ++i) {
    double expected = function.reference(x[i], y[i]);
    double bound = ulps * std::numeric_limits<T>::epsilon() * std::fabs(expected);
    ASSERT_LE(std::fabs(out[i] - expected), bound)
        << "f(" << x[i] << ", " << y[i] << ") = " << out[i] << ", not " << expected;
  }
}

void checkBoth(const std::vector<Function> &functions) {
  int numWarps = 1;
  for (const Function &function : functions) {
    check<float>(function, numWarps);
    check<double>(function, numWarps);
    numWarps = numWarps == 8 ? 1 : numWarps * 2;
  }
}

TEST(Math, LanguageFunctions) {
  checkBoth({
      // The product with log2 e rounds: |x| / 2 ulp.
      {"tl.exp(x)", -9, 9, [](double x, double) { return std::exp(x); }, 10},
      {"tl.exp2(x)", -9, 9, [](double x, double) { return std::exp2(x); }, 2},
      {"tl.log(x)", 0.01, 50, [](double x, double) { return std::log(x); }, 2},
      {"tl.log2(x)", 0.01, 50, [](double x, double) { return std::log2(x); }, 2},
      {"tl.sin(x)", -50, 50, [](double x, double) { return std::sin(x); }, 2},
      {"tl.cos(x)", -5e5, 5e5, [](double x, double) { return std::cos(x); }, 2},
      {"tl.sqrt(x)", 0.01, 50, [](double x, double) { return std::sqrt(x); }, 2},
      {"tl.rsqrt(x)", 0.01, 50, [](double x, double) { return 1 / std::sqrt(x); }, 2},
      {"tl.erf(x)", -4, 4, [](double x, double) { return std::erf(x); }, 2},
      {"tl.sigmoid(x)", -5, 5, [](double x, double) { return 1 / (1 + std::exp(-x)); }, 8},
      {"tl.fdiv(x, y)", 1, 9, [](double x, double y) { return x / y; }, 3},
      {"tl.fdiv(x, y, ieee_rounding=True)", 1, 9, [](double x, double y) { return x / y; }, 0.5},
      {"x % y", 1, 1e6, [](double x, double y) { return std::fmod(x, y); }, 0},
      {"tl.fma(x, y, 2.0)", 1, 9, [](double x, double y) { return std::fma(x, y, 2); }, 1},
      {"tl.abs(x)", -9, 9, [](double x, double) { return std::fabs(x); }, 0},
      {"tl.ceil(x)", -9, 9, [](double x, double) { return std::ceil(x); }, 0},
      {"tl.floor(x)", -9, 9, [](double x, double) { return std::floor(x); }, 0},
      {"tl.clamp(x, -2.0, 3.0)", -9, 9,
       [](double x, double) { return std::min(std::max(x, -2.0), 3.0); }, 0},
  });
  check<float>({"tl.sqrt_rn(x)", 0.01, 50, [](double x, double) { return std::sqrt(x); }, 0.5}, 4);
  check<float>({"tl.div_rn(x, y)", 1, 9, [](double x, double y) { return x / y; }, 0.5}, 4);
}

TEST(Math, DeviceFunctions) {
  checkBoth({
      {"libdevice.acos(x)", -1, 1, [](double x, double) { return std::acos(x); }, 2},
      {"libdevice.acosh(x)", 1, 50, [](double x, double) { return std::acosh(x); }, 2},
      {"libdevice.asin(x)", -1, 1, [](double x, double) { return std::asin(x); }, 2},
      {"libdevice.asinh(x)", -50, 50, [](double x, double) { return std::asinh(x); }, 3},
      {"libdevice.atan(x)", -50, 50, [](double x, double) { return std::atan(x); }, 2},
      {"libdevice.atan2(x, y)", -9, 9, [](double x, double y) { return std::atan2(x, y); }, 2},
      {"libdevice.atanh(x)", -0.9, 0.9, [](double x, double) { return std::atanh(x); }, 3},
      {"libdevice.cbrt(x)", -50, 50, [](double x, double) { return std::cbrt(x); }, 1},
      {"libdevice.copysign(x, y)", -9, 9, [](double x, double y) { return std::copysign(x, y); },
       0},
      {"libdevice.cosh(x)", -9, 9, [](double x, double) { return std::cosh(x); }, 2},
      {"libdevice.erfc(x)", -3, 5, [](double x, double) { return std::erfc(x); }, 4, 5},
      {"libdevice.exp(x)", -9, 9, [](double x, double) { return std::exp(x); }, 1},
      {"libdevice.exp10(x)", -9, 9, [](double x, double) { return std::pow(10, x); }, 2},
      {"libdevice.expm1(x)", -2, 2, [](double x, double) { return std::expm1(x); }, 2},
      {"libdevice.fmod(x, y)", 1, 1e6, [](double x, double y) { return std::fmod(x, y); }, 0},
      {"libdevice.hypot(x, y)", -9, 9, [](double x, double y) { return std::hypot(x, y); }, 2},
      {"libdevice.ldexp(x, 3)", -9, 9, [](double x, double) { return x * 8; }, 0},
      {"libdevice.log10(x)", 0.01, 50, [](double x, double) { return std::log10(x); }, 2},
      {"libdevice.log1p(x)", -0.9, 9, [](double x, double) { return std::log1p(x); }, 2},
      {"libdevice.nearbyint(x)", -9, 9, [](double x, double) { return std::nearbyint(x); }, 0},
      {"libdevice.norm4d(x, y, x, y)", -9, 9,
       [](double x, double y) { return std::hypot(x, y) * std::numbers::sqrt2; }, 3},
      {"libdevice.pow(x, y)", 0.1, 9, [](double x, double y) { return std::pow(x, y); }, 1, 2},
      {"libdevice.pow(x, 3)", -9, 9, [](double x, double) { return x * x * x; }, 1, 4},
      {"libdevice.remainder(x, y)", 1, 99, [](double x, double y) { return std::remainder(x, y); },
       0},
      {"libdevice.round(x)", -9, 9, [](double x, double) { return std::round(x); }, 0},
      {"libdevice.rsqrt(x)", 0.01, 50, [](double x, double) { return 1 / std::sqrt(x); }, 1},
      {"libdevice.sinh(x)", -9, 9, [](double x, double) { return std::sinh(x); }, 3},
      {"libdevice.tan(x)", -9, 9, [](double x, double) { return std::tan(x); }, 3},
      {"libdevice.tanh(x)", -4, 4, [](double x, double) { return std::tanh(x); }, 3},
      {"libdevice.trunc(x)", -9, 9, [](double x, double) { return std::trunc(x); }, 0},
      {"tl.where(libdevice.isnan(x / 0.0 - x / 0.0) != 0, x, 0.0)", 1, 9,
       [](double x, double) { return x; }, 0},
      {"tl.where(libdevice.signbit(x) != 0, -x, x)", -9, 9,
       [](double x, double) { return std::fabs(x); }, 0},
  });
  check<float>({"libdevice.nextafter(x, y)", -9, 9,
                [](double x, double y) {
                  return std::nextafter(static_cast<float>(x), static_cast<float>(y));
                },
                0},
               1);
  check<double>({"libdevice.nextafter(x, y)", -9, 9,
                 [](double x, double y) { return std::nextafter(x, y); }, 0, 0},
                1);
  checkBoth({{"libdevice.ilogb(x).to(x.dtype)", 0.01, 99,
              [](double x, double) { return std::ilogb(x); }, 0, 0}});
  auto f32 = [](const Function &function) { check<float>(function, 2); };
  f32({"libdevice.fast_expf(x)", -9, 9, [](double x, double) { return std::exp(x); }, 10});
  f32({"libdevice.fast_sinf(x)", 0.1, 3, [](double x, double) { return std::sin(x); }, 2});
  f32({"libdevice.fast_logf(x)", 2, 50, [](double x, double) { return std::log(x); }, 3});
  f32({"libdevice.fast_dividef(x, y)", 1, 9, [](double x, double y) { return x / y; }, 2});
  f32({"libdevice.saturatef(x)", -2, 2,
       [](double x, double) { return std::min(std::max(x, 0.0), 1.0); }, 0});
  f32({"libdevice.float2int_rd(x)", -99, 99, [](double x, double) { return std::floor(x); }, 0});
  f32({"libdevice.uint_as_float(libdevice.float_as_int(x).to(tl.uint32))", -9, 9,
       [](double x, double) { return x; }, 0});
  f32({"libdevice.int_as_float(libdevice.float_as_int(x))", -9, 9,
       [](double x, double) { return x; }, 0});
}

/// A power by an exponent that is a constant, as products, beside one that is loaded.
template <typename T> void checkConstantPower(int exponent, const char *written) {
  SCOPED_TRACE(written);
  using Limits = std::numeric_limits<T>;
  std::vector<T> x = {0,
                      T(-0.0),
                      1,
                      -1,
                      Limits::min(),
                      Limits::denorm_min(),
                      -Limits::denorm_min(),
                      Limits::max(),
                      Limits::lowest(),
                      Limits::infinity(),
                      -Limits::infinity(),
                      Limits::quiet_NaN()};
  std::mt19937_64 random(11);
  const int largest = Limits::max_exponent;
  while (x.size() < 600) {
    const T fraction = T(1) + T(random() % 4096) / 4096 + T(random() % 64) * Limits::epsilon();
    const int scale = static_cast<int>(random() % (2 * largest)) - largest;
    x.push_back(std::ldexp(random() % 2 ? fraction : -fraction, scale));
  }
  const std::vector<T> y(x.size(), T(exponent));
  const std::vector<T> products = run(std::string("libdevice.pow(x, ") + written + ")", x, y, 4);
  const std::vector<T> powers = run("libdevice.pow(x, y)", x, y, 4);
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(powers[i])) {
      EXPECT_TRUE(std::isnan(products[i])) << x[i];
      continue;
    }
    EXPECT_EQ(std::signbit(products[i]), std::signbit(powers[i])) << x[i];
    if (std::isinf(powers[i]) || powers[i] == 0) {
      EXPECT_EQ(products[i], powers[i]) << x[i];
      continue;
    }
    // Two units: of a subnormal result, of the smallest number.
    const T unit = std::max(std::fabs(powers[i]) * Limits::epsilon(), Limits::denorm_min());
    EXPECT_LE(std::fabs(products[i] - powers[i]), 2 * unit) << x[i];
  }
}

TEST(Math, PowersByConstants) {
  for (int exponent : {0, 1, 2, 3}) {
    const std::string integer = std::to_string(exponent), number = integer + ".0";
    checkConstantPower<float>(exponent, number.c_str());
    checkConstantPower<double>(exponent, number.c_str());
    checkConstantPower<float>(exponent, integer.c_str());
    checkConstantPower<double>(exponent, integer.c_str());
  }
}

/// f32, over the whole range: what overflows, what is subnormal, and what is no number.
TEST(Math, ExponentialsAtTheEnds) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  struct Exponential {
    const char *name;
    double base;
  };
  for (const auto &[name, base] :
       {Exponential{"exp", std::numbers::e}, Exponential{"exp2", 2}, Exponential{"exp10", 10}}) {
    SCOPED_TRACE(name);
    const double toTwo = std::log2(base);
    std::vector<float> x = {-infinity, infinity, 0.0f, -0.0f, 1e-30f, -1e30f, 1e30f};
    for (double power = -160; power < 140; power += 0.37)
      x.push_back(static_cast<float>(power / toTwo));
    const std::vector<float> out = run(std::string("libdevice.") + name + "(x)", x, x, 4);
    for (size_t i = 0; i < x.size(); ++i) {
      const double expected = std::pow(base, static_cast<double>(x[i]));
      if (expected > std::numeric_limits<float>::max()) {
        EXPECT_EQ(out[i], infinity) << x[i];
        continue;
      }
      // Of a subnormal result, the last place of these.
      const double bound = std::max(expected * std::numeric_limits<float>::epsilon() * 2, 0x1p-149);
      EXPECT_LE(std::fabs(out[i] - expected), bound) << x[i];
    }
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(run(std::string("libdevice.") + name + "(x)", std::vector<float>(3, nan),
                               {0, 0, 0}, 1)[0]));
  }
}

template <typename T>
void checkIntegers(const std::string &expression, const std::function<T(T, T)> &reference) {
  SCOPED_TRACE(expression);
  std::mt19937_64 random(7);
  std::vector<T> x(300), y(300);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<T>(random()) >> random() % (8 * sizeof(T));
    y[i] = static_cast<T>(random()) >> random() % (8 * sizeof(T));
  }
  x[0] = 0;
  std::vector<T> out = run(expression, x, y, 4);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(out[i], reference(x[i], y[i])) << "f(" << x[i] << ", " << y[i] << ")";
}

/// In f32: these are computed in f64 then, but for the inverse error functions.
TEST(Math, SpecialFunctions) {
  auto identity = [](double x, double) { return x; };
  const std::vector<Function> functions = {
      {"libdevice.cyl_bessel_i1(x)", 0, 20,
       [](double x, double) { return std::cyl_bessel_i(1, x); }, 1},
      {"libdevice.jn(3, x)", 1, 4, [](double x, double) { return std::cyl_bessel_j(3, x); }, 1},
      {"libdevice.yn(2, x)", 0.1, 30, [](double x, double) { return std::cyl_neumann(2, x); }, 2},
      {"libdevice.lgamma(x)", 3, 50, [](double x, double) { return std::lgamma(x); }, 1},
      {"libdevice.tgamma(x)", 0.1, 20, [](double x, double) { return std::tgamma(x); }, 1},
      {"libdevice.erf(libdevice.erfinv(x))", 0.1, 0.9, identity, 8},
      {"libdevice.normcdf(libdevice.normcdfinv(x))", 0.1, 0.9, identity, 16},
  };
  for (const Function &function : functions)
    check<float>(function, 4);
}

TEST(Math, DeviceFunctionsOfIntegers) {
  auto check32 = checkIntegers<int32_t>;
  auto check64 = checkIntegers<int64_t>;
  check32("libdevice.clz(x)", [](int32_t x, int32_t) { return std::countl_zero(uint32_t(x)); });
  check64("libdevice.clz(x)", [](int64_t x, int64_t) { return std::countl_zero(uint64_t(x)); });
  check32("libdevice.popc(x)", [](int32_t x, int32_t) { return std::popcount(uint32_t(x)); });
  check64("libdevice.popc(x)", [](int64_t x, int64_t) { return std::popcount(uint64_t(x)); });
  check32("libdevice.ffs(x)",
          [](int32_t x, int32_t) { return x ? std::countr_zero(uint32_t(x)) + 1 : 0; });
  check32("libdevice.brev(libdevice.brev(x))", [](int32_t x, int32_t) { return x; });
  check32("libdevice.brev(x) & 1", [](int32_t x, int32_t) { return x < 0 ? 1 : 0; });
  check32("libdevice.byte_perm(x, y, 0x0123)",
          [](int32_t x, int32_t) { return static_cast<int32_t>(__builtin_bswap32(x)); });
  check32("libdevice.byte_perm(x, y, 0x5410)",
          [](int32_t x, int32_t y) { return (x & 0xffff) | static_cast<int32_t>(y << 16); });
  check32("libdevice.mulhi(x, y)",
          [](int32_t x, int32_t y) { return static_cast<int32_t>(int64_t(x) * y >> 32); });
  check64("libdevice.mulhi(x, y)", [](int64_t x, int64_t y) {
    return static_cast<int64_t>(static_cast<__int128>(x) * y >> 64);
  });
  check32("tl.umulhi(x, y)", [](int32_t x, int32_t y) {
    return static_cast<int32_t>(uint64_t(uint32_t(x)) * uint32_t(y) >> 32);
  });
  check32("libdevice.hadd(x, y)",
          [](int32_t x, int32_t y) { return static_cast<int32_t>((int64_t(x) + y) >> 1); });
  check32("libdevice.sad(x, y, (y * 0 + 5).to(tl.uint32))", [](int32_t x, int32_t y) {
    return static_cast<int32_t>(std::llabs(int64_t(x) - y) + 5);
  });
  check32("libdevice.mul24(x & 0xfff, y & 0xfff)",
          [](int32_t x, int32_t y) { return (x & 0xfff) * (y & 0xfff); });
  check32("tl.abs(x)", [](int32_t x, int32_t) { return x < 0 ? -x : x; });
}

// A NaN operand is left out, or decides the result.
TEST(Math, PropagationOfNan) {
  float nan = std::nanf("");
  std::vector<float> x = {1, nan, 3, nan}, y = {2, 2, nan, nan};
  auto check = [&](const std::string &expression, std::vector<float> expected) {
    SCOPED_TRACE(expression);
    std::vector<float> out = run(expression, x, y, 1);
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_TRUE(out[i] == expected[i] || (std::isnan(out[i]) && std::isnan(expected[i])))
          << "element " << i << ": " << out[i];
  };
  check("tl.minimum(x, y)", {1, 2, 3, nan});
  check("tl.maximum(x, y)", {2, 2, 3, nan});
  check("tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL)", {1, nan, nan, nan});
  check("tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)", {2, nan, nan, nan});
  check("tl.clamp(x, 0.0, 2.0, propagate_nan=tl.PropagateNan.ALL)", {1, nan, 2, nan});
}

TEST(Math, Softmax) {
  auto x = randomValues<float>(256, 31, -5, 5);
  std::string source = std::string(imports) + R"(
@triton.jit
def kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    tl.store(out_ptr + offs, tl.softmax(tl.load(x_ptr + offs)))
)";
  auto arguments = runOnSimulator({.source = source,
                                   .signature = "*fp32:16, *fp32:16, 256",
                                   .arguments = {toArray(x), unwritten<float>(256)}});
  std::vector<double> expected(x.begin(), x.end());
  double total = 0;
  for (double &value : expected)
    total += value = std::exp(value);
  for (double &value : expected)
    value /= total;
  expectClose(fromArray<float>(arguments[1]), expected, 1e-6);
}

} // namespace
