//===- StageChoiceTest.cpp - How many stages a loop is better off with --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/StageChoice.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>

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
      {"f16 128 x 256 x 64, alone", {.warps = 8, .tileBytes = 48 * KiB, .sumCycles = 512}, 4},
      {"fp8 128 x 256 x 128, alone",
       {.warps = 8, .tileBytes = 48 * KiB, .isNarrow = true, .sumCycles = 512},
       3},
      {"int8 128 x 128 x 64",
       {.warps = 8, .tileBytes = 16 * KiB, .isNarrow = true, .sumCycles = 128},
       4},
      {"f16 128 x 128 x 64, of odd sizes",
       {.warps = 8, .tileBytes = 32 * KiB, .sumCycles = 256},
       4},
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

/// The rule in words, for all sizes of tiles. Of plain sums the most resident warps count, up to
/// those that are enough; among equals a block alone is better off with a copy more under way, but
/// of narrow elements with one barrier, and several blocks with one barrier, then with more copies.
/// Loops that wait have as many bytes under way.
TEST(StageChoice, FollowsResidency) {
  const auto fits = [](const StageNeeds &needs, unsigned buffers) {
    return needs.usedBytes + buffers * needs.tileBytes <= hopper().shared.maxBytes;
  };
  const auto blocks = [](const StageNeeds &needs, unsigned buffers) {
    const uint64_t bytes = needs.usedBytes + buffers * needs.tileBytes;
    const uint64_t allocated = (bytes + KiB + 127) / 128 * 128;
    return std::min<uint64_t>({228 * KiB / allocated, 64 / needs.warps, 32});
  };
  const auto warps = [&](const StageNeeds &needs, unsigned buffers) {
    return std::min<uint64_t>(needs.sumCycles ? 8 : 16, blocks(needs, buffers) * needs.warps);
  };
  // Of two ways: {warps, those of a block alone: copies or one barrier first, ..}.
  const auto worth = [&](const StageNeeds &needs, unsigned stages, bool hasOneBarrier) {
    const unsigned buffers = stages + hasOneBarrier;
    const bool isAlone = blocks(needs, buffers) == 1;
    const int copies = int(stages), barrier = hasOneBarrier;
    return isAlone && !needs.isNarrow
               ? std::array<int, 4>{int(warps(needs, buffers)), isAlone, copies, barrier}
               : std::array<int, 4>{int(warps(needs, buffers)), isAlone, barrier, copies};
  };
  unsigned deeper = 0, cases = 0;
  for (unsigned numWarps : {1, 2, 4, 8, 16})
    for (uint64_t used : {uint64_t(0), 5 * KiB, 64 * KiB, 200 * KiB})
      for (uint64_t tile = 2 * KiB; tile <= 100 * KiB; tile += KiB)
        for (bool isNarrow : {false, true})
          for (unsigned sumCycles : {0, 256})
            for (bool waits : {false, true}) {
              const StageNeeds needs = {.warps = numWarps,
                                        .usedBytes = used,
                                        .tileBytes = tile,
                                        .isNarrow = isNarrow,
                                        .waitsInIteration = waits,
                                        .sumCycles = sumCycles};
              unsigned expected = 3;
              if (waits) {
                if (fits(needs, 4) && 3 * warps(needs, 4) >= 2 * warps(needs, 3))
                  expected = 4;
              } else {
                std::optional<std::array<int, 4>> best;
                for (unsigned stages : {3, 4})
                  for (bool hasOneBarrier : {false, true})
                    if (fits(needs, stages + hasOneBarrier))
                      if (const auto each = worth(needs, stages, hasOneBarrier);
                          !best || each >= *best) {
                        best = each;
                        expected = stages;
                      }
              }
              EXPECT_EQ(chooseStages(hopper(), needs, 3), expected)
                  << numWarps << " warps, " << used << " and " << tile << " bytes, " << isNarrow
                  << waits << sumCycles;
              deeper += expected == 4;
              ++cases;
            }
  EXPECT_GT(deeper, cases / 10);
  EXPECT_LT(deeper, cases * 9 / 10);
}

