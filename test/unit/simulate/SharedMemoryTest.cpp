//===- SharedMemoryTest.cpp - Race detection against brute force --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/SharedMemory.h"
#include "simulate/machine/Clocks.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilewright::simulate;

namespace {
struct Access {
  Accessor accessor;
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
  ASSERT_TRUE(memory.reserve(4, 1));
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

namespace {
/// What is ordered before what, straight from the definition: each warp knows a set of accesses,
/// which grows where warps meet.
class KnownAccesses {
public:
  static constexpr uint32_t warps = 3, lanes = 2;

  bool races(uint32_t thread, AccessKind kind) const {
    for (size_t i = 0; i < all.size(); ++i) {
      const Done &other = all[i];
      bool bothRead = other.kind == AccessKind::Load && kind == AccessKind::Load;
      bool bothAtomic = other.kind == AccessKind::Atomic && kind == AccessKind::Atomic;
      if (!bothRead && !bothAtomic && other.thread != thread && !known[thread / lanes][i])
        return true;
    }
    return false;
  }
  void add(uint32_t thread, AccessKind kind) {
    all.push_back({thread, kind});
    for (std::vector<bool> &of : known)
      of.push_back(false);
  }
  /// What a warp has done and knows.
  std::vector<bool> released(uint32_t warp) const {
    std::vector<bool> result = known[warp];
    for (size_t i = 0; i < all.size(); ++i)
      if (all[i].thread / lanes == warp)
        result[i] = true;
    return result;
  }
  void learn(uint32_t warp, const std::vector<bool> &more) {
    for (size_t i = 0; i < more.size(); ++i)
      if (more[i])
        known[warp][i] = true;
  }

private:
  struct Done {
    uint32_t thread;
    AccessKind kind;
  };
  std::vector<Done> all;
  std::vector<bool> known[warps];
};
} // namespace

// The same where some warps meet without the others, or arrive at a barrier without waiting: then
// what they released is acquired later than it was released.
TEST(SharedMemory, RacesOfWarpsThatMeetInParts) {
  constexpr uint32_t warps = KnownAccesses::warps, lanes = KnownAccesses::lanes;
  SharedMemory memory;
  ASSERT_TRUE(memory.reserve(4, 1));
  memory.trackWarps(warps);
  Clocks clocks(warps);
  clocks.trackWarps();
  std::mt19937 random(2);
  auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
  int found = 0, passed = 0;
  for (int history = 0; history < 20000; ++history) {
    memory.reset();
    clocks.reset();
    KnownAccesses known;
    // What has been released at two barriers: by the clocks and by the definition.
    struct Released {
      Clocks::Epochs epochs;
      std::vector<bool> accesses;
    } barriers[2];
    auto release = [&](uint32_t warp, Released &released) {
      clocks.release(warp, released.epochs);
      std::vector<bool> more = known.released(warp);
      released.accesses.resize(more.size());
      for (size_t i = 0; i < more.size(); ++i)
        released.accesses[i] = released.accesses[i] || more[i];
    };
    auto acquire = [&](uint32_t warp, const Released &released) {
      if (released.epochs.empty())
        return;
      clocks.acquire(warp, released.epochs);
      known.learn(warp, released.accesses);
    };
    bool empty = true;
    uint32_t storeShare = 1 + below(6), meetingShare = 1 + below(3);
    for (int step = 0; step < 60; ++step) {
      uint32_t warp = below(warps);
      if (below(meetingShare + 1) > 0) {
        switch (below(5)) {
        case 0:
          clocks.passWarpBarrier(warp);
          known.learn(warp, known.released(warp));
          break;
        case 1:
          clocks.passBlockBarrier();
          for (uint32_t from = 0; from < warps; ++from)
            for (uint32_t to = 0; to < warps; ++to)
              known.learn(to, known.released(from));
          break;
        case 2:
          release(warp, barriers[below(2)]);
          break;
        case 3:
          acquire(warp, barriers[below(2)]);
          break;
        case 4: {
          // Two warps meet at a barrier of their own.
          Released &barrier = barriers[below(2)];
          barrier = {};
          uint32_t other = (warp + 1) % warps;
          release(warp, barrier);
          release(other, barrier);
          acquire(warp, barrier);
          acquire(other, barrier);
          break;
        }
        }
        continue;
      }
      uint32_t thread = warp * lanes + below(lanes);
      AccessKind kind = empty ? AccessKind::Store
                        : below(storeShare) == 0
                            ? (below(2) ? AccessKind::Store : AccessKind::Atomic)
                            : AccessKind::Load;
      SharedMemory::Outcome outcome =
          memory.access(memory.begin() + 1, 1, kind, 7, clocks.now(thread, warp));
      bool expected = known.races(thread, kind);
      ASSERT_EQ(outcome.fault != SharedFault::None, expected)
          << "history " << history << " step " << step;
      if (expected) {
        ++found;
        break;
      }
      ++passed;
      known.add(thread, kind);
      empty = false;
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(passed, 10000);
}

// A thread reads twice, in different epochs, what another of its warp has read before: when it
// knows of the other's read it may write, though it does not know of an epoch between its own.
TEST(SharedMemory, OwnReadsInSeveralEpochs) {
  SharedMemory memory;
  ASSERT_TRUE(memory.reserve(1, 1));
  memory.trackWarps(1);
  Clocks clocks(1);
  clocks.trackWarps();
  auto access = [&](uint32_t thread, AccessKind kind) {
    return memory.access(memory.begin(), 1, kind, 0, clocks.now(thread, 0)).fault;
  };
  Clocks::Epochs first, second;
  EXPECT_EQ(access(0, AccessKind::Store), SharedFault::None);
  clocks.passWarpBarrier(0);
  EXPECT_EQ(access(0, AccessKind::Load), SharedFault::None);
  clocks.release(0, first);
  EXPECT_EQ(access(1, AccessKind::Load), SharedFault::None);
  clocks.release(0, second);
  EXPECT_EQ(access(1, AccessKind::Load), SharedFault::None);
  clocks.acquire(0, first);
  EXPECT_EQ(access(1, AccessKind::Store), SharedFault::None);
}

TEST(SharedMemory, BytesAreApart) {
  SharedMemory memory;
  ASSERT_TRUE(memory.reserve(8, 1));
  auto storeHalf = [&](uint64_t offset, uint32_t thread) {
    return memory.access(memory.begin() + offset, 2, AccessKind::Store, 0, {thread, 0, 0, 0}).fault;
  };
  // Two threads write the two halves of a word.
  EXPECT_EQ(storeHalf(0, 0), SharedFault::None);
  EXPECT_EQ(storeHalf(2, 1), SharedFault::None);
  EXPECT_EQ(storeHalf(3, 2), SharedFault::WriteAfterWrite);
  EXPECT_EQ(storeHalf(7, 0), SharedFault::OutOfBounds);
}
