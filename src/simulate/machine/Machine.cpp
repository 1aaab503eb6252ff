//===- Machine.cpp - Execution of the blocks of a launch ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/SuspendedBlock.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::simulate;

/// The loop iterations of a turn. Long turns cost little; short ones keep the lanes of a
/// warp close together, so that the counters need not remember much.
constexpr int64_t longShare = 1 << 16;
constexpr int64_t shortShare = 32;

Machine::Machine(const KernelMetadata &metadata, const SimulatorOptions &options,
                 GlobalMemory &memory, std::span<const LaunchBlock> launchBlocks, SharedBanks banks,
                 Trace *trace)
    : metadata(metadata), options(options), memory(memory), laneCount(metadata.threadsPerWarp),
      launchBlocks(launchBlocks), warpCount(metadata.numWarps), clocks(warpCount),
      fences(metadata.threadsPerBlock(), warpCount + 1),
      order(options.globalOrder ? std::optional<GlobalOrder>(std::in_place, warpCount + 1)
                                : std::nullopt),
      share(std::min(options.count ? shortShare : longShare, options.loopIterationLimit)),
      tracer(trace && metadata.numCtas == 1
                 ? std::optional<Tracer>(std::in_place, *trace, warpCount)
                 : std::nullopt),
      counters(banks, tracer ? &*tracer : nullptr) {
  for (const LaunchBlock &block : launchBlocks)
    launchBytes.emplace_back(block.bytes);
  threads.resize(metadata.threadsPerBlock());
  asyncQueues.resize(threads.size());
  bulkQueues.resize(threads.size());
  registers.sharedBytes = metadata.sharedBytes;
  warpExchange.machine = this;
  warpExchange.lanes = laneCount;
  warpExchange.lane.resize(laneCount);
}

Expected<void> Machine::launch(EntryPoint newEntry, size_t stackBytes,
                               const runtime::LaunchGrid &grid,
                               std::span<const uint64_t> newParameters, Report &newReport) {
  entry = newEntry;
  fiberBytes = stackBytes;
  parameters = newParameters;
  report = &newReport;
  loopCounts.clear();
  for (const auto &[name, counts] : loops)
    loopCounts.push_back(&report->loops.insert({name, counts}).first->second);
  error.reset();
  if (order)
    order->reset();
  while (fibers.size() < threads.size())
    fibers.push_back(std::make_unique<Fiber>(stackBytes));
  // Buffers may have come and gone since the last launch.
  for (Site &site : sites)
    if (site.object.empty())
      site.range = {};

  registers.blockSize[0] = threads.size();
  const auto &[programs, blocks, clusterBlocks, scratchBytes] = grid;
  registers.clusterBlocks = clusterBlocks;
  registers.clusterGrid[0] = programs.x;
  registers.clusterGrid[1] = programs.y;
  registers.clusterGrid[2] = programs.z;
  registers.gridSize[0] = blocks.x;
  registers.gridSize[1] = blocks.y;
  registers.gridSize[2] = blocks.z;
  for (size_t i = 0; i < launchBlocks.size(); ++i) {
    std::fill(launchBytes[i].begin(), launchBytes[i].end(), std::byte(0));
    launchBlocks[i].fill(registers, launchBytes[i]);
  }
  for (uint32_t z = 0; z < programs.z; ++z)
    for (uint32_t y = 0; y < programs.y; ++y)
      for (uint32_t x = 0; x < programs.x; ++x) {
        if (blocksPerCluster() > 1) {
          runCluster(x, y, z);
        } else {
          registers.cluster[0] = x;
          registers.cluster[1] = y;
          registers.cluster[2] = z;
          beginBlock(x, y, z);
          runBlock();
        }
        if (error)
          return *error;
      }
  return {};
}

void Machine::beginBlock(uint32_t x, uint32_t y, uint32_t z) {
  registers.block[0] = x;
  registers.block[1] = y;
  registers.block[2] = z;
  if (order)
    order->setBlock(numberOfBlock());
  std::fill(threads.begin(), threads.end(), Thread());
  beginAsyncBlock();
  clocks.reset();
  fences.reset();
  for (auto &[key, state] : blockStates)
    state->reset();
  barriers.clear();
  passedUnordered = false;
  shared.reset();
  for (std::unique_ptr<Fiber> &fiber : fibers)
    fiber->start(
        [](void *argument) {
          auto *machine = static_cast<Machine *>(argument);
          machine->entry(machine->parameters.data());
        },
        this);
  if (options.count)
    counters.beginBlock(sites.size(), warpCount, laneCount);
  if (tracer)
    tracer->beginBlock();
  ++report->blocks;
  report->threads += threads.size();
}

