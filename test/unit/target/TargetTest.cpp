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

using namespace tilewright::target;

namespace {

TEST(Target, SharedMemoryOfEachComputeCapability) {
  std::pair<const char *, unsigned> expected[] = {{"cuda:80", 166912},  {"cuda:86", 101376},
                                                  {"cuda:89", 101376},  {"cuda:90", 232448},
                                                  {"cuda:100", 232448}, {"cuda:120", 101376}};
  for (auto [name, bytes] : expected) {
    const Target *target = Target::find(name);
    ASSERT_TRUE(target) << name;
    EXPECT_EQ(target->maxSharedBytes, bytes) << name;
    EXPECT_EQ(target->defaultSharedBytes, 49152u);
    EXPECT_EQ(target->sharedMemory().maxBytes, bytes);
  }
}

TEST(Target, UnknownNamesListTheKnown) {
  EXPECT_EQ(Target::find("cuda:70"), nullptr);
  auto target = Target::parse("cuda:70");
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error(),
            "unknown target 'cuda:70'; known are cuda:80, cuda:86, cuda:89, cuda:90, cuda:100, "
            "cuda:120, hip:gfx1100, hip:gfx1150, hip:gfx1200, hip:gfx1201, xpu:pvc, xpu:bmg, "
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
    EXPECT_TRUE(target.hasWarpSize(target.threadsPerWarp));
    EXPECT_TRUE(std::is_sorted(target.warpSizes.begin(), target.warpSizes.end()));
    for (unsigned lanes : target.warpSizes)
      EXPECT_TRUE(std::has_single_bit(lanes));
    EXPECT_TRUE(std::has_single_bit(target.sharedBanks));
    EXPECT_LE(target.defaultSharedBytes, target.maxSharedBytes);
    EXPECT_TRUE(target.canCompile) << target.name;
    EXPECT_EQ(target.sharedBytesAtLaunch, target.vendor == Vendor::Nvidia);
    EXPECT_TRUE(target.name.starts_with("cuda:") == (target.vendor == Vendor::Nvidia));
  }
}

TEST(Target, WarpSizes) {
  const Target *nvidia = Target::find("cuda:90"), *intel = Target::find("xpu:pvc");
  EXPECT_EQ(nvidia->warpSizesText(), "32");
  EXPECT_FALSE(nvidia->hasWarpSize(16));
  EXPECT_EQ(intel->warpSizesText(), "16 or 32");
  EXPECT_EQ(intel->threadsPerWarp, 16u);
  EXPECT_TRUE(intel->hasWarpSize(32));
  EXPECT_FALSE(intel->hasWarpSize(64));
}

} // namespace
