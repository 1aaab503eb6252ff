//===- SharedMemory.cpp - Shared memory of a block and its access history -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/SharedMemory.h"

#include "simulate/machine/ProxyFences.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::simulate;

SharedMemory::~SharedMemory() {
  if (base)
    munmap(reinterpret_cast<void *>(base), mapped);
}

/// Pages at an address below 4 GiB, or null. Where the system has no flag for it, low
/// addresses are offered as hints until one is taken.
static void *mapLow(size_t bytes) {
  constexpr int protection = PROT_READ | PROT_WRITE;
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_32BIT
  void *mapped = mmap(nullptr, bytes, protection, flags | MAP_32BIT, -1, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
#else
  for (uint64_t hint = uint64_t(1) << 28; hint < (uint64_t(1) << 32) - bytes; hint += 1 << 24) {
    void *mapped = mmap(reinterpret_cast<void *>(hint), bytes, protection, flags, -1, 0);
    if (mapped == MAP_FAILED)
      continue;
    if (reinterpret_cast<uint64_t>(mapped) + bytes <= uint64_t(1) << 32)
      return mapped;
    munmap(mapped, bytes);
  }
  return nullptr;
#endif
}

bool SharedMemory::reserve(size_t wanted, uint32_t blocks) {
  size_t page = sysconf(_SC_PAGESIZE);
  windowBytes = std::max(page, (wanted + page - 1) / page * page);
  windows = blocks > 1 ? blocks : 0;
  mapped = windowBytes * (1 + windows);
  void *memory = mapLow(mapped);
  if (!memory)
    return false;
  base = reinterpret_cast<uint64_t>(memory);
  bytes = wanted;
  history.resize(wanted * (1 + 2 * groups));
  if (!readers.empty())
    readers.resize(wanted);
  return true;
}

void SharedMemory::trackWarps(uint32_t warps) {
  tracks = true;
  groups = warps;
  history.assign(bytes * (1 + 2 * groups), Record());
}

void SharedMemory::trackReaders() { readers.resize(bytes); }

void SharedMemory::reset() {
  std::ranges::fill(history, Record());
  std::ranges::fill(readers, Reads());
}

bool SharedMemory::contains(uint64_t address, uint32_t count) const {
  return address >= base && count <= bytes && address - base <= bytes - count;
}

SharedMemory::Outcome SharedMemory::access(uint64_t address, uint32_t count, AccessKind kind,
                                           uint32_t site, const Accessor &accessor) {
  int64_t offset = static_cast<int64_t>(address - base);
  if (!contains(address, count))
    return {SharedFault::OutOfBounds, offset, 0, 0};

  // Kernels that do not track warps have three records for each byte, known when this is compiled.
  auto accessBytes = [&]<bool tracked>() -> Outcome {
    const Accessor now = accessor;
    const uint32_t warps = tracked ? groups : 1, own = tracked ? now.warp : 0;
    Record *byte = &history[offset * (1 + 2 * warps)];
    for (uint32_t i = 0; i < count; ++i, byte += 1 + 2 * warps) {
      Record &write = byte[0];
      const std::span<Record> atomics(byte + 1, warps), reads(byte + 1 + warps, warps);
      auto fault = [&](SharedFault what, const Record &other) {
        return Outcome{other.who == Who::Outstanding ? SharedFault::Outstanding : what, offset + i,
                       other.thread, other.site};
      };
      auto firstUnordered = [&](std::span<Record> records) -> const Record * {
        for (const Record &record : records)
          if (!record.isOrderedBefore(now))
            return &record;
        return nullptr;
      };
      if (kind != AccessKind::Store && write.who == Who::Nobody &&
          std::ranges::all_of(atomics,
                              [](const Record &record) { return record.who == Who::Nobody; }))
        return fault(SharedFault::Uninitialized, write);

      SharedFault afterWrite =
          kind == AccessKind::Load ? SharedFault::ReadAfterWrite : SharedFault::WriteAfterWrite;
      if (!write.isOrderedBefore(now))
        return fault(afterWrite, write);
      if (kind != AccessKind::Atomic)
        if (const Record *atomic = firstUnordered(atomics))
          return fault(afterWrite, *atomic);
      if (kind != AccessKind::Load) {
        if (!readers.empty()) {
          Reads &outstanding = readers[offset + i];
          if (outstanding.count)
            return {SharedFault::OutstandingRead, offset + i, outstanding.thread, outstanding.site};
          outstanding.writerFences = now.fences;
          outstanding.isCopied = false;
        }
        if (const Record *read = firstUnordered(reads))
          return fault(SharedFault::WriteAfterRead, *read);
      }

      switch (kind) {
      case AccessKind::Load:
        reads[own].add(site, now);
        break;
      case AccessKind::Atomic:
        atomics[own].add(site, now);
        break;
      case AccessKind::Store:
        std::fill_n(byte, 1 + 2 * warps, Record());
        write.add(site, now);
        break;
      }
    }
    return {};
  };
  return tracks ? accessBytes.template operator()<true>()
                : accessBytes.template operator()<false>();
}

SharedMemory::Outcome SharedMemory::beginWrite(uint64_t address, uint32_t count, uint32_t site,
                                               const Accessor &accessor) {
  Outcome outcome = access(address, count, AccessKind::Store, site, accessor);
  if (outcome.fault == SharedFault::None)
    for (uint32_t i = 0; i < count; ++i)
      recordsOf(address - base + i)[0].who = Who::Outstanding;
  return outcome;
}

void SharedMemory::completeWrite(uint64_t address, uint32_t count, const Accessor &accessor) {
  for (uint32_t i = 0; i < count; ++i) {
    Record &write = recordsOf(address - base + i)[0];
    const uint32_t site = write.site;
    write = Record();
    write.add(site, accessor);
    if (!readers.empty()) {
      readers[address - base + i].writerFences = accessor.fences;
      readers[address - base + i].isCopied = true;
    }
  }
}

SharedMemory::Outcome SharedMemory::beginRead(uint64_t address, uint32_t count, uint32_t site,
                                              std::span<const Accessor> accessors,
                                              const ProxyFences &fences, bool seesCopies) {
  if (Outcome outcome = access(address, count, AccessKind::Load, site, accessors.front());
      outcome.fault != SharedFault::None)
    return outcome;
  for (uint32_t i = 0; i < count; ++i) {
    const int64_t offset = static_cast<int64_t>(address - base) + i;
    const Record &write = recordsOf(offset)[0];
    Reads &reads = readers[offset];
    auto fault = [&](SharedFault what) { return Outcome{what, offset, write.thread, write.site}; };
    for (const Accessor &accessor : accessors) {
      if (!write.isOrderedBefore(accessor))
        return fault(SharedFault::ReadAfterWrite);
      if (write.who == Who::Nobody || write.thread == unitThread ||
          (seesCopies && reads.isCopied) || fences.countOf(write.thread) > reads.writerFences)
        continue;
      const Accessor *fence = fences.lastOf(accessor.warp);
      // The writer's own fences have been counted.
      if (!fence || write.thread == fence->thread || !write.isOrderedBefore(*fence))
        return fault(SharedFault::MissingFence);
    }
    ++reads.count;
    reads.site = site;
    reads.thread = accessors.front().thread;
  }
  return {};
}

void SharedMemory::completeRead(uint64_t address, uint32_t count, uint32_t site,
                                std::span<const Accessor> accessors) {
  for (uint32_t i = 0; i < count; ++i) {
    const int64_t offset = static_cast<int64_t>(address - base) + i;
    --readers[offset].count;
    for (const Accessor &accessor : accessors)
      recordsOf(offset)[1 + groups + (tracks ? accessor.warp : 0)].add(site, accessor);
  }
}

SharedMemory::Suspended SharedMemory::copyRecords() const { return {history, readers}; }

void SharedMemory::suspend(uint32_t rank, Suspended &state) {
  std::memcpy(reinterpret_cast<void *>(windowOf(rank)), reinterpret_cast<void *>(base), bytes);
  std::swap(history, state.history);
  std::swap(readers, state.readers);
}

void SharedMemory::resume(uint32_t rank, Suspended &state) {
  std::memcpy(reinterpret_cast<void *>(base), reinterpret_cast<void *>(windowOf(rank)), bytes);
  std::swap(history, state.history);
  std::swap(readers, state.readers);
}

std::optional<uint32_t> SharedMemory::findWindow(uint64_t address, uint32_t count) const {
  for (uint32_t rank = 0; rank < windows; ++rank)
    if (address >= windowOf(rank) && count <= bytes && address - windowOf(rank) <= bytes - count)
      return rank;
  return std::nullopt;
}

SharedMemory::Outcome SharedMemory::checkRemoteLoad(const Suspended *state, uint64_t offset,
                                                    uint32_t count, uint32_t since) const {
  const std::vector<Record> &records = state ? state->history : history;
  for (uint32_t i = 0; i < count; ++i) {
    const Record &write = records[(offset + i) * (1 + 2 * groups)];
    const auto at = static_cast<int64_t>(offset + i);
    if (write.who == Who::Nobody)
      return {SharedFault::Uninitialized, at, 0, 0};
    if (write.who == Who::Outstanding || write.blockEpoch >= since)
      return {SharedFault::ReadAfterWrite, at, write.thread, write.site};
  }
  return {};
}
