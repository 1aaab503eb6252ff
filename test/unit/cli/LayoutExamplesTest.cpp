//===- LayoutExamplesTest.cpp - The example of each encoding ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/layout/LayoutExamples.h"

#include "cli/layout/LayoutArguments.h"
#include "cli/layout/LayoutReport.h"

#include "gmock/gmock.h"

using namespace tilewright;
using namespace tilewright::cli;
using testing::HasSubstr;
using testing::StartsWith;

TEST(LayoutExamples, AreValidLayouts) {
  LayoutArguments arguments;
  for (llvm::StringRef example : layoutExamples()) {
    auto layout = arguments.parseLayout("ATTR", example);
    ASSERT_TRUE(layout) << render(layout.error());
    EXPECT_TRUE(isLayout(layout->attribute)) << example.str();
  }
}

TEST(LayoutExamples, AreChosenByTheAttributeAroundAnError) {
  llvm::StringRef text = "#ttg.dot_op<{opIdx = 0, parent = #ttig.dpas<{A = [8]}>, kWidth = x}>";
  EXPECT_THAT(layoutRemedyAt(text, text.find("opIdx")), StartsWith("#ttg.dot_op is written as in"));
  EXPECT_THAT(layoutRemedyAt(text, text.find("8]")), StartsWith("#ttig.dpas is written as in"));
  EXPECT_THAT(layoutRemedyAt(text, text.find("kWidth")),
              StartsWith("#ttg.dot_op is written as in"));
  EXPECT_THAT(layoutRemedyAt(text, text.size()), HasSubstr("is written as in"));
}

TEST(LayoutExamples, NamesWhatADialectHas) {
  EXPECT_EQ(layoutRemedyAt("#ttig.lane<{}>", 7),
            "the layouts of ttig are #ttig.dpas, #ttig.subgroup_2d_block, #ttig.warp");
  EXPECT_THAT(layoutRemedyAt("", 0), StartsWith("a layout is written as in #ttg.blocked<"));
  EXPECT_THAT(layoutRemedyAt("#other.blocked<{}>", 99), StartsWith("a layout is written as in"));
}
