//===- LaneShuffleTest.cpp - Instruction choice for lane permutations ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/AmdLaneShuffle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using namespace tilewright;
using namespace tilewright::target::amd;
using Lanes = std::vector<unsigned>;

namespace {

/// The waves of RDNA, which most of the tests are about.
constexpr unsigned waveLanes = 32;
constexpr LaneMoves rdna = {.hasRowShare = true, .hasRowPatterns = true, .hasPermlane = true};
/// Those of CDNA have 64 lanes.
constexpr LaneMoves cdna = {.hasRowShare = true, .hasRowPatterns = false, .hasPermlane = false};

//===--------------------------------------------------------------------------===//
// The instructions, as the RDNA3 Instruction Set Architecture describes them
//===--------------------------------------------------------------------------===//

/// DPP_CTRL of DPP16: where lane `lane` takes from.
unsigned dppSource(uint32_t control, unsigned lane) {
  const unsigned row = lane & ~15u, column = lane & 15, n = control & 15;
  if (control <= 0xff)
    return (lane & ~3u) | (control >> 2 * (lane & 3) & 3);
  switch (control & ~15u) {
  case 0x120: // rotated toward higher lanes
    return row | ((column + 16 - n) & 15);
  case 0x140: // mirrored, whole or in halves
    EXPECT_LT(n, 2u);
    return row | (n == 0 ? 15 - column : (column & 8) | (7 - (column & 7)));
  case 0x150:
    return row | n;
  case 0x160:
    return row | (column ^ n);
  }
  ADD_FAILURE() << "no such dpp_ctrl: " << control;
  return 0;
}

unsigned sourceOf(const RowShuffle &shuffle, unsigned lane) {
  switch (shuffle.kind) {
  case RowShuffle::Kind::Nothing:
    return lane;
  case RowShuffle::Kind::Dpp:
    return dppSource(shuffle.control, lane);
  case RowShuffle::Kind::Dpp8:
    EXPECT_EQ(shuffle.control >> 24, 0u);
    return (lane & ~7u) | (shuffle.control >> 3 * (lane & 7) & 7);
  case RowShuffle::Kind::Permlane:
    return (lane & ~15u) | (shuffle.selectors >> 4 * (lane & 15) & 15);
  }
  return 0;
}

/// DS_SWIZZLE_B32.
unsigned swizzleSource(uint32_t offset, unsigned lane) {
  EXPECT_LT(offset, 0x8000u) << "not the mode of masks";
  return (lane & 32) | (((lane & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31));
}

/// Where each of the `count` lanes takes from in the end; nothing for an index.
std::optional<Lanes> execute(const LaneShuffle &plan, size_t count) {
  Lanes lanes(count);
  for (unsigned lane = 0; lane < count; ++lane) {
    unsigned &source = lanes[lane];
    switch (plan.kind) {
    case LaneShuffle::Kind::Rows:
      EXPECT_TRUE(plan.own || plan.otherLanes == 0xffffffff);
      if (plan.own)
        source = sourceOf(*plan.own, lane);
      if (plan.second && plan.secondRows >> lane / 16 & 1 && plan.secondBanks >> lane % 16 / 4 & 1)
        source = sourceOf(*plan.second, lane);
      if (plan.otherLanes >> lane & 1)
        source = (~lane & 16) | (plan.otherSelectors >> 4 * (lane & 15) & 15);
      break;
    case LaneShuffle::Kind::ReadLane:
      source = plan.lane;
      break;
    case LaneShuffle::Kind::Swizzle:
      source = swizzleSource(plan.offset, lane);
      break;
    case LaneShuffle::Kind::Indexed:
      return std::nullopt;
    }
  }
  return lanes;
}

/// Plans, and compares what is planned with the table.
LaneShuffle check(const Lanes &sources, const LaneMoves &moves = rdna) {
  LaneShuffle plan = planLaneShuffle(sources, moves);
  if (std::optional<Lanes> done = execute(plan, sources.size()))
    EXPECT_EQ(*done, sources);
  return plan;
}

template <typename Function> Lanes tabulate(Function source, unsigned count = waveLanes) {
  Lanes lanes;
  for (unsigned lane = 0; lane < count; ++lane)
    lanes.push_back(source(lane));
  return lanes;
}

/// Whether the plan is of instructions that CDNA has.
bool isOfCdna(const LaneShuffle &plan) {
  const auto isDpp = [](const std::optional<RowShuffle> &row) {
    return !row || row->kind == RowShuffle::Kind::Nothing ||
           (row->kind == RowShuffle::Kind::Dpp && (row->control & ~15u) != 0x160);
  };
  return isDpp(plan.own) && isDpp(plan.second) && !plan.otherLanes;
}

unsigned applyLinear(const std::array<unsigned, 5> &images, unsigned lane) {
  unsigned image = 0;
  for (unsigned bit = 0; bit < 5; ++bit)
    image ^= lane >> bit & 1 ? images[bit] : 0;
  return image;
}

bool isOneDpp(const LaneShuffle &plan) {
  return plan.kind == LaneShuffle::Kind::Rows && plan.own &&
         plan.own->kind == RowShuffle::Kind::Dpp && !plan.second && !plan.otherLanes;
}

} // namespace

TEST(LaneShuffleTest, Butterflies) {
  EXPECT_EQ(check(tabulate([](unsigned lane) { return lane; })).cost(), 0u);
  for (unsigned mask = 1; mask < waveLanes; ++mask) {
    LaneShuffle plan = check(tabulate([&](unsigned lane) { return lane ^ mask; }));
    if (mask < rowLanes)
      EXPECT_TRUE(isOneDpp(plan)) << mask;
    else
      // One permlanex16, and nothing to select.
      EXPECT_TRUE(plan.kind == LaneShuffle::Kind::Rows && !plan.own) << mask;
  }
}

TEST(LaneShuffleTest, Broadcasts) {
  for (unsigned from = 0; from < waveLanes; ++from)
    EXPECT_EQ(check(tabulate([&](unsigned) { return from; })).kind, LaneShuffle::Kind::ReadLane);
  // One lane of each group of 2, 4, 8, 16.
  for (unsigned size = 2; size < waveLanes; size *= 2)
    for (unsigned i = 0; i < size; ++i) {
      LaneShuffle plan = check(tabulate([&](unsigned lane) { return lane / size * size + i; }));
      EXPECT_EQ(plan.cost(), 1u) << size << " " << i;
      if (size != 8)
        EXPECT_TRUE(isOneDpp(plan)) << size << " " << i;
    }
}

TEST(LaneShuffleTest, Rotations) {
  for (unsigned n = 1; n < waveLanes; ++n) {
    // Two instructions and a selection: nothing goes through the crossbar.
    LaneShuffle plan = check(tabulate([&](unsigned lane) { return (lane - n) % waveLanes; }));
    EXPECT_EQ(plan.kind, LaneShuffle::Kind::Rows);
    EXPECT_LE(plan.cost(), 4u);
  }
  for (unsigned n = 1; n < rowLanes; ++n)
    EXPECT_TRUE(
        isOneDpp(check(tabulate([&](unsigned lane) { return (lane & 16) | ((lane - n) & 15); }))));
}

TEST(LaneShuffleTest, PatternsOfOneRow) {
  // The upper row is reversed, the lower stays: one instruction that writes one row.
  LaneShuffle plan = check(tabulate([](unsigned lane) { return lane < 16 ? lane : lane ^ 15; }));
  ASSERT_TRUE(plan.second);
  EXPECT_EQ(plan.secondRows, 0b10u);
  EXPECT_EQ(plan.cost(), 1u);
  plan = check(tabulate([](unsigned lane) { return lane >= 16 ? lane : lane ^ 15; }));
  ASSERT_TRUE(plan.second);
  EXPECT_EQ(plan.secondRows, 0b01u);
  EXPECT_EQ(plan.cost(), 1u);
}

TEST(LaneShuffleTest, Masks) {
  // What AND, OR and XOR of the lane's number can do is never done by an index.
  for (unsigned andMask = 0; andMask < 32; ++andMask)
    for (unsigned orMask = 0; orMask < 32; ++orMask)
      for (unsigned xorMask = 0; xorMask < 32; ++xorMask) {
        LaneShuffle plan =
            check(tabulate([&](unsigned lane) { return ((lane & andMask) | orMask) ^ xorMask; }));
        EXPECT_NE(plan.kind, LaneShuffle::Kind::Indexed);
        EXPECT_LE(plan.cost(), 4u);
      }
}

TEST(LaneShuffleTest, LinearMaps) {
  std::mt19937 random(1);
  unsigned indexed = 0;
  constexpr unsigned samples = 20000;
  for (unsigned i = 0; i < samples; ++i) {
    std::array<unsigned, 5> images;
    for (unsigned &image : images)
      image = random() % waveLanes;
    const unsigned constant = random() % waveLanes;
    indexed +=
        check(tabulate([&](unsigned lane) { return applyLinear(images, lane) ^ constant; })).kind ==
        LaneShuffle::Kind::Indexed;
  }
  EXPECT_LT(indexed, samples);
}

TEST(LaneShuffleTest, PermutationsOfTheBits) {
  // How fragments are transposed within a warp.
  std::array<unsigned, 5> order = {0, 1, 2, 3, 4};
  do {
    std::array<unsigned, 5> images;
    for (unsigned bit = 0; bit < 5; ++bit)
      images[bit] = 1u << order[bit];
    LaneShuffle plan = check(tabulate([&](unsigned lane) { return applyLinear(images, lane); }));
    // Where the bit of the row stays, each row is one permlane at most.
    if (order[4] == 4)
      EXPECT_LE(plan.cost(), 2u);
    // Where two bits change places, and the row's is one of them.
    if (order[4] != 4 && order[order[4]] == 4 &&
        std::count_if(order.begin(), order.end(),
                      [&](unsigned &to) { return to == unsigned(&to - order.data()); }) == 3)
      EXPECT_LE(plan.cost(), 3u);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(LaneShuffleTest, Random) {
  std::mt19937 random(2);
  Lanes lanes(waveLanes);
  std::iota(lanes.begin(), lanes.end(), 0);
  for (unsigned i = 0; i < 2000; ++i) {
    std::shuffle(lanes.begin(), lanes.end(), random);
    check(lanes);
    check(tabulate([&](unsigned) { return random() % waveLanes; }));
    // Any pattern of a row, the same in both.
    LaneShuffle plan =
        check(tabulate([&](unsigned lane) { return (lane & 16) | (lanes[lane & 15] & 15); }));
    EXPECT_LE(plan.cost(), 2u);
    // And with any choice of the row for each lane.
    const uint32_t others = random();
    plan = check(tabulate([&](unsigned lane) {
      return ((lane & 16) | (lanes[lane & 15] & 15)) ^ (others >> lane & 1 ? 16u : 0u);
    }));
    EXPECT_EQ(plan.kind, LaneShuffle::Kind::Rows);
  }
}

TEST(LaneShuffleTest, WavesOf64) {
  constexpr unsigned lanes = 64;
  const auto xorBy = [&](unsigned mask) {
    LaneShuffle plan = check(tabulate([&](unsigned lane) { return lane ^ mask; }, lanes), cdna);
    EXPECT_TRUE(isOfCdna(plan)) << mask;
    return plan;
  };
  // Within four lanes, in halves and in whole rows by mirrors, and by 8 a rotation.
  for (unsigned mask : {1u, 2u, 3u, 7u, 8u, 15u})
    EXPECT_TRUE(isOneDpp(xorBy(mask))) << mask;
  // By two, each for two of the row's banks.
  for (unsigned mask : {4u, 12u}) {
    const LaneShuffle plan = xorBy(mask);
    EXPECT_EQ(plan.kind, LaneShuffle::Kind::Rows) << mask;
    EXPECT_EQ(plan.secondBanks, 0b1010u) << mask;
    EXPECT_EQ(plan.cost(), 2u) << mask;
  }
  for (unsigned mask : {5u, 9u, 16u, 31u})
    EXPECT_EQ(xorBy(mask).kind, LaneShuffle::Kind::Swizzle) << mask;
  for (unsigned mask = 32; mask < lanes; ++mask)
    EXPECT_EQ(xorBy(mask).kind, LaneShuffle::Kind::Indexed) << mask;
  // One lane of all.
  EXPECT_EQ(check(tabulate([](unsigned) { return 45; }, lanes), cdna).kind,
            LaneShuffle::Kind::ReadLane);
  // Rows of two kinds, whichever they are; of three there is no such instruction.
  for (unsigned others = 1; others < 15; ++others) {
    const LaneShuffle plan = check(
        tabulate([&](unsigned lane) { return others >> lane / 16 & 1 ? lane ^ 1 : lane; }, lanes),
        cdna);
    EXPECT_EQ(plan.kind, LaneShuffle::Kind::Rows) << others;
    EXPECT_EQ(plan.cost(), 1u) << others;
  }
  EXPECT_EQ(
      check(tabulate([](unsigned lane) { return lane < 32 ? lane : lane ^ lane / 16; }, lanes),
            cdna)
          .kind,
      LaneShuffle::Kind::Indexed);
  // One lane of each row.
  EXPECT_TRUE(
      isOneDpp(check(tabulate([](unsigned lane) { return lane & ~15u | 5; }, lanes), cdna)));
}

TEST(LaneShuffleTest, RandomWavesOf64) {
  std::mt19937 random(3);
  unsigned swizzles = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    std::array<unsigned, 6> images;
    for (unsigned bit = 0; bit < 6; ++bit)
      images[bit] = random() % 4 ? 1u << bit : random() % 64;
    const unsigned constant = random() % 32;
    for (const LaneMoves &moves : {cdna, rdna}) {
      LaneShuffle plan = check(tabulate(
                                   [&](unsigned lane) {
                                     unsigned image = constant;
                                     for (unsigned bit = 0; bit < 6; ++bit)
                                       image ^= lane >> bit & 1 ? images[bit] : 0;
                                     return image;
                                   },
                                   64),
                               moves);
      EXPECT_TRUE(moves.hasPermlane || isOfCdna(plan));
      swizzles += plan.kind == LaneShuffle::Kind::Swizzle;
    }
  }
  EXPECT_GT(swizzles, 0u);
}

TEST(LaneShuffleTest, OtherNumbersOfLanesAreIndexed) {
  EXPECT_EQ(check(tabulate([](unsigned lane) { return lane ^ 1; }, 16)).kind,
            LaneShuffle::Kind::Indexed);
}
