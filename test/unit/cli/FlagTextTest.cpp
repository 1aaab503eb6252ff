//===- FlagTextTest.cpp - Tests of flags in one text --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/FlagText.h"

#include "gtest/gtest.h"

using namespace tilewright;
using namespace tilewright::cli;

namespace {

/// The message of the error that a text gives; empty where it is fine.
std::string errorOf(const std::string &text) {
  CompileOptions options;
  Expected<void> applied = applyFlags(text, options);
  return applied ? "" : applied.error().message;
}

TEST(FlagText, SetsWhatItNamesAndKeepsTheRest) {
  CompileOptions options;
  options.kernel = "k";
  options.numStages = 3;
  ASSERT_TRUE(
      bool(applyFlags("--num-warps 8 --target=hip:gfx1201 --signature \"*fp32:16, i32, 64\" "
                      "--debug --path a --path b --launch plain",
                      options)));
  EXPECT_EQ(options.kernel, "k");
  EXPECT_EQ(options.numStages, 3);
  EXPECT_EQ(options.numWarps, 8);
  EXPECT_EQ(options.target, "hip:gfx1201");
  EXPECT_EQ(options.signature, "*fp32:16, i32, 64");
  EXPECT_TRUE(options.debug);
  EXPECT_EQ(options.importPaths, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(options.plainLaunch);
}

TEST(FlagText, TakesEveryFlagOfTheTable) {
  forEachOption([](const auto &row) {
    using Row = std::remove_cvref_t<decltype(row)>;
    std::string value = "7";
    if constexpr (std::is_same_v<typename Row::Type, option_types::Switch>)
      value = std::string(row.placeholder.substr(row.placeholder.find('|') + 1));
    const std::string text = "--" + std::string(row.flag) + " " + value;
    CompileOptions options;
    EXPECT_EQ(errorOf(text), "");
    ASSERT_TRUE(bool(applyFlags(text, options)));
    EXPECT_FALSE(options == CompileOptions()) << text;
  });
}

TEST(FlagText, ErrorsNameTheFlag) {
  EXPECT_EQ(errorOf("num-warps 8"), "'num-warps' is no flag");
  EXPECT_EQ(errorOf("--num-wraps 8"), "there is no flag --num-wraps of a compilation");
  EXPECT_EQ(errorOf("--num-warps"), "--num-warps needs a value");
  EXPECT_EQ(errorOf("--num-warps many"), "--num-warps takes a number, not 'many'");
  EXPECT_EQ(errorOf("--launch bare"), "there is no --launch 'bare'");
}

} // namespace
