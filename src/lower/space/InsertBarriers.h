//===- InsertBarriers.h - Insertion of barriers between uses of memory -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Ops access a memory space. What one stores another must not load, or store over, before all
// threads are done with it; what one loads another must not store over. Where a path leads from one
// to the other without a barrier, one is put in.
//
// All of this is about the warps that run one piece of code, and their barrier (ttg::ThreadGroup).
// What passes between groups while both run, the program orders itself.
//
// An asynchronous access begins at its issue: nobody may be accessing then what it stores, or
// storing what it loads. It goes on until a wait, by which a thread knows of its own accesses only:
// after that it counts like one of the wait, so that a barrier stands before anybody uses what
// others have brought. In between no barrier helps, and none is put in: what the program accesses
// there is another part of the allocation, or it lacks a wait.
//
// A barrier in memory has phases, of which a wait knows no more than the parity. So a wait for one
// phase counts as a read of what completes it, and what completes the next phase as a write: no
// thread may still be waiting for a phase when the one after it can end, or it would wait for ever.
// What tells a barrier needs no order among its like.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_SPACE_INSERTBARRIERS_H
#define TILEWRIGHT_LOWER_SPACE_INSERTBARRIERS_H

#include "lower/space/BufferTurns.h"
#include "lower/space/MemorySpace.h"

#include "mlir/IR/Region.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tilewright::lower {

/// The units [begin, end) of bands [band, bandEnd) of a memory space: of these, if `turn` says so,
/// those of one of several buffers.
struct SpaceRange {
  uint64_t begin = 0, end = 0;
  BufferTurn turn = {};
  unsigned band = 0, bandEnd = 1;

  friend auto operator<=>(const SpaceRange &, const SpaceRange &) = default;
  bool overlaps(const SpaceRange &other) const {
    return begin < other.end && other.begin < end && band < other.bandEnd && other.band < bandEnd &&
           !(isSame(other) && turn.differs(other.turn));
  }

private:
  bool isSame(const SpaceRange &other) const {
    return begin == other.begin && end == other.end && band == other.band &&
           bandEnd == other.bandEnd;
  }
};

/// The effects of an op on a memory space that matter to other ops.
struct SpaceUse {
  /// Its loads and stores: before its barrier, if it has one.
  llvm::SmallVector<SpaceRange, 2> loads, stores;
  /// It only begins to do so: the op that waits for the end says what that was, as what it leaves.
  bool isAsync = false;
  /// The op has a barrier of the threads that run it: whatever came before it is over, and so is
  /// what the op itself did up to there.
  bool hasBlockBarrier = false;
  /// Barriers of which it waits for a phase, and those whose phases it helps to complete.
  llvm::SmallVector<SpaceRange, 1> waits, tells;
  /// What may still be going on when the op is over, besides the above where that has no barrier
  /// after it.
  llvm::SmallVector<SpaceRange, 2> loadsLeft, storesLeft;

  bool empty() const {
    return loads.empty() && stores.empty() && waits.empty() && tells.empty() && loadsLeft.empty() &&
           storesLeft.empty() && !hasBlockBarrier;
  }
};

/// Inserts a ttg.barrier for `space` before ops of `region`, whose control flow is that of its
/// blocks and where nothing is under way at the beginning, so that no access meets an earlier
/// store, and no store an earlier access, to the same units, on any path. No barrier is inserted
/// that could be left out with the others in place. `describe` tells about an op; of ttg.barrier it
/// is known.
void insertBarriers(mlir::Region &region, const MemorySpace &space,
                    llvm::function_ref<SpaceUse(mlir::Operation *)> describe);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_SPACE_INSERTBARRIERS_H
