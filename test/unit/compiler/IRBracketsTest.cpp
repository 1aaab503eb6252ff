//===- IRBracketsTest.cpp - Nesting depth of brackets in IR text --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/IRBrackets.h"

#include "gtest/gtest.h"

using namespace tilewright::compiler;
using llvm::StringRef;

TEST(IRBrackets, FindsTheFirstThatIsTooDeep) {
  EXPECT_EQ(findTooDeep("([{<>}])", 4), StringRef::npos);
  EXPECT_EQ(findTooDeep("([{<>}])", 3), 3u);
  EXPECT_EQ(findTooDeep("()()()", 1), StringRef::npos);
  EXPECT_EQ(findTooDeep("", 0), StringRef::npos);
  // A closing bracket too many does not make room for another.
  EXPECT_EQ(findTooDeep(")((", 1), 2u);
}

TEST(IRBrackets, PassesOverStringsCommentsAndArrows) {
  EXPECT_EQ(findTooDeep("\"((\" (", 1), StringRef::npos);
  EXPECT_EQ(findTooDeep("\"\\\"((\" (", 1), StringRef::npos);
  EXPECT_EQ(findTooDeep("// ((\n(", 1), StringRef::npos);
  EXPECT_EQ(findTooDeep("// ((\n((", 1), 7u);
  EXPECT_EQ(findTooDeep("(a -> (b", 1), 6u);
  EXPECT_EQ(findTooDeep("(a <= b)", 1), StringRef::npos);
  EXPECT_EQ(findTooDeep("\"open\n((", 1), 7u);
  EXPECT_EQ(findTooDeep("\"open\\\n((", 1), 8u);
  EXPECT_EQ(findTooDeep("//", 0), StringRef::npos);
}
