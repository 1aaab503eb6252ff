//===- HostArrayTest.cpp - Element types and their rounding -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/HostArray.h"
#include "runtime/arrays/SmallFloat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tilewright::runtime;

static const SmallFloatFormat formats[] = {float16, bfloat16, float8E5M2, float8E4M3};

TEST(SmallFloat, EveryCodeComesBack) {
  for (SmallFloatFormat format : formats) {
    int width = format.exponentBits + format.mantissaBits;
    for (uint32_t code = 0; code < 2u << width; ++code) {
      double value = decode(format, static_cast<uint16_t>(code));
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(decode(format, encode(format, value))));
      else
        EXPECT_EQ(encode(format, value), code);
    }
  }
}

// Codes of one sign are in the order of their values, so the nearest number to any value
// between two neighbours is one of them: the even one if the value is in their middle.
TEST(SmallFloat, RoundsToTheNearest) {
  for (SmallFloatFormat format : formats) {
    int width = format.exponentBits + format.mantissaBits;
    for (uint32_t code = 0; code + 1 < 1u << width; ++code) {
      double low = decode(format, static_cast<uint16_t>(code));
      double high = decode(format, static_cast<uint16_t>(code + 1));
      if (!std::isfinite(low) || !std::isfinite(high))
        continue;
      double middle = low + (high - low) / 2;
      EXPECT_EQ(encode(format, middle), code + (code & 1));
      EXPECT_EQ(encode(format, std::nextafter(middle, low)), code);
      EXPECT_EQ(encode(format, std::nextafter(middle, high)), code + 1);
    }
  }
}

TEST(SmallFloat, KnownValues) {
  EXPECT_EQ(encode(float16, 1.0), 0x3c00);
  EXPECT_EQ(encode(float16, 65504.0), 0x7bff);
  EXPECT_EQ(encode(float16, 65520.0), 0x7c00);
  EXPECT_EQ(encode(float16, 1e300), 0x7c00);
  EXPECT_EQ(encode(float16, -0.0), 0x8000);
  EXPECT_EQ(encode(float16, 0x1p-24), 1);
  EXPECT_EQ(encode(float16, 0x1p-26), 0);
  EXPECT_EQ(encode(bfloat16, 1.0), 0x3f80);
  EXPECT_EQ(encode(bfloat16, 3.3962e38), 0x7f80);
  EXPECT_EQ(encode(float8E5M2, 57344.0), 0x7b);
  EXPECT_EQ(encode(float8E4M3, 448.0), 0x7e);
  EXPECT_EQ(encode(float8E4M3, 1000.0), 0x7f);
  EXPECT_TRUE(std::isnan(decode(float8E4M3, 0x7f)));
  // In FNUZ the bits of -0 are the only NaN, and the largest code is a number.
  for (auto [format, largest] : {std::pair(float8E4M3FNUZ, 240.0), {float8E5M2FNUZ, 57344.0}}) {
    EXPECT_EQ(decode(format, 0x7f), largest);
    EXPECT_EQ(encode(format, largest), 0x7f);
    for (double value : {-0.0, -1e-9, 0.0})
      EXPECT_EQ(encode(format, value), 0);
    for (double value : {2 * largest, -2 * largest, std::nan(""), -HUGE_VAL})
      EXPECT_EQ(encode(format, value), 0x80);
    EXPECT_TRUE(std::isnan(decode(format, 0x80)));
    EXPECT_EQ(decode(format, 0x40), 1.0);
    for (unsigned code = 0; code < 256; ++code)
      if (code != 0x80)
        EXPECT_EQ(encode(format, decode(format, static_cast<uint16_t>(code))), code);
  }
  EXPECT_TRUE(std::isinf(decode(float8E5M2, 0x7c)));
}

TEST(HostArray, NamesAndSizes) {
  EXPECT_EQ(nameOf(ElementType::BFloat16), "bf16");
  EXPECT_EQ(elementTypeNamed("fp8e4nv"), ElementType::Float8E4M3);
  EXPECT_EQ(elementTypeNamed("i1"), ElementType::Bool);
  EXPECT_EQ(elementTypeNamed("f32"), std::nullopt);
  EXPECT_EQ(sizeOf(ElementType::UInt16), 2u);
  for (int type = 0; type <= static_cast<int>(ElementType::Float64); ++type)
    EXPECT_EQ(elementTypeNamed(nameOf(static_cast<ElementType>(type))),
              static_cast<ElementType>(type));
}

TEST(HostArray, IntegersTruncateAndWrap) {
  HostArray array(ElementType::Int8, {1});
  array.set(0, -3.9);
  EXPECT_EQ(array.at(0), -3);
  array.set(0, 200.0);
  EXPECT_EQ(array.at(0), 200 - 256);
  HostArray wide(ElementType::UInt64, {1});
  wide.set(0, 0x1p63);
  EXPECT_EQ(wide.at(0), 0x1p63);
  wide.set(0, -1.0);
  EXPECT_EQ(wide.data<uint64_t>()[0], ~uint64_t(0));
  wide.set(0, std::numeric_limits<double>::infinity());
  EXPECT_EQ(wide.at(0), 0);
}

TEST(HostArray, ConvertKeepsLargeIntegers) {
  HostArray array(ElementType::Int64, {1});
  array.setInteger(0, (int64_t(1) << 62) + 1);
  EXPECT_EQ(convert(array, ElementType::UInt64).data<uint64_t>()[0], (uint64_t(1) << 62) + 1);
  EXPECT_EQ(convert(array, ElementType::Int32).at(0), 1);
  EXPECT_EQ(convert(array, ElementType::Float32).at(0), 0x1p62);
}
