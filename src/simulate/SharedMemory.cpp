//===- SharedMemory.cpp - A block's shared memory and its history -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/SharedMemory.h"

#include <algorithm>

#include <sys/mman.h>
#include <unistd.h>

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

bool SharedMemory::reserve(size_t wanted) {
  size_t page = sysconf(_SC_PAGESIZE);
  mapped = std::max(page, (wanted + page - 1) / page * page);
  void *memory = mapLow(mapped);
  if (!memory)
    return false;
  base = reinterpret_cast<uint64_t>(memory);
  bytes = wanted;
  history.resize(wanted);
  return true;
}

void SharedMemory::reset() { std::fill(history.begin(), history.end(), Byte()); }

bool SharedMemory::orderedBefore(const Event &earlier, const SharedAccessor &now) {
  if (earlier.thread == now.thread || earlier.blockEpoch != now.blockEpoch)
    return true;
  return earlier.warp == now.warp && earlier.warpEpoch != now.warpEpoch;
}

void SharedMemory::recordRead(Byte &byte, const Event &now) {
  Readers merged = Readers::OneThread;
  if (byte.readers != Readers::None && byte.read.blockEpoch == now.blockEpoch) {
    if (byte.readers == Readers::SeveralWarps || byte.read.warp != now.warp)
      merged = Readers::SeveralWarps;
    else if (byte.read.warpEpoch == now.warpEpoch &&
             (byte.readers == Readers::OneWarp || byte.read.thread != now.thread))
      merged = Readers::OneWarp;
  }
  byte.read = now;
  byte.readers = merged;
}

SharedMemory::Outcome SharedMemory::access(uint64_t address, uint32_t siteIndex, const Site &site,
                                           const SharedAccessor &accessor) {
  int64_t offset = static_cast<int64_t>(address - base);
  if (offset < 0 || site.bytes > bytes || static_cast<uint64_t>(offset) > bytes - site.bytes)
    return {SharedFault::OutOfBounds, offset, 0, 0};

  Event now{accessor.blockEpoch, accessor.warpEpoch, static_cast<uint16_t>(accessor.thread),
            static_cast<uint16_t>(accessor.warp), siteIndex};
  bool atomic = site.kind == AccessKind::Atomic;
  bool reads = site.kind != AccessKind::Store;
  bool writes = site.kind != AccessKind::Load;

  for (uint32_t i = 0; i < site.bytes; ++i) {
    Byte &byte = history[offset + i];
    auto fault = [&](SharedFault kind, const Event &other) {
      return Outcome{kind, offset + i, other.thread, other.site};
    };
    if (reads && !byte.written)
      return fault(SharedFault::Uninitialized, byte.write);
    bool raceable = byte.written && !(atomic && byte.atomic);
    if (raceable && !orderedBefore(byte.write, accessor))
      return fault(writes ? SharedFault::WriteAfterWrite : SharedFault::ReadAfterWrite, byte.write);
    if (writes && byte.readers != Readers::None && byte.read.blockEpoch == now.blockEpoch) {
      bool ordered = byte.readers == Readers::OneThread ? orderedBefore(byte.read, accessor)
                     : byte.readers == Readers::OneWarp
                         ? byte.read.warp == now.warp && byte.read.warpEpoch != now.warpEpoch
                         : false;
      if (!ordered)
        return fault(SharedFault::WriteAfterRead, byte.read);
    }
    if (writes) {
      byte.write = now;
      byte.written = true;
      byte.atomic = atomic;
      byte.readers = Readers::None;
    } else {
      recordRead(byte, now);
    }
  }
  return {};
}