void Machine::runBlock() {
  for (;;) {
    bool progress = false;
    for (uint32_t warp = 0; warp < warpCount; ++warp) {
      progress |= runWarp(warp);
      if (error)
        return abandonAll();
    }
    bool ended = std::all_of(threads.begin(), threads.end(),
                             [](const Thread &thread) { return thread.state == State::Ended; });
    if (ended)
      break;
    if (isAtCluster())
      return;
    if (!progress) {
      reportDeadlock();
      return abandonAll();
    }
  }
  endAsyncBlock();
  if (order)
    order->endBlock();
  if (options.count)
    counters.endBlock(sites, *report);
}

/// Runs the warp's lanes until all of them have ended or wait for other warps, or until
/// each has had its share of a long loop. Says whether anything happened.
bool Machine::runWarp(uint32_t warp) {
  bool progress = false, goesOn;
  do {
    for (uint32_t thread = warpBegin(warp); thread < warpBegin(warp) + laneCount; ++thread) {
      if (threads[thread].state == State::AtPhase && passesPhase(threads[thread])) {
        threads[thread].state = State::Ready;
        if (tracer && standsForWarp(thread))
          tracer->endWait(warp, threads[thread].phaseAddress);
      }
      if (threads[thread].state != State::Ready)
        continue;
      runThread(thread);
      progress = true;
      if (error)
        return true;
    }
    goesOn = completeWarpOperations(warp);
    if (comeToBarrier(warp)) {
      progress = true;
      goesOn |= threads[warpBegin(warp)].barrier.arrivesOnly;
    }
    if (completeGroupOperation(warp))
      progress = goesOn = true;
    if (error)
      return true;
  } while (goesOn);
  return progress;
}

void Machine::runThread(uint32_t thread) {
  current = thread;
  registers.thread[0] = thread;
  registers.lane = thread % laneCount;
  registers.warp = thread / laneCount;
  registers.iterationsLeft = share;
  fibers[thread]->resume();
  threads[thread].iterations += share - std::max<int64_t>(registers.iterationsLeft, 0);
  if (fibers[thread]->idle()) {
    threads[thread].state = State::Ended;
    endAsyncThread(thread);
  } else if (!error && threads[thread].iterations >= options.loopIterationLimit) {
    // Checked here, not in `tick`: a turn may also end at a barrier in each round of the loop.
    error =
        makeError("a thread has gone round loops " + std::to_string(options.loopIterationLimit) +
                      " times: the kernel seems to run for ever",
                  "check the loops' conditions; the limit is an option of the simulator");
    error->notes.push_back(threadNote(thread));
  }
}

void Machine::abandonAll() {
  for (std::unique_ptr<Fiber> &fiber : fibers)
    fiber->cancel();
}

void Machine::tick() { fibers[current]->suspend(); }

void Machine::barrier(uint32_t site, const BarrierUse &use) {
  if (use.threads == 0 || use.threads % laneCount != 0 || use.threads > threads.size())
    return fail(site,
                "barrier " + std::to_string(use.number) + " is for " + std::to_string(use.threads) +
                    " threads, the block has " + std::to_string(threads.size()) + " in warps of " +
                    std::to_string(laneCount),
                "whole warps of the block meet at a barrier");
  Thread &thread = threads[current];
  thread.state = State::AtBarrier;
  thread.site = site;
  thread.barrier = use;
  fibers[current]->suspend();
}

void Machine::signalBarrier(uint32_t site, bool ordersShared) {
  Thread &thread = threads[current];
  if (thread.signalled)
    fail(site, "a thread signals a barrier twice without waiting in between");
  thread.signalled = true;
  thread.barrier.ordersShared = ordersShared;
}

