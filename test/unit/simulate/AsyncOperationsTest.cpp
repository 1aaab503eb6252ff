//===- AsyncOperationsTest.cpp - Queues of outstanding operations -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/AsyncOperations.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilewright::simulate;

// Random programs of one thread, against the list of all operations with the number of the group
// of each: operation i writes address i.
TEST(AsyncQueue, CompletesAsManyAsItMust) {
  struct Issued {
    size_t group;
    bool complete = false;
  };
  std::mt19937 random(3);
  auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
  for (int program = 0; program < 500; ++program) {
    AsyncQueue queue;
    std::vector<Issued> all;
    size_t groups = 0, groupsAtWait = 0, left = 0;
    uint32_t waits = 0;
    for (int step = 0; step < 40; ++step) {
      switch (below(4)) {
      case 0:
      case 1:
        queue.issue({.thread = 7, .site = 1, .reads = {}, .writes = {all.size(), 1}});
        all.push_back({groups});
        break;
      case 2:
        queue.commit();
        ++groups;
        break;
      case 3: {
        left = below(4);
        groupsAtWait = groups;
        std::vector<uint64_t> expected, completed;
        for (size_t i = 0; i < all.size(); ++i)
          if (!all[i].complete && all[i].group + left < groups) {
            all[i].complete = true;
            expected.push_back(i);
          }
        for (const AsyncOperation &operation : queue.wait(left, ++waits))
          completed.push_back(operation.writes.begin);
        ASSERT_EQ(completed, expected);
        break;
      }
      }
      size_t outstanding = 0;
      for (size_t i = 0; i < all.size(); ++i) {
        std::optional<AsyncQueue::Status> status = queue.findWriter(i);
        ASSERT_EQ(status.has_value(), !all[i].complete);
        if (!status)
          continue;
        ++outstanding;
        bool isOpen = all[i].group == groups;
        ASSERT_EQ(status->groupsAfter,
                  isOpen ? std::nullopt : std::optional(groups - 1 - all[i].group));
        bool seenByWait = waits > 0 && all[i].group < groupsAtWait;
        ASSERT_EQ(status->lastWait.has_value(), seenByWait);
        if (seenByWait) {
          EXPECT_EQ(status->lastWait->site, waits);
          EXPECT_EQ(status->lastWait->left, left);
        }
      }
      ASSERT_EQ(queue.size(), outstanding);
    }
  }
}

TEST(AsyncOperation, CopiesAndFillsWithZeros) {
  const uint8_t from[4] = {1, 2, 3, 4};
  for (uint32_t read : {0u, 3u, 4u}) {
    uint8_t to[5] = {9, 9, 9, 9, 9};
    AsyncOperation{.reads = {reinterpret_cast<uint64_t>(from), read},
                   .writes = {reinterpret_cast<uint64_t>(to), 4}}
        .perform();
    for (uint32_t i = 0; i < 4; ++i)
      EXPECT_EQ(to[i], i < read ? from[i] : 0);
    EXPECT_EQ(to[4], 9);
  }
}
