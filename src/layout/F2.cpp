//===- F2.cpp - Linear algebra over the field of two elements -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/F2.h"

namespace tilewright::layout {

F2Vectors intersect(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  // Each vector of `a` carries itself as its tag, those of `b` carry nothing. A relation
  // between both then has as its tag the part of it that is in `a`; and that equals
  // the part in `b`.
  F2Basis span;
  for (uint64_t v : a)
    span.insert(v, v);
  F2Vectors common;
  for (uint64_t v : b)
    if (F2Basis::Reduced rest = span.insert(v, 0); !rest.vector && rest.tag)
      common.push_back(rest.tag);
  return common;
}

F2Vectors annihilator(std::span<const uint64_t> vectors, unsigned bits) {
  // In reduced echelon form a mask may take any value in the bits that are no pivots; the
  // row of each pivot then says what the mask has there.
  F2Basis span(vectors);
  F2Vectors masks;
  for (unsigned bit = 0; bit < bits; ++bit) {
    if (span.pivotMask() >> bit & 1)
      continue;
    uint64_t mask = uint64_t(1) << bit;
    for (uint64_t rest = span.pivotMask(); rest; rest &= rest - 1) {
      auto pivot = static_cast<unsigned>(std::countr_zero(rest));
      if (span.row(pivot).vector >> bit & 1)
        mask |= uint64_t(1) << pivot;
    }
    masks.push_back(mask);
  }
  return masks;
}

} // namespace tilewright::layout
