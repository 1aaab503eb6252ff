//===- AccessRecord.h - What a byte remembers of its accesses -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Two accesses by threads of one block are ordered if
//
//   - one thread makes both, or
//   - the block passed a barrier in between, or
//   - the threads are of one warp, which met in a warp-wide barrier in between, or
//   - the warps met at a barrier of some of the block's warps in between, or each met
//     others that did, one after another.
//
// Time is therefore a pair of epochs (Clocks.h): barriers that the whole block has passed,
// and a count of each warp's own, which barriers of the warp or of some warps increase.
// An earlier access by another thread is ordered before one now if its block epoch is
// older, or if its warp's epoch was older than the one that the accessing warp has learnt
// of: a row of vector clocks, one clock a warp. Kernels without barriers of some warps
// learn of no other warp; they have no rows.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_ACCESSRECORD_H
#define TILEWRIGHT_SIMULATE_MACHINE_ACCESSRECORD_H

#include <cstdint>

namespace tilewright::simulate {

/// The thread and the time of an access.
struct Accessor {
  uint32_t thread = 0;
  uint32_t warp = 0;
  uint32_t blockEpoch = 0;
  uint32_t warpEpoch = 0;
  /// For each warp, the epoch before which all that it did is ordered before this access; null
  /// if the block's threads meet all together or warp by warp only.
  const uint32_t *seen = nullptr;
  /// How many fences between the ways to shared memory the thread has made.
  uint32_t fences = 0;
};

/// The accessor's thread where an asynchronous unit made the access (Clocks::unit).
inline constexpr uint32_t unitThread = 0xffff;

/// Accesses of one kind that are not ordered with one another; the last stands for all.
struct AccessRecord {
  enum class Who : uint8_t { Nobody, OneThread, OneWarp, SeveralWarps, Outstanding };

  uint32_t blockEpoch = 0;
  uint32_t warpEpoch = 0;
  /// When the last access was by another thread of the warp than the last of all. That is never
  /// later, so the two tell for every thread what all others did.
  uint32_t othersEpoch = 0;
  uint32_t site = 0;
  uint32_t thread : 16 = 0;
  uint32_t warp : 13 = 0;
  Who who : 3 = Who::Nobody;

  bool isOrderedBefore(const Accessor &now) const;
  void add(uint32_t newSite, const Accessor &now);
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_ACCESSRECORD_H
