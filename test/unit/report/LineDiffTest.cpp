//===- LineDiffTest.cpp - Tests of the differences between texts of IR --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/LineDiff.h"

#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"

#include <random>

using namespace tilewright::report;

namespace {

using Sequence = std::vector<unsigned>;

/// The length of the longest common subsequence, by its definition.
size_t longestCommon(const Sequence &a, const Sequence &b) {
  std::vector<std::vector<size_t>> best(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j)
      best[i][j] =
          a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
  return best[a.size()][b.size()];
}

/// `old` with the lines of the hunks replaced by those of `now`.
Sequence apply(const std::vector<Hunk> &hunks, const Sequence &old, const Sequence &now) {
  Sequence result;
  size_t at = 0;
  for (const Hunk &hunk : hunks) {
    result.insert(result.end(), old.begin() + at, old.begin() + hunk.oldBegin);
    EXPECT_EQ(result.size(), hunk.newBegin);
    result.insert(result.end(), now.begin() + hunk.newBegin,
                  now.begin() + hunk.newBegin + hunk.newCount);
    at = hunk.oldBegin + hunk.oldCount;
  }
  result.insert(result.end(), old.begin() + at, old.end());
  return result;
}

size_t removedLines(const std::vector<Hunk> &hunks) {
  size_t count = 0;
  for (const Hunk &hunk : hunks)
    count += hunk.oldCount;
  return count;
}

Sequence randomSequence(std::mt19937 &random, size_t maxLength, unsigned letters) {
  Sequence result(random() % (maxLength + 1));
  for (unsigned &letter : result)
    letter = random() % letters;
  return result;
}

TEST(LineDiff, HunksMakeTheNewTextOfTheOldOneAndAreAsFewLinesAsCanBe) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    const unsigned letters = 1 + round % 6;
    const Sequence old = randomSequence(random, 14, letters);
    const Sequence now = randomSequence(random, 14, letters);
    const std::vector<Hunk> hunks = diffSequences(old, now);
    ASSERT_EQ(apply(hunks, old, now), now) << "round " << round;
    ASSERT_EQ(removedLines(hunks), old.size() - longestCommon(old, now)) << "round " << round;
  }
}

TEST(LineDiff, TooManyDifferencesAreOneHunkBetweenEqualEnds) {
  const Sequence old = {1, 2, 3, 4, 5, 9}, now = {1, 6, 3, 7, 8, 9};
  EXPECT_EQ(diffSequences(old, now, 2), (std::vector<Hunk>{{1, 4, 1, 4}}));
  EXPECT_EQ(diffSequences(old, now), (std::vector<Hunk>{{1, 1, 1, 1}, {3, 2, 3, 2}}));
}

TEST(LineDiff, EqualTextsHaveNoHunks) {
  EXPECT_TRUE(diffIR("%0 = a\n%1 = b %0\n", "%0 = a\n%1 = b %0\n").empty());
}

TEST(LineDiff, ShiftedNumbersAreNoDifference) {
  const char *old = "%0 = a\n"
                    "%1 = b %0\n"
                    "c %1, %0\n";
  const char *now = "%0 = new\n"
                    "%1 = a\n"
                    "%2 = b %1\n"
                    "c %2, %1\n";
  EXPECT_EQ(diffIR(old, now), (std::vector<Hunk>{{0, 0, 0, 1}}));
}

TEST(LineDiff, ExchangedOperandsAreADifference) {
  const char *old = "%0 = a\n%1 = b\n%2 = sub %0, %1\n";
  const char *now = "%0 = a\n%1 = b\n%2 = sub %1, %0\n";
  EXPECT_EQ(diffIR(old, now), (std::vector<Hunk>{{2, 1, 2, 1}}));
}

TEST(LineDiff, BlocksAreRenamedLikeValues) {
  const char *old = "^bb1:\n  br ^bb2\n^bb2:\n  br ^bb1\n";
  EXPECT_TRUE(diffIR(old, "^bb3:\n  br ^bb4\n^bb4:\n  br ^bb3\n").empty());
  EXPECT_EQ(diffIR(old, "^bb3:\n  br ^bb3\n^bb4:\n  br ^bb3\n"), (std::vector<Hunk>{{1, 1, 1, 1}}));
}

TEST(LineDiff, SourceFromNothingIsAllNew) {
  EXPECT_EQ(diffIR("", "a\nb\n"), (std::vector<Hunk>{{0, 0, 0, 2}}));
}

} // namespace
