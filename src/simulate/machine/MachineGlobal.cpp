//===- MachineGlobal.cpp - The order of global memory -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/Machine.h"

#include <cstring>

using namespace tilewright;
using namespace tilewright::simulate;

uint32_t Machine::numberOfBlock() const {
  const uint32_t *block = registers.block, *grid = registers.gridSize;
  return block[0] + grid[0] * (block[1] + grid[1] * block[2]);
}

std::string Machine::describeBlock(uint32_t number) const {
  const uint32_t *grid = registers.gridSize;
  return "block (" + std::to_string(number % grid[0]) + ", " +
         std::to_string(number / grid[0] % grid[1]) + ", " +
         std::to_string(number / grid[0] / grid[1]) + ")";
}

bool Machine::isGlobal(const Site &site, uint64_t address) const {
  if (site.space == MemorySpace::Global)
    return true;
  return site.space == MemorySpace::Generic && address - shared.begin() >= shared.size() &&
         !fibers[current]->owns(address);
}

bool Machine::accessGlobal(uint32_t thread, uint32_t site, uint64_t address, uint32_t bytes,
                           AccessKind kind, const std::byte *before, const AtomicOrder &what) {
  if (!order || bytes == 0)
    return true;
  if (kind == AccessKind::Store || what.replaces) {
    memory.markWritten(address, bytes);
  } else if (std::optional<uint64_t> unwritten = memory.findUnwritten(address, bytes)) {
    current = thread;
    reportUnwritten(site, *unwritten);
    return false;
  }
  const Accessor now = accessorOf(thread);
  GlobalOrder::Outcome outcome;
  switch (kind) {
  case AccessKind::Load:
    outcome = order->load(address, bytes, site, now);
    break;
  case AccessKind::Store:
    outcome = order->store(address, bytes, site, now, before);
    break;
  case AccessKind::Atomic:
    outcome = order->atomic(address, bytes, site, now, what);
    break;
  }
  if (outcome.fault == GlobalFault::None)
    return true;
  current = thread;
  reportGlobal(site, outcome);
  return false;
}

void Machine::loadGlobal(uint32_t site, uint64_t address) {
  if (isGlobal(sites[site], address))
    accessGlobal(current, site, address, sites[site].bytes, AccessKind::Load);
}

void Machine::keepStored(uint32_t site, uint64_t address) {
  const auto *bytes = reinterpret_cast<const std::byte *>(address);
  bytesBefore.assign(bytes, bytes + sites[site].bytes);
}

void Machine::storedGlobal(uint32_t site, uint64_t address) {
  if (isGlobal(sites[site], address))
    accessGlobal(current, site, address, sites[site].bytes, AccessKind::Store, bytesBefore.data());
}

void Machine::operateOnGlobal(uint32_t site, uint64_t address, const AtomicOrder &what) {
  if (isGlobal(sites[site], address))
    accessGlobal(current, site, address, sites[site].bytes, AccessKind::Atomic, nullptr, what);
}

void Machine::fenceGlobal(const AtomicOrder &what) { order->fence(accessorOf(current), what); }

/// "byte 12 of argument 'x'".
std::string Machine::describePlace(const Site &site, uint64_t address) const {
  const Buffer *buffer = memory.containing(address);
  if (!buffer)
    return "an element";
  return "byte " + std::to_string(address - buffer->begin) + " of " +
         (site.parameter >= 0     ? describeParameter(site.parameter)
          : buffer->label.empty() ? "the programs' own memory"
                                  : "argument '" + buffer->label + "'");
}

void Machine::reportUnwritten(uint32_t siteIndex, uint64_t address) {
  const Site &site = sites[siteIndex];
  fail(siteIndex,
       std::string(site.kind == AccessKind::Load ? "load" : "atomic access") + " of " +
           describePlace(site, address) + ", which nobody has written",
       "store to it first, mask the element, or pass an array with contents");
}

void Machine::reportGlobal(uint32_t siteIndex, const GlobalOrder::Outcome &outcome) {
  const Site &site = sites[siteIndex];
  const bool isNarrow = outcome.fault == GlobalFault::NarrowScope;
  const bool isWithin = outcome.otherBlock == numberOfBlock();
  const char *pair = outcome.fault == GlobalFault::WriteAfterWrite  ? "two writes"
                     : outcome.fault == GlobalFault::WriteAfterRead ? "a read and a write"
                     : isNarrow                                     ? "two atomic operations"
                                                                    : "a write and a read";
  fail(siteIndex,
       std::string("race in global memory: ") + pair + " of " +
           describePlace(site, outcome.address) + " by " +
           (isWithin ? "two threads of a program" : "two programs") +
           (isNarrow ? ", one of a scope within its program"
                     : ", and nothing orders one before the other"),
       isNarrow   ? "give both operations a scope that holds both programs, as \"gpu\""
       : isWithin ? "put tl.debug_barrier() between the two, or let one thread make both"
                  : "programs run in any order: let them access different elements, use atomic "
                    "operations, or launch two kernels");
  const char *did = isNarrow                                       ? " operates on"
                    : outcome.fault == GlobalFault::WriteAfterRead ? " reads"
                                                                   : " writes";
  addNote(outcome.otherSite,
          (outcome.otherBlock == GlobalOrder::severalBlocks ? "another block"
                                                            : describeBlock(outcome.otherBlock)) +
              ", thread " + std::to_string(outcome.otherThread) + did + " it here");
}
