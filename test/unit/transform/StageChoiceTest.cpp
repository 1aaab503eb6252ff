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

} // namespace
