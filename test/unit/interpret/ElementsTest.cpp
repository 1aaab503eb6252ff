//===- ElementsTest.cpp - Tests of operations on elements -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ProgramRunner.h"
#include "interpret/Codec.h"
#include "runtime/arrays/SmallFloat.h"

#include <cmath>
#include <random>

using namespace tilewright;
using namespace tilewright::interpret;

namespace {

constexpr size_t count = 64;

/// The text of a kernel that stores op(a[i], b[i]) of 64 elements to its third pointer.
std::string binaryKernel(const std::string &in, const std::string &out, const std::string &ops) {
  auto pointers = [](const std::string &name, const std::string &type) {
    return "%" + name + "s = tt.splat %" + name + " : !tt.ptr<" + type + "> -> tensor<64x!tt.ptr<" +
           type + ">>\n%" + name + "p = tt.addptr %" + name + "s, %r : tensor<64x!tt.ptr<" + type +
           ">>, tensor<64xi32>\n";
  };
  return "(%a: !tt.ptr<" + in + ">, %b: !tt.ptr<" + in + ">, %o: !tt.ptr<" + out + ">) {\n" +
         "%r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>\n" +
         pointers("a", in) + pointers("b", in) + pointers("o", out) +
         "%x = tt.load %ap : tensor<64x!tt.ptr<" + in + ">>\n" +
         "%y = tt.load %bp : tensor<64x!tt.ptr<" + in + ">>\n" + ops +
         "\ntt.store %op, %z : tensor<64x!tt.ptr<" + out + ">>\ntt.return\n}";
}

template <typename In, typename Out>
std::vector<Out> runBinary(const std::string &in, const std::string &out, const std::string &ops,
                           const std::vector<In> &a, const std::vector<In> &b) {
  ProgramRunner runner(binaryKernel(in, out, ops));
  runner.add(a);
  runner.add(b);
  runner.add(std::vector<Out>(count));
  const Outcome outcome = runner.run();
  EXPECT_TRUE(outcome) << outcome.stop->what;
  return runner.get<Out>(2);
}

template <typename T> std::vector<T> randomIntegers(unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> numbers(count);
  for (T &number : numbers)
    number = static_cast<T>(random());
  return numbers;
}

/// All codes of 16 bits would be too many pairs: random ones, denormals and NaN among them.
TEST(InterpretElements, SumsOfHalvesAreRoundedOnce) {
  const auto a = randomIntegers<uint16_t>(1), b = randomIntegers<uint16_t>(2);
  const auto sums =
      runBinary<uint16_t, uint16_t>("f16", "f16", "%z = arith.addf %x, %y : tensor<64xf16>", a, b);
  for (size_t i = 0; i < count; ++i) {
    const double x = runtime::decode(runtime::float16, a[i]),
                 y = runtime::decode(runtime::float16, b[i]);
    if (std::isnan(x + y))
      EXPECT_TRUE(std::isnan(runtime::decode(runtime::float16, sums[i])));
    else
      EXPECT_EQ(sums[i], runtime::encode(runtime::float16, x + y)) << x << " + " << y;
  }
}

TEST(InterpretElements, RoundsToBytesAsTheFormatSays) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0, 100);
  std::vector<float> a(count), b(count);
  for (float &number : a)
    number = normal(random);
  const auto bytes = runBinary<float, uint8_t>(
      "f32", "f8E5M2", "%z = tt.fp_to_fp %x, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>",
      a, b);
  for (size_t i = 0; i < count; ++i)
    EXPECT_EQ(bytes[i], runtime::encode(runtime::float8E5M2, a[i])) << a[i];
}

TEST(InterpretElements, RoundsTowardZeroWhereAsked) {
  std::vector<float> a(count), b(count);
  for (size_t i = 0; i < count; ++i)
    a[i] = (i % 2 ? -1.0F : 1.0F) * (1 + static_cast<float>(i) / 100000);
  const auto halves = runBinary<float, uint16_t>(
      "f32", "f16", "%z = tt.fp_to_fp %x, rounding = rtz : tensor<64xf32> -> tensor<64xf16>", a, b);
  for (size_t i = 0; i < count; ++i) {
    const double rounded = runtime::decode(runtime::float16, halves[i]);
    EXPECT_LE(std::abs(rounded), std::abs(a[i]));
    EXPECT_LT(std::abs(a[i]) - std::abs(rounded), 1.0 / 1024);
  }
}