void Machine::waitAtBarrier(uint32_t site, bool ordersShared) {
  Thread &thread = threads[current];
  if (!thread.signalled)
    return fail(site, "a thread waits at a barrier that it has not signalled");
  blockBarrier(site, ordersShared && thread.barrier.ordersShared);
  thread.signalled = false;
}

void Machine::trackWarps() {
  if (clocks.tracksWarps())
    return;
  // Asynchronous units count as one more warp.
  shared.trackWarps(warpCount + 1);
  clocks.trackWarps();
}

/// Has a warp come to the barrier that all of its lanes are at. Says whether that was so.
bool Machine::comeToBarrier(uint32_t warp) {
  using SamePlace = BarrierUse::SamePlace;
  std::span<Thread> lanes = std::span(threads).subspan(warpBegin(warp), laneCount);
  const uint32_t site = lanes[0].site;
  const BarrierUse use = lanes[0].barrier;
  bool ordersShared = true;
  for (const Thread &lane : lanes) {
    const BarrierUse &other = lane.barrier;
    if (lane.state != State::AtBarrier || other.number != use.number ||
        other.threads != use.threads || other.arrivesOnly != use.arrivesOnly ||
        (use.samePlace != SamePlace::Lane && lane.site != site))
      return false;
    ordersShared &= other.ordersShared;
  }
  if (barriers.size() <= use.number)
    barriers.resize(use.number + 1);
  Barrier &barrier = barriers[use.number];
  if (barrier.arrived == 0) {
    barrier.threads = use.threads;
    barrier.site = site;
    barrier.ordersShared = true;
    barrier.ofCluster = use.ofCluster;
    barrier.came.assign(warpCount, false);
    barrier.waiting.clear();
    barrier.released.clear();
  }
  current = warpBegin(warp);
  if (use.samePlace == SamePlace::Block && barrier.site != site)
    return false;
  if (barrier.threads != use.threads) {
    fail(site,
         "barrier " + std::to_string(use.number) + " is for " + std::to_string(use.threads) +
             " threads here, and for " + std::to_string(barrier.threads) +
             " where others have come to it",
         "all that meet at a barrier must give one number of threads");
    error->notes.push_back(noteAt(barrier.site, "they came here"));
    return false;
  }
  if (barrier.came[warp]) {
    fail(site,
         "a warp comes to barrier " + std::to_string(use.number) +
             " a second time before the others have come",
         "wait for them in between, at this barrier or at another one");
    error->notes.push_back(noteAt(barrier.site, "the first of those that have come did so here"));
    return false;
  }

  if (tracer)
    tracer->arrive(sites[site], warp);
  barrier.came[warp] = true;
  barrier.arrived += laneCount;
  barrier.ordersShared &= ordersShared;
  clocks.release(warp, barrier.released);
  for (Thread &lane : lanes)
    lane.state = use.arrivesOnly ? State::Ready : State::InBarrier;
  if (!use.arrivesOnly)
    barrier.waiting.push_back(warp);
  if (barrier.arrived == barrier.threads)
    completeBarrier(barrier);
  return true;
}

void Machine::completeBarrier(Barrier &barrier) {
  if (tracer)
    tracer->meet(barrier.waiting);
  for (uint32_t warp : barrier.waiting) {
    for (uint32_t lane = 0; lane < laneCount; ++lane)
      threads[warpBegin(warp) + lane].state = barrier.ofCluster ? State::AtCluster : State::Ready;
    if (barrier.ordersShared)
      clocks.acquire(warp, barrier.released);
  }
  if (!barrier.ordersShared)
    passedUnordered = true;
  else if (barrier.waiting.size() == warpCount)
    clocks.passBlockBarrier();
  ++report->barriers;
  barrier.arrived = 0;
}

uint64_t Machine::warpOperation(uint32_t site, uint64_t members,
                                const uint32_t (&operands)[WarpExchange::operandCount],
                                WarpCombine combine) {
  Thread &thread = threads[current];
  thread.state = State::AtWarpOperation;
  thread.site = site;
  thread.members = members;
  thread.combine = combine;
  std::copy(std::begin(operands), std::end(operands), thread.operands);
  fibers[current]->suspend();
  return thread.result;
}

