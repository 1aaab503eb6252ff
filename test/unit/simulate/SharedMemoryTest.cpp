//===- SharedMemoryTest.cpp - Race detection against brute force --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/SharedMemory.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilewright::simulate;

namespace {
struct Access {
  SharedAccessor accessor;
  AccessKind kind;
};
} // namespace

/// Whether any earlier access conflicts with the new one, straight from the definition.
static bool races(const std::vector<Access> &earlier, const Access &now) {
  for (const Access &other : earlier) {
    bool bothRead = other.kind == AccessKind::Load && now.kind == AccessKind::Load;
    bool bothAtomic = other.kind == AccessKind::Atomic && now.kind == AccessKind::Atomic;
    if (bothRead || bothAtomic || other.accessor.thread == now.accessor.thread ||
        other.accessor.blockEpoch != now.accessor.blockEpoch)
      continue;
    if (other.accessor.warp == now.accessor.warp &&
        other.accessor.warpEpoch != now.accessor.warpEpoch)
      continue;
    return true;
  }
  return false;
}

// Random histories of one byte, until the first race: the summary that a byte keeps must
// find exactly what the whole history shows.
TEST(SharedMemory, RacesAgainstTheWholeHistory) {
  SharedMemory memory;
  ASSERT_TRUE(memory.reserve(4));
  EXPECT_LT(memory.begin() + memory.size(), uint64_t(1) << 32);
  std::mt19937 random(1);
  auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
  int found = 0;
  for (int history = 0; history < 20000; ++history) {
    memory.reset();
    std::vector<Access> earlier;
    uint32_t blockEpoch = 0, warpEpochs[2] = {0, 0};
    // The mix of kinds and of barriers differs between histories.
    uint32_t storeShare = 1 + below(6), barrierShare = 2 + below(8);
    for (int step = 0; step < 40; ++step) {
      if (below(barrierShare) == 0) {
        ++blockEpoch;
        continue;
      }
      uint32_t thread = below(6), warp = thread / 3;
      if (below(3) == 0)
        ++warpEpochs[warp];
      AccessKind kind = earlier.empty() ? AccessKind::Store
                        : below(storeShare) == 0
                            ? (below(2) ? AccessKind::Store : AccessKind::Atomic)
                            : AccessKind::Load;
      Access now{{thread, warp, blockEpoch, warpEpochs[warp]}, kind};
      SharedMemory::Outcome outcome = memory.access(memory.begin() + 1, 1, kind, 7, now.accessor);
      bool expected = races(earlier, now);
      ASSERT_EQ(outcome.fault != SharedFault::None, expected)
          << "history " << history << " step " << step;
      if (expected) {
        EXPECT_EQ(outcome.offset, 1);
        ++found;
        break;
      }
      earlier.push_back(now);
    }
  }
  EXPECT_GT(found, 1000);
}

TEST(SharedMemory, BytesAreApart) {
  SharedMemory memory;
  ASSERT_TRUE(memory.reserve(8));
  auto storeHalf = [&](uint64_t offset, uint32_t thread) {
    return memory.access(memory.begin() + offset, 2, AccessKind::Store, 0, {thread, 0, 0, 0}).fault;
  };
  // Two threads write the two halves of a word.
  EXPECT_EQ(storeHalf(0, 0), SharedFault::None);
  EXPECT_EQ(storeHalf(2, 1), SharedFault::None);
  EXPECT_EQ(storeHalf(3, 2), SharedFault::WriteAfterWrite);
  EXPECT_EQ(storeHalf(7, 0), SharedFault::OutOfBounds);
}
