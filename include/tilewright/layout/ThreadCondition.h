//===- ThreadCondition.h - Conditions on threads --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_THREADCONDITION_H
#define TILEWRIGHT_LAYOUT_THREADCONDITION_H

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace tilewright::plan {

/// A linear bit of a thread's location: the parity of the bits of `lane` and of `warp` (the
/// warp's number in its block) that are set in the masks. Where one bit is set in all of
/// the masks, it is that bit.
struct ThreadParity {
  uint32_t lanes = 0;
  uint32_t warps = 0;

  bool isZero() const { return !lanes && !warps; }
  bool operator()(uint32_t lane, uint32_t warp) const {
    return (std::popcount(lane & lanes) + std::popcount(warp & warps)) & 1;
  }
  friend bool operator==(const ThreadParity &, const ThreadParity &) = default;
};

/// A condition on threads: every parity has its value. Without any it always holds.
struct ThreadCondition {
  struct Term {
    ThreadParity parity;
    bool value;
    friend bool operator==(const Term &, const Term &) = default;
  };
  std::vector<Term> terms;

  bool always() const { return terms.empty(); }
  bool operator()(uint32_t lane, uint32_t warp) const {
    return std::all_of(terms.begin(), terms.end(),
                       [&](const Term &term) { return term.parity(lane, warp) == term.value; });
  }
};

} // namespace tilewright::plan

#endif // TILEWRIGHT_LAYOUT_THREADCONDITION_H
