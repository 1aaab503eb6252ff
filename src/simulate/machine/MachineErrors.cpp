//===- MachineErrors.cpp - Diagnostics of faulty kernels ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Messages speak of offsets into buffers, never of addresses, so that they are the same
// in every run.
//
//===--------------------------------------------------------------------------===//

#include "runtime/launch/LaunchArguments.h"
#include "simulate/machine/Machine.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace tilewright;
using namespace tilewright::simulate;

static std::string verbOf(const Site &site) {
  if (site.isAsync)
    return site.kind == AccessKind::Load ? "asynchronous read" : "asynchronous copy";
  switch (site.kind) {
  case AccessKind::Load:
    return "load";
  case AccessKind::Store:
    return "store";
  case AccessKind::Atomic:
    return "atomic access";
  }
  return "access";
}

static std::string bytesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

static std::string threadsText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " thread" : " threads");
}

Diagnostic Machine::threadNote(uint32_t thread) const {
  auto number = [](uint32_t value) { return std::to_string(value); };
  Diagnostic note;
  note.severity = Severity::Note;
  note.message = "in block (" + number(registers.block[0]) + ", " + number(registers.block[1]) +
                 ", " + number(registers.block[2]) + "), thread " + number(thread) + " (warp " +
                 number(thread / laneCount) + ", lane " + number(thread % laneCount) + ")";
  return note;
}

Diagnostic Machine::diagnosticAt(uint32_t site, std::string message, std::string remedy) const {
  Diagnostic diagnostic = makeError(std::move(message), std::move(remedy));
  diagnostic.where = sites[site].where;
  const std::string &file = diagnostic.where.file;
  if (!file.empty() && diagnostic.where.line > 0) {
    auto [source, added] = sources.try_emplace(file);
    if (added) {
      std::stringstream contents;
      contents << std::ifstream(file).rdbuf();
      source->second = contents.str();
    }
    diagnostic.sourceLine = sourceLineOf(source->second, diagnostic.where.line);
  }
  for (const SourceRange &caller : sites[site].inlinedAt) {
    Diagnostic note;
    note.severity = Severity::Note;
    note.where = caller;
    note.message = "called from here";
    diagnostic.notes.push_back(std::move(note));
  }
  return diagnostic;
}

Diagnostic Machine::noteAt(uint32_t site, std::string message) const {
  Diagnostic note = diagnosticAt(site, std::move(message));
  note.severity = Severity::Note;
  return note;
}

void Machine::fail(uint32_t site, std::string message, std::string remedy) {
  error = diagnosticAt(site, std::move(message), std::move(remedy));
  error->notes.push_back(threadNote(current));
}

std::string Machine::describeParameter(int parameter) const {
  const std::vector<runtime::KernelParameter> known = runtime::parametersOf(metadata);
  if (static_cast<size_t>(parameter) < known.size())
    return "argument '" + known[parameter].argument->name + "'";
  return static_cast<size_t>(parameter) < known.size() + metadata.tensorMaps.size()
             ? "a tensor map"
             : "the address of the programs' own memory";
}

void Machine::reportAddress(uint32_t siteIndex, uint64_t address) {
  const Site &site = sites[siteIndex];
  std::string what = verbOf(site) + " of " + bytesText(site.bytes);
  std::string name;
  if (!site.object.empty())
    return fail(siteIndex, what + " outside of " + site.object);
  const Buffer *buffer;
  if (site.parameter >= 0) {
    name = describeParameter(site.parameter);
    buffer = memory.containing(parameters[site.parameter]);
    if (!buffer)
      return fail(siteIndex, what + " through " + name + ", which points to no buffer",
                  "pass the address of memory that the device has allocated");
  } else {
    buffer = memory.nearest(address);
    if (!buffer)
      return fail(siteIndex, what + " at an address in no buffer");
    name = buffer->label.empty() ? "the nearest buffer" : "buffer '" + buffer->label + "'";
  }
  std::string size = ", which has " + bytesText(buffer->bytes);
  std::string remedy = "mask the elements that lie outside, or pass a larger array";
  if (address < buffer->begin)
    return fail(siteIndex,
                what + " begins " + bytesText(buffer->begin - address) + " before " + name + size,
                remedy);
  uint64_t end = address + site.bytes, bufferEnd = buffer->begin + buffer->bytes;
  fail(siteIndex,
       what + " at offset " + std::to_string(address - buffer->begin) + " ends " +
           bytesText(end - bufferEnd) + " past the end of " + name + size,
       remedy);
}

void Machine::reportReadOnly(uint32_t siteIndex, const Buffer &buffer) {
  const Site &site = sites[siteIndex];
  fail(siteIndex,
       verbOf(site) + " of " + bytesText(site.bytes) + " to '" + buffer.label +
           "', which is read-only",
       "pass an array that may be written, or a copy");
}

void Machine::reportStack(uint32_t siteIndex) {
  const Site &site = sites[siteIndex];
  fail(siteIndex, verbOf(site) + " of " + bytesText(site.bytes) +
                      " outside of the thread's stack, through a pointer of its address space");
}

