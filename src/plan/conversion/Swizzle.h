//===- Swizzle.h - Swizzles without bank conflicts ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tile is written by one pattern of threads and read by another. In which order must its
// elements lie in memory so that neither has bank conflicts?
//
// Let H be the elements, a vector space over F2. An order is a basis of H: vector i is
// what bit i of the offset stands for. The low bits are the elements of a vector access
// (`low`), those above them choose the bank, up to one row of all banks, and the rest
// choose the row. Call the span of those last ones R.
//
// Lanes of one phase collide if they are in the same bank but in different rows. Let A be
// what a phase of the writing warp covers: the elements that its lanes point at, and
// with them those of one vector or, if that is less, of one word. Two lanes collide if
// the difference of their elements is in R plus the vector's part. So there are no
// conflicts if A and R have only 0 in common. The same for B, the readers.
//
// A and B have at most as many elements as a row. Two spaces of at most the dimension
// dim H - dim R always have a common complement of dimension dim R:
//
//     A = I + <a1..ak>,  B = I + <b1..bk>,  I = A and B's intersection,
//     R = <a1 + b1, .., ak + bk> + a complement of A + B in H.
//
// The sums are the swizzle: row ai + bi lies in the same place for both.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_CONVERSION_SWIZZLE_H
#define TILEWRIGHT_PLAN_CONVERSION_SWIZZLE_H

#include "layout/F2.h"
#include "plan/Namespaces.h"

#include <span>

namespace tilewright::plan {

struct SwizzleRequest {
  /// Vectors that span H, those first that had best be basis vectors.
  std::span<const uint64_t> space;
  /// The lowest offset bits, independent vectors of H.
  std::span<const uint64_t> low;
  /// A and B: vectors of H, not necessarily independent.
  std::span<const uint64_t> writers, readers;
  /// Offset bits in a row of all banks.
  unsigned rowBits;
};

/// A basis of H, lowest offset bit first, without bank conflicts for A and B.
F2Vectors swizzle(const SwizzleRequest &request);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_CONVERSION_SWIZZLE_H
