//===- SharedMemory.h - A block's shared memory and its history -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each byte of shared memory remembers its last plain write and the reads and atomic
// accesses since. Two accesses to a byte are ordered if
//
//   - one thread makes both, or
//   - the block passed a barrier in between, or
//   - the threads are of one warp, which met in a warp-wide operation in between.
//
// Time is therefore a pair of epochs: barriers that the block has passed, and warp-wide
// operations that the accessing thread's warp has. An earlier access by another thread
// is ordered before one now if its block epoch is older, or if it came from the same
// warp and its warp epoch is older. Otherwise, if one of the two writes, it is a race;
// two atomic accesses never race.
//
// One record each of reads and of atomics suffices: a later one replaces an earlier one
// that is ordered before it, and those that are not ordered with one another are merged
// into "several lanes of a warp" or "several warps". A plain write without a race is
// ordered after all that came before it, which can then be forgotten.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_SHAREDMEMORY_H
#define TILEWRIGHT_SIMULATE_SHAREDMEMORY_H

#include "simulate/Site.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilewright::simulate {

/// Who accesses shared memory, and when.
struct SharedAccessor {
  uint32_t thread = 0;
  uint32_t warp = 0;
  uint32_t blockEpoch = 0;
  uint32_t warpEpoch = 0;
};

enum class SharedFault {
  None,
  OutOfBounds,
  Uninitialized,
  WriteAfterWrite,
  WriteAfterRead,
  ReadAfterWrite,
};

class SharedMemory {
public:
  SharedMemory() = default;
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;
  ~SharedMemory();

  /// Makes room for `bytes` bytes at an address below 4 GiB, so that kernels may hold
  /// shared addresses in 32 bits. False if the host has no such room.
  bool reserve(size_t bytes);

  uint64_t begin() const { return base; }
  size_t size() const { return bytes; }

  /// Forgets all history: a new block.
  void reset();

  struct Outcome {
    SharedFault fault = SharedFault::None;
    /// The first byte at fault, from the beginning of shared memory.
    int64_t offset = 0;
    /// Another thread of the race and where its access stands; several threads may have
    /// read, then `otherThread` is the last.
    uint32_t otherThread = 0;
    uint32_t otherSite = 0;
  };

  /// Whether bytes [address, address + count) are shared memory.
  bool contains(uint64_t address, uint32_t count) const;

  /// Records an access of `count` bytes at a site and says what is wrong with it.
  Outcome access(uint64_t address, uint32_t count, AccessKind kind, uint32_t site,
                 const SharedAccessor &accessor);

private:
  enum class Who : uint8_t { Nobody, OneThread, OneWarp, SeveralWarps };
  /// Accesses of one kind that are not ordered with one another; the last stands for all.
  struct Record {
    uint32_t blockEpoch = 0;
    uint32_t warpEpoch = 0;
    uint32_t site = 0;
    uint16_t thread = 0;
    uint16_t warp = 0;
    Who who = Who::Nobody;

    bool isOrderedBefore(const SharedAccessor &now) const;
    void add(uint32_t newSite, const SharedAccessor &now);
  };
  struct Byte {
    Record write, atomic, read;
  };

  uint64_t base = 0;
  size_t bytes = 0;
  size_t mapped = 0;
  std::vector<Byte> history;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_SHAREDMEMORY_H