void Machine::reportMisaligned(uint32_t siteIndex, uint64_t address) {
  const Site &site = sites[siteIndex];
  fail(siteIndex,
       "misaligned " + verbOf(site) + " of " + bytesText(site.bytes) +
           ": the address must be a multiple of " + std::to_string(site.alignment) + ", and is " +
           std::to_string(address % site.alignment) + " more than one",
       site.space == MemorySpace::Shared
           ? ""
           : "the divisibility that the signature promises does not hold for this value");
}

void Machine::reportShared(uint32_t siteIndex, const SharedMemory::Outcome &outcome) {
  const Site &site = sites[siteIndex];
  std::string what = verbOf(site) + " of " + bytesText(site.bytes);
  std::string at = std::to_string(outcome.offset);
  auto race = [&](const std::string &pair, const std::string &did) {
    fail(siteIndex,
         "race in shared memory: " + pair + " of byte " + at +
             " by two threads with no barrier between",
         passedUnordered ? "the barriers between the two accesses do not order shared memory: they "
                           "lack a fence or a flag for it"
                         : "a barrier is missing between the two accesses");
    error->notes.push_back(
        outcome.otherThread == unitThread
            ? noteAt(outcome.otherSite, "the copy that " + did +
                                            " it was issued here; this warp has not waited for it")
            : noteAt(outcome.otherSite,
                     "thread " + std::to_string(outcome.otherThread) + " " + did + " it here"));
  };
  switch (outcome.fault) {
  case SharedFault::None:
    return;
  case SharedFault::OutOfBounds:
    return fail(siteIndex, what + " at offset " + at + " outside of shared memory, which has " +
                               bytesText(shared.size()));
  case SharedFault::Uninitialized:
    return fail(siteIndex,
                what + " of shared memory that nothing has been stored to, at byte " + at);
  case SharedFault::WriteAfterWrite:
    return race("two writes", "wrote");
  case SharedFault::WriteAfterRead:
    return race("a read and then a write", "read");
  case SharedFault::ReadAfterWrite:
    return race("a write and then a read", "wrote");
  case SharedFault::Outstanding:
    return reportOutstanding(siteIndex, outcome);
  case SharedFault::OutstandingRead:
    fail(siteIndex,
         what + " of shared memory, of which byte " + at +
             " is still read by an outstanding asynchronous operation",
         "wait for the operation first, and meet the threads that did at a barrier after that");
    return addNote(outcome.otherSite,
                   "thread " + std::to_string(outcome.otherThread) + " issued the operation here");
  case SharedFault::MissingFence:
    fail(siteIndex,
         what + " of byte " + at +
             " of shared memory through the asynchronous proxy, which was written by a thread with "
             "no fence between the proxies since",
         "the thread that wrote it must make such a fence before it meets the others");
    return addNote(outcome.otherSite,
                   "thread " + std::to_string(outcome.otherThread) + " wrote it here");
  }
}

void Machine::reportOutstanding(uint32_t siteIndex, const SharedMemory::Outcome &outcome) {
  const Site &site = sites[siteIndex];
  const uint32_t issuer = outcome.otherThread;
  const uint64_t address = shared.begin() + outcome.offset;
  for (const auto &[where, barrier] : phaseBarriers)
    for (const AsyncOperation &copy : barrier.copies)
      if (address - copy.writes.begin < copy.writes.bytes)
        return reportOutstandingPhase(siteIndex, outcome, where, barrier);

  const std::string thread = issuer == current ? "the thread" : "thread " + std::to_string(issuer);
  auto groupsText = [](size_t count) {
    return std::to_string(count) + (count == 1 ? " group" : " groups");
  };
  const std::optional<AsyncQueue::Status> status = asyncQueues[issuer].findWriter(address);

  std::string remedy = thread + " must commit the copy to a group and wait for it";
  if (status && status->groupsAfter)
    remedy = thread + " must wait until at most " + groupsText(*status->groupsAfter) +
             (*status->groupsAfter == 1 ? " is" : " are") + " outstanding";
  if (issuer != current)
    remedy += ", and meet this thread at a barrier after that";
  fail(siteIndex,
       verbOf(site) + " of " + bytesText(site.bytes) + " of shared memory, of which byte " +
           std::to_string(outcome.offset) + " is written by an outstanding asynchronous copy",
       remedy);
  std::string since = status && status->lastWait ? "" : ", and has not waited since";
  error->notes.push_back(noteAt(outcome.otherSite, "thread " + std::to_string(issuer) +
                                                       " issued the copy here" + since));
  if (status && status->lastWait)
    error->notes.push_back(noteAt(
        status->lastWait->site, "its last wait, here, lets " + groupsText(status->lastWait->left) +
                                    " stay outstanding, and the copy's is among them"));
}