/// A sum of 128 x 128 x 64 in four warps: with a buffer less than copies in front take, there are
/// two blocks.
TEST(StageChoice, TakesFewerBuffersForAnotherBlock) {
  StageNeeds needs = {.warps = 4, .tileBytes = 32 * KiB, .sumCycles = 512};
  const BufferNeeds inFront = {4 * needs.tileBytes, 2, false},
                    last = {3 * needs.tileBytes, 2, true};
  EXPECT_LT(getBufferCost(hopper(), needs, last), getBufferCost(hopper(), needs, inFront));
  EXPECT_EQ(chooseStages(hopper(), needs, 3), 3u);
  // Where registers let in one block, they are the copies' in front.
  needs.registers = 255;
  needs.warps = 8;
  EXPECT_GT(getBufferCost(hopper(), needs, last), getBufferCost(hopper(), needs, inFront));
}

/// A sum keeps the unit busy with two blocks of four warps; a loop that reads its products does
/// not, however many there are.
TEST(StageChoice, WantsMoreWarpsWhereProductsAreRead) {
  StageNeeds needs = {.warps = 4, .sumCycles = 256};
  const BufferNeeds inFront = {90 * KiB, 2, false}, last = {70 * KiB, 2, true};
  EXPECT_GT(getBufferCost(hopper(), needs, last), getBufferCost(hopper(), needs, inFront));
  needs.sumCycles = 0;
  needs.readsProducts = true;
  EXPECT_LT(getBufferCost(hopper(), needs, last), getBufferCost(hopper(), needs, inFront));
  EXPECT_LT(getBufferCost(hopper(), needs, {20 * KiB, 1, false}),
            getBufferCost(hopper(), needs, {30 * KiB, 1, false}));
}

/// With no copy under way each iteration waits for its own.
TEST(StageChoice, KeepsACopyUnderWay) {
  const StageNeeds needs = {.warps = 4, .readsProducts = true};
  EXPECT_GT(getBufferCost(hopper(), needs, {16 * KiB, 0, true}),
            getBufferCost(hopper(), needs, {150 * KiB, 1, false}));
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
    IssueNeeds needs;
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
          const IssueNeeds needs = {warps, registers, 0, tile, issue};
          const unsigned chosen = chooseStages(hopper(), needs, 4);
          EXPECT_EQ(chosen, expected) << warps << " warps, " << registers << " registers, " << tile
                                      << " bytes, " << issue << " cycles";
          ++counts[chosen];
          ++cases;
        }
  for (unsigned stages = 1; stages <= 4; ++stages)
    EXPECT_GT(counts[stages], cases / 50) << stages;
}

/// Iterations for all sizes: what the instructions of one block take, or the time of a block alone
/// over the blocks that are resident, whichever is more.
TEST(StageChoice, IterationCycles) {
  unsigned bound[2] = {}, gains = 0;
  for (unsigned warps : {1, 2, 4, 8})
    for (uint64_t tile = 2 * KiB; tile <= 100 * KiB; tile += 7 * KiB)
      for (unsigned issue : {20, 200, 2000}) {
        const auto cycles = [&](unsigned buffers, unsigned underWay, bool isLast) {
          const uint64_t bytes = (buffers * tile + KiB + 127) / 128 * 128;
          const double blocks = std::min({64 / warps, unsigned(228 * KiB / bytes), 32u});
          double alone = issue * 4;
          const double waits = std::max(0.0, 500 + tile / 16 - underWay * alone);
          alone *= isLast && warps > 1 ? 1.08 : 1;
          ++bound[issue * warps / 4.0 > (alone + waits) / blocks];
          return std::max(issue * warps / 4.0, (alone + waits) / blocks);
        };
        const IssueNeeds needs = {warps, 32, 0, tile, issue};
        const BufferNeeds one = {tile, 0, true}, two = {2 * tile, 1, false};
        const auto first = getIterationCycles(hopper(), needs, one);
        const auto second = getIterationCycles(hopper(), needs, two);
        ASSERT_TRUE(first && (second || 2 * tile > 227 * KiB));
        EXPECT_NEAR(double(*first), cycles(1, 0, true), 2 + 0.01 * double(*first));
        if (second)
          EXPECT_NEAR(double(*second), cycles(2, 1, false), 2 + 0.01 * double(*second));
        gains += second && *first < *second;
      }
  EXPECT_GT(bound[0], 20u);
  EXPECT_GT(bound[1], 20u);
  EXPECT_GT(gains, 10u);
}

} // namespace
