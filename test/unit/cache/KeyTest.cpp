//===- KeyTest.cpp - What tells two compilations apart ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Key.h"
#include "cache/Identity.h"
#include "test/support/OptionValues.h"

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
}

TEST(CacheKey, EveryOptionCountsThatItsRowSays) {
  const Source source = {"a.py", "text", SourceLanguage::Python};
  const Key initial = requestKey(source, {}, "build");
  std::set<Key> keys = {initial};
  size_t count = 1;
  forEachOption([&](const auto &row) {
    CompileOptions options;
    test::change(row.of(options));
    const Key key = requestKey(source, options, "build");
    if (row.readers.key) {
      keys.insert(key);
      EXPECT_EQ(keys.size(), ++count) << row.name;
    } else {
      EXPECT_EQ(key, initial) << row.name;
    }
  });
  EXPECT_GT(count, 12u);
}

TEST(CacheKey, OptionsAreToldApartByTheirValues) {
  const Source source = {"a.py", "text", SourceLanguage::Python};
  std::set<Key> keys;
  size_t count = 0;
  auto isNew = [&](auto change) {
    CompileOptions options;
    change(options);
    keys.insert(requestKey(source, options, "build"));
    return keys.size() == ++count;
  };
  EXPECT_TRUE(isNew([](CompileOptions &) {}));
  EXPECT_TRUE(isNew([](CompileOptions &o) { o.target = OptionDefaults::target; }));
  EXPECT_TRUE(isNew([](CompileOptions &o) { o.numWarps = OptionDefaults::numWarps; }));
  for (const auto &[name, member] : LaunchOptions::members())
    EXPECT_TRUE(isNew([&](CompileOptions &o) { o.launch.*member = 0; })) << name;
  EXPECT_TRUE(isNew([](CompileOptions &o) { o.importPaths = {"lib"}; }));
  EXPECT_TRUE(isNew([](CompileOptions &o) { o.importPaths = {"li", "b"}; }));
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
