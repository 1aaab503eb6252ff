//===- AmdArithmeticTest.cpp - AMD's arithmetic against definitions -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::test;
using runtime::ElementType;
using runtime::HostArray;

/// `operands` as LLVM writes constants of 32 bits.
static uint32_t bitsOf(const std::string &type, const std::string &function,
                       const std::vector<std::string> &types,
                       const std::vector<std::string> &operands) {
  std::string parameters, values;
  for (size_t i = 0; i < types.size(); ++i) {
    parameters += (i ? ", " : "") + types[i];
    values += (i ? ", " : "") + types[i] + " " + operands[i];
  }
  HostArray out =
      amdLanes.run("declare " + type + " @llvm.amdgcn." + function + "(" + parameters + ")",
                   "%v = call " + type + " @llvm.amdgcn." + function + "(" + values +
                       ")\n%r0 = bitcast " + type + " %v to i32\n");
  return out.data<uint32_t>()[0];
}

static std::string hex(float value) {
  char text[32];
  snprintf(text, sizeof(text), "0x%016llx",
           static_cast<unsigned long long>(std::bit_cast<uint64_t>(double(value))));
  return text;
}

static float evaluate(const std::string &function, const std::vector<float> &operands) {
  std::vector<std::string> values;
  for (float operand : operands)
    values.push_back(hex(operand));
  return std::bit_cast<float>(
      bitsOf("float", function, std::vector<std::string>(operands.size(), "float"), values));
}

static uint32_t integers(const std::string &function, const std::vector<std::string> &types,
                         const std::vector<std::string> &operands) {
  return bitsOf("i32", function, types, operands);
}

static std::string number(uint32_t value) { return std::to_string(static_cast<int32_t>(value)); }

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan_ = std::numeric_limits<float>::quiet_NaN();

TEST(AmdArithmetic, Functions) {
  EXPECT_FLOAT_EQ(evaluate("exp2.f32", {3.5f}), std::exp2(3.5f));
  EXPECT_FLOAT_EQ(evaluate("log.f32", {10.0f}), std::log2(10.0f));
  EXPECT_FLOAT_EQ(evaluate("sqrt.f32", {2.0f}), std::sqrt(2.0f));
  EXPECT_FLOAT_EQ(evaluate("rcp.f32", {3.0f}), 1 / 3.0f);
  EXPECT_FLOAT_EQ(evaluate("rsq.f32", {2.0f}), 1 / std::sqrt(2.0f));
  EXPECT_FLOAT_EQ(evaluate("fdiv.fast", {7.0f, 3.0f}), 7 / 3.0f);
  EXPECT_EQ(evaluate("fmul.legacy", {0.0f, infinity}), 0.0f);
  EXPECT_EQ(evaluate("fmul.legacy", {3.0f, 2.0f}), 6.0f);
  EXPECT_EQ(evaluate("fma.legacy", {0.0f, nan_, 5.0f}), 5.0f);
}

TEST(AmdArithmetic, TurnsOfTheCircle) {
  for (float turns : {0.0f, 0.1f, 0.25f, 0.3f, 0.5f, 0.75f, -0.2f, 1.125f, -17.4f, 200.3f}) {
    double angle = 2 * M_PI * (double(turns) - std::floor(double(turns)));
    EXPECT_NEAR(evaluate("sin.f32", {turns}), std::sin(angle), 1e-7) << turns;
    EXPECT_NEAR(evaluate("cos.f32", {turns}), std::cos(angle), 1e-7) << turns;
  }
}

TEST(AmdArithmetic, PartsOfNumbers) {
  EXPECT_EQ(evaluate("fract.f32", {2.75f}), 0.75f);
  EXPECT_EQ(evaluate("fract.f32", {-2.75f}), 0.25f);
  // One would not be a fraction.
  EXPECT_EQ(evaluate("fract.f32", {-1e-20f}), std::nextafter(1.0f, 0.0f));
  EXPECT_TRUE(std::isnan(evaluate("fract.f32", {nan_})));
  for (float x : {1.0f, -0.3f, 1e30f, 1e-40f, 0.0f, infinity, -infinity}) {
    int exponent = 0;
    float mantissa = std::isinf(x) ? x : std::frexp(x, &exponent);
    EXPECT_EQ(evaluate("frexp.mant.f32", {x}), mantissa) << x;
    EXPECT_EQ(static_cast<int32_t>(integers("frexp.exp.i32.f32", {"float"}, {hex(x)})), exponent)
        << x;
  }
  EXPECT_EQ(integers("frexp.exp.i32.f32", {"float"}, {hex(nan_)}), 0u);
}

