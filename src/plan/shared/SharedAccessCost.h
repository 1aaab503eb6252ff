//===- SharedAccessCost.h - Cost of loads and stores of shared memory -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tensor is in registers in one layout and is stored to, or loaded from, shared memory
// that has another: with which vectors, and with how many bank conflicts? (A conversion
// from registers to registers chooses its memory's layout itself: ConversionPlan.h.)
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_SHARED_SHAREDACCESSCOST_H
#define TILEWRIGHT_PLAN_SHARED_SHAREDACCESSCOST_H

#include "layout/encoding/SharedEncodings.h"
#include "plan/Namespaces.h"
#include "plan/shared/Access.h"

namespace tilewright::plan {

/// The cost of moving a tensor, in accesses by which each lane moves one vector.
struct SharedAccessCost {
  /// Consecutive elements that a lane moves in one access.
  unsigned vector = 1;
  /// Accesses of all warps of one block together, and their transactions.
  uint64_t accesses = 0;
  uint64_t transactions = 0;
  /// Those that there would be without bank conflicts.
  uint64_t idealTransactions = 0;

  uint64_t conflicts() const { return transactions - idealTransactions; }
};

/// `registers` maps (register, lane, warp, block), `shared` (offset, block) to the same
/// outputs. `elementBits`: 1 to 64; in memory an element takes the next of 8, 16, 32, 64.
///
/// The vector is the widest such that in every thread the same registers are consecutive
/// elements of memory at an address that is a multiple of it. Elements that a thread
/// holds more than once are moved once; lanes and warps that hold the same all take part.
/// The lowest offset counts of an element that the memory has at several. Exact.
///
/// Fails if a block would have to reach into the memory of another, or the layouts are not
/// of the same tensor.
Result<SharedAccessCost> sharedAccessCost(const LinearLayout &registers, const LinearLayout &shared,
                                          unsigned elementBits, const ExchangeModel &memory = {},
                                          LocalDirection direction = LocalDirection::Load);

/// The same for padded memory, which has no linear map. Vectors do not reach across holes,
/// and are no wider than keeps their addresses aligned. `registers` is of the tensor that
/// the encoding's order spans.
Result<SharedAccessCost> sharedAccessCost(const LinearLayout &registers, const PaddedShared &shared,
                                          unsigned elementBits, const ExchangeModel &memory = {},
                                          LocalDirection direction = LocalDirection::Load);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_SHARED_SHAREDACCESSCOST_H
