//===- MachineCluster.cpp - The blocks of a cluster ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The blocks of a cluster take turns, which end where all threads of a block wait for the other
// blocks. So memory of another block is as it was at the last barrier of the cluster, and what has
// been written there since, in a turn before this one, is found to be read without a barrier.
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/SuspendedBlock.h"

#include <algorithm>
#include <utility>

using namespace tilewright;
using namespace tilewright::simulate;

/// The number of the barrier at which a block's threads meet before the block waits for others:
/// after all that kernels name.
static constexpr uint32_t clusterBarrier = 64;

Machine::~Machine() = default;

void Machine::exchange(SuspendedBlock &block) {
  std::swap(fibers, block.fibers);
  std::swap(threads, block.threads);
  std::swap(asyncQueues, block.asyncQueues);
  std::swap(bulkQueues, block.bulkQueues);
  std::swap(phaseBarriers, block.phaseBarriers);
  std::swap(clocks, block.clocks);
  std::swap(fences, block.fences);
  std::swap(blockStates, block.blockStates);
  std::swap(barriers, block.barriers);
  std::swap(passedUnordered, block.passedUnordered);
  std::swap(counters, block.counters);
}

void Machine::takeTurn(uint32_t rank) {
  if (rank == registers.rank)
    return;
  shared.suspend(registers.rank, blocks[registers.rank]->memory);
  exchange(*blocks[registers.rank]);
  exchange(*blocks[rank]);
  shared.resume(rank, blocks[rank]->memory);
  registers.rank = rank;
  registers.block[0] = registers.cluster[0] * blocksPerCluster() + rank;
  if (order)
    order->setBlock(numberOfBlock());
}

bool Machine::isAtCluster() const {
  return std::ranges::all_of(threads,
                             [](const Thread &thread) { return thread.state == State::AtCluster; });
}

void Machine::waitAtClusterBarrier(uint32_t site) {
  Thread &thread = threads[current];
  if (!thread.signalled)
    return fail(site, "a thread waits at the cluster's barrier without having arrived");
  barrier(site, {.number = clusterBarrier,
                 .threads = threadsPerBlock(),
                 .samePlace = BarrierUse::SamePlace::Lane,
                 .ofCluster = true});
  threads[current].signalled = false;
}

void Machine::passClusterBarrier() {
  std::vector<uint32_t> numbers;
  for (uint32_t rank = 0; rank < blocksPerCluster(); ++rank) {
    takeTurn(rank);
    for (Thread &thread : threads)
      thread.state = State::Ready;
    clocks.passBlockBarrier();
    blocks[rank]->clusterEpoch = clocks.now();
    numbers.push_back(numberOfBlock());
  }
  if (order)
    order->meet(numbers);
}

void Machine::runCluster(uint32_t x, uint32_t y, uint32_t z) {
  const uint32_t count = blocksPerCluster();
  while (blocks.size() < count) {
    auto block = std::make_unique<SuspendedBlock>(SuspendedBlock{shared.copyRecords(),
                                                                 {},
                                                                 threads,
                                                                 asyncQueues,
                                                                 bulkQueues,
                                                                 {},
                                                                 clocks,
                                                                 fences,
                                                                 {},
                                                                 {},
                                                                 false,
                                                                 counters});
    while (block->fibers.size() < threads.size())
      block->fibers.push_back(std::make_unique<Fiber>(fiberBytes));
    blocks.push_back(std::move(block));
  }
  const uint32_t cluster[] = {x, y, z};
  std::ranges::copy(cluster, registers.cluster);
  for (uint32_t rank = 0; rank < count; ++rank) {
    takeTurn(rank);
    beginBlock(x * count + rank, y, z);
    blocks[rank]->ended = false;
    blocks[rank]->clusterEpoch = 0;
  }
  for (bool ended = false; !ended;) {
    uint32_t endedBlocks = 0;
    for (uint32_t rank = 0; rank < count && !error; ++rank) {
      takeTurn(rank);
      if (!blocks[rank]->ended)
        runBlock();
      blocks[rank]->ended = !isAtCluster();
      endedBlocks += blocks[rank]->ended;
    }
    ended = endedBlocks == count;
    if (!error && endedBlocks > 0 && !ended)
      reportEndedBlock();
    if (error) {
      for (uint32_t rank = 0; rank < count; ++rank) {
        takeTurn(rank);
        abandonAll();
      }
      return;
    }
    if (!ended)
      passClusterBarrier();
  }
}

void Machine::reportEndedBlock() {
  const auto rankOf = [&](bool ended) {
    return static_cast<uint32_t>(
        std::ranges::find_if(blocks, [&](const auto &block) { return block->ended == ended; }) -
        blocks.begin());
  };
  takeTurn(rankOf(false));
  error = diagnosticAt(threads[0].site,
                       "block " + std::to_string(rankOf(false)) +
                           " of a cluster waits at the cluster's barrier, but block " +
                           std::to_string(rankOf(true)) + " has ended",
                       "all blocks of a cluster must reach its barriers");
  error->notes.push_back(threadNote(0));
}

//===----------------------------------------------------------------------------===//
// Memory of other blocks
//===----------------------------------------------------------------------------===//

uint64_t Machine::mapToBlock(uint32_t site, uint64_t address, uint32_t rank) {
  if (rank >= blocksPerCluster()) {
    fail(site, "there is no block " + std::to_string(rank) + " in a cluster of " +
                   std::to_string(blocksPerCluster()));
    return address;
  }
  return shared.windowOf(rank) + (address - shared.begin());
}

void Machine::checkRemote(uint32_t siteIndex, uint64_t address) {
  const Site &site = sites[siteIndex];
  const std::optional<uint32_t> rank = shared.findWindow(address, site.bytes);
  if (!rank)
    return fail(siteIndex, "memory of the cluster is accessed beyond what its blocks have");
  if (site.kind != AccessKind::Load)
    return fail(siteIndex, "the simulator knows loads alone from other blocks' shared memory");
  const std::string owner = "block " + std::to_string(*rank) + " of the cluster";
  const SuspendedBlock &block = *blocks[*rank];
  if (block.ended)
    return fail(siteIndex, "shared memory of " + owner + " is read, which may have ended",
                "let the cluster's blocks meet before they end");
  const uint64_t offset = address - shared.windowOf(*rank);
  const SharedMemory::Outcome outcome = shared.checkRemoteLoad(
      *rank == registers.rank ? nullptr : &block.memory, offset, site.bytes, block.clusterEpoch);
  const std::string where =
      "byte " + std::to_string(outcome.offset) + " of the shared memory of " + owner;
  if (outcome.fault == SharedFault::Uninitialized)
    return fail(siteIndex, where + " is read before it is written");
  if (outcome.fault == SharedFault::ReadAfterWrite) {
    fail(siteIndex, where + " is read with no barrier of the cluster after it was written",
         "let the cluster's blocks meet in between");
    return addNote(outcome.otherSite, "written here");
  }
  if (address % site.alignment != 0)
    reportMisaligned(siteIndex, address);
}
