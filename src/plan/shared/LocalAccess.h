//===- LocalAccess.h - Plans of loads and stores of given shared memory -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tensor is stored to, or loaded from, shared memory whose layout is given. Which instructions
// do it? Bit k of an element's offset stands for some element v_k of the tensor, seen as a
// vector space over F2. Every atom of the memory (target/Atom.h) is fitted to these (Fit.h), and
// the cheapest is taken.
//
// (A conversion from registers to registers chooses its memory's layout itself:
// ConversionPlan.h.)
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_SHARED_LOCALACCESS_H
#define TILEWRIGHT_PLAN_SHARED_LOCALACCESS_H

#include "plan/Namespaces.h"
#include "plan/shared/Access.h"
#include "tilewright/layout/SharedAccess.h"
#include "tilewright/layout/ThreadCondition.h"
#include "tilewright/support/Result.h"

namespace tilewright::plan {

/// The memory's side of a transfer.
struct LocalMemory {
  /// (offset, block) -> coordinates of a whole piece of memory, of which the tensor may be a
  /// part. Offsets count elements, without holes.
  LinearLayout layout;
  /// 1 to 64; in memory an element takes the next of 8, 16, 32, 64 bits.
  unsigned elementBits = 32;
  /// The most elements in a row that have no hole between them; a power of two.
  uint64_t contiguous = ~uint64_t(0);
};

/// The accesses of each thread. The address that a thread gives for an access is, in elements and
/// without holes, the offset
///
///     base(lane, warp) ^ access.xorOffset ^ access.addOffset ^ the part's offset
///
/// where xorOffset has the bits that the base may have, and addOffset others.
struct LocalAccessPlan {
  /// The instruction, of the memory's lists (ExchangeModel).
  const CopyAtom *atom = nullptr;
  /// Bytes of an element in memory.
  unsigned elementBytes = 1;
  /// (lane, warp) -> offset.
  LinearLayout base;
  std::vector<SharedAccess> accesses;
  /// The threads that take part: in stores those that hold no copies.
  ThreadCondition condition;
  /// In the end element r of a loaded tensor is what was loaded into register copies[r].
  std::vector<unsigned> copies;
  /// Transactions of one warp, and those beyond the fewest for its accesses.
  unsigned transactions = 0, conflicts = 0;
};

/// The plan for a tensor in `registers`, (register, lane, warp, block) -> coordinates, whose
/// dimensions are those of the memory's layout (by name) and no larger. It begins at a multiple of
/// its sizes. Fails if a block would have to reach into the memory of another.
Result<LocalAccessPlan> planLocalAccess(const LinearLayout &registers, const LocalMemory &local,
                                        LocalDirection direction, const ExchangeModel &memory);

/// The offset of the part of the memory that begins at `coordinates`, one for each output of its
/// layout.
uint64_t offsetOfPart(const LinearLayout &layout, std::span<const int64_t> coordinates);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_SHARED_LOCALACCESS_H
