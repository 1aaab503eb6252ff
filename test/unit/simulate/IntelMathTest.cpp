//===- IntelMathTest.cpp - OpenCL's functions against the host's --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <cmath>
#include <functional>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::ElementType;
using runtime::HostArray;

namespace {
struct UnaryCase {
  const char *name;
  double (*function)(double);
  /// The lanes' numbers are from + t * step.
  double from = -3.7, step = 0.5;
};
struct BinaryCase {
  const char *name;
  double (*function)(double, double);
};
} // namespace

static double sinpi(double x) { return std::sin(M_PI * x); }
static double cospi(double x) { return std::cos(M_PI * x); }
static double rsqrt(double x) { return 1 / std::sqrt(x); }
static double recip(double x) { return 1 / x; }
static double powerOfTen(double x) { return std::pow(10.0, x); }

#define CASE(name, ...) {#name, static_cast<double (*)(double)>(std::name), ##__VA_ARGS__}
static const UnaryCase unaryCases[] = {
    CASE(acos, -1, 0.1),
    CASE(acosh, 1, 0.5),
    CASE(asin, -1, 0.1),
    CASE(asinh),
    CASE(atan),
    CASE(atanh, -0.9, 0.1),
    CASE(cbrt),
    CASE(ceil),
    CASE(cos),
    CASE(cosh),
    CASE(erf),
    CASE(erfc),
    CASE(exp),
    CASE(exp2),
    CASE(expm1),
    CASE(fabs),
    CASE(floor),
    CASE(lgamma, 0.3, 0.5),
    CASE(log, 0.1, 0.5),
    CASE(log10, 0.1, 0.5),
    CASE(log1p, 0.1, 0.5),
    CASE(log2, 0.1, 0.5),
    CASE(logb, 0.1, 0.5),
    CASE(rint),
    CASE(round),
    CASE(sin),
    CASE(sinh),
    CASE(sqrt, 0.1, 0.5),
    CASE(tan),
    CASE(tanh),
    CASE(tgamma, 0.3, 0.5),
    CASE(trunc),
    {"sinpi", sinpi},
    {"cospi", cospi},
    {"rsqrt", rsqrt, 0.1, 0.5},
    {"exp10", powerOfTen},
};
#undef CASE
static const UnaryCase nativeCases[] = {
    {"native_cos", std::cos},
    {"native_exp", std::exp},
    {"native_exp2", std::exp2},
    {"native_log", std::log, 0.1, 0.5},
    {"native_log2", std::log2, 0.1, 0.5},
    {"native_log10", std::log10, 0.1, 0.5},
    {"native_recip", recip, 0.1, 0.5},
    {"native_rsqrt", rsqrt, 0.1, 0.5},
    {"native_sin", std::sin},
    {"native_sqrt", std::sqrt, 0.1, 0.5},
    {"half_exp2", std::exp2},
    {"__spirv_ocl_native_exp2", std::exp2},
    {"__spirv_ocl_erf", std::erf},
    {"native_tan", std::tan},
};

static std::string mangled(const std::string &name, const std::string &types) {
  return "@_Z" + std::to_string(name.size()) + name + types;
}

