//===- StageChoice.cpp - How many stages a loop is better off with ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/StageChoice.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::transform;

// Percents of an iteration; see the header.
static constexpr int costOfWarp = 100;
static constexpr int costOfCopyAlone = 15;
static constexpr int costOfCopyAmongOthers = 1;
static constexpr int costOfBarrier = 8;
static constexpr int costOfNarrowBarrier = 23;
/// More than all warps of a multiprocessor are worth.
static constexpr int costOfWaiting = 100 * costOfWarp;

/// Bytes under way with which a multiprocessor's memory is busy: decode attention of 64 blocks
/// reads 11.6 bytes a cycle and multiprocessor of an H200 where an iteration waits for its own 32
/// KiB, 22.1 with 32 KiB under way and 23.5 with 64 (docs/pipelining.md, "Which loads").
static constexpr uint64_t busyBytes = 64 * 1024;
/// Bytes that memory brings to a multiprocessor in a cycle where all of them read: 14.5 on an H100
/// SXM (3.35 TB/s, 132 multiprocessors, 1.755 GHz), 20.7 on an H200, 10.2 on an A100.
static constexpr uint64_t bytesPerCycle = 16;

/// The warps with which a multiprocessor is busy in the loop.
static int countNeededWarps(const target::Multiprocessor &multiprocessor, const StageNeeds &needs) {
  constexpr unsigned warpsOfGroup = 4, leastGroups = 2, cyclesOfGroups = 2 * 256;
  const int most =
      static_cast<int>(needs.readsProducts ? multiprocessor.maxWarps() : multiprocessor.busyWarps);
  if (needs.sumCycles == 0)
    return most;
  const unsigned groups =
      std::max(leastGroups, (cyclesOfGroups + needs.sumCycles - 1) / needs.sumCycles);
  return std::min(most, static_cast<int>(groups * warpsOfGroup));
}

std::optional<int> transform::getBufferCost(const target::Target &target, const StageNeeds &needs,
                                            const BufferNeeds &buffers) {
  const target::BlockNeeds block = {.warps = needs.warps,
                                    .registers = needs.registers,
                                    .sharedBytes = needs.usedBytes + buffers.bytes};
  if (block.sharedBytes > target.shared.maxBytes)
    return std::nullopt;
  const target::Multiprocessor &multiprocessor = target.multiprocessor;
  const int needed = countNeededWarps(multiprocessor, needs);
  const unsigned blocks = findResidency(multiprocessor, block).blocks;
  const int warps = std::min(needed, static_cast<int>(blocks * needs.warps));
  const int underWay = static_cast<int>(buffers.underWay);
  if (needs.waitsInIteration)
    return -underWay * warps;
  int cost = costOfWarp * (needed - warps);
  cost -= underWay * (blocks == 1 ? costOfCopyAlone : costOfCopyAmongOthers);
  if (buffers.hasSecondBarrier)
    cost += needs.isNarrow ? costOfNarrowBarrier : costOfBarrier;
  if (underWay == 0)
    cost += costOfWaiting;
  return cost;
}

std::optional<int> transform::getStageCost(const target::Target &target, const StageNeeds &needs,
                                           unsigned stages) {
  const auto costOf = [&](unsigned buffers, bool hasSecondBarrier) {
    return getBufferCost(target, needs, {buffers * needs.tileBytes, stages - 1, hasSecondBarrier});
  };
  if (needs.waitsInIteration)
    return costOf(stages, false);
  const std::optional<int> inFront = costOf(stages + 1, false), last = costOf(stages, true);
  return inFront && last ? std::min(inFront, last) : last;
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

/// The cycles that a multiprocessor computes an iteration of one block; nothing if not even one
/// block is resident. Where warps are fewer than keep it busy, slots stay empty.
static std::optional<uint64_t> getComputeCycles(const target::Target &target,
                                                const ReductionNeeds &needs, unsigned stages) {
  const target::Multiprocessor &multiprocessor = target.multiprocessor;
  const uint64_t buffers = stages > 1 ? stages : 0;
  const target::BlockNeeds block = {.warps = needs.warps,
                                    .registers = needs.registers,
                                    .sharedBytes = needs.usedBytes + needs.tileBytes * buffers};
  if (block.sharedBytes > target.shared.maxBytes)
    return std::nullopt;
  const unsigned resident = countBusyWarps(multiprocessor, block);
  if (resident == 0)
    return std::nullopt;
  const uint64_t ofPartition =
      (needs.warps + multiprocessor.partitions - 1) / multiprocessor.partitions;
  return ofPartition * needs.issueCycles * multiprocessor.busyWarps / resident;
}

unsigned transform::chooseStages(const target::Target &target, const ReductionNeeds &needs,
                                 unsigned asked) {
  const uint64_t tile = std::max<uint64_t>(needs.tileBytes, 1);
  const uint64_t limit =
      std::max(tile / bytesPerCycle, getComputeCycles(target, needs, 1).value_or(0));
  unsigned stages = std::min<uint64_t>(asked, 1 + (busyBytes + tile - 1) / tile);
  for (; stages > 1; --stages)
    if (std::optional<uint64_t> cycles = getComputeCycles(target, needs, stages);
        cycles && *cycles <= limit)
      break;
  return stages;
}
