//===- TuningStoreTest.cpp - Results of tuning, kept --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/TuningStore.h"

#include "llvm/Support/FileSystem.h"
#include "gmock/gmock.h"

#include <fstream>
#include <sstream>

using namespace tilewright;
using namespace tilewright::tune;

namespace {

class TuningStoreTest : public testing::Test {
protected:
  TuningStoreTest() {
    llvm::SmallString<128> path;
    if (!llvm::sys::fs::createUniqueDirectory("tuning-store", path))
      folder = path.str().str();
  }
  ~TuningStoreTest() override { (void)llvm::sys::fs::remove_directories(folder); }

  std::string folder;
  const TuningKey key{"k", "GPU", "cuda:90", {{"source", "text"}, {"n", "1000"}}};
  const std::vector<std::string> configurations{"BLOCK=64, num_warps=4", "BLOCK=128, num_warps=4",
                                                "BLOCK=1"};
  const TuningResult result{{{Trial::Outcome::Measured, 0.25, {}},
                             {Trial::Outcome::Measured, 0.125, {}},
                             {Trial::Outcome::Failed, 0, makeError("too much")}},
                            1};
};

TEST_F(TuningStoreTest, KeepsWhatItWasGiven) {
  TuningStore store(folder + "/new");
  EXPECT_FALSE(store.find(key, configurations));
  ASSERT_TRUE(store.save(key, configurations, result));
  auto found = store.find(key, configurations);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->best, 1u);
  ASSERT_EQ(found->trials.size(), 3u);
  EXPECT_EQ(found->trials[0].milliseconds, 0.25);
  EXPECT_EQ(found->trials[2].outcome, Trial::Outcome::Failed);
  EXPECT_EQ(found->trials[2].error->message, "too much");
}

TEST_F(TuningStoreTest, AnythingElseInTheKeyIsAnotherResult) {
  TuningStore store(folder);
  ASSERT_TRUE(store.save(key, configurations, result));
  auto differs = [&](auto change) {
    TuningKey other = key;
    change(other);
    return !store.find(other, configurations);
  };
  EXPECT_TRUE(differs([](TuningKey &other) { other.device = "other"; }));
  EXPECT_TRUE(differs([](TuningKey &other) { other.target = "cuda:80"; }));
  EXPECT_TRUE(differs([](TuningKey &other) { other.parts[1].second = "1001"; }));
  // The texts of the parts joined are the same.
  EXPECT_TRUE(differs([](TuningKey &other) { other.parts = {{"sourcetext", "n1000"}}; }));
  EXPECT_FALSE(differs([](TuningKey &) {}));
}

TEST_F(TuningStoreTest, DamagedFilesAreMeasuredAgain) {
  TuningStore store(folder);
  ASSERT_TRUE(store.save(key, configurations, result));
  std::ostringstream text;
  text << std::ifstream(store.fileOf(key)).rdbuf();
  const std::string good = text.str();
  // Cut short, or a byte of the first trial's time or outcome changed.
  for (size_t length = 0; length + 2 < good.size(); length += 11) {
    std::ofstream(store.fileOf(key), std::ios::trunc) << good.substr(0, length);
    ASSERT_FALSE(store.find(key, configurations)) << length;
  }
  for (const char *word : {"measured", "BLOCK=64", "digest"}) {
    std::string damaged = good;
    damaged[damaged.find(word)] ^= 1;
    std::ofstream(store.fileOf(key), std::ios::trunc) << damaged;
    EXPECT_FALSE(store.find(key, configurations)) << word;
  }
  std::ofstream(store.fileOf(key), std::ios::trunc) << good;
  EXPECT_TRUE(store.find(key, configurations));
}

TEST_F(TuningStoreTest, AFolderThatCannotBeWrittenIsAnError) {
  std::ofstream(folder + "/file") << "x";
  auto saved = TuningStore(folder + "/file/below").save(key, configurations, result);
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().remedy, testing::HasSubstr("TILEWRIGHT_CACHE_DIR"));
}

} // namespace
