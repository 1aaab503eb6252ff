//===- SharedAccesses.h - The accesses of a shared-memory plan ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_SHARED_SHAREDACCESSES_H
#define TILEWRIGHT_PLAN_SHARED_SHAREDACCESSES_H

#include "plan/Namespaces.h"
#include "plan/conversion/ConversionPlan.h"
#include "plan/conversion/LayoutBases.h"

#include <vector>

namespace tilewright::plan {

/// Where elements lie in memory. The basis vectors are tagged with their offsets, vectors
/// that tell repetitions apart with 0.
struct MemoryOrder {
  F2Basis span;
  unsigned offsetBits = 0;

  uint64_t offsetOf(uint64_t element) const { return span.reduce(element).tag; }
};

/// What one access of a side moves; elements are in coordinates of the source.
struct AccessShape {
  AccessKind kind = AccessKind::Vector;
  /// The lowest bits of the offset that one address covers: those of a vector, or of a
  /// matrix's row.
  unsigned addressBits = 0;
  /// What registers move within an access, lowest bit first: of vectors the lowest
  /// vectors of the order, of matrices what moves within a word.
  F2Vectors registers;
  /// log2 of the matrices.
  unsigned matrixBits = 0;

  /// log2 of the elements that a thread moves.
  unsigned elementBits() const { return static_cast<unsigned>(registers.size()) + matrixBits; }
};

/// One side's work: a list of accesses and a condition for each repetition.
struct SideOfPlan {
  LinearLayout map, base;
  std::vector<std::vector<SharedAccess>> accesses;
  std::vector<ThreadCondition> conditions;
};

/// What tells the rows of one of the matrices apart, lowest bit first: lanes, and before them
/// the register of transposed ones.
F2Vectors rowsOf(const LayoutBases &side, const AccessShape &shape);

/// Whether each address that `side` gives starts a vector, or a matrix's row: nothing but
/// what the access itself covers moves within one. Threads that are copies give none.
bool isAligned(const LayoutBases &side, const MemoryOrder &order, const AccessShape &shape,
               ThreadParity copies);

/// Lists what `side` does; it is aligned. Bit i of an element's repetition is its parity with
/// rounds[i]; on this side each is either the registers' or the warps' alone, and where
/// matrices are moved the registers'. Only threads whose bits in `copies` are 0 take
/// part.
SideOfPlan listAccesses(const LayoutBases &side, const MemoryOrder &order, const AccessShape &shape,
                        const F2Vectors &rounds, ThreadParity copies);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_SHARED_SHAREDACCESSES_H