TEST(AmdArithmetic, Median) {
  float values[] = {-1.0f, 0.5f, 7.0f};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 3; ++c) {
        std::vector<float> three = {values[a], values[b], values[c]}, sorted = three;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(evaluate("fmed3.f32", three), sorted[1]);
      }
  EXPECT_EQ(evaluate("fmed3.f32", {nan_, 3.0f, 2.0f}), 2.0f);
  EXPECT_EQ(evaluate("fmed3.f32", {1.0f, 3.0f, nan_}), 1.0f);
}

TEST(AmdArithmetic, BytesOfDotProducts) {
  uint32_t a = 0x80ff7f01, b = 0x7f80fe05;
  auto byte = [](uint32_t word, int i, bool isSigned) -> int64_t {
    uint8_t value = word >> 8 * i;
    return isSigned ? int64_t(static_cast<int8_t>(value)) : int64_t(value);
  };
  for (bool signedA : {false, true})
    for (bool signedB : {false, true})
      for (bool clamp : {false, true})
        for (int32_t c : {0, -100, INT32_MAX - 5, INT32_MIN + 5}) {
          int64_t sum = c;
          for (int i = 0; i < 4; ++i)
            sum += byte(a, i, signedA) * byte(b, i, signedB);
          if (clamp)
            sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
          EXPECT_EQ(integers("sudot4", {"i1", "i32", "i1", "i32", "i32", "i1"},
                             {signedA ? "true" : "false", number(a), signedB ? "true" : "false",
                              number(b), std::to_string(c), clamp ? "true" : "false"}),
                    static_cast<uint32_t>(sum));
        }
  uint64_t large = 0xffffff00u;
  int64_t isSigned = 7;
  for (int i = 0; i < 4; ++i) {
    large += byte(a, i, false) * byte(b, i, false);
    isSigned += byte(a, i, true) * byte(b, i, true);
  }
  EXPECT_EQ(integers("udot4", {"i32", "i32", "i32", "i1"},
                     {number(a), number(b), number(0xffffff00u), "true"}),
            UINT32_MAX);
  EXPECT_EQ(integers("udot4", {"i32", "i32", "i32", "i1"},
                     {number(a), number(b), number(0xffffff00u), "false"}),
            static_cast<uint32_t>(large));
  EXPECT_EQ(integers("sdot4", {"i32", "i32", "i32", "i1"}, {number(a), number(b), "7", "false"}),
            static_cast<uint32_t>(isSigned));
}

TEST(AmdArithmetic, HalvesOfDotProducts) {
  HostArray out = amdLanes.run(
      "declare float @llvm.amdgcn.fdot2(<2 x half>, <2 x half>, float, i1)\n"
      "declare float @llvm.amdgcn.fdot2.f32.bf16(<2 x bfloat>, <2 x bfloat>, float, i1)",
      R"(
    %a = call float @llvm.amdgcn.fdot2(<2 x half> <half 1.5, half -2.0>, <2 x half> <half 3.0, half 0.25>, float 10.0, i1 false)
    %b = call float @llvm.amdgcn.fdot2.f32.bf16(<2 x bfloat> <bfloat 1.5, bfloat -2.0>, <2 x bfloat> <bfloat 3.0, bfloat 0.25>, float 20.0, i1 false)
    %r0 = bitcast float %a to i32
    %r1 = bitcast float %b to i32)",
      2);
  EXPECT_EQ(out.data<float>()[0], 14.0f);
  EXPECT_EQ(out.data<float>()[32], 24.0f);
}

TEST(AmdArithmetic, ProductsOf24Bits) {
  EXPECT_EQ(integers("mul.u24.i32", {"i32", "i32"}, {number(0xff000003), "5"}), 15u);
  EXPECT_EQ(integers("mul.i24.i32", {"i32", "i32"}, {number(0x00ffffff), "5"}),
            static_cast<uint32_t>(-5));
}

