//===- Placement.h - Places of pieces that live at the same time ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Pieces of a memory that hold something at the same time have units of their own; others share.
// The largest piece is placed first, each at the lowest units that are free for as long as it
// lives, and of several bands at the first in which they are lowest. Of equal pieces the first in
// the program comes first.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_SPACE_PLACEMENT_H
#define TILEWRIGHT_LOWER_SPACE_PLACEMENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"

#include <cstdint>
#include <vector>

namespace tilewright::lower {

/// The demand of a piece: units of each of `bands` consecutive bands, which begin at a multiple of
/// `alignment` and at a band that is a multiple of their number.
struct Extent {
  uint64_t units = 0;
  uint64_t alignment = 1;
  unsigned bands = 1;
};

/// Where a piece lies: its first unit, and the first band.
struct Place {
  uint64_t offset = 0;
  unsigned band = 0;
  friend bool operator==(const Place &, const Place &) = default;
};

/// Places pieces in a memory of `bands` bands. `conflicts`: for each piece, those that it may not
/// share a unit with.
std::vector<Place> placePieces(llvm::ArrayRef<Extent> pieces,
                               llvm::ArrayRef<llvm::BitVector> conflicts, unsigned bands);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_SPACE_PLACEMENT_H
