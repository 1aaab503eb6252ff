//===- SpillChoiceTest.cpp - Tests of what is spilled -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/machine/SpillChoice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using tilewright::emit::SpillChoice;

namespace {
constexpr unsigned blockInstructions = 20, blockNumber = 4;
constexpr unsigned blockPoints = 2 * blockInstructions;

/// A value that instruction `places[0]` makes and the others read, of the instructions of all
/// blocks.
SpillChoice::Value makeValue(const std::vector<unsigned> &places, unsigned size) {
  SpillChoice::Value value;
  value.size = size;
  value.pieces.push_back({2 * places.front() + 1, 2 * places.back() + 1, size});
  for (unsigned place : places)
    value.accesses.push_back({2 * place, place / blockInstructions,
                              place / blockInstructions == 2 ? 8.0f : 1.0f, place != places.front(),
                              place == places.front(), place != places.back()});
  value.crossesBlocks = value.accesses.front().block != value.accesses.back().block;
  return value;
}

/// The registers taken at each point, each value in them between accesses that are not apart.
std::vector<unsigned> countRegisters(const SpillChoice &choice, unsigned values) {
  std::vector<unsigned> count(blockPoints * blockNumber);
  for (unsigned v = 0; v < values; ++v) {
    const SpillChoice::Value &value = choice.getValue(v);
    for (unsigned i = 0; i < value.accesses.size(); ++i) {
      const SpillChoice::Access &access = value.accesses[i];
      unsigned from = std::max(access.point, value.pieces[0].from);
      unsigned to = std::min(access.point + 2, value.pieces[0].to);
      if (i + 1 < value.accesses.size() && !(choice.isSpilled(v) && choice.isApart(v, i + 1)))
        to = value.accesses[i + 1].point;
      for (unsigned point = from; point < to; ++point)
        count[point] += value.size;
    }
  }
  return count;
}
} // namespace

TEST(SpillChoice, LeavesAsManyRegistersAsThereAre) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 200; ++round) {
    SpillChoice choice;
    choice.reset();
    for (unsigned block = 0; block < blockNumber; ++block)
      choice.addBlock(blockPoints, block == 2 ? 8.0f : 1.0f);
    const unsigned values = 30;
    for (unsigned v = 0; v < values; ++v) {
      std::vector<unsigned> places;
      for (unsigned i = 0, end = 2 + random() % 4; i < end; ++i)
        places.push_back(random() % (blockInstructions * blockNumber - 1));
      std::sort(places.begin(), places.end());
      places.erase(std::unique(places.begin(), places.end()), places.end());
      if (places.size() == 1)
        places.push_back(places[0] + 1);
      choice.addValue(makeValue(places, 1 + random() % 3));
    }
    const unsigned limit = choice.getPeak() / 2;
    choice.run(limit);
    std::vector<unsigned> count = countRegisters(choice, values);
    unsigned over = std::count_if(count.begin(), count.end(),
                                  [&](unsigned registers) { return registers > limit; });
    EXPECT_EQ(over, choice.countMarked()) << round;
    EXPECT_LE(over, count.size() / 8) << round;
  }
}

TEST(SpillChoice, KeepsWhatALoopReadsAndSpillsWhatWaits) {
  SpillChoice choice;
  choice.reset();
  for (unsigned block = 0; block < blockNumber; ++block)
    choice.addBlock(blockPoints, block == 2 ? 8.0f : 1.0f);
  choice.addValue(makeValue({0, 45, 50, 79}, 1));
  choice.addValue(makeValue({0, 79}, 1));
  EXPECT_EQ(choice.getPeak(), 2u);
  choice.run(1);
  EXPECT_FALSE(choice.isSpilled(0));
  EXPECT_TRUE(choice.isSpilled(1));
}

TEST(SpillChoice, ChoosesNothingWhereRegistersSuffice) {
  SpillChoice choice;
  choice.reset();
  choice.addBlock(blockPoints, 1.0f);
  choice.addValue(makeValue({0, 10}, 4));
  EXPECT_EQ(choice.getPeak(), 4u);
  choice.run(4);
  EXPECT_FALSE(choice.isSpilled(0));
  EXPECT_EQ(choice.countMarked(), 0u);
}
