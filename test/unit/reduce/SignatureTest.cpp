//===- SignatureTest.cpp - The entries of a signature -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "reduce/Signature.h"

#include "gtest/gtest.h"

using namespace tilewright::reduce;

using Entries = std::vector<std::string>;

TEST(Signature, CommasInBracketsSplitNothing) {
  EXPECT_EQ(splitSignature(""), Entries());
  EXPECT_EQ(splitSignature("  "), Entries());
  EXPECT_EQ(splitSignature("*fp32:16, i32,1024"), Entries({"*fp32:16", "i32", "1024"}));
  EXPECT_EQ(splitSignature("tensordesc<fp16[128, 64]>, (i32, (fp32, 4)), i64"),
            Entries({"tensordesc<fp16[128, 64]>", "(i32, (fp32, 4))", "i64"}));
}
