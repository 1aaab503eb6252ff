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

/// The warps with which a multiprocessor is busy in the loop.
static int countNeededWarps(const target::Target &target, const StageNeeds &needs) {
  const target::Multiprocessor &multiprocessor = target.multiprocessor;
  const int max =
      static_cast<int>(needs.readsProducts ? multiprocessor.maxWarps() : multiprocessor.busyWarps);
  if (needs.sumCycles == 0)
    return max;
  const unsigned ofIteration =
      (target.loops.cyclesOfProductGroups + needs.sumCycles - 1) / needs.sumCycles;
  const unsigned groups = std::max(target.loops.minProductGroups, ofIteration);
  return std::min(max, static_cast<int>(groups * target::warpsOfGroup));
}

std::optional<int> transform::getBufferCost(const target::Target &target, const StageNeeds &needs,
                                            const BufferNeeds &buffers) {
  const target::BlockNeeds block = {.warps = needs.warps,
                                    .registers = needs.registers,
                                    .sharedBytes = needs.usedBytes + buffers.bytes};
  if (block.sharedBytes > target.shared.maxBytes)
    return std::nullopt;
  const target::LoopCosts &costs = target.loops;
  const int needed = countNeededWarps(target, needs);
  const unsigned blocks = findResidency(target.multiprocessor, block).blocks;
  const int warps = std::min(needed, static_cast<int>(blocks * needs.warps));
  const int underWay = static_cast<int>(buffers.underWay);
  if (needs.waitsInIteration)
    return -underWay * warps;
  int cost = costs.warp * (needed - warps);
  cost -= underWay * (blocks == 1 ? costs.copyAlone : costs.copyAmongOthers);
  if (buffers.hasSecondBarrier)
    cost += needs.isNarrow ? costs.narrowBarrier : costs.barrier;
  // More than all warps of a multiprocessor are worth.
  if (underWay == 0)
    cost += 100 * costs.warp;
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
                                                const IssueNeeds &needs, unsigned stages) {
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

unsigned transform::chooseStages(const target::Target &target, const IssueNeeds &needs,
                                 unsigned asked) {
  const uint64_t tile = std::max<uint64_t>(needs.tileBytes, 1);
  const uint64_t limit =
      std::max(tile / target.global.bytesPerCycle, getComputeCycles(target, needs, 1).value_or(0));
  unsigned stages = std::min<uint64_t>(asked, 1 + (target.global.busyBytes + tile - 1) / tile);
  for (; stages > 1; --stages)
    if (std::optional<uint64_t> cycles = getComputeCycles(target, needs, stages);
        cycles && *cycles <= limit)
      break;
  return stages;
}

std::optional<uint64_t> transform::getIterationCycles(const target::Target &target,
                                                      const IssueNeeds &needs,
                                                      const BufferNeeds &buffers) {
  const target::Multiprocessor &multiprocessor = target.multiprocessor;
  const target::BlockNeeds block = {.warps = needs.warps,
                                    .registers = needs.registers,
                                    .sharedBytes = needs.usedBytes + buffers.bytes};
  if (block.sharedBytes > target.shared.maxBytes)
    return std::nullopt;
  const unsigned blocks = std::min(needs.maxBlocks, findResidency(multiprocessor, block).blocks);
  if (blocks == 0)
    return std::nullopt;
  uint64_t alone =
      uint64_t(needs.issueCycles) * multiprocessor.busyWarps / multiprocessor.partitions;
  const uint64_t copy = target.global.latency + needs.tileBytes / target.global.bytesPerCycle;
  const uint64_t hidden = buffers.underWay * alone;
  // A barrier of one warp waits for nobody.
  if (buffers.hasSecondBarrier && needs.warps > 1)
    alone += alone * target.loops.barrier / 100;
  alone += copy - std::min(copy, hidden);
  const uint64_t issued = uint64_t(needs.issueCycles) * needs.warps / multiprocessor.partitions;
  return std::max(issued, alone / blocks);
}
