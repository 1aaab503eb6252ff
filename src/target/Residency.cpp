//===- Residency.cpp - Blocks that a multiprocessor holds at a time -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/Residency.h"

#include <algorithm>
#include <limits>

using namespace tilewright::target;

static constexpr unsigned noLimit = std::numeric_limits<unsigned>::max();

static uint64_t roundUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

/// The warps for which the registers suffice. Each partition has its own file, so what one
/// partition has left is of no use to another's warp.
static unsigned warpsByRegisters(const Multiprocessor &multiprocessor, unsigned registers) {
  if (registers == 0)
    return noLimit;
  const auto taken = static_cast<unsigned>(roundUp(registers, multiprocessor.registerUnit));
  return multiprocessor.registersPerPartition / taken * multiprocessor.partitions;
}

/// The bytes that a block of `bytes` takes; more than there are if no size is so large.
static uint64_t allocatedSharedBytes(const Multiprocessor &multiprocessor, uint64_t bytes) {
  const uint64_t needed = bytes + multiprocessor.reservedSharedBytes;
  if (needed == 0 || multiprocessor.sharedSizes.empty())
    return roundUp(needed, multiprocessor.sharedUnit);
  const auto size = std::ranges::lower_bound(multiprocessor.sharedSizes, needed);
  return size == multiprocessor.sharedSizes.end() ? uint64_t(multiprocessor.sharedBytes) + 1
                                                  : *size;
}

static unsigned divideOrNoLimit(uint64_t whole, uint64_t part) {
  return part == 0 ? noLimit : static_cast<unsigned>(whole / part);
}

Residency tilewright::target::findResidency(const Multiprocessor &multiprocessor,
                                            const BlockNeeds &block) {
  const unsigned warps = std::max(block.warps, 1u);
  const Residency limits[] = {
      {warps == 1 ? multiprocessor.maxBlocks
                  : std::min(multiprocessor.maxBlocks, multiprocessor.maxBlocksWithBarrier),
       Bound::Blocks},
      {multiprocessor.maxWarps() / warps, Bound::Warps},
      {warpsByRegisters(multiprocessor, block.registers) / warps, Bound::Registers},
      {divideOrNoLimit(multiprocessor.sharedBytes,
                       allocatedSharedBytes(multiprocessor, block.sharedBytes)),
       Bound::SharedMemory},
      {divideOrNoLimit(multiprocessor.tensorColumns, block.tensorColumns), Bound::TensorMemory}};
  return *std::ranges::min_element(limits, {}, &Residency::blocks);
}

unsigned tilewright::target::registersForWarps(const Multiprocessor &multiprocessor,
                                               unsigned warps) {
  const auto ofPartition =
      static_cast<unsigned>(roundUp(std::max(warps, 1u), multiprocessor.partitions)) /
      multiprocessor.partitions;
  if (ofPartition > multiprocessor.warpsPerPartition)
    return 0;
  const unsigned registers = multiprocessor.registersPerPartition / ofPartition;
  return registers / multiprocessor.registerUnit * multiprocessor.registerUnit;
}

uint64_t tilewright::target::sharedBytesForBlocks(const Multiprocessor &multiprocessor,
                                                  unsigned blocks) {
  uint64_t share = multiprocessor.sharedBytes / std::max(blocks, 1u);
  if (multiprocessor.sharedSizes.empty()) {
    share = share / multiprocessor.sharedUnit * multiprocessor.sharedUnit;
  } else {
    const auto larger = std::ranges::upper_bound(multiprocessor.sharedSizes, share);
    share = larger == multiprocessor.sharedSizes.begin() ? 0 : *std::prev(larger);
  }
  return share - std::min<uint64_t>(share, multiprocessor.reservedSharedBytes);
}

unsigned tilewright::target::countBusyWarps(const Multiprocessor &multiprocessor,
                                            const BlockNeeds &block) {
  return std::min(multiprocessor.busyWarps,
                  findResidency(multiprocessor, block).blocks * std::max(block.warps, 1u));
}