/// Evaluates all functions in one kernel for each type; the results come back as float.
static void expectUnary(std::span<const UnaryCase> cases, const std::string &type,
                        const std::string &letter, double tolerance) {
  std::string declarations, body = "%d = sitofp i32 %t to double\n";
  for (size_t i = 0; i < cases.size(); ++i) {
    std::string n = std::to_string(i), function = type + " " + mangled(cases[i].name, letter);
    declarations += "declare spir_func " + function + "(" + type + ")\n";
    char numbers[128];
    snprintf(numbers, sizeof(numbers),
             "%%m%zu = fmul double %%d, %.17e\n%%x%zu = fadd double "
             "%%m%zu, %.17e\n",
             i, cases[i].step, i, i, cases[i].from);
    body += numbers;
    std::string operand = "%x" + n;
    if (type != "double") {
      body += "%a" + n + " = fptrunc double %x" + n + " to " + type + "\n";
      operand = "%a" + n;
    }
    body += "%y" + n + " = call spir_func " + function + "(" + type + " " + operand + ")\n";
    std::string result = "%y" + n;
    if (type != "float") {
      body += "%f" + n + (type == "double" ? " = fptrunc " : " = fpext ") + type + " %y" + n +
              " to float\n";
      result = "%f" + n;
    }
    body += "%r" + n + " = bitcast float " + result + " to i32\n";
  }
  HostArray out = intelLanes(16).run(declarations, body, cases.size());
  for (size_t i = 0; i < cases.size(); ++i)
    for (int lane = 0; lane < 16; ++lane) {
      double x = cases[i].from + lane * cases[i].step;
      if (type == "float")
        x = static_cast<float>(x);
      if (type == "half")
        x = static_cast<double>(static_cast<_Float16>(x));
      double expected = cases[i].function(x), got = out.data<float>()[i * 16 + lane];
      EXPECT_NEAR(got, expected, tolerance * std::max(1.0, std::fabs(expected)))
          << cases[i].name << " of " << type << " " << x;
    }
}

TEST(IntelMath, Functions) {
  expectUnary(unaryCases, "float", "f", 4e-6);
  expectUnary(unaryCases, "double", "d", 1e-7);
  expectUnary(unaryCases, "half", "Dh", 2e-3);
}

TEST(IntelMath, FunctionsOfLessPrecision) { expectUnary(nativeCases, "float", "f", 4e-6); }

TEST(IntelMath, FunctionsOfTwoAndThree) {
  const BinaryCase cases[] = {
      {"atan2", std::atan2},         {"copysign", std::copysign},
      {"fdim", std::fdim},           {"fmax", std::fmax},
      {"fmin", std::fmin},           {"fmod", std::fmod},
      {"hypot", std::hypot},         {"pow", std::pow},
      {"remainder", std::remainder}, {"native_divide", [](double a, double b) { return a / b; }},
  };
  std::string declarations, body = R"(
    %d = sitofp i32 %t to float
    %x = fadd float %d, 0.5
    %y = fsub float 3.25, %d
  )";
  int number = 0;
  for (const BinaryCase &test : cases) {
    std::string n = std::to_string(number++), function = "float " + mangled(test.name, "ff");
    declarations += "declare spir_func " + function + "(float, float)\n";
    body += "%v" + n + " = call " + function + "(float %x, float %y)\n%r" + n +
            " = bitcast float %v" + n + " to i32\n";
  }
  declarations += "declare float @_Z3fmafff(float, float, float)\n"
                  "declare float @_Z3madfff(float, float, float)\n"
                  "declare float @_Z5ldexpfi(float, i32)\n"
                  "declare float @_Z4pownfi(float, i32)\n"
                  "declare float @_Z9nextafterff(float, float)\n";
  body += R"(
    %v10 = call float @_Z3fmafff(float %x, float %y, float 1.0)
    %r10 = bitcast float %v10 to i32
    %v11 = call float @_Z3madfff(float %x, float %y, float 1.0)
    %r11 = bitcast float %v11 to i32
    %v12 = call float @_Z5ldexpfi(float %x, i32 -3)
    %r12 = bitcast float %v12 to i32
    %v13 = call float @_Z4pownfi(float %y, i32 3)
    %r13 = bitcast float %v13 to i32
    %v14 = call float @_Z9nextafterff(float %x, float %y)
    %r14 = bitcast float %v14 to i32
  )";
  HostArray out = intelLanes(16).run(declarations, body, 15);
  auto result = [&](int i, int lane) { return out.data<float>()[i * 16 + lane]; };
  for (int lane = 0; lane < 16; ++lane) {
    float x = float(lane) + 0.5f, y = 3.25f - float(lane);
    for (int i = 0; i < number; ++i)
      EXPECT_FLOAT_EQ(result(i, lane), static_cast<float>(cases[i].function(x, y)))
          << cases[i].name << " of " << x << ", " << y;
    EXPECT_EQ(result(10, lane), std::fma(x, y, 1.0f));
    EXPECT_EQ(result(11, lane), std::fma(x, y, 1.0f));
    EXPECT_EQ(result(12, lane), x / 8);
    EXPECT_FLOAT_EQ(result(13, lane), y * y * y);
    EXPECT_EQ(result(14, lane), std::nextafter(x, y));
  }
}

