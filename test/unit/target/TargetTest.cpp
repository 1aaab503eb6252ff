//===- TargetTest.cpp - The table of targets ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/Target.h"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace tilewright;
using namespace tilewright::target;

namespace {

TEST(Target, ExchangeModelOfEachComputeCapability) {
  std::pair<const char *, unsigned> expected[] = {
      {"cuda:80", 166912},  {"cuda:86", 101376},  {"cuda:89", 101376},
      {"cuda:90", 232448},  {"cuda:100", 232448}, {"cuda:103", 232448},
      {"cuda:110", 232448}, {"cuda:120", 101376}, {"cuda:121", 101376}};
  for (auto [name, bytes] : expected) {
    const Target *target = Target::find(name);
    ASSERT_TRUE(target) << name;
    EXPECT_EQ(target->shared.maxBytes, bytes) << name;
    EXPECT_EQ(target->sharedMemory().maxBytes, bytes);
  }
}

TEST(Target, UnknownNamesListTheKnown) {
  EXPECT_EQ(Target::find("cuda:70"), nullptr);
  auto target = Target::parse("cuda:70");
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error(),
            "unknown target 'cuda:70'; known are cuda:80, cuda:86, cuda:89, cuda:90, cuda:100, "
            "cuda:103, cuda:110, cuda:120, cuda:121, hip:gfx90a, hip:gfx942, hip:gfx950, "
            "hip:gfx1100, hip:gfx1150, hip:gfx1200, hip:gfx1201, xpu:pvc, xpu:bmg, "
            "xpu:lnl, xpu:ptl");
  EXPECT_EQ(Target::parse("").error().substr(0, 17), "unknown target ''");
  auto known = Target::parse("xpu:bmg");
  ASSERT_TRUE(known);
  EXPECT_EQ((*known)->vendor, Vendor::Intel);
}

TEST(Target, EntriesAreSane) {
  std::set<std::string_view> names;
  for (const Target &target : Target::all()) {
    EXPECT_TRUE(names.insert(target.name).second) << target.name;
    EXPECT_EQ(Target::find(target.name), &target);
    EXPECT_TRUE(target.hasWarpSize(target.execution.threadsPerWarp));
    EXPECT_TRUE(
        std::is_sorted(target.execution.warpSizes.begin(), target.execution.warpSizes.end()));
    for (unsigned lanes : target.execution.warpSizes)
      EXPECT_TRUE(std::has_single_bit(lanes));
    EXPECT_TRUE(std::has_single_bit(target.shared.banks));
    EXPECT_EQ(target.shared.isSizedAtLaunch, target.vendor == Vendor::Nvidia);
    EXPECT_TRUE(target.name.starts_with("cuda:") == (target.vendor == Vendor::Nvidia));
  }
}

/// What a shuffle from `source(lane)` costs on a target, in a warp of threadsPerWarp.
template <typename Source>
tilewright::target::ShuffleCost shuffleCost(const Target &target, Source source) {
  std::vector<unsigned> sources;
  for (unsigned lane = 0; lane < target.execution.threadsPerWarp; ++lane)
    sources.push_back(source(lane));
  return target.costs.fixedShuffle ? target.costs.fixedShuffle(sources) : target.costs.shuffle;
}