void Machine::reportOutstandingPhase(uint32_t siteIndex, const SharedMemory::Outcome &outcome,
                                     uint64_t address, const PhaseBarrier &barrier) {
  const Site &site = sites[siteIndex];
  const std::string parity = std::to_string(barrier.parity());
  fail(siteIndex,
       verbOf(site) + " of " + bytesText(site.bytes) + " of shared memory, of which byte " +
           std::to_string(outcome.offset) + " is written by an outstanding asynchronous copy",
       "wait for the end of the phase of parity " + parity + " first");
  error->notes.push_back(noteAt(outcome.otherSite, "the copy was issued here, and belongs to " +
                                                       describe(address, barrier)));
  if (barrier.lastWait)
    error->notes.push_back(
        noteAt(barrier.lastWait->site, "the last wait at that barrier, here, was for parity " +
                                           std::to_string(barrier.lastWait->parity)));
}

std::string Machine::describePhaseWait(const Thread &thread) const {
  auto found = phaseBarriers.find(thread.phaseAddress);
  if (found == phaseBarriers.end())
    return "a barrier that has ended";
  const PhaseBarrier &barrier = found->second;
  std::string text = "the end of the phase of parity " + std::to_string(thread.phaseParity) +
                     " of " + describe(thread.phaseAddress, barrier);
  if (barrier.pending > 0)
    text += ", to which " + std::to_string(barrier.pending) + " of " +
            std::to_string(barrier.arrivals) + " arrivals have not come";
  if (barrier.expectedBytes > barrier.issuedBytes)
    text += ", which expects " + bytesText(barrier.expectedBytes) + ", and copies bring " +
            std::to_string(barrier.issuedBytes);
  return text;
}

void Machine::addPhaseNotes(const Thread &thread, Diagnostic &diagnostic) const {
  auto found = phaseBarriers.find(thread.phaseAddress);
  if (found == phaseBarriers.end())
    return;
  const PhaseBarrier &barrier = found->second;
  diagnostic.notes.push_back(noteAt(barrier.site, "the barrier was made here"));
  if (barrier.expectedBytes > barrier.issuedBytes)
    diagnostic.notes.push_back(noteAt(*barrier.expectSite, "bytes were last expected here"));
  for (const AsyncOperation &copy : barrier.copies)
    diagnostic.notes.push_back(noteAt(copy.site, bytesText(copy.writes.bytes) + " come from here"));
}

/// "a barrier" that is for the whole block, "barrier 2, which is for 64 threads and 32 have come
/// to" if it is not.
std::string Machine::describeBarrier(const BarrierUse &use) const {
  if (use.number == 0 && use.threads == threads.size())
    return "a barrier";
  uint32_t arrived = use.number < barriers.size() ? barriers[use.number].arrived : 0;
  return "barrier " + std::to_string(use.number) + ", which is for " + threadsText(use.threads) +
         " and " + std::to_string(arrived) + (arrived == 1 ? " has" : " have") + " come to";
}

void Machine::reportDeadlock() {
  // The waiting points where threads wait, in the order of their first threads.
  struct WaitingPoint {
    State state;
    uint32_t site;
    uint32_t first;
    uint64_t count;
  };
  std::vector<WaitingPoint> waitingPoints;
  auto isAtBarrier = [](const auto &waiting) {
    return waiting.state == State::AtBarrier || waiting.state == State::InBarrier;
  };
  uint64_t ended = 0;
  for (uint32_t thread = 0; thread < threads.size(); ++thread) {
    const Thread &waiting = threads[thread];
    if (waiting.state == State::Ended) {
      ++ended;
      continue;
    }
    auto same =
        std::find_if(waitingPoints.begin(), waitingPoints.end(), [&](const WaitingPoint &point) {
          const Thread &first = threads[point.first];
          return isAtBarrier(point) == isAtBarrier(waiting) && point.site == waiting.site &&
                 first.barrier.number == waiting.barrier.number &&
                 first.phaseAddress == waiting.phaseAddress &&
                 first.phaseParity == waiting.phaseParity;
        });
    if (same == waitingPoints.end())
      waitingPoints.push_back({waiting.state, waiting.site, thread, 1});
    else
      ++same->count;
  }
  auto describe = [&](const WaitingPoint &point) {
    return threadsText(point.count) + (point.count == 1 ? " waits at " : " wait at ") +
           (point.state == State::AtPhase ? describePhaseWait(threads[point.first])
            : isAtBarrier(point)          ? describeBarrier(threads[point.first].barrier)
                                          : sites[point.site].operation) +
           ", the first is thread " + std::to_string(point.first);
  };
  Diagnostic diagnostic = diagnosticAt(
      waitingPoints.front().site,
      "the threads of a block wait for each other for ever: " + describe(waitingPoints.front()),
      "all threads must reach a barrier, and all lanes of a warp a warp-wide operation, together");
  for (const WaitingPoint &point : waitingPoints)
    if (point.state == State::AtPhase)
      addPhaseNotes(threads[point.first], diagnostic);
  for (size_t i = 1; i < waitingPoints.size(); ++i)
    diagnostic.notes.push_back(noteAt(waitingPoints[i].site, describe(waitingPoints[i])));
  if (ended > 0) {
    Diagnostic note;
    note.severity = Severity::Note;
    note.message = threadsText(ended) + (ended == 1 ? " has ended" : " have ended");
    diagnostic.notes.push_back(std::move(note));
  }
  diagnostic.notes.push_back(threadNote(waitingPoints.front().first));
  error = std::move(diagnostic);
}
