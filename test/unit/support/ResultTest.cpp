//===- ResultTest.cpp - A value or the text of an error ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tilewright/support/Result.h"

#include <gtest/gtest.h>

#include <memory>

using namespace tilewright;

namespace {

Result<void> verifyEven(int number) {
  if (number % 2)
    return Failure(std::to_string(number) + " is odd");
  return {};
}

Result<int> halve(int number) {
  if (Result<void> valid = verifyEven(number); !valid)
    return Failure(valid.error());
  return number / 2;
}

TEST(Result, HasAValueOrAnError) {
  Result<int> half = halve(6);
  ASSERT_TRUE(half);
  EXPECT_EQ(*half, 3);
  EXPECT_EQ(half.error(), "");

  Result<int> none = halve(7);
  EXPECT_FALSE(none);
  EXPECT_EQ(none.error(), "7 is odd");
}

TEST(Result, OfVoidIsSuccessOrAnError) {
  EXPECT_TRUE(verifyEven(2));
  EXPECT_EQ(verifyEven(2).error(), "");
  EXPECT_TRUE(Result<void>());
  EXPECT_FALSE(verifyEven(1));
  EXPECT_EQ(verifyEven(1).error(), "1 is odd");
}

TEST(Result, OfATextTellsValueFromError) {
  Result<std::string> value = std::string("a text");
  Result<std::string> error = Failure("a text");
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, "a text");
  EXPECT_FALSE(error);
  EXPECT_EQ(error.error(), "a text");
}

TEST(Result, OfFalseIsAValue) {
  Result<bool> no = false;
  ASSERT_TRUE(no);
  EXPECT_FALSE(*no);
}

TEST(Result, GivesAwayWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  ASSERT_TRUE(result);
  EXPECT_EQ(**result, 5);
  std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

#ifndef NDEBUG
TEST(ResultDeathTest, FailureHasNoValue) {
  Result<int> none = Failure("nothing");
  EXPECT_DEATH((void)*none, "failed Result");
  EXPECT_DEATH(Failure(""), "says what is wrong");
}
#endif

} // namespace
