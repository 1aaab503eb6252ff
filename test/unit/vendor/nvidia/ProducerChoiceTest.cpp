//===- ProducerChoiceTest.cpp - Whether copies get a warp of their own --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/ProducerChoice.h"
#include "vendor/nvidia/transform/ProducerRegisters.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::vendor::nvidia;

namespace {

const target::Target &hopper() { return *target::Target::find("cuda:90"); }

/// Attention of depth 128 in blocks of 128 x 128: Q stays, of K and V there are three buffers.
const ProducerNeeds attention = {
    .unitCycles = 1552, .registers = 220, .ringBytes = 6 * 32768, .usedBytes = 32768, .buffers = 3};
const transform::LoopStrategy chain = {.groups = 2, .isChainOfGroups = true};

TEST(ProducerChoice, IsForChainsWhoseBlockIsAlone) {
  EXPECT_TRUE(prefersProducer(hopper(), chain, 8, attention));
  EXPECT_FALSE(prefersProducer(hopper(), {.groups = 2}, 8, attention));
  // Two blocks have 128 registers a thread and half of the memory.
  ProducerNeeds small = {
      .unitCycles = 1552, .registers = 128, .ringBytes = 81920, .usedBytes = 16384, .buffers = 2};
  EXPECT_FALSE(prefersProducer(hopper(), chain, 8, small));
  small.registers = 136;
  EXPECT_TRUE(prefersProducer(hopper(), chain, 8, small));
  small.registers = 128;
  small.ringBytes = 114688;
  EXPECT_TRUE(prefersProducer(hopper(), chain, 8, small));
}

TEST(ProducerChoice, NeedsLongIterations) {
  ProducerNeeds brief = attention;
  brief.unitCycles = 784;
  EXPECT_FALSE(prefersProducer(hopper(), chain, 8, brief));
  brief.unitCycles = 1040;
  EXPECT_TRUE(prefersProducer(hopper(), chain, 8, brief));
  // Programs that have fewer iterations than others need longer ones.
  brief.isUneven = true;
  EXPECT_FALSE(prefersProducer(hopper(), chain, 8, brief));
  brief.unitCycles = 1552;
  EXPECT_TRUE(prefersProducer(hopper(), chain, 8, brief));
}

TEST(ProducerChoice, NeedsMemoryAndIterations) {
  ProducerNeeds full = attention;
  full.ringBytes = hopper().shared.maxBytes - full.usedBytes;
  EXPECT_FALSE(prefersProducer(hopper(), chain, 8, full));
  ProducerNeeds few = attention;
  few.trips = 3;
  EXPECT_FALSE(prefersProducer(hopper(), chain, 8, few));
  few.trips = 4;
  EXPECT_TRUE(prefersProducer(hopper(), chain, 8, few));
}

// A producer of one warp leaves 168 registers to each of nine: one partition of the multiprocessor
// has three warps.
TEST(ProducerChoice, SharesRegistersWhereMoreAreWanted) {
  EXPECT_FALSE(findRegisterShares(hopper(), 8, 168));
  EXPECT_EQ(findRegisterShares(hopper(), 8, 169), (target::RegisterShares{240, 24}));
  // Five warps have all that an instruction can name.
  EXPECT_FALSE(findRegisterShares(hopper(), 4, 255));
  EXPECT_FALSE(findRegisterShares(*target::Target::find("cuda:89"), 8, 200));
}

// Threads that copy keep two registers for the address of each copy, and 56; but not those that the
// block's threads want for their values, and 48.
TEST(ProducerChoice, LeavesRegistersForAddresses) {
  EXPECT_EQ(findKeptRegisters(hopper(), 8, 144, 32), 120u);
  EXPECT_EQ(shareWithProducer(hopper(), 8, 120), (target::RegisterShares{192, 120}));
  EXPECT_EQ(findKeptRegisters(hopper(), 8, 168, 32), 72u);
  EXPECT_EQ(shareWithProducer(hopper(), 8, 72), (target::RegisterShares{216, 72}));
  EXPECT_EQ(findKeptRegisters(hopper(), 8, 144, 8), 72u);
  // In whole units, and no fewer than a lane can keep.
  EXPECT_EQ(shareWithProducer(hopper(), 8, 79), (target::RegisterShares{216, 72}));
  EXPECT_EQ(shareWithProducer(hopper(), 8, findKeptRegisters(hopper(), 8, 255, 32)),
            (target::RegisterShares{240, 24}));
  EXPECT_FALSE(shareWithProducer(hopper(), 4, 120));
}

} // namespace
