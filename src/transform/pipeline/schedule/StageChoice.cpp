//===- StageChoice.cpp - How many stages a loop is better off with ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/StageChoice.h"

using namespace tilewright;
using namespace tilewright::transform;

// Percents of an iteration; see the header.
static constexpr int costOfWarp = 100;
static constexpr int costOfCopyAlone = 15;
static constexpr int costOfCopyAmongOthers = 1;
static constexpr int costOfBarrier = 8;
static constexpr int costOfNarrowBarrier = 23;

static uint64_t getSharedBytes(const StageNeeds &needs, unsigned buffers) {
  return needs.usedBytes + needs.tileBytes * buffers;
}

/// The buffers that a loop of so many stages takes, whether or not there is memory for them.
static unsigned countBuffers(const target::Target &target, const StageNeeds &needs,
                             unsigned stages) {
  const bool takesMore =
      !needs.waitsInIteration && getSharedBytes(needs, stages + 1) <= target.shared.maxBytes;
  return takesMore ? stages + 1 : stages;
}

std::optional<int> transform::getStageCost(const target::Target &target, const StageNeeds &needs,
                                           unsigned stages) {
  const unsigned buffers = countBuffers(target, needs, stages);
  const target::BlockNeeds block = {.warps = needs.warps,
                                    .sharedBytes = getSharedBytes(needs, buffers)};
  if (block.sharedBytes > target.shared.maxBytes)
    return std::nullopt;
  const target::Multiprocessor &multiprocessor = target.multiprocessor;
  const int warps = static_cast<int>(countBusyWarps(multiprocessor, block));
  const int underWay = static_cast<int>(stages) - 1;
  if (needs.waitsInIteration)
    return -underWay * warps;
  const bool isAlone = findResidency(multiprocessor, block).blocks == 1;
  int cost = costOfWarp * (static_cast<int>(multiprocessor.busyWarps) - warps);
  cost -= underWay * (isAlone ? costOfCopyAlone : costOfCopyAmongOthers);
  if (buffers == stages)
    cost += needs.isNarrow ? costOfNarrowBarrier : costOfBarrier;
  return cost;
}

unsigned transform::chooseStages(const target::Target &target, const StageNeeds &needs,
                                 unsigned asked) {
  unsigned best = asked;
  std::optional<int> least;
  for (unsigned stages : {asked, asked + 1}) {
    const std::optional<int> cost = getStageCost(target, needs, stages);
    if (!cost || (least && *cost > *least))
      continue;
    least = cost;
    best = stages;
  }
  return best;
}