void Machine::countOperation(uint32_t site) {
  ++report->warpOperations;
  if (!options.count)
    return;
  const std::string &operation = sites[site].operation;
  ++report->operations[operation];
  if (int loop = sites[site].loop; loop >= 0)
    ++loopCounts[loop]->operations[operation];
}

/// Completes those warp-wide operations that all of their lanes have reached.
bool Machine::completeWarpOperations(uint32_t warp) {
  bool completed = false;
  uint32_t begin = warpBegin(warp);
  for (uint32_t lane = 0; lane < laneCount; ++lane) {
    Thread &leader = threads[begin + lane];
    if (leader.state != State::AtWarpOperation || !(leader.members >> lane & 1))
      continue;
    bool all = true;
    for (uint32_t other = 0; other < laneCount && all; ++other) {
      const Thread &thread = threads[begin + other];
      if (leader.members >> other & 1)
        all = thread.state == State::AtWarpOperation && thread.site == leader.site &&
              thread.members == leader.members;
    }
    if (!all)
      continue;

    warpExchange.site = leader.site;
    warpExchange.firstThread = begin;
    warpExchange.members = leader.members;
    warpExchange.problem.clear();
    warpExchange.ordersMemory = false;
    for (uint32_t other = 0; other < laneCount; ++other)
      std::copy(std::begin(threads[begin + other].operands),
                std::end(threads[begin + other].operands), warpExchange.lane[other].operands);
    leader.combine(warpExchange);
    if (!warpExchange.problem.empty()) {
      current = begin + lane;
      fail(leader.site, warpExchange.problem);
    }
    if (error)
      return false;
    uint64_t members = leader.members;
    for (uint32_t other = 0; other < laneCount; ++other)
      if (members >> other & 1) {
        threads[begin + other].result = warpExchange.lane[other].result;
        threads[begin + other].state = State::Ready;
      }
    if (warpExchange.ordersMemory)
      clocks.passWarpBarrier(warp);
    countOperation(leader.site);
    if (tracer)
      tracer->operate(sites[leader.site], warp);
    completed = true;
  }
  return completed;
}

void Machine::groupOperation(uint32_t site, uint32_t warps, void *operand, GroupCombine combine) {
  if (current / (warps * laneCount) >= warpCount / warps)
    return fail(site,
                sites[site].operation + " takes " + std::to_string(warps) +
                    " consecutive warps, but the block has " + std::to_string(warpCount),
                "launch the kernel with a multiple of " + std::to_string(warps) + " warps");
  Thread &thread = threads[current];
  thread.state = State::AtGroupOperation;
  thread.site = site;
  thread.groupWarps = warps;
  thread.groupOperand = operand;
  thread.groupCombine = combine;
  fibers[current]->suspend();
}

/// Does the operation of several warps that the warp is at, if all of them are. Says whether it
/// was done.
bool Machine::completeGroupOperation(uint32_t warp) {
  const Thread &leader = threads[warpBegin(warp)];
  if (leader.state != State::AtGroupOperation)
    return false;
  const uint32_t first = warpBegin(warp / leader.groupWarps * leader.groupWarps);
  std::span<Thread> group = std::span(threads).subspan(first, leader.groupWarps * laneCount);
  for (const Thread &thread : group)
    if (thread.state != State::AtGroupOperation || thread.site != leader.site)
      return false;
  GroupExchange all{this, leader.site, first, {}};
  for (Thread &thread : group)
    all.operands.push_back(thread.groupOperand);
  current = first;
  leader.groupCombine(all);
  for (Thread &thread : group)
    thread.state = State::Ready;
  countOperation(leader.site);
  if (tracer)
    for (uint32_t each = 0; each < leader.groupWarps; ++each)
      tracer->operate(sites[leader.site], first / laneCount + each);
  return true;
}

