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

bool SharedMemory::Record::isOrderedBefore(const SharedAccessor &now) const {
  if (who == Who::Nobody || blockEpoch != now.blockEpoch)
    return true;
  if (who == Who::SeveralWarps)
    return false;
  if (who == Who::OneThread && thread == now.thread)
    return true;
  return warp == now.warp && warpEpoch != now.warpEpoch;
}

void SharedMemory::Record::add(uint32_t newSite, const SharedAccessor &now) {
  Who merged = Who::OneThread;
  if (who != Who::Nobody && blockEpoch == now.blockEpoch) {
    if (who == Who::SeveralWarps || warp != now.warp)
      merged = Who::SeveralWarps;
    else if (warpEpoch == now.warpEpoch && (who == Who::OneWarp || thread != now.thread))
      merged = Who::OneWarp;
  }
  *this = {now.blockEpoch,
           now.warpEpoch,
           newSite,
           static_cast<uint16_t>(now.thread),
           static_cast<uint16_t>(now.warp),
           merged};
}

bool SharedMemory::contains(uint64_t address, uint32_t count) const {
  return address >= base && count <= bytes && address - base <= bytes - count;
}

SharedMemory::Outcome SharedMemory::access(uint64_t address, uint32_t count, AccessKind kind,
                                           uint32_t site, const SharedAccessor &accessor) {
  int64_t offset = static_cast<int64_t>(address - base);
  if (!contains(address, count))
    return {SharedFault::OutOfBounds, offset, 0, 0};

  for (uint32_t i = 0; i < count; ++i) {
    Byte &byte = history[offset + i];
    auto fault = [&](SharedFault what, const Record &other) {
      return Outcome{what, offset + i, other.thread, other.site};
    };
    bool initialized = byte.write.who != Who::Nobody || byte.atomic.who != Who::Nobody;
    if (kind != AccessKind::Store && !initialized)
      return fault(SharedFault::Uninitialized, byte.write);

    SharedFault afterWrite =
        kind == AccessKind::Load ? SharedFault::ReadAfterWrite : SharedFault::WriteAfterWrite;
    if (!byte.write.isOrderedBefore(accessor))
      return fault(afterWrite, byte.write);
    if (kind != AccessKind::Atomic && !byte.atomic.isOrderedBefore(accessor))
      return fault(afterWrite, byte.atomic);
    if (kind != AccessKind::Load && !byte.read.isOrderedBefore(accessor))
      return fault(SharedFault::WriteAfterRead, byte.read);

    switch (kind) {
    case AccessKind::Load:
      byte.read.add(site, accessor);
      break;
    case AccessKind::Atomic:
      byte.atomic.add(site, accessor);
      break;
    case AccessKind::Store:
      byte = Byte();
      byte.write.add(site, accessor);
      break;
    }
  }
  return {};
}
