//===- Fields.h - Bit fields of packed dimensions -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_FIELDS_H
#define TILEWRIGHT_LAYOUT_FIELDS_H

#include "tilewright/layout/LinearLayout.h"

#include <algorithm>
#include <bit>

namespace tilewright::layout {

inline uint64_t lowBits(unsigned count) {
  return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
}

/// (value & lowBits(bits)) << shift, also where there is nothing to shift.
inline uint64_t depositField(uint64_t value, unsigned bits, unsigned shift) {
  return bits ? (value & lowBits(bits)) << shift : 0;
}

inline unsigned bitsOf(uint64_t size) {
  assert(std::has_single_bit(size) && "sizes are powers of two");
  return static_cast<unsigned>(std::countr_zero(size));
}

inline unsigned totalBits(const LinearLayout::DimList &list) {
  unsigned sum = 0;
  for (SizedDim d : list)
    sum += d.bits;
  return sum;
}

/// Moves fields of bits within a word: what reordering or regrouping dimensions does
/// to a packed value.
class BitFieldPermutation {
public:
  void add(unsigned from, unsigned bits, unsigned to) {
    if (bits)
      moves.push_back({from, bits, to});
  }
  uint64_t operator()(uint64_t word) const {
    uint64_t result = 0;
    for (const Move &m : moves)
      result |= ((word >> m.from) & lowBits(m.bits)) << m.to;
    return result;
  }

private:
  struct Move {
    unsigned from, bits, to;
  };
  FixedVector<Move, LinearLayout::MaxDims> moves;
};

/// From values packed as `from` to values packed as `to`: each dimension keeps its value,
/// as far as it fits.
inline BitFieldPermutation repacking(std::span<const SizedDim> from, std::span<const SizedDim> to) {
  BitFieldPermutation moves;
  unsigned fromShift = 0;
  for (SizedDim f : from) {
    unsigned toShift = 0;
    for (SizedDim t : to) {
      if (t.dim == f.dim)
        moves.add(fromShift, std::min(f.bits, t.bits), toShift);
      toShift += t.bits;
    }
    fromShift += f.bits;
  }
  return moves;
}

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_FIELDS_H