TEST(InterpretElements, IntegersWrapAroundAndHaveSigns) {
  const auto a = randomIntegers<int32_t>(4);
  auto b = randomIntegers<int32_t>(5);
  for (int32_t &divisor : b)
    divisor |= 1;
  const auto products =
      runBinary<int32_t, int32_t>("i32", "i32", "%z = arith.muli %x, %y : tensor<64xi32>", a, b);
  const auto quotients =
      runBinary<int32_t, int32_t>("i32", "i32", "%z = arith.divsi %x, %y : tensor<64xi32>", a, b);
  const auto shifted = runBinary<int32_t, int32_t>(
      "i32", "i32",
      "%c = arith.constant dense<3> : tensor<64xi32>\n%z = arith.shrsi %x, %c : tensor<64xi32>", a,
      b);
  for (size_t i = 0; i < count; ++i) {
    EXPECT_EQ(products[i],
              static_cast<int32_t>(static_cast<uint32_t>(a[i]) * static_cast<uint32_t>(b[i])));
    EXPECT_EQ(quotients[i], static_cast<int64_t>(a[i]) / b[i]);
    EXPECT_EQ(shifted[i], a[i] >> 3);
  }
}

/// Every predicate on every pair of these.
TEST(InterpretElements, ComparisonsKnowNaN) {
  const float values[] = {1, 2, NAN, -INFINITY};
  const struct {
    const char *name;
    bool (*holds)(float, float);
  } predicates[] = {
      {"oeq", [](float x, float y) { return x == y; }},
      {"olt", [](float x, float y) { return x < y; }},
      {"oge", [](float x, float y) { return x >= y; }},
      {"one", [](float x, float y) { return x < y || x > y; }},
      {"ord", [](float x, float y) { return !std::isnan(x) && !std::isnan(y); }},
      {"ueq", [](float x, float y) { return !(x < y || x > y); }},
      {"ugt", [](float x, float y) { return !(x <= y); }},
      {"ule", [](float x, float y) { return !(x > y); }},
      {"une", [](float x, float y) { return x != y; }},
      {"uno", [](float x, float y) { return std::isnan(x) || std::isnan(y); }},
  };
  std::vector<float> a(count), b(count);
  for (size_t i = 0; i < count; ++i)
    a[i] = values[i % 4], b[i] = values[i / 4 % 4];
  for (const auto &predicate : predicates) {
    const auto outcomes = runBinary<float, int32_t>(
        "f32", "i32",
        std::string("%c = arith.cmpf ") + predicate.name +
            ", %x, %y : tensor<64xf32>\n%z = arith.extui %c : tensor<64xi1> to tensor<64xi32>",
        a, b);
    for (size_t i = 0; i < count; ++i)
      EXPECT_EQ(outcomes[i] != 0, predicate.holds(a[i], b[i]))
          << predicate.name << ' ' << a[i] << ' ' << b[i];
  }
}

TEST(InterpretElements, DivisionByZeroIsUndefined) {
  ProgramRunner runner(binaryKernel("i32", "i32", "%z = arith.remsi %x, %y : tensor<64xi32>"));
  std::vector<int32_t> divisors(count, 3);
  divisors[5] = 0;
  runner.add(randomIntegers<int32_t>(6));
  runner.add(divisors);
  runner.add(std::vector<int32_t>(count));
  ASSERT_TRUE(runner.run());
  for (size_t i = 0; i < count; ++i)
    EXPECT_EQ(runner.isUndefined(2, 4 * i), i == 5);
}

TEST(InterpretElements, VariantsMoveInexactProductsAlone) {
  std::vector<float> a(count, 3), b(count, 5);
  a[1] = 0.1F;
  b[1] = 0.3F;
  std::vector<std::vector<float>> results;
  for (Variant variant : {Variant::Plain, Variant::Forward, Variant::Backward}) {
    ProgramRunner runner(binaryKernel("f32", "f32", "%z = arith.mulf %x, %y : tensor<64xf32>"));
    runner.add(a);
    runner.add(b);
    runner.add(std::vector<float>(count));
    ASSERT_TRUE(runner.run({1, 1, 1}, variant));
    results.push_back(runner.get<float>(2));
  }
  EXPECT_EQ(results[0][0], 15);
  EXPECT_EQ(results[1][0], 15);
  EXPECT_EQ(results[1][1], std::nextafter(results[0][1], 1.0F));
  EXPECT_EQ(results[2][1], std::nextafter(results[0][1], 0.0F));
}

TEST(InterpretElements, AnOpThatNobodyKnowsIsNamed) {
  ProgramRunner runner(binaryKernel(
      "f32", "f32",
      "%z = tt.elementwise_inline_asm \"add\" {constraints = \"=r,r\", packed_element = 1 : i32, "
      "pure = true} %x : tensor<64xf32> -> tensor<64xf32>"));
  for (int i = 0; i < 3; ++i)
    runner.add(std::vector<float>(count));
  const Outcome outcome = runner.run();
  ASSERT_TRUE(outcome.stop);
  EXPECT_EQ(outcome.stop->kind, Stop::Kind::Unknown);
  EXPECT_EQ(outcome.stop->what, "tt.elementwise_inline_asm");
}

} // namespace
