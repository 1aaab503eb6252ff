//===- EntryTest.cpp - Results as bytes, and damage to them -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Entry.h"
#include "cache/Record.h"
#include "cache/Seal.h"
#include "test/unit/cache/CacheTestSupport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstring>
#include <random>

using namespace tilewright;
using namespace tilewright::cache;
using namespace tilewright::test;

TEST(CacheEntry, HoldsEveryMemberOfAResult) {
  CompileResult result = makeResult("code");
  result.compilation->inputs = {{"a.py", "12ab"}, {"b.py", std::nullopt}};
  result.compilation->inputVariables = {{"HOME", "/root"}, {"NONE", std::nullopt}};
  std::optional<CompileResult> back = readResult(writeResult(result));
  ASSERT_TRUE(back);
  EXPECT_TRUE(isSame(result, *back));
  EXPECT_TRUE(back->compilation->times.empty());
}

TEST(CacheEntry, HoldsListsOfInputs) {
  const InputLists lists = {{{"a.py", ""}, {"HOME"}}, {{}, {}}};
  EXPECT_EQ(readInputLists(writeInputLists(lists)), lists);
}

TEST(CacheEntry, IsNoResultIfBytesAreMissingOrMore) {
  const std::string bytes = writeResult(makeResult("code"));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(readResult(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(readResult(bytes + '\0'));
}

// What has the right checksum may still be anything: a server is not asked for its honesty.
TEST(CacheEntry, ReadsAnyBytesWithoutHarm) {
  std::mt19937 random(1);
  const std::string bytes = writeResult(makeResult("code"));
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = bytes;
    for (int i = 0; i < 3; ++i)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    readResult(damaged);
    readInputLists(damaged);
  }
}

TEST(CacheEntry, NotesInNotesEndSomewhere) {
  CompileResult result = makeResult("code");
  std::vector<Diagnostic> *notes = &result.diagnostics;
  for (int depth = 0; depth < 1000; ++depth)
    notes = &notes->emplace_back().notes;
  EXPECT_FALSE(readResult(writeResult(result)));
}

TEST(CacheSeal, GivesTheContentBack) {
  const Key key = hashOf("key");
  const std::string entry = seal(key, "content");
  Result<std::string_view> content = unseal(key, entry);
  ASSERT_TRUE(content) << content.error();
  EXPECT_EQ(*content, "content");
  EXPECT_TRUE(unseal(key, seal(key, "")));
}

TEST(CacheSeal, ShowsEveryChangedBit) {
  const Key key = hashOf("key");
  const std::string entry = seal(key, "content");
  for (size_t byte = 0; byte < entry.size(); ++byte)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = entry;
      damaged[byte] = static_cast<char>(damaged[byte] ^ 1 << bit);
      EXPECT_FALSE(unseal(key, damaged)) << byte << " " << bit;
    }
}

TEST(CacheSeal, ShowsTornAndGrownFiles) {
  const Key key = hashOf("key");
  const std::string entry = seal(key, "content");
  for (size_t size = 0; size < entry.size(); ++size) {
    EXPECT_FALSE(unseal(key, std::string_view(entry).substr(0, size))) << size;
    // What a file system leaves of a file whose blocks were not written.
    EXPECT_FALSE(unseal(key, entry.substr(0, size) + std::string(entry.size() - size, '\0')));
  }
  EXPECT_FALSE(unseal(key, entry + "x"));
}

TEST(CacheSeal, IsForOneKey) {
  EXPECT_FALSE(unseal(hashOf("another"), seal(hashOf("key"), "content")));
}

TEST(CacheFile, HoldsARecordInFewerBytes) {
  const Key key = hashOf("key");
  std::string record = "add.f32 %f3, %f1, %f2;\n";
  for (int doubling = 0; doubling < 12; ++doubling)
    record += record;
  const std::string entry = writeEntry(key, record);
  EXPECT_LT(entry.size(), record.size() / 100);
  for (const std::string &each : {record, std::string(), std::string("\0x", 2)}) {
    Result<std::string> back = readEntry(key, writeEntry(key, each));
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(*back, each);
  }
  EXPECT_FALSE(readEntry(hashOf("another"), entry));
  EXPECT_FALSE(readEntry(key, entry.substr(0, entry.size() - 1)));
}

// A server may seal what it likes.
TEST(CacheFile, IsNoneIfItsContentIsNone) {
  const Key key = hashOf("key");
  const std::string content(*unseal(key, writeEntry(key, "record")));
  const size_t sizeBytes = sizeof(uint64_t);
  auto claiming = [&](uint64_t size) {
    std::string changed = content;
    std::memcpy(changed.data(), &size, sizeof size);
    return changed;
  };
  ASSERT_TRUE(readEntry(key, seal(key, claiming(6))));
  const std::pair<std::string, std::string> none[] = {
      {"", "it states no size"},
      {content.substr(0, sizeBytes - 1), "it states no size"},
      {content.substr(0, sizeBytes), "it holds 0 bytes, not 6"},
      {content.substr(0, content.size() - 1), "it cannot be expanded"},
      {claiming(5), "it cannot be expanded"},
      {claiming(7), "it holds 6 bytes, not 7"},
      {claiming(~uint64_t(0)), "it states a size of 18446744073709551615 bytes"}};
  for (const auto &[bytes, error] : none) {
    Result<std::string> record = readEntry(key, seal(key, bytes));
    ASSERT_FALSE(record) << error;
    EXPECT_THAT(record.error(), testing::HasSubstr(error));
  }
}

TEST(CacheSeal, KnowsOtherVersions) {
  std::string entry = seal(hashOf("key"), "content");
  EXPECT_FALSE(isOfOtherVersion(entry));
  EXPECT_FALSE(isOfOtherVersion(""));
  entry[7] = '1';
  EXPECT_TRUE(isOfOtherVersion(entry));
  entry[7] = 'x';
  EXPECT_FALSE(isOfOtherVersion(entry));
  entry[7] = '1';
  entry[0] = 'x';
  EXPECT_FALSE(isOfOtherVersion(entry));
}