void Machine::checkAddress(uint32_t siteIndex, uint64_t address) {
  Site &site = sites[siteIndex];
  if (site.space == MemorySpace::Generic) {
    if (address - shared.begin() < shared.size())
      return checkShared(siteIndex, address);
    if (fibers[current]->owns(address))
      return;
  }
  if (site.space == MemorySpace::Stack) {
    if (!fibers[current]->owns(address) || !fibers[current]->owns(address + site.bytes - 1))
      reportStack(siteIndex);
    return;
  }
  if (!site.object.empty()) {
    if (address - site.range.begin >= site.range.limit)
      return reportAddress(siteIndex, address);
    return reportMisaligned(siteIndex, address);
  }
  const Buffer *buffer =
      memory.containing(site.parameter >= 0 ? parameters[site.parameter] : address);
  // Where 16 bits are the word around them to an atomic operation, it may be the last of a buffer.
  // All memory is handed out in whole words.
  constexpr uint64_t atomicWordBytes = 4;
  uint64_t bytes = buffer ? buffer->bytes : 0;
  if (site.kind == AccessKind::Atomic)
    bytes = (bytes + atomicWordBytes - 1) / atomicWordBytes * atomicWordBytes;
  if (!buffer || address < buffer->begin || bytes < site.bytes ||
      address - buffer->begin > bytes - site.bytes)
    return reportAddress(siteIndex, address);
  if (buffer->isReadOnly && site.kind != AccessKind::Load)
    return reportReadOnly(siteIndex, *buffer);
  if (address % site.alignment != 0)
    return reportMisaligned(siteIndex, address);
  site.range = {buffer->begin, bytes - site.bytes + 1};
}

uint64_t Machine::bytesOfBufferAt(uint64_t address, bool isStore) const {
  const Buffer *buffer = memory.containing(address);
  if (buffer && isStore && buffer->isReadOnly)
    return 0;
  return buffer && address >= buffer->begin ? buffer->begin + buffer->bytes - address : 0;
}

bool Machine::checkBetweenSignalAndWait(uint32_t site) {
  if (!threads[current].signalled)
    return true;
  fail(site, "shared memory is accessed between the signal of a barrier and the wait",
       "access it before the signal or after the wait");
  return false;
}

void Machine::checkShared(uint32_t siteIndex, uint64_t address) {
  const Site &site = sites[siteIndex];
  if (!checkBetweenSignalAndWait(siteIndex))
    return;
  if (site.space == MemorySpace::Cluster)
    return checkRemote(siteIndex, address);
  if (accessShared(current, siteIndex, address, site.bytes) && address % site.alignment != 0)
    reportMisaligned(siteIndex, address);
}

void Machine::checkSharedRange(uint32_t siteIndex, uint64_t address) {
  const Site &site = sites[siteIndex];
  if (!shared.contains(address, site.bytes))
    reportShared(siteIndex,
                 {SharedFault::OutOfBounds, static_cast<int64_t>(address - shared.begin()), 0, 0});
  else if (address % site.alignment != 0)
    reportMisaligned(siteIndex, address);
}

bool Machine::accessShared(uint32_t thread, uint32_t site, uint64_t address, uint32_t bytes) {
  SharedMemory::Outcome outcome =
      shared.access(address, bytes, sites[site].kind, site, accessorOf(thread));
  if (outcome.fault == SharedFault::None)
    return true;
  current = thread;
  reportShared(site, outcome);
  return false;
}

std::vector<Accessor> Machine::accessorsOf(std::span<const uint32_t> threads) const {
  std::vector<Accessor> accessors;
  for (uint32_t thread : threads)
    accessors.push_back(accessorOf(thread));
  return accessors;
}

bool Machine::beginRead(uint32_t site, std::span<const uint32_t> group, MemoryRange range,
                        bool seesCopies) {
  const std::vector<Accessor> accessors = accessorsOf(group);
  SharedMemory::Outcome outcome =
      shared.beginRead(range.begin, range.bytes, site, accessors, fences, seesCopies);
  if (outcome.fault == SharedFault::None)
    return true;
  current = group.front();
  reportShared(site, outcome);
  return false;
}

void Machine::completeRead(uint32_t site, std::span<const uint32_t> threads, MemoryRange range) {
  shared.completeRead(range.begin, range.bytes, site, accessorsOf(threads));
}

void Machine::countAccess(uint32_t site, uint64_t address, bool active) {
  const Site &description = sites[site];
  uint64_t base = description.space == MemorySpace::Shared ? shared.begin() : 0;
  counters.access(site, description, current / laneCount, current % laneCount, address - base,
                  active, *report);
}

void Machine::countIteration(uint32_t loop) {
  if (current % laneCount == 0)
    ++loopCounts[loop]->iterations;
}
