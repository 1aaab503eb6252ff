//===- StageChoiceTest.cpp - How many stages a loop is better off with --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/StageChoice.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::transform;

namespace {

const target::Target &hopper() { return *target::Target::find("cuda:90"); }

constexpr uint64_t KiB = 1024;

/// The loops that were measured on an H200: docs/pipelining.md, "How many stages" and "Products".
TEST(StageChoice, IsWhatWasQuickest) {
  const struct {
    const char *what;
    StageNeeds needs;
    unsigned stages;
  } cases[] = {
      {"f16 128 x 256 x 64, alone", {.warps = 8, .tileBytes = 48 * KiB}, 4},
      {"fp8 128 x 256 x 128, alone", {.warps = 8, .tileBytes = 48 * KiB, .isNarrow = true}, 3},
      {"int8 128 x 128 x 64", {.warps = 8, .tileBytes = 16 * KiB, .isNarrow = true}, 4},
      {"f16 128 x 128 x 64, of odd sizes", {.warps = 8, .tileBytes = 32 * KiB}, 4},
      {"w4a16, four blocks or three",
       {.warps = 4, .tileBytes = 18 * KiB + 512, .waitsInIteration = true},
       4},
      {"tf32, two blocks or one",
       {.warps = 8, .tileBytes = 32 * KiB + 512, .waitsInIteration = true},
       3},
  };
  for (const auto &each : cases)
    EXPECT_EQ(chooseStages(hopper(), each.needs, 3), each.stages) << each.what;
}

/// The rule in words, for all sizes of tiles: of plain sums, a fourth stage for which there is a
/// buffer more must leave as many warps resident, up to those that are enough; without that buffer
/// it must be of a block alone and of 16 bits. Loops that wait have as many bytes under way.
TEST(StageChoice, FollowsResidency) {
  const auto fits = [](const StageNeeds &needs, unsigned buffers) {
    return needs.usedBytes + buffers * needs.tileBytes <= hopper().shared.maxBytes;
  };
  const auto warps = [](const StageNeeds &needs, unsigned buffers) {
    const uint64_t bytes = needs.usedBytes + buffers * needs.tileBytes;
    const uint64_t allocated = (bytes + KiB + 127) / 128 * 128;
    return std::min<uint64_t>(16, 228 * KiB / allocated * needs.warps);
  };
  unsigned deeper = 0, cases = 0;
  for (unsigned numWarps : {1, 2, 4, 8, 16})
    for (uint64_t used : {uint64_t(0), 5 * KiB, 64 * KiB, 200 * KiB})
      for (uint64_t tile = 2 * KiB; tile <= 100 * KiB; tile += KiB)
        for (bool isNarrow : {false, true})
          for (bool waits : {false, true}) {
            const StageNeeds needs = {numWarps, used, tile, isNarrow, waits};
            unsigned expected = 3;
            if (waits) {
              if (fits(needs, 4) && 3 * warps(needs, 4) >= 2 * warps(needs, 3))
                expected = 4;
            } else if (fits(needs, 5)) {
              if (warps(needs, 5) == warps(needs, 4))
                expected = 4;
            } else if (fits(needs, 4) && !isNarrow) {
              expected = 4;
            }
            EXPECT_EQ(chooseStages(hopper(), needs, 3), expected)
                << numWarps << " warps, " << used << " and " << tile << " bytes, " << isNarrow
                << waits;
            deeper += expected == 4;
            ++cases;
          }
  EXPECT_GT(deeper, cases / 10);
  EXPECT_LT(deeper, cases * 9 / 10);
}

TEST(StageChoice, HasNoCostWithoutMemory) {
  const StageNeeds needs = {.warps = 8, .usedBytes = 100 * KiB, .tileBytes = 64 * KiB};
  EXPECT_TRUE(getStageCost(hopper(), needs, 1));
  EXPECT_FALSE(getStageCost(hopper(), needs, 2));
  EXPECT_EQ(chooseStages(hopper(), needs, 3), 3u);
}

/// Loops that reduce tiles: buffers for the bytes that keep memory busy, and no more; none where
/// they keep out blocks that the loop's arithmetic needs.
TEST(StageChoice, ReductionsKeepWhatTheyComputeWith) {
  const struct {
    const char *what;
    ReductionNeeds needs;
    unsigned stages;
  } cases[] = {
      {"decode attention: one block of few warps computes less than its tile takes to come",
       {.warps = 4,
        .registers = 64,
        .usedBytes = 2 * KiB,
        .tileBytes = 32 * KiB,
        .issueCycles = 754},
       3},
      {"a row of 64 KiB: one tile under way is enough",
       {.warps = 32, .registers = 47, .usedBytes = 128, .tileBytes = 64 * KiB, .issueCycles = 769},
       2},
      {"pairs of a tile of 64 KiB: buffers would leave one block of two, which computes too long",
       {.warps = 8,
        .registers = 92,
        .usedBytes = 4 * KiB,
        .tileBytes = 64 * KiB,
        .issueCycles = 1529},
       1},
      {"the same with a quarter of the instructions",
       {.warps = 8,
        .registers = 92,
        .usedBytes = 4 * KiB,
        .tileBytes = 64 * KiB,
        .issueCycles = 382},
       2},
      {"the same where registers let no second block in",
       {.warps = 8,
        .registers = 200,
        .usedBytes = 4 * KiB,
        .tileBytes = 64 * KiB,
        .issueCycles = 1529},
       2},
      {"a tile too large for two", {.warps = 8, .registers = 64, .tileBytes = 128 * KiB}, 1},
      {"small tiles", {.warps = 4, .registers = 32, .tileBytes = 2 * KiB, .issueCycles = 100}, 3},
  };
  for (const auto &each : cases)
    EXPECT_EQ(chooseStages(hopper(), each.needs, 3), each.stages) << each.what;
}

/// For all sizes: as many stages as are asked for, no more than have 64 KiB under way, and as many
/// as leave the iteration no longer to compute than without buffers, or than its tile takes to come
/// at 16 bytes a cycle.
TEST(StageChoice, ReductionsInAllSizes) {
  unsigned counts[5] = {}, cases = 0;
  for (unsigned warps : {1, 4, 8, 16, 32})
    for (unsigned registers : {32, 64, 128, 250})
      for (uint64_t tile = KiB; tile <= 200 * KiB; tile += 3 * KiB)
        for (unsigned issue : {10, 200, 1000, 5000}) {
          const unsigned allocated = (registers + 7) / 8 * 8;
          if (warps * 32 * allocated > 64 * KiB)
            continue;
          const auto cycles = [&](unsigned buffers) {
            const uint64_t bytes = (buffers * tile + KiB + 127) / 128 * 128;
            const unsigned ofPartition = (warps + 3) / 4;
            // A partition's warps are its registers' or its 16 slots'; a block has a part of each.
            const unsigned partition = std::min(512 / allocated, 16u);
            const uint64_t byWarps = warps < 4 ? partition * 4 / warps : partition / ofPartition;
            const uint64_t blocks = std::min({byWarps, 228 * KiB / bytes, uint64_t(32)});
            return uint64_t(ofPartition) * issue * 16 / std::min<uint64_t>(16, blocks * warps);
          };
          unsigned expected = 1;
          for (unsigned stages = 2; stages <= 4; ++stages) {
            const bool isEnoughBefore = (stages - 2) * tile >= 64 * KiB;
            if (!isEnoughBefore && stages * tile <= 227 * KiB &&
                cycles(stages) <= std::max(tile / 16, cycles(0)))
              expected = stages;
          }
          const ReductionNeeds needs = {warps, registers, 0, tile, issue};
          const unsigned chosen = chooseStages(hopper(), needs, 4);
          EXPECT_EQ(chosen, expected) << warps << " warps, " << registers << " registers, " << tile
                                      << " bytes, " << issue << " cycles";
          ++counts[chosen];
          ++cases;
        }
  for (unsigned stages = 1; stages <= 4; ++stages)
    EXPECT_GT(counts[stages], cases / 50) << stages;
}

} // namespace
