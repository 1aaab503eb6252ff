//===- MachineAsync.cpp - Asynchronous operations of a block ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/Machine.h"

#include <algorithm>
#include <utility>

using namespace tilewright;
using namespace tilewright::simulate;

/// The size of a barrier in shared memory.
constexpr uint32_t phaseBarrierBytes = 8;

void Machine::trackAsyncUnits() {
  trackWarps();
  shared.trackReaders();
}

void Machine::beginAsyncBlock() {
  for (AsyncQueue &queue : asyncQueues)
    queue.clear();
  for (AsyncQueue &queue : bulkQueues)
    queue.clear();
  phaseBarriers.clear();
}

void Machine::endAsyncThread(uint32_t thread) {
  report->unawaitedCopies += asyncQueues[thread].size();
  // A thread that has failed has ended, too.
  if (error || bulkQueues[thread].size() == 0)
    return;
  const AsyncOperation operation = bulkQueues[thread].take().front();
  fail(operation.site,
       "a thread ends while this copy of its may still read shared memory, which then is another "
       "block's",
       "the thread that issues such copies must wait for them");
}

void Machine::endAsyncBlock() {
  for (const auto &[address, barrier] : phaseBarriers)
    report->unawaitedCopies += barrier.copies.size();
}

//===--------------------------------------------------------------------------===//
// Operations in groups
//===--------------------------------------------------------------------------===//

bool Machine::beginAsyncWrite(const AsyncOperation &operation) {
  if (!checkBetweenSignalAndWait(operation.site))
    return false;
  SharedMemory::Outcome outcome = shared.beginWrite(operation.writes.begin, operation.writes.bytes,
                                                    operation.site, accessorOf(operation.thread));
  if (outcome.fault != SharedFault::None) {
    reportShared(operation.site, outcome);
    return false;
  }
  if (operation.writes.begin % sites[operation.site].alignment != 0) {
    reportMisaligned(operation.site, operation.writes.begin);
    return false;
  }
  if (options.asyncCompletion == AsyncCompletion::Early)
    operation.perform();
  return true;
}

void Machine::issueAsync(uint32_t site, MemoryRange reads, MemoryRange writes) {
  const AsyncOperation operation{current, site, reads, writes};
  if (!beginAsyncWrite(operation))
    return;
  asyncQueues[current].issue(operation);
  if (standsForWarp(operation.thread))
    traceIssue(operation);
}

/// Of what all lanes do: the last lane's turn is when the warp has done it.
bool Machine::standsForWarp(uint32_t thread) const { return thread % laneCount == laneCount - 1; }

void Machine::traceIssue(const AsyncOperation &operation) {
  if (tracer)
    tracer->issue(sites[operation.site], operation.thread / laneCount);
}

void Machine::traceCompletion(const AsyncOperation &operation) {
  if (tracer)
    tracer->complete(sites[operation.site], operation.thread / laneCount);
}

void Machine::waitAsync(uint32_t site, uint32_t left) {
  for (const AsyncOperation &operation : asyncQueues[current].wait(left, site)) {
    if (options.asyncCompletion == AsyncCompletion::Late)
      operation.perform();
    shared.completeWrite(operation.writes.begin, operation.writes.bytes, accessorOf(current));
    if (standsForWarp(operation.thread))
      traceCompletion(operation);
  }
}

void Machine::issueBulkRead(AsyncOperation operation) {
  const uint32_t site = operation.site;
  operation.thread = current;
  if (!checkBetweenSignalAndWait(site))
    return;
  const MemoryRange range = operation.reads;
  const Accessor now = accessorOf(current);
  SharedMemory::Outcome outcome =
      shared.beginRead(range.begin, range.bytes, site, {&now, 1}, fences, /*seesCopies=*/false);
  if (outcome.fault != SharedFault::None)
    return reportShared(site, outcome);
  if (range.begin % sites[site].alignment != 0)
    return reportMisaligned(site, range.begin);
  if (options.asyncCompletion == AsyncCompletion::Early)
    operation.perform();
  bulkQueues[current].issue(operation);
  traceIssue(operation);
}

