//===- CompareArraysTest.cpp - Whether two runs gave the same -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/CompareArrays.h"

#include "gtest/gtest.h"

#include <limits>

using namespace tilewright::tune;
using tilewright::runtime::ElementType;
using tilewright::runtime::HostArray;

namespace {

HostArray arrayOf(ElementType type, std::initializer_list<double> values) {
  HostArray array(type, {int64_t(values.size())});
  size_t index = 0;
  for (double value : values)
    array.set(index++, value);
  return array;
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(CompareArrays, ToleranceIsRelativeToTheLargestElement) {
  HostArray expected = arrayOf(ElementType::Float32, {0, 100, infinity});
  EXPECT_FALSE(findDifference(arrayOf(ElementType::Float32, {0.5, 100, infinity}), expected, 0.01));
  auto difference =
      findDifference(arrayOf(ElementType::Float32, {2, 103, infinity}), expected, 0.01);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->index, 1u);
  EXPECT_EQ(difference->value, 103);
  EXPECT_EQ(difference->expected, 100);
}

TEST(CompareArrays, SpecialNumbers) {
  HostArray expected = arrayOf(ElementType::Float32, {nan, infinity, 1});
  EXPECT_FALSE(
      findDifference(arrayOf(ElementType::Float32, {nan, infinity, 1.0001}), expected, 0.1));
  EXPECT_TRUE(findDifference(arrayOf(ElementType::Float32, {0, infinity, 1}), expected, 0.1));
  EXPECT_TRUE(findDifference(arrayOf(ElementType::Float32, {nan, -infinity, 1}), expected, 0.1));
  EXPECT_TRUE(findDifference(arrayOf(ElementType::Float32, {nan, infinity, nan}), expected, 0.1));
}

TEST(CompareArrays, IntegersAreEqual) {
  EXPECT_EQ(defaultTolerance(ElementType::Int32), 0);
  EXPECT_FALSE(
      findDifference(arrayOf(ElementType::Int32, {1, 2}), arrayOf(ElementType::Int32, {1, 2}), 0));
  EXPECT_TRUE(findDifference(arrayOf(ElementType::Int32, {1, 1000001}),
                             arrayOf(ElementType::Int32, {1, 1000000}), 0));
}

} // namespace
