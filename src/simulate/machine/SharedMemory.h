//===- SharedMemory.h - Shared memory of a block and its access history -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each byte of shared memory remembers its last plain write and the reads and atomic
// accesses since (AccessRecord.h says what is ordered). If one of two accesses that are not
// ordered writes, it is a race; two atomic accesses never race.
//
// One record each of reads and of atomics suffices for kernels whose warps meet all together or
// not at all: a later one replaces
// an earlier one that is ordered before it, and those that are not ordered with one
// another are merged into "several lanes of a warp" or "several warps". Where some warps
// may meet without the others, several warps are not one: there is a record for each warp
// (`trackWarps`). A plain write without a race is ordered after all that came before it,
// which can then be forgotten.
//
// A write may be outstanding (AsyncOperations.h): it has begun, and is ordered before
// nothing until it is complete. So may reads be: as long as any of a byte is, nobody may write
// it. Those that are made for a group of warps by another way to the memory need fences besides
// (ProxyFences.h).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_SHAREDMEMORY_H
#define TILEWRIGHT_SIMULATE_MACHINE_SHAREDMEMORY_H

#include "simulate/machine/AccessRecord.h"
#include "simulate/machine/Site.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tilewright::simulate {

class ProxyFences;

enum class SharedFault {
  None,
  OutOfBounds,
  Uninitialized,
  WriteAfterWrite,
  WriteAfterRead,
  ReadAfterWrite,
  /// Any access to what an outstanding operation writes.
  Outstanding,
  /// A write to what an outstanding operation reads.
  OutstandingRead,
  /// A read through the asynchronous proxy of what was written past it, with no fence between.
  MissingFence,
};

class SharedMemory {
public:
  SharedMemory() = default;
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;
  ~SharedMemory();

  struct Outcome {
    SharedFault fault = SharedFault::None;
    /// The first byte at fault, from the beginning of shared memory.
    int64_t offset = 0;
    /// Another thread of the race and where its access stands; several threads may have
    /// read, then `otherThread` is the last. For outstanding operations, who issued it and where.
    uint32_t otherThread = 0;
    uint32_t otherSite = 0;
  };

  /// Makes room for `bytes` bytes at an address below 4 GiB, so that kernels may hold
  /// shared addresses in 32 bits, and as much again for each of a cluster's `blocks`, if these are
  /// more than one (ClusterMemory). False if the host has no such room.
  bool reserve(size_t bytes, uint32_t blocks);
  /// Keeps records for each of so many warps from now on: some of them may meet without the
  /// others. Accesses say what their warps have `seen` then.
  void trackWarps(uint32_t warps);
  /// From now on reads may be outstanding.
  void trackReaders();

  uint64_t begin() const { return base; }
  size_t size() const { return bytes; }

  /// Forgets all history: a new block.
  void reset();

  // The blocks of a cluster run in turns: the one whose turn it is has its memory at `begin()`, and
  // each has a window in which it was when its last turn ended.

  /// The state of a block's memory while another one's turn is.
  struct Suspended;
  /// Records like those of now, for a block that has not begun.
  Suspended copyRecords() const;
  /// Ends the turn of block `rank`, and begins it again.
  void suspend(uint32_t rank, Suspended &state);
  void resume(uint32_t rank, Suspended &state);
  /// The window of a block.
  uint64_t windowOf(uint32_t rank) const { return base + (1 + rank) * windowBytes; }
  /// The block in whose window `count` bytes at `address` are; nothing for another address.
  std::optional<uint32_t> findWindow(uint64_t address, uint32_t count) const;
  /// What is wrong with a load from byte `offset` on of the memory that `state` tells of, or where
  /// that is null of that of the present turn: nobody has written it, or somebody has since block
  /// epoch `since`.
  Outcome checkRemoteLoad(const Suspended *state, uint64_t offset, uint32_t count,
                          uint32_t since) const;

  /// Whether bytes [address, address + count) are shared memory.
  bool contains(uint64_t address, uint32_t count) const;

  /// Records an access of `count` bytes at a site and says what is wrong with it.
  Outcome access(uint64_t address, uint32_t count, AccessKind kind, uint32_t site,
                 const Accessor &accessor);

  /// A write that is outstanding from now on, checked as a store of the accessor.
  Outcome beginWrite(uint64_t address, uint32_t count, uint32_t site, const Accessor &accessor);
  /// Such a write is complete, and ordered before what the accessor's thread does from now on.
  void completeWrite(uint64_t address, uint32_t count, const Accessor &accessor);

  /// A read that is outstanding from now on, through the asynchronous proxy and for several warps:
  /// what it reads is to be ordered before each of the accessors, one of each warp. The first one
  /// stands for it. `seesCopies`: what asynchronous writes of threads have brought needs no fence.
  Outcome beginRead(uint64_t address, uint32_t count, uint32_t site,
                    std::span<const Accessor> accessors, const ProxyFences &fences,
                    bool seesCopies);
  /// Such a read is complete, and ordered before what the accessors, one of each warp, do from now
  /// on.
  void completeRead(uint64_t address, uint32_t count, uint32_t site,
                    std::span<const Accessor> accessors);

private:
  using Record = AccessRecord;
  using Who = AccessRecord::Who;

  uint64_t base = 0;
  size_t bytes = 0;
  /// From one window to the next, and how many there are.
  size_t windowBytes = 0;
  uint32_t windows = 0;
  size_t mapped = 0;
  bool tracks = false;
  /// The records of atomics, and of reads, that a byte has: one, or one for each warp.
  uint32_t groups = 1;
  std::span<Record> recordsOf(uint64_t offset) {
    return std::span(history).subspan(offset * (1 + 2 * groups), 1 + 2 * groups);
  }

  /// For each byte: its write, its atomics, its reads.
  std::vector<Record> history;

  /// The state of a byte where reads may be outstanding.
  struct Reads {
    /// How many are outstanding, and where the last of them began.
    uint32_t count = 0;
    uint32_t site = 0;
    uint32_t thread = 0;
    /// The fences of the byte's writer when it wrote, and whether the write was asynchronous.
    uint32_t writerFences = 0;
    bool isCopied = false;
  };
  /// For each byte; empty where none may be.
  std::vector<Reads> readers;
};

struct SharedMemory::Suspended {
  std::vector<Record> history;
  std::vector<Reads> readers;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_SHAREDMEMORY_H