void Machine::waitBulk(uint32_t site, uint32_t left) {
  for (const AsyncOperation &operation : bulkQueues[current].wait(left, site)) {
    if (options.asyncCompletion == AsyncCompletion::Late)
      operation.perform();
    if (operation.complete)
      operation.complete();
    const Accessor now = accessorOf(current);
    shared.completeRead(operation.reads.begin, operation.reads.bytes, operation.site, {&now, 1});
    traceCompletion(operation);
  }
}

//===--------------------------------------------------------------------------===//
// Phases
//===--------------------------------------------------------------------------===//

std::string Machine::describe(uint64_t address, const PhaseBarrier &barrier) const {
  return "the barrier at byte " + std::to_string(address - shared.begin()) + " (in phase " +
         std::to_string(barrier.ended) + ", of parity " + std::to_string(barrier.parity()) + ")";
}

PhaseBarrier *Machine::findPhaseBarrier(uint32_t site, uint64_t address) {
  if (address % phaseBarrierBytes != 0) {
    fail(site, "a barrier must be at an address that is a multiple of 8");
    return nullptr;
  }
  SharedMemory::Outcome outcome =
      shared.access(address, phaseBarrierBytes, AccessKind::Atomic, site, accessorOf(current));
  if (outcome.fault != SharedFault::None) {
    reportShared(site, outcome);
    return nullptr;
  }
  auto found = phaseBarriers.find(address);
  if (found != phaseBarriers.end())
    return &found->second;
  fail(site,
       "there is no barrier at byte " + std::to_string(address - shared.begin()) +
           " of shared memory",
       "a thread must make it (mbarrier.init), and the others must meet that thread after that");
  return nullptr;
}

void Machine::makePhaseBarrier(uint32_t site, uint64_t address, uint32_t arrivals) {
  checkShared(site, address);
  if (error)
    return;
  auto [entry, isNew] = phaseBarriers.try_emplace(address, site, arrivals);
  if (isNew)
    return;
  fail(site, "a barrier is made where there is one: " + describe(address, entry->second),
       "end that one first (mbarrier.inval)");
  error->notes.push_back(noteAt(entry->second.site, "it was made here"));
}

void Machine::endPhaseBarrier(uint32_t site, uint64_t address) {
  const PhaseBarrier *barrier = findPhaseBarrier(site, address);
  if (!barrier)
    return;
  if (!barrier->copies.empty()) {
    fail(site, describe(address, *barrier) + " ends while copies are under way that belong to it",
         "wait for the end of the phase first");
    error->notes.push_back(noteAt(barrier->copies.front().site, "the first was issued here"));
    return;
  }
  checkShared(site, address);
  phaseBarriers.erase(address);
}

void Machine::arriveAtPhase(uint32_t site, uint64_t address, uint32_t arrivals, uint64_t bytes) {
  PhaseBarrier *barrier = findPhaseBarrier(site, address);
  if (!barrier)
    return;
  if (arrivals > barrier->pending) {
    fail(site,
         "a thread arrives at " + describe(address, *barrier) + ", which has had all of its " +
             std::to_string(barrier->arrivals) + " arrivals",
         "somebody must wait for the end of a phase before threads arrive for the next one");
    if (barrier->expectSite)
      error->notes.push_back(noteAt(*barrier->expectSite, "an arrival of the phase was here"));
    return;
  }
  barrier->pending -= arrivals;
  barrier->expectedBytes += bytes;
  if (bytes > 0 || !barrier->expectSite)
    barrier->expectSite = site;
  clocks.release(current / laneCount, barrier->releasing);
  if (tracer)
    tracer->arriveAtPhase(current / laneCount, address);
  settlePhase(site, address, *barrier);
}

void Machine::arriveAfterCopies(uint32_t site, uint64_t address, bool counts) {
  PhaseBarrier *barrier = findPhaseBarrier(site, address);
  if (!barrier)
    return;
  std::ranges::move(asyncQueues[current].take(), std::back_inserter(barrier->copies));
  if (counts)
    arriveAtPhase(site, address, 1, 0);
}

