//===- OptionsJsonTest.cpp - Options in plans ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/OptionsJson.h"
#include "test/support/OptionValues.h"

#include "gtest/gtest.h"

using namespace tilewright;
using namespace tilewright::tune;

TEST(OptionsJson, EveryOptionThatAPlanHasIsReadAgain) {
  CompileOptions expected = test::changedOptions();
  EXPECT_NE(optionsFromJson(toJson(expected)), expected) << "a folder for dumps is of one machine";
  forEachOption([&](const auto &row) {
    if (!row.readers.plan)
      row.of(expected) = row.of(CompileOptions());
  });
  EXPECT_EQ(optionsFromJson(toJson(expected)), expected);
}

TEST(OptionsJson, EachOptionCountsAlone) {
  const CompileOptions initial;
  forEachOption([&](const auto &row) {
    CompileOptions options;
    test::change(row.of(options));
    EXPECT_EQ(textOf(options) != textOf(initial), row.readers.plan) << row.name;
    EXPECT_EQ(optionsFromJson(toJson(options)), row.readers.plan ? options : initial) << row.name;
  });
}

TEST(OptionsJson, TheFormatIsThatOfPlans) {
  CompileOptions options;
  options.kernel = "add";
  options.numWarps = 8;
  options.launch.maxRegisters = 128;
  EXPECT_EQ(textOf(options),
            R"({"kernel":"add","signature":"","target":null,"num_warps":8,"threads_per_warp":null,)"
            R"("num_ctas":null,"num_stages":3,"plain_launch":false,"use_extensions":false,)"
            R"("debug":false,"import_paths":[],"exact_schedules":false,"exact_layouts":false,)"
            R"("specialize_asked":false,)"
            R"("launch":{"maxnreg":128}})");
}

TEST(OptionsJson, DamageIsAnException) {
  auto json = toJson(CompileOptions());
  json["num_warps"] = "four";
  EXPECT_THROW(optionsFromJson(json), std::exception);
  json = toJson(CompileOptions());
  json.erase("num_stages");
  EXPECT_THROW(optionsFromJson(json), std::exception);
  json = toJson(CompileOptions());
  json["launch"]["turbo"] = 1;
  EXPECT_THROW(optionsFromJson(json), std::exception);
}
