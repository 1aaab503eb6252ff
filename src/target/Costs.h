//===- Costs.h - Costs of a conversion's steps ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// All in cycles of a scheduler (a SIMD, a vector engine), for one warp: for how long a step keeps
// the scheduler's share of a unit busy, and how much later than an arithmetic instruction's its
// result is there. Only ratios matter: plans of one target are compared with each other. Each
// target has its own; the heads of Nvidia.cpp, Amd.cpp and Intel.cpp have the sources.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_COSTS_H
#define TILEWRIGHT_TARGET_COSTS_H

#include <span>

namespace tilewright::target {

/// Shuffles of one 32-bit word of each lane. Of several that do not wait for each other the
/// latency counts once.
struct ShuffleCost {
  unsigned cycles = 0;
  unsigned latency = 0;
  /// Whether it takes the lanes' numbers from a register, as a shuffle from any lanes does: to know
  /// them when compiling is no help.
  bool isIndexed = false;
};

struct Costs {
  /// The lanes that one instruction takes in the cycles below. A warp of more takes that many times
  /// as long to select, permute and shuffle (but for fixedShuffle, whose table has all its lanes).
  unsigned lanes = 32;

  //===--------------------------------------------------------------------------===//
  // In registers and between lanes
  //===--------------------------------------------------------------------------===//

  /// Choosing one of two words by a condition.
  unsigned select = 2;
  /// Making a word of any four bytes of two others.
  unsigned permute = 2;
  /// A shuffle from lanes whose numbers are in a register.
  ShuffleCost shuffle = {4, 25};
  /// Lane l takes from lane sources[l], which is known when compiling. Null: that is no help.
  ShuffleCost (*fixedShuffle)(std::span<const unsigned> sources) = nullptr;

  //===--------------------------------------------------------------------------===//
  // Through shared memory
  //===--------------------------------------------------------------------------===//

  /// Each transaction (SharedMemory.h), and besides them each instruction.
  unsigned transaction = 4;
  unsigned access = 1;
  /// From stores to the loads after them; CopyAtom::latency is added.
  unsigned latency = 30;
  /// Waiting for the lanes of the warp, or for the block's warps.
  unsigned warpBarrier = 10;
  unsigned blockBarrier = 30;

  /// The same for a warp of `warpLanes` lanes.
  Costs ofWarp(unsigned warpLanes) const {
    Costs result = *this;
    if (unsigned times = warpLanes / lanes; times > 1) {
      result.lanes = warpLanes;
      result.select *= times;
      result.permute *= times;
      result.shuffle.cycles *= times;
    }
    return result;
  }
};

} // namespace tilewright::target

#endif // TILEWRIGHT_TARGET_COSTS_H