TEST(Target, CostsAreThoseOfPlans) {
  for (const Target &target : Target::all()) {
    const tilewright::target::Costs &costs = target.costs;
    EXPECT_GT(costs.select, 0u) << target.name;
    EXPECT_GT(costs.permute, 0u) << target.name;
    EXPECT_GT(costs.transaction, 0u) << target.name;
    EXPECT_GE(costs.blockBarrier, costs.warpBarrier) << target.name;
    EXPECT_EQ(target.sharedMemory().costs.transaction, costs.transaction);
    EXPECT_EQ(target.sharedMemory().costs.fixedShuffle, costs.fixedShuffle);
    EXPECT_EQ(costs.ofWarp(costs.lanes).select, costs.select);
    EXPECT_EQ(costs.ofWarp(2 * costs.lanes).select, 2 * costs.select);
    EXPECT_EQ(costs.ofWarp(2 * costs.lanes).shuffle.cycles, 2 * costs.shuffle.cycles);
    EXPECT_EQ(costs.ofWarp(2 * costs.lanes).transaction, costs.transaction);
    EXPECT_EQ(costs.lanes, target.execution.threadsPerWarp) << target.name;
    EXPECT_TRUE(std::has_single_bit(target.global.sectorBytes)) << target.name;
    EXPECT_GT(target.global.loadCycles, 0u) << target.name;
    EXPECT_EQ(target.execution.warpUnit.registers != 0, target.execution.warpUnit.maxLoadBytes != 0)
        << target.name;
    EXPECT_LE(target.execution.warpUnit.minLoadBytes, target.execution.warpUnit.maxLoadBytes)
        << target.name;

    // A known table costs no more than lanes in a register, and less than a way through memory.
    for (unsigned mask = 1; mask < target.execution.threadsPerWarp; ++mask) {
      auto cost = shuffleCost(target, [&](unsigned lane) { return lane ^ mask; });
      EXPECT_GT(cost.cycles, 0u);
      EXPECT_LE(cost.cycles + cost.latency, costs.shuffle.cycles + costs.shuffle.latency);
      EXPECT_LT(cost.cycles + cost.latency, 2 * (costs.transaction + costs.access) + costs.latency)
          << target.name << " " << mask;
    }
  }
}

TEST(Target, ShufflesThatAreCheaperThanOthers) {
  // Rows of 16 lanes move by a modifier of the instruction that takes the word; crossing them
  // takes an instruction more, and what is neither goes through shared memory's crossbar.
  const Target &amd = *Target::find("hip:gfx1100");
  auto inRow = shuffleCost(amd, [](unsigned lane) { return lane ^ 5; });
  auto across = shuffleCost(amd, [](unsigned lane) { return lane ^ 21; });
  auto anyhow =
      shuffleCost(amd, [](unsigned lane) { return lane < 16 ? lane + 16 : (lane + 1) % 16; });
  EXPECT_LT(inRow.cycles, across.cycles);
  EXPECT_EQ(across.latency, 0u);
  EXPECT_EQ(anyhow.latency, amd.costs.shuffle.latency);
  EXPECT_GT(anyhow.latency, 0u);

  // One lane is a scalar operand, a mask some moves of parts of a register.
  const Target &intel = *Target::find("xpu:bmg");
  auto one = shuffleCost(intel, [](unsigned) { return 3; });
  auto mask = shuffleCost(intel, [](unsigned lane) { return lane ^ 3; });
  auto other = shuffleCost(intel, [](unsigned lane) { return (lane + 1) % 16; });
  EXPECT_LT(one.cycles, mask.cycles);
  EXPECT_LT(mask.latency, other.latency);
  EXPECT_EQ(other.cycles, intel.costs.shuffle.cycles);

  // All are alike, whoever they are from.
  EXPECT_EQ(Target::find("cuda:90")->costs.fixedShuffle, nullptr);
}

TEST(Target, WidestAccesses) {
  EXPECT_EQ(Target::find("cuda:100")->global.maxAccessBits, 256u);
  for (const Target &target : Target::all())
    EXPECT_EQ(target.maxAccessBits(), 128u) << target.name;
}

TEST(Target, WarpSizes) {
  const Target *nvidia = Target::find("cuda:90"), *intel = Target::find("xpu:pvc");
  EXPECT_EQ(nvidia->warpSizesText(), "32");
  EXPECT_FALSE(nvidia->hasWarpSize(16));
  EXPECT_EQ(intel->warpSizesText(), "16 or 32");
  EXPECT_EQ(intel->execution.threadsPerWarp, 16u);
  EXPECT_TRUE(intel->hasWarpSize(32));
  EXPECT_FALSE(intel->hasWarpSize(64));
  EXPECT_EQ(Target::find("hip:gfx942")->warpSizesText(), "64");
  EXPECT_EQ(Target::find("hip:gfx1201")->warpSizesText(), "32");
}

} // namespace