void Machine::arriveAfter(uint32_t site, uint64_t address, std::function<void()> complete) {
  PhaseBarrier *barrier = findPhaseBarrier(site, address);
  if (!barrier)
    return;
  AsyncOperation operation{current, site, {}, {}};
  operation.move = [] {};
  operation.complete = std::move(complete);
  barrier->copies.push_back(std::move(operation));
  arriveAtPhase(site, address, 1, 0);
}

void Machine::issueBulkWrite(AsyncOperation operation, uint64_t address) {
  operation.thread = current;
  PhaseBarrier *barrier = findPhaseBarrier(operation.site, address);
  if (!barrier || !beginAsyncWrite(operation))
    return;
  barrier->issuedBytes += operation.writes.bytes;
  barrier->copies.push_back(operation);
  traceIssue(operation);
  settlePhase(operation.site, address, *barrier);
}

/// After an arrival or the issue of a copy.
void Machine::settlePhase(uint32_t site, uint64_t address, PhaseBarrier &barrier) {
  if (barrier.pending == 0 && barrier.issuedBytes > barrier.expectedBytes) {
    fail(barrier.expectSite.value_or(site),
         "copies bring " + std::to_string(barrier.issuedBytes) + " bytes to " +
             describe(address, barrier) + ", which expects " +
             std::to_string(barrier.expectedBytes) + " (mbarrier.expect_tx)",
         "expect the bytes of all copies of a phase, with those that lie outside of the tensor");
    for (const AsyncOperation &copy : barrier.copies)
      error->notes.push_back(
          noteAt(copy.site, std::to_string(copy.writes.bytes) + " bytes come from here"));
    return;
  }
  if (barrier.canEnd() &&
      (barrier.copies.empty() || options.asyncCompletion == AsyncCompletion::Early))
    endPhase(barrier);
}

void Machine::endPhase(PhaseBarrier &barrier) {
  const Accessor unit = clocks.now(unitThread, clocks.unit());
  for (const AsyncOperation &copy : barrier.copies) {
    if (options.asyncCompletion == AsyncCompletion::Late)
      copy.perform();
    if (copy.complete)
      copy.complete();
    // What moves bytes by itself is a thread's own copy, by the way of threads.
    Accessor writer = unit;
    if (!copy.move) {
      writer.thread = copy.thread;
      writer.fences = fences.countOf(copy.thread);
    }
    shared.completeWrite(copy.writes.begin, copy.writes.bytes, writer);
    traceCompletion(copy);
  }
  clocks.release(clocks.unit(), barrier.releasing);
  barrier.beginPhase();
}

void PhaseBarrier::beginPhase() {
  released = std::exchange(releasing, {});
  copies.clear();
  expectSite.reset();
  expectedBytes = issuedBytes = 0;
  pending = arrivals;
  ++ended;
}

/// Whether the phase that the thread waits for is over; one that can end ends.
bool Machine::passesPhase(const Thread &thread) {
  auto found = phaseBarriers.find(thread.phaseAddress);
  if (found == phaseBarriers.end())
    return false;
  PhaseBarrier &barrier = found->second;
  if (!barrier.isOver(thread.phaseParity) && barrier.canEnd())
    endPhase(barrier);
  return barrier.isOver(thread.phaseParity);
}

void Machine::waitForPhase(uint32_t site, uint64_t address, uint32_t parity) {
  PhaseBarrier *barrier = findPhaseBarrier(site, address);
  if (!barrier)
    return;
  barrier->lastWait = PhaseBarrier::Wait{site, parity};
  Thread &thread = threads[current];
  thread.site = site;
  thread.phaseAddress = address;
  thread.phaseParity = parity;
  if (!passesPhase(thread)) {
    thread.state = State::AtPhase;
    if (tracer && standsForWarp(current))
      tracer->beginWait(sites[site], current / laneCount);
    fibers[current]->suspend();
  }
  // The barrier is there: `passesPhase` has found it. Before the first phase has ended, nothing has
  // been released to it.
  if (const Clocks::Epochs &released = phaseBarriers.at(address).released; !released.empty())
    clocks.acquire(current / laneCount, released);
}