TEST(IntelMath, VectorsIntegersAndConversions) {
  HostArray out = intelLanes(16).run(R"(
    declare <2 x float> @_Z3erfDv2_f(<2 x float>)
    declare <2 x float> @_Z4sqrtDv2_f(<2 x float>)
    declare i32 @_Z3maxii(i32, i32)
    declare i32 @_Z3maxjj(i32, i32)
    declare i32 @_Z3minii(i32, i32)
    declare i32 @_Z6mul_hiii(i32, i32)
    declare i32 @_Z6mul_hijj(i32, i32)
    declare i16 @_Z27__spirv_ConvertFToBF16INTELf(float)
    declare float @_Z27__spirv_ConvertBF16ToFINTELs(i16))",
                                     R"(
    %f = sitofp i32 %t to float
    %v = insertelement <2 x float> <float 0.5, float 0.5>, float %f, i32 1
    %e = call <2 x float> @_Z3erfDv2_f(<2 x float> %v)
    %s = call <2 x float> @_Z4sqrtDv2_f(<2 x float> %v)
    %e1 = extractelement <2 x float> %e, i32 1
    %s1 = extractelement <2 x float> %s, i32 1
    %r0 = bitcast float %e1 to i32
    %r1 = bitcast float %s1 to i32
    %n = sub i32 %t, 8
    %r2 = call i32 @_Z3maxii(i32 %n, i32 3)
    %r3 = call i32 @_Z3maxjj(i32 %n, i32 3)
    %r4 = call i32 @_Z3minii(i32 %n, i32 3)
    %r5 = call i32 @_Z6mul_hiii(i32 %n, i32 1000000000)
    %r6 = call i32 @_Z6mul_hijj(i32 %n, i32 1000000000)
    %third = fdiv float %f, 3.0
    %b = call i16 @_Z27__spirv_ConvertFToBF16INTELf(float %third)
    %r7 = zext i16 %b to i32
    %w = call float @_Z27__spirv_ConvertBF16ToFINTELs(i16 %b)
    %r8 = bitcast float %w to i32)",
                                     9);
  for (int lane = 0; lane < 16; ++lane) {
    int n = lane - 8;
    EXPECT_FLOAT_EQ(out.data<float>()[lane], std::erf(float(lane)));
    EXPECT_EQ(out.data<float>()[16 + lane], std::sqrt(float(lane)));
    EXPECT_EQ(out.at(32 + lane), std::max(n, 3));
    EXPECT_EQ(static_cast<uint32_t>(out.at(48 + lane)), std::max(uint32_t(n), 3u));
    EXPECT_EQ(out.at(64 + lane), std::min(n, 3));
    EXPECT_EQ(out.at(80 + lane), static_cast<int32_t>(n * int64_t(1000000000) >> 32));
    EXPECT_EQ(static_cast<uint32_t>(out.at(96 + lane)),
              static_cast<uint32_t>(uint32_t(n) * uint64_t(1000000000) >> 32));
    HostArray brain(ElementType::BFloat16, {1});
    brain.set(0, float(lane) / 3);
    EXPECT_EQ(out.at(112 + lane), brain.data<uint16_t>()[0]);
    EXPECT_EQ(out.data<float>()[128 + lane], static_cast<float>(brain.at(0)));
  }
}

TEST(IntelMath, WhatIsNotKnown) {
  std::string error = intelLanes(16).error("declare float @_Z5gammaf(float)\n",
                                           "%v = call float @_Z5gammaf(float 1.0), !dbg !1000\n"
                                           "%r0 = bitcast float %v to i32\n");
  EXPECT_TRUE(error.starts_with("kernel.py:10:7: error: the simulator does not know the function "
                                "'_Z5gammaf'"))
      << error;
}
