//===- KeyTest.cpp - What tells two compilations apart ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Key.h"
#include "cache/Identity.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilewright;
using namespace tilewright::cache;

TEST(CacheKey, EveryPartOfARequestCounts) {
  const Source source = {"a.py", "text", SourceLanguage::Python};
  const CompileOptions options;
  std::set<Key> keys = {requestKey(source, options, "build")};
  size_t count = 1;
  auto isNew = [&](const Source &source, const CompileOptions &options, const char *build) {
    keys.insert(requestKey(source, options, build));
    return keys.size() == ++count;
  };
  EXPECT_TRUE(isNew(source, options, "other build"));
  EXPECT_TRUE(isNew({"b.py", "text", SourceLanguage::Python}, options, "build"));
  EXPECT_TRUE(isNew({"a.py", "other", SourceLanguage::Python}, options, "build"));
  EXPECT_TRUE(isNew({"a.py", "text", SourceLanguage::TTIR}, options, "build"));
  // The same characters, divided in another way.
  EXPECT_TRUE(isNew({"a.pyt", "ext", SourceLanguage::Python}, options, "build"));
  auto with = [&](auto change) {
    CompileOptions changed = options;
    change(changed);
    return isNew(source, changed, "build");
  };
  EXPECT_TRUE(with([](CompileOptions &o) { o.kernel = "k"; }));
  EXPECT_TRUE(with([](CompileOptions &o) { o.signature = "i32"; }));
  EXPECT_TRUE(with([](CompileOptions &o) { o.target = "cuda:90"; }));
  EXPECT_TRUE(with([](CompileOptions &o) { o.numWarps = 4; }));
  EXPECT_TRUE(with([](CompileOptions &o) { o.threadsPerWarp = 4; }));
  EXPECT_TRUE(with([](CompileOptions &o) { o.numCtas = 4; }));
  EXPECT_TRUE(with([](CompileOptions &o) { o.numStages = 4; }));
  for (const auto &[name, member] : LaunchOptions::members()) {
    EXPECT_TRUE(with([&](CompileOptions &o) { o.launch.*member = 1; })) << name;
    EXPECT_TRUE(with([&](CompileOptions &o) { o.launch.*member = 0; })) << name;
  }
  EXPECT_TRUE(with([](CompileOptions &o) { o.plainLaunch = true; }));
  EXPECT_TRUE(with([](CompileOptions &o) { o.useExtensions = true; }));
  EXPECT_TRUE(with([](CompileOptions &o) { o.debug = true; }));
  EXPECT_TRUE(with([](CompileOptions &o) { o.importPaths = {"lib"}; }));
  EXPECT_TRUE(with([](CompileOptions &o) { o.importPaths = {"li", "b"}; }));
}

TEST(CacheKey, EveryPartOfTheInputsCounts) {
  const Key request = hashOf("request");
  const std::vector<Inputs> all = {
      {},
      {{{"a", std::nullopt}}, {}},
      {{{"a", ""}}, {}},
      {{{"a", "1"}}, {}},
      {{{"b", "1"}}, {}},
      {{}, {{"a", "1"}}},
      {{{"a", "1"}}, {{"b", "1"}}},
      {{{"a", "1"}, {"b", "1"}}, {}},
      {{{"b", "1"}, {"a", "1"}}, {}},
  };
  std::set<Key> keys = {resultKey(hashOf("another"), {})};
  for (const Inputs &inputs : all)
    keys.insert(resultKey(request, inputs));
  EXPECT_EQ(keys.size(), all.size() + 1);
}

TEST(CacheKey, InputsAreReadAsTheyAre) {
  ::setenv("TILEWRIGHT_TEST_VARIABLE", "value", 1);
  const FileReader reader = [](const std::string &path) {
    return path == "there.py" ? std::optional<std::string>("abc") : std::nullopt;
  };
  const Inputs inputs =
      readInputs({{"there.py", "gone.py"}, {"TILEWRIGHT_TEST_VARIABLE", "T_NO"}}, reader);
  // The example of FIPS 180-2, appendix B.1.
  EXPECT_EQ(inputs.files,
            (std::vector<InputFile>{
                {"there.py", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                {"gone.py", std::nullopt}}));
  EXPECT_EQ(inputs.variables, (std::vector<InputVariable>{{"TILEWRIGHT_TEST_VARIABLE", "value"},
                                                          {"T_NO", std::nullopt}}));
}

TEST(CacheKey, ThisBuildHasAName) {
  EXPECT_EQ(compilerIdentity().size(), 64u);
  EXPECT_EQ(compilerIdentity(), compilerIdentity());
}
