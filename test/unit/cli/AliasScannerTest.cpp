//===- AliasScannerTest.cpp - Attribute aliases of IR text --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/AliasScanner.h"

#include "gmock/gmock.h"

using namespace tilewright::cli;
using testing::ElementsAre;

static std::vector<std::string> definitionsOf(llvm::StringRef text) {
  std::vector<std::string> result;
  for (auto [offset, definition] : scanAliases(text).definitions) {
    EXPECT_EQ(text.substr(offset, definition.size()), definition);
    result.push_back(definition.str());
  }
  return result;
}

TEST(AliasScanner, BlanksWhatIsNoDefinition) {
  AliasText found = scanAliases("#a = 1 : i32\nmodule {\n  !t = i8\n}");
  EXPECT_EQ(found.text, "#a = 1 : i32\n        \n  !t = i8\n ");
  EXPECT_EQ(found.definitions.size(), 2u);
}

TEST(AliasScanner, DefinitionsEndWithALineBreakOutsideOfBrackets) {
  EXPECT_THAT(definitionsOf("#a = #x<{\n  k = [1,\n 2]}>\nfoo\n#b = 2"),
              ElementsAre("#a = #x<{\n  k = [1,\n 2]}>", "#b = 2"));
}

TEST(AliasScanner, BracketsOfArrowsStringsAndCommentsDoNotCount) {
  EXPECT_THAT(
      definitionsOf("#a = affine_map<(d0) -> (d0)>\n#b = \"<{\"\n#c = 1 // ( [\n#d = 2"),
      ElementsAre("#a = affine_map<(d0) -> (d0)>", "#b = \"<{\"", "#c = 1 // ( [", "#d = 2"));
}

TEST(AliasScanner, OpsAndUsesAreNoDefinitions) {
  EXPECT_THAT(definitionsOf("%0 = foo : tensor<4xf32, #a>\n#a\n# = 3\n#a == 3\n#ttg.x = 1\n"),
              ElementsAre());
}

TEST(AliasScanner, UnbalancedTextsEnd) {
  EXPECT_THAT(definitionsOf("#a = <<<"), ElementsAre("#a = <<<"));
  EXPECT_THAT(definitionsOf("#a = >>>\n#b = \"\\"), ElementsAre("#a = >>>", "#b = \"\\"));
  EXPECT_THAT(definitionsOf("#a = 1 //"), ElementsAre("#a = 1 //"));
}
