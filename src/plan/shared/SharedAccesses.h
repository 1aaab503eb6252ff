//===- SharedAccesses.h - The accesses of a shared-memory plan ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_SHARED_SHAREDACCESSES_H
#define TILEWRIGHT_PLAN_SHARED_SHAREDACCESSES_H

#include "plan/Namespaces.h"
#include "plan/shared/Fit.h"
#include "plan/shared/LayoutBases.h"
#include "tilewright/layout/SharedAccess.h"
#include "tilewright/layout/ThreadCondition.h"

#include <vector>

namespace tilewright::plan {

/// The offsets of elements in memory. The basis vectors are tagged with their offsets, vectors
/// that tell repetitions apart with 0.
struct MemoryOrder {
  F2Basis span;
  unsigned offsetBits = 0;

  uint64_t offsetOf(uint64_t element) const { return span.reduce(element).tag; }
};

/// One side's work: a list of accesses and a condition for each repetition.
struct SideOfPlan {
  LinearLayout map, base;
  std::vector<std::vector<SharedAccess>> accesses;
  std::vector<ThreadCondition> conditions;
};

/// Which registers an instruction that does its atom several times takes at once.
enum class TimesChoice {
  /// Those whose offsets would have to be XORed to the address: what is left over is then added to
  /// it.
  FewestAddresses,
  /// The lowest. What one instruction loads lies in neighbouring registers of the machine, in the
  /// order of the times; a product that takes its fragments from the tensor's registers in order
  /// takes them from there without moving them.
  RegisterOrder,
};

/// Whether each address that `side` gives is aligned to what the access has contiguous from it on:
/// nothing but the access itself moves within that. Threads that are copies give none.
bool isAligned(const LayoutBases &side, const MemoryOrder &order, const AccessShape &shape,
               ThreadParity copies);

/// Lists what `side` does; it is aligned. Bit i of an element's repetition is its parity with
/// rounds[i]; on this side each is either the registers' or the warps' alone, and where an access
/// takes whole warps the registers'. Only threads whose bits in `copies` are 0 take
/// part.
SideOfPlan listAccesses(const LayoutBases &side, const MemoryOrder &order, const AccessShape &shape,
                        const F2Vectors &rounds, ThreadParity copies,
                        TimesChoice times = TimesChoice::FewestAddresses);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_SHARED_SHAREDACCESSES_H
