//===- GlobalOrderTest.cpp - Races in global memory against brute force -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/GlobalOrder.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

using namespace tilewright::simulate;

namespace {

constexpr uint32_t blocks = 3, warps = 2, lanes = 2, threadsOfBlock = warps * lanes;

/// The order of accesses, straight from the definition: each thread knows a set of accesses,
/// which grows where threads meet and where they acquire.
class KnownAccesses {
public:
  using Set = std::set<size_t>;
  struct Done {
    uint32_t block, thread;
    AccessKind kind;
    bool isSilent;
  };
  struct Thread {
    Set known, fenced, met;
    bool hasFence = false;
  };

  Thread &of(uint32_t block, uint32_t thread) { return threads[block][thread]; }

  bool races(const Done &now) const {
    const Set &known = threads[now.block][now.thread].known;
    for (size_t i = 0; i < all.size(); ++i) {
      const Done &other = all[i];
      const bool bothRead = other.kind == AccessKind::Load && now.kind == AccessKind::Load;
      const bool bothAtomic = other.kind == AccessKind::Atomic && now.kind == AccessKind::Atomic;
      // A store that changes nothing may stand beside loads and stores; so may the loads beside it.
      const bool isHarmless = (now.isSilent && other.kind != AccessKind::Atomic) ||
                              (other.isSilent && now.kind == AccessKind::Load);
      if (!bothRead && !bothAtomic && !isHarmless && !known.contains(i))
        return true;
    }
    return false;
  }
  void add(const Done &now) {
    threads[now.block][now.thread].known.insert(all.size());
    all.push_back(now);
  }
  void meet(uint32_t block, uint32_t first, uint32_t count) {
    Set united;
    for (uint32_t t = first; t < first + count; ++t)
      united.insert(threads[block][t].known.begin(), threads[block][t].known.end());
    for (uint32_t t = first; t < first + count; ++t)
      threads[block][t].known = united;
  }
  /// An atomic operation on the variable that threads meet by, or on the element itself.
  void operate(uint32_t block, uint32_t thread, bool isData, const AtomicOrder &order) {
    Set &released = releasedAt[isData];
    Thread &who = threads[block][thread];
    (order.acquires ? who.known : who.met).insert(released.begin(), released.end());
    if (order.replaces)
      released.clear();
    if (order.releases)
      released.insert(who.known.begin(), who.known.end());
    else if (who.hasFence)
      released.insert(who.fenced.begin(), who.fenced.end());
  }
  void fence(uint32_t block, uint32_t thread, const AtomicOrder &order) {
    Thread &who = threads[block][thread];
    if (order.acquires)
      who.known.insert(who.met.begin(), who.met.end());
    if (order.releases) {
      who.fenced = who.known;
      who.hasFence = true;
    }
  }
  const std::vector<Done> &history() const { return all; }

private:
  std::vector<Done> all;
  Thread threads[blocks][threadsOfBlock];
  Set releasedAt[2];
};

/// The epochs of a block.
struct Time {
  uint32_t block = 0;
  uint32_t warp[warps] = {};
};

} // namespace

// Random histories of one element of 4 bytes, until the first race. No race is found that is none;
// all are found unless several threads had accessed it with no order between them, of which one
// record is kept.
TEST(GlobalOrder, RacesAgainstTheWholeHistory) {
  std::mt19937 random(3);
  auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
  alignas(16) uint32_t memory[4] = {};
  const auto address = reinterpret_cast<uint64_t>(&memory[1]);
  const auto variable = reinterpret_cast<uint64_t>(&memory[3]);
  int found = 0, missed = 0, acrossBlocks = 0;
  for (int history = 0; history < 40000; ++history) {
    GlobalOrder order(warps);
    KnownAccesses known;
    Time times[blocks];
    std::memset(memory, 0, sizeof memory);
    const uint32_t storeShare = 1 + below(6), meetShare = 2 + below(4), used = 1 + below(blocks);
    for (int step = 0; step < 60; ++step) {
      const uint32_t block = below(used), thread = below(threadsOfBlock), warp = thread / lanes;
      order.setBlock(block);
      Time &time = times[block];
      if (below(meetShare) == 0) {
        if (below(2)) {
          ++time.block;
          known.meet(block, 0, threadsOfBlock);
        } else {
          ++time.warp[warp];
          known.meet(block, warp * lanes, lanes);
        }
        continue;
      }
      const Accessor now{thread, warp, time.block, time.warp[warp]};
      if (below(2)) {
        AtomicOrder what{.releases = below(2) == 0, .acquires = below(2) == 0};
        if (below(4) == 0) {
          order.fence(now, what);
          known.fence(block, thread, what);
        } else {
          what.replaces = below(8) == 0;
          ASSERT_EQ(order.atomic(variable, 4, 1, now, what).fault, GlobalFault::None);
          known.operate(block, thread, /*isData=*/false, what);
        }
        continue;
      }
      const AccessKind kind = below(storeShare) ? AccessKind::Load
                              : below(3)        ? AccessKind::Store
                                                : AccessKind::Atomic;
      GlobalOrder::Outcome outcome;
      KnownAccesses::Done access{block, thread, kind, false};
      if (kind == AccessKind::Store) {
        const uint32_t before = memory[1];
        if (below(3))
          ++memory[1];
        else
          access.isSilent = true;
        outcome = order.store(address, 4, 7, now, reinterpret_cast<const std::byte *>(&before));
      } else if (kind == AccessKind::Load) {
        // A site of its own for each thread: no load is a copy of another thread's.
        outcome = order.load(address, 4, 100 + block * threadsOfBlock + thread, now);
      } else {
        outcome = order.atomic(address, 4, 7, now, {});
        known.operate(block, thread, /*isData=*/true, {});
      }
      const bool expected = known.races(access);
      if (outcome.fault != GlobalFault::None) {
        ASSERT_TRUE(expected) << "history " << history << " step " << step;
        EXPECT_EQ(outcome.address, address);
        ++found;
        acrossBlocks += outcome.otherBlock != block;
      } else if (expected) {
        std::set<std::pair<uint32_t, uint32_t>> readers, others;
        for (const KnownAccesses::Done &done : known.history())
          (done.kind == AccessKind::Load ? readers : others).insert({done.block, done.thread});
        ASSERT_TRUE(readers.size() > 1 || others.size() > 1)
            << "history " << history << " step " << step;
        ++missed;
      }
      if (expected)
        break;
      known.add(access);
    }
  }
  EXPECT_GT(found, 20000);
  EXPECT_GT(acrossBlocks, 5000);
  EXPECT_LT(missed, found / 10);
}

