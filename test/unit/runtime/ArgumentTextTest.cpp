//===- ArgumentTextTest.cpp - Argument values of the command line -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Runtime.h"

#include <gmock/gmock.h>

#include <filesystem>

using namespace tilewright;
using namespace tilewright::runtime;
using ::testing::HasSubstr;

static ArgumentValue valueOf(const std::string &type, const std::string &text,
                             const std::string &name = "x") {
  Expected<ArgumentValue> value = parseArgumentValue({name, type, 1, {}}, text);
  EXPECT_TRUE(value) << render(value.error());
  return value ? *value : ArgumentValue(int64_t(-1));
}

static std::string errorOf(const std::string &type, const std::string &text) {
  Expected<ArgumentValue> value = parseArgumentValue({"x", type, 1, {}}, text);
  return value ? "no error" : render(value.error());
}

static HostArray arrayOf(const std::string &type, const std::string &text,
                         const std::string &name = "x") {
  return std::get<HostArray>(valueOf(type, text, name));
}

TEST(ArgumentText, Assignments) {
  EXPECT_EQ(*splitAssignment("x=rand(4)"), (std::pair<std::string, std::string>("x", "rand(4)")));
  EXPECT_EQ(*splitAssignment(" y = @a=b.npy "),
            (std::pair<std::string, std::string>("y", "@a=b.npy")));
  EXPECT_FALSE(splitAssignment("x"));
  EXPECT_FALSE(splitAssignment("=3"));
}

TEST(ArgumentText, Numbers) {
  EXPECT_EQ(std::get<int64_t>(valueOf("i32", "98_432")), 98432);
  EXPECT_EQ(std::get<int64_t>(valueOf("i32", " -7 ")), -7);
  EXPECT_EQ(std::get<int64_t>(valueOf("i32", "+7")), 7);
  EXPECT_EQ(std::get<int64_t>(valueOf("i64", "0xff")), 255);
  EXPECT_EQ(std::get<int64_t>(valueOf("u64", "18446744073709551615")), -1);
  EXPECT_EQ(std::get<int64_t>(valueOf("i1", "True")), 1);
  EXPECT_EQ(std::get<double>(valueOf("fp32", "1e-5")), 1e-5);
  EXPECT_EQ(std::get<double>(valueOf("fp32", "-.5")), -0.5);
  for (const char *text : {"", "x", "1x", "--1", "+-1", "1_", "_1", "0x", "0x1.8", "1e", "1 2"})
    EXPECT_THAT(errorOf("i32", text), HasSubstr("a number is needed")) << text;
}

TEST(ArgumentText, Generators) {
  EXPECT_EQ(arrayOf("*fp32", "zeros(3)").bytes, HostArray(ElementType::Float32, {3}).bytes);
  EXPECT_EQ(arrayOf("*fp16", "zeros(2, 3)").shape, (std::vector<int64_t>{2, 3}));
  HostArray full = arrayOf("*bf16", "full(2, 2, -1.5)");
  EXPECT_EQ(full.shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(full.at(3), -1.5);
  EXPECT_EQ(arrayOf("*i64", "full(1, 9007199254740993)").data<int64_t>()[0], 9007199254740993);
  HostArray range = arrayOf("*i32", "arange(2,3)");
  EXPECT_EQ(range.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(range.at(5), 5);
}

TEST(ArgumentText, RandomNumbers) {
  HostArray once = arrayOf("*fp32", "rand(1000)"), again = arrayOf("*fp32", "rand(1000)");
  EXPECT_EQ(once.bytes, again.bytes);
  EXPECT_NE(once.bytes, arrayOf("*fp32", "rand(1000)", "y").bytes);
  double sum = 0, least = 1, most = -1;
  for (size_t i = 0; i < 1000; ++i) {
    sum += once.at(i);
    least = std::min(least, once.at(i));
    most = std::max(most, once.at(i));
  }
  EXPECT_GE(least, -1.0);
  EXPECT_LT(most, 1.0);
  EXPECT_LT(least, -0.98);
  EXPECT_GT(most, 0.98);
  EXPECT_LT(std::abs(sum), 100);
  HostArray integers = arrayOf("*i8", "rand(1000)");
  for (size_t i = 0; i < 1000; ++i)
    EXPECT_TRUE(integers.at(i) >= 0 && integers.at(i) < 100);
}

TEST(ArgumentText, Files) {
  std::string file = std::filesystem::temp_directory_path() / "tilewright-argument-test.npy";
  HostArray array(ElementType::Float64, {2});
  array.set(1, 2.5);
  ASSERT_TRUE(writeNpy(file, array));
  HostArray read = arrayOf("*fp16", "@" + file);
  EXPECT_EQ(read.type, ElementType::Float16);
  EXPECT_EQ(read.at(1), 2.5);
  std::filesystem::remove(file);
  EXPECT_THAT(errorOf("*fp16", "@" + file), HasSubstr("cannot read the file"));
}

TEST(ArgumentText, Errors) {
  EXPECT_THAT(errorOf("*fp32", "5"), HasSubstr("an array is needed"));
  EXPECT_THAT(errorOf("*fp32", "ones(5)"), HasSubstr("'ones(...)' makes no array"));
  EXPECT_THAT(errorOf("*fp32", "full(5)"), HasSubstr("'full(...)' makes no array"));
  EXPECT_THAT(errorOf("*fp32", "full(5, x)"), HasSubstr("'x' is no number (argument "));
  EXPECT_THAT(errorOf("*fp32", "zeros()"), HasSubstr("'' is no extent"));
  EXPECT_THAT(errorOf("*fp32", "zeros(-1)"), HasSubstr("'-1' is no extent"));
  EXPECT_THAT(errorOf("*fp32", "zeros(1.5)"), HasSubstr("'1.5' is no extent"));
  EXPECT_THAT(errorOf("*fp32", "zeros(4294967296, 4294967296)"), HasSubstr("too large"));
  EXPECT_THAT(errorOf("tensordesc<fp16[8, 16]>", "zeros(4294967296, 1)"),
              HasSubstr("no dimension of 4294967296 elements (argument 'x')"));
  EXPECT_THAT(errorOf("*fp32", "zeros(4"), HasSubstr("an array is needed"));
  EXPECT_THAT(errorOf("*what", "zeros(4)"), HasSubstr("has no values here"));
}
