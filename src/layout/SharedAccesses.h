//===- SharedAccesses.h - The accesses of a shared-memory plan -------*- C++ -*- ===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_SHAREDACCESSES_H
#define TILEWRIGHT_LAYOUT_SHAREDACCESSES_H

#include "layout/ConversionPlan.h"
#include "layout/Places.h"

#include <vector>

namespace tilewright::layout {

/// Where elements lie in memory. The basis vectors are tagged with their offsets, vectors
/// that tell repetitions apart with 0.
struct MemoryOrder {
  F2Span span;
  unsigned offsetBits = 0;

  uint64_t offsetOf(uint64_t element) const { return span.reduce(element).tag; }
};

/// One side's work: a list of accesses and a condition for each repetition.
struct SideOfPlan {
  LinearLayout map, base;
  std::vector<std::vector<SharedAccess>> accesses;
  std::vector<ThreadCondition> conditions;
};

/// Lists what `side` does. Its vectors are the lowest `vectorBits` bits of the offset, which
/// no thread moves. Bit i of an element's repetition is its parity with rounds[i]; on this
/// side each is either the registers' or the warps' alone. Only threads whose bits in
/// `copies` are 0 take part.
SideOfPlan listAccesses(const Places &side, const MemoryOrder &order, unsigned vectorBits,
                        const F2Vectors &rounds, ThreadParity copies);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_SHAREDACCESSES_H