// All threads that have a copy of an element load it, the first of them stores it, in whichever
// order they come to it; but no other thread, and not what is loaded at another place.
TEST(GlobalOrder, CopiesOfAnElement) {
  uint32_t memory = 0;
  const auto address = reinterpret_cast<uint64_t>(&memory);
  const std::byte before[4] = {std::byte(1)};
  constexpr uint32_t site = 5;
  for (uint32_t storing : {0u, 1u})
    for (uint32_t loadedBefore : {1u, 2u, 4u})
      for (uint32_t lastSite : {site, site + 1}) {
        GlobalOrder order(warps);
        order.setBlock(0);
        for (uint32_t thread = 0; thread < loadedBefore; ++thread)
          order.load(address, 4, site, {.thread = thread, .warp = thread / lanes});
        GlobalFault fault =
            order.store(address, 4, 9, {.thread = storing, .warp = storing / lanes}, before).fault;
        EXPECT_EQ(fault != GlobalFault::None, storing == 1);
        if (storing == 1)
          continue;
        fault = order.load(address, 4, lastSite, {.thread = 3, .warp = 1}).fault;
        EXPECT_EQ(fault != GlobalFault::None, lastSite != site);
      }
}

// Accesses of other sizes, and across pages, meet where their bytes do.
TEST(GlobalOrder, SizesOfAccesses) {
  std::vector<std::byte> memory(3 * 4096);
  const uint64_t page = (reinterpret_cast<uint64_t>(memory.data()) + 4095) / 4096 * 4096;
  const std::vector<std::byte> ones(64, std::byte(1));
  std::mt19937 random(4);
  for (int round = 0; round < 2000; ++round) {
    GlobalOrder order(warps);
    auto pick = [&](uint64_t &begin, uint32_t &bytes) {
      bytes = 1u << random() % 6;
      begin = page + 4096 - 64 + random() % (128 / bytes) * bytes;
    };
    uint64_t first, second;
    uint32_t firstBytes, secondBytes;
    pick(first, firstBytes);
    pick(second, secondBytes);
    order.setBlock(0);
    EXPECT_EQ(order.store(first, firstBytes, 1, {}, ones.data()).fault, GlobalFault::None);
    order.setBlock(1);
    const GlobalOrder::Outcome outcome = order.load(second, secondBytes, 2, {});
    const bool overlap = first < second + secondBytes && second < first + firstBytes;
    ASSERT_EQ(outcome.fault == GlobalFault::ReadAfterWrite, overlap);
    if (overlap) {
      EXPECT_EQ(outcome.address, std::max(first, second));
      EXPECT_EQ(outcome.otherBlock, 0u);
      EXPECT_EQ(outcome.otherSite, 1u);
    }
  }
}

// Atomic operations of two blocks are no race, unless one of them is for its block alone.
TEST(GlobalOrder, NarrowScopes) {
  uint32_t memory = 0;
  const auto address = reinterpret_cast<uint64_t>(&memory);
  for (bool firstIsNarrow : {false, true})
    for (bool secondIsNarrow : {false, true})
      for (uint32_t other : {0u, 1u}) {
        GlobalOrder order(warps);
        order.setBlock(0);
        order.atomic(address, 4, 1, {.thread = 0}, {.isNarrow = firstIsNarrow});
        order.setBlock(other);
        const GlobalFault fault =
            order.atomic(address, 4, 2, {.thread = 1}, {.isNarrow = secondIsNarrow}).fault;
        EXPECT_EQ(fault == GlobalFault::NarrowScope,
                  other == 1 && (firstIsNarrow || secondIsNarrow));
      }
}

// The blocks of a cluster know at its barrier what all of them have done, and no other block does.
TEST(GlobalOrder, BlocksThatMeet) {
  uint32_t memory = 0;
  const auto address = reinterpret_cast<uint64_t>(&memory);
  const std::byte before[4] = {std::byte(1)};
  GlobalOrder order(warps);
  order.setBlock(0);
  order.store(address, 4, 1, {}, before);
  order.setBlock(1);
  const uint32_t cluster[] = {0, 1};
  order.meet(cluster);
  EXPECT_EQ(order.load(address, 4, 2, {.thread = 3, .warp = 1}).fault, GlobalFault::None);
  order.setBlock(2);
  EXPECT_EQ(order.load(address, 4, 2, {}).fault, GlobalFault::ReadAfterWrite);
}
