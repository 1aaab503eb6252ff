//===- ChannelTest.cpp - Rings of buffers -------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/Channel.h"

#include <gtest/gtest.h>

using namespace tilewright::transform;

namespace {

/// Whether `buffers` do for a loop whose body fills in stage `fill` and drains in stage `drain`,
/// played through: body b fills the buffer of tile b - fill and drains that of tile b - drain.
/// Drains come before fills, or after them; a unit that `runsOn` reads its tile until those of the
/// next body begin.
bool isLongEnough(unsigned buffers, unsigned fill, unsigned drain, bool isFilledFirst,
                  bool runsOn) {
  constexpr int bodies = 40;
  std::vector<int> tiles(buffers, -1);
  int running = -1;
  auto doFill = [&](int body) {
    const int tile = body - int(fill);
    if (tile < 0)
      return true;
    int &old = tiles[tile % buffers];
    // What is not drained yet, and what a unit still reads, must not be there.
    const bool isFree = old < 0 || (old < body - int(drain) + (isFilledFirst ? 0 : 1));
    const bool isRead = old >= 0 && old == running;
    old = tile;
    return isFree && !isRead;
  };
  auto doDrain = [&](int body) {
    const int tile = body - int(drain);
    if (tile < 0)
      return true;
    running = runsOn ? tile : -1;
    return tiles[tile % buffers] == tile;
  };
  for (int body = 0; body < bodies; ++body) {
    const bool isRight =
        isFilledFirst ? doFill(body) && doDrain(body) : doDrain(body) && doFill(body);
    if (!isRight)
      return false;
  }
  return true;
}

TEST(Channel, HasTheFewestBuffersThatKeepEachTile) {
  for (unsigned fill : {0u, 1u, 2u})
    for (unsigned drain = fill + 1; drain < fill + 6; ++drain)
      for (bool isFilledFirst : {false, true})
        for (bool runsOn : {false, true}) {
          SCOPED_TRACE(testing::Message() << fill << " to " << drain << ", filled first "
                                          << isFilledFirst << ", runs on " << runsOn);
          const unsigned buffers =
              countBuffers(fill, drain, unsigned(isFilledFirst) + unsigned(runsOn));
          EXPECT_TRUE(isLongEnough(buffers, fill, drain, isFilledFirst, runsOn));
          if (buffers > 1) {
            EXPECT_FALSE(isLongEnough(buffers - 1, fill, drain, isFilledFirst, runsOn));
          }
        }
}

TEST(Channel, OfOneBufferThatThreadsStoreToHasNoIndex) {
  EXPECT_FALSE(ChannelKind().hasIndices());
  EXPECT_TRUE((ChannelKind{FillCompletion::Stores, 2, 0, 1}.hasIndices()));
  EXPECT_TRUE((ChannelKind{FillCompletion::Barrier, 1, 0, 1}.hasIndices()));
}

} // namespace
