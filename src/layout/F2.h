//===- F2.h - Linear algebra over the field of two elements ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Vectors of up to 64 bits as machine words: sum is XOR. One class does all the
// elimination that layouts need: rank, membership, solving, kernel.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_F2_H
#define TILEWRIGHT_LAYOUT_F2_H

#include "tilewright/support/FixedVector.h"

#include <bit>
#include <cstdint>
#include <span>

namespace tilewright::layout {

/// A set of independent vectors in reduced echelon form: each has a pivot, a bit that no
/// other of them has set. With each goes a tag, the sum of the tags of the vectors
/// that it was summed from; so a solution can be read off.
///
/// Adding the vectors (3, 1, 2) with tags (1, 2, 4) keeps 3 and 1 as {2, tag 3} and
/// {1, tag 2}; 2 reduces to 0 with tag 1 + 2 + 4, that is: v0 + v1 + v2 = 0.
class F2Basis {
public:
  /// A remainder after reducing, with the tag it then has.
  struct Reduced {
    uint64_t vector;
    uint64_t tag;
  };

  F2Basis() = default;
  explicit F2Basis(std::span<const uint64_t> vectors) {
    for (uint64_t v : vectors)
      insert(v);
  }

  /// Subtracts what lies in the span along the pivots: the vector is 0 exactly if
  /// `vector` is in the span, and then the tag added is that of the solution.
  Reduced reduce(uint64_t vector, uint64_t tag = 0) const {
    uint64_t hits = vector & pivots;
    while (hits) {
      unsigned pivot = static_cast<unsigned>(std::countr_zero(hits));
      hits &= hits - 1;
      vector ^= rows[rowOf[pivot]].vector;
      tag ^= rows[rowOf[pivot]].tag;
    }
    return {vector, tag};
  }

  /// Adds a vector. If it was in the span already nothing changes, and the remainder,
  /// zero, has the tag of a relation; otherwise the remainder was made a new row.
  Reduced insert(uint64_t vector, uint64_t tag = 0) {
    Reduced rest = reduce(vector, tag);
    if (!rest.vector)
      return rest;
    unsigned pivot = static_cast<unsigned>(std::countr_zero(rest.vector));
    for (Reduced &row : rows)
      if (row.vector >> pivot & 1) {
        row.vector ^= rest.vector;
        row.tag ^= rest.tag;
      }
    pivots |= uint64_t(1) << pivot;
    rowOf[pivot] = static_cast<uint8_t>(rows.size());
    rows.push_back(rest);
    return rest;
  }

  bool contains(uint64_t vector) const { return reduce(vector).vector == 0; }
  unsigned rank() const { return static_cast<unsigned>(rows.size()); }
  /// The pivots of all rows.
  uint64_t pivotMask() const { return pivots; }
  /// The row that has this pivot.
  Reduced row(unsigned pivot) const { return rows[rowOf[pivot]]; }

private:
  FixedVector<Reduced, 64> rows;
  uint64_t pivots = 0;
  uint8_t rowOf[64];
};

/// Vectors of a subspace.
using F2Vectors = FixedVector<uint64_t, 64>;

/// A basis of the intersection of two spans.
F2Vectors intersect(std::span<const uint64_t> a, std::span<const uint64_t> b);

/// A basis of all masks m of `bits` bits with parity(m & v) = 0 for every given vector v:
/// the linear functions that vanish on them. Applied to masks, the common kernel.
F2Vectors annihilator(std::span<const uint64_t> vectors, unsigned bits);

/// The sum of the entries of `columns` that `selector` has set: a matrix times a vector.
inline uint64_t sumOf(std::span<const uint64_t> columns, uint64_t selector) {
  uint64_t sum = 0;
  for (; selector; selector &= selector - 1)
    sum ^= columns[static_cast<size_t>(std::countr_zero(selector))];
  return sum;
}

/// The scalar product.
inline bool parity(uint64_t a, uint64_t b) { return std::popcount(a & b) & 1; }

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_F2_H
