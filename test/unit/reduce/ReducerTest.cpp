//===- ReducerTest.cpp - Delta debugging against brute force ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "reduce/Reducer.h"
#include "reduce/TextEdits.h"

#include "gtest/gtest.h"

#include <random>

using namespace tilewright::reduce;

namespace {

constexpr std::chrono::hours plenty(1);

std::chrono::steady_clock::time_point later() { return std::chrono::steady_clock::now() + plenty; }

/// Removes letters.
EditKind letters() {
  return {"letters", [](const Program &program) -> std::unique_ptr<Edits> {
            std::vector<TextEdit> edits;
            for (size_t at = 0; at < program.text.size(); ++at)
              edits.push_back({Replacement{at, at + 1, ""}, std::nullopt});
            return std::make_unique<TextEdits>(program, std::move(edits));
          }};
}

bool isSubsequence(const std::string &part, const std::string &whole) {
  size_t at = 0;
  for (char letter : whole)
    if (at < part.size() && letter == part[at])
      ++at;
  return at == part.size();
}

} // namespace

// Where a program fails if it has certain letters in this order, these are all that is left.
TEST(Reducer, LeavesWhatTheFailureNeeds) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 200; ++round) {
    std::string text, needed;
    for (unsigned i = 0, count = 1 + random() % 60; i < count; ++i) {
      text += static_cast<char>('a' + random() % 3);
      if (random() % 8 == 0)
        needed += text.back();
    }
    Reducer reducer([&](const Program &program) { return isSubsequence(needed, program.text); },
                    later());
    EXPECT_EQ(reducer.reduce({text, {}}, letters()).text, needed) << text;
    EXPECT_FALSE(reducer.ranOutOfTime());
  }
}

// No program is tested twice that did not fail, and one letter less never fails.
TEST(Reducer, NothingMoreCanGo) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < 100; ++round) {
    std::string text;
    for (unsigned i = 0; i < 24; ++i)
      text += static_cast<char>('a' + random() % 4);
    // A failure that is not monotone: as many a as b, and at least two of each.
    auto fails = [](const Program &program) {
      const auto as = std::count(program.text.begin(), program.text.end(), 'a');
      return as >= 2 && as <= std::count(program.text.begin(), program.text.end(), 'b');
    };
    if (!fails({text, {}}))
      continue;
    Reducer reducer(fails, later());
    const std::string least = reducer.reduce({text, {}}, letters()).text;
    EXPECT_TRUE(fails({least, {}}));
    for (size_t at = 0; at < least.size(); ++at)
      EXPECT_FALSE(fails({std::string(least).erase(at, 1), {}})) << least;
  }
}

TEST(Reducer, EndsWithItsTime) {
  Reducer reducer([](const Program &) { return true; }, std::chrono::steady_clock::now());
  EXPECT_EQ(reducer.reduce({"abc", {}}, letters()).text, "abc");
  EXPECT_TRUE(reducer.ranOutOfTime());
  EXPECT_EQ(reducer.testCount(), 0u);
}

// Of edits that overlap the outer one is made; the signature changes with them.
TEST(TextEdits, OuterPartsFirst) {
  const Program program{"f(g(x), y)", {"a", "b", "c"}};
  const TextEdits edits(program, {{Replacement{4, 5, "z"}, std::nullopt},
                                  {Replacement{2, 6, "x"}, std::pair(1u, std::string("4"))},
                                  {Replacement{6, 9, ""}, std::pair(2u, std::string())}});
  EXPECT_EQ(edits.apply({0}), (Program{"f(g(z), y)", {"a", "b", "c"}}));
  EXPECT_EQ(edits.apply({0, 1}), (Program{"f(x, y)", {"a", "4", "c"}}));
  EXPECT_EQ(edits.apply({0, 1, 2}), (Program{"f(x)", {"a", "4"}}));
}