TEST(AmdConversions, Float8Values) {
  struct Format {
    const char *name;
    ElementType type;
    float values[8];
    uint8_t codes[8];
  };
  // Ties to even, the largest number, what is too large, the smallest, a tie to zero.
  const Format formats[] = {
      {"fp8",
       ElementType::Float8E4M3,
       {1.0f, -1.0625f, 448.0f, 480.0f, 0x1p-9f, 0x1p-10f, -0.0f, 17.0f},
       {0x38, 0xb8, 0x7e, 0x7f, 0x01, 0x00, 0x80, 0x58}},
      {"bf8",
       ElementType::Float8E5M2,
       {1.0f, -1.125f, 57344.0f, 65536.0f, 0x1p-16f, 0x1p-17f, -0.0f, 9.0f},
       {0x3c, 0xbc, 0x7b, 0x7c, 0x01, 0x00, 0x80, 0x48}},
  };
  for (const Format &format : formats) {
    std::string name = format.name;
    for (int i = 0; i < 8; i += 2)
      for (bool high : {false, true}) {
        uint32_t pair = format.codes[i] | format.codes[i + 1] << 8;
        EXPECT_EQ(integers("cvt.pk." + name + ".f32", {"float", "float", "i32", "i1"},
                           {hex(format.values[i]), hex(format.values[i + 1]), number(0x12345678),
                            high ? "true" : "false"}),
                  high ? 0x5678 | pair << 16 : 0x12340000 | pair)
            << name << " " << format.values[i];
      }
    EXPECT_EQ(integers("cvt.pk." + name + ".f32", {"float", "float", "i32", "i1"},
                       {hex(nan_), hex(-nan_), "0", "false"}),
              0xff7fu);
    // What the other half is from may be undefined.
    EXPECT_EQ(integers("cvt.pk." + name + ".f32", {"float", "float", "i32", "i1"},
                       {hex(1.0f), hex(1.0f), "poison", "false"}) &
                  0xffff,
              format.codes[0] * 0x101u);
    // All codes, four in the word of a lane, once by themselves and once in pairs.
    for (int start : {0, 128}) {
      std::string body = "%first = mul i32 %t, 67372036\n" // 4 in each byte
                         "%word = add i32 %first, " +
                         number(0x03020100 + start * 0x01010101u) + "\n";
      for (int i = 0; i < 4; ++i) {
        std::string n = std::to_string(i), half = i < 2 ? "false" : "true";
        body += "%f" + n + " = call float @llvm.amdgcn.cvt.f32." + name + "(i32 %word, i32 " + n +
                ")\n%r" + n + " = bitcast float %f" + n + " to i32\n%p" + n +
                " = call <2 x float> @llvm.amdgcn.cvt.pk.f32." + name + "(i32 %word, i1 " + half +
                ")\n%e" + n + " = extractelement <2 x float> %p" + n + ", i32 " +
                std::to_string(i % 2) + "\n%r" + std::to_string(4 + i) + " = bitcast float %e" + n +
                " to i32\n";
      }
      HostArray out = amdLanes.run("declare float @llvm.amdgcn.cvt.f32." + name +
                                       "(i32, i32)\ndeclare <2 x float> @llvm.amdgcn.cvt.pk.f32." +
                                       name + "(i32, i1)",
                                   body, 8);
      for (int code = 0; code < 128; ++code) {
        HostArray one(format.type, {1});
        one.data<uint8_t>()[0] = start + code;
        float expected = one.at(0);
        for (int result : {code % 4, 4 + code % 4}) {
          float value = out.data<float>()[result * 32 + code / 4];
          EXPECT_TRUE(std::isnan(expected) ? std::isnan(value) : value == expected)
              << name << " " << start + code;
        }
      }
    }
  }
}

TEST(AmdConversions, HalvesTowardsZero) {
  auto halves = [](float low, float high) {
    HostArray out =
        amdLanes.run("declare <2 x half> @llvm.amdgcn.cvt.pkrtz(float, float)",
                     "%v = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float " + hex(low) + ", float " +
                         hex(high) + ")\n%r0 = bitcast <2 x half> %v to i32\n");
    return out.data<uint32_t>()[0];
  };
  EXPECT_EQ(halves(1.0f, -1.0f), 0xbc003c00u);
  // Between 1 and its neighbour, nearer to that.
  EXPECT_EQ(halves(1.0f + 0.9f / 1024, -1.0f - 0.9f / 1024), 0xbc003c00u);
  EXPECT_EQ(halves(70000.0f, -1e30f), 0xfbff7bffu);
  EXPECT_EQ(halves(infinity, 0x1.8p-24f), 0x00017c00u);
}

TEST(AmdConversions, BytesBySelector) {
  uint32_t high = 0x84038201, low = 0x05860788;
  auto permute = [&](uint32_t selector) {
    return integers("perm", {"i32", "i32", "i32"}, {number(high), number(low), number(selector)});
  };
  EXPECT_EQ(permute(0x03020100), low);
  EXPECT_EQ(permute(0x07060504), high);
  EXPECT_EQ(permute(0x00040105), 0x88010782u);
  // Signs of the words' halves, and constants.
  EXPECT_EQ(permute(0x0b0a0908), 0xffff0000u);
  EXPECT_EQ(permute(0xff0d0c00), 0xffff0088u);
}
