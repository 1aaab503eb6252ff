//===- KernelSetTest.cpp - What the callers of a set give ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Launches of sets are tested with a stand-in for a driver (test/launch/HipTest.c).
//
//===--------------------------------------------------------------------------===//

#include "runtime/files/KernelSet.h"

#include <gmock/gmock.h>

using namespace tilewright;
using namespace tilewright::runtime;
using ::testing::HasSubstr;

static KernelMetadata kernelOf(std::vector<KernelArgument> arguments) {
  KernelMetadata metadata;
  metadata.name = "k";
  metadata.target = "cuda:90";
  metadata.arguments = std::move(arguments);
  return metadata;
}

static std::string errorOf(const KernelArgument &one, const KernelArgument &other) {
  const KernelMetadata kernels[] = {kernelOf({one}), kernelOf({other})};
  auto arguments = argumentsOfSet(kernels);
  return arguments ? "no error" : render(arguments.error());
}

TEST(KernelSet, CallersGiveWhatIsNotTheSameEverywhere) {
  const KernelMetadata kernels[] = {kernelOf({{"d", "tensordesc<fp16[64, 32]>", 16, {}},
                                              {"s", "i32", 1, {}},
                                              {"SAME", "constexpr", 1, "64"},
                                              {"OTHER", "constexpr", 1, "1"},
                                              {"FLAG", "constexpr", 1, "True"}}),
                                    kernelOf({{"d", "tensordesc<fp16[64, 32]>", 1, {}},
                                              {"s", "constexpr", 1, "1"},
                                              {"SAME", "constexpr", 1, "64"},
                                              {"OTHER", "constexpr", 1, "2"},
                                              {"FLAG", "constexpr", 1, "False"}})};
  auto arguments = argumentsOfSet(kernels);
  ASSERT_TRUE(arguments) << render(arguments.error());
  ASSERT_EQ(arguments->size(), 4u);
  // The address, two sizes and two strides.
  EXPECT_EQ((*arguments)[0].wordCount, 5u);
  EXPECT_EQ((*arguments)[1].type, "i32");
  EXPECT_EQ((*arguments)[1].firstWord, 5u);
  EXPECT_EQ((*arguments)[2].name, "OTHER");
  EXPECT_EQ((*arguments)[2].type, "i64");
  EXPECT_EQ((*arguments)[3].index, 4u);
  EXPECT_EQ((*arguments)[3].firstWord, 7u);
}

TEST(KernelSet, OnlyIntegersChoose) {
  EXPECT_THAT(errorOf({"p", "*fp32", 1, {}}, {"p", "*fp16", 1, {}}),
              HasSubstr("'p' has the types *fp32 and *fp16"));
  EXPECT_THAT(errorOf({"T", "constexpr", 1, "fp16"}, {"T", "constexpr", 1, "fp32"}),
              HasSubstr("differ in the value of 'T', which is fp16 in one"));
  EXPECT_THAT(errorOf({"f", "fp32", 1, {}}, {"f", "constexpr", 1, "1"}),
              HasSubstr("only integers choose a specialization"));
  EXPECT_THAT(errorOf({"p", "i32", 1, {}}, {"q", "i32", 1, {}}),
              HasSubstr("are no specializations of one"));
}
