//===- ChannelTest.cpp - Rings of buffers -------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/Channel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

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

/// Whether `buffers` do for a ring that is filled in stage `fillStage` in front of the op at
/// `fillPlace` of a body of `places` ops, played through op by op: a read of stage s in body b is
/// of tile b - s. What a unit reads it reads until the op at one of `waits` is over.
bool isLongEnough(unsigned buffers, unsigned fillStage, unsigned fillPlace, unsigned places,
                  const std::vector<RingRead> &reads, const std::vector<unsigned> &waits) {
  std::vector<int> tiles(buffers, -1);
  std::set<int> read;
  for (int body = 0; body < 30; ++body)
    for (unsigned place = 0; place <= places; ++place) {
      if (const int tile = body - int(fillStage); place == fillPlace && tile >= 0) {
        int &old = tiles[tile % buffers];
        if (read.contains(old))
          return false;
        old = tile;
      }
      for (const RingRead &each : reads) {
        const int tile = body - int(each.stage);
        if (each.place != place || tile < 0)
          continue;
        if (tiles[tile % buffers] != tile)
          return false;
        if (each.isOfUnit)
          read.insert(tile);
      }
      if (std::ranges::find(waits, place) != waits.end())
        read.clear();
    }
  return true;
}

TEST(Channel, HasTheFewestBuffersForReadsOneByOne) {
  constexpr unsigned places = 4;
  unsigned rings = 0;
  for (unsigned fillPlace = 0; fillPlace <= places; ++fillPlace)
    for (unsigned waits = 0; waits < 1 << places; ++waits)
      // Two reads, each of some stage, at some place, of a unit or of threads.
      for (unsigned code = 0; code < (3 * places * 2) * (3 * places * 2); ++code) {
        std::vector<RingRead> reads;
        for (unsigned rest = code, i = 0; i < 2; ++i, rest /= 3 * places * 2)
          reads.push_back({1 + rest % 3, rest / 3 % places, rest / (3 * places) % 2 == 1});
        std::vector<unsigned> waitPlaces;
        for (unsigned place = 0; place < places; ++place)
          if (waits >> place & 1)
            waitPlaces.push_back(place);
        // A unit that nobody waits for reads each tile until it reads the next one.
        if (waitPlaces.empty() && (reads[0].isOfUnit || reads[1].isOfUnit))
          continue;
        ++rings;
        const unsigned buffers = countBuffers(0, fillPlace, reads, waitPlaces);
        ASSERT_TRUE(isLongEnough(buffers, 0, fillPlace, places, reads, waitPlaces))
            << fillPlace << " " << waits << " " << code;
        if (buffers > 1) {
          ASSERT_FALSE(isLongEnough(buffers - 1, 0, fillPlace, places, reads, waitPlaces))
              << fillPlace << " " << waits << " " << code;
        }
      }
  EXPECT_GT(rings, 40000u);
}

TEST(Channel, OfOneBufferThatThreadsStoreToHasNoIndex) {
  EXPECT_FALSE(ChannelKind().hasIndices());
  EXPECT_TRUE((ChannelKind{FillCompletion::Stores, 2, 0, 1}.hasIndices()));
  EXPECT_TRUE((ChannelKind{FillCompletion::Barrier, 1, 0, 1}.hasIndices()));
}

} // namespace
