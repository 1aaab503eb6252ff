//===- LaneGroups.h - Lanes that a banked memory serves together ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_LANEGROUPS_H
#define TILEWRIGHT_TARGET_LANEGROUPS_H

#include "support/Bits.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tilewright::target {

/// Which lanes an access to banked memory serves together, in one phase, by the instruction: by its
/// direction and by the bytes that each lane moves.
///
/// The numbers of lanes are vectors over F2. The lanes of the first phase are the sums of the first
/// n vectors of a basis, where 2^n lanes fill the banks; those of each other phase are its sum with
/// one more lane. Consecutive lanes have the basis 1, 2, 4, ..; with 1, 2, 20, .. and four phases
/// of a warp of 32, lanes 0 to 3 are served with 20 to 23.
struct LaneGroups {
  /// A basis of the lanes of a warp, of up to 64.
  using Basis = std::array<uint8_t, 6>;
  static constexpr Basis Consecutive = {1, 2, 4, 8, 16, 32};
  /// By log2 of the bytes of a lane's access.
  using ByWidth = std::array<Basis, 5>;
  static constexpr ByWidth AllConsecutive = {Consecutive, Consecutive, Consecutive, Consecutive,
                                             Consecutive};

  ByWidth loads = AllConsecutive;
  ByWidth stores = AllConsecutive;

  /// The basis for accesses of `bytes` bytes a lane, a power of two. More than 16 are several
  /// of 16.
  const Basis &of(unsigned bytes, bool isLoad) const {
    return (isLoad ? loads : stores)[log2Of(std::min(bytes, 16u))];
  }

  /// The lane that is served as number `index` (0 to 63), phase after phase.
  static unsigned laneAt(const Basis &basis, unsigned index) {
    unsigned lane = 0;
    for (; index; index &= index - 1)
      lane ^= basis[log2Of(index)];
    return lane;
  }
};

} // namespace tilewright::target

#endif // TILEWRIGHT_TARGET_LANEGROUPS_H
