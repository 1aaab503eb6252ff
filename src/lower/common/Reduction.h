//===- Reduction.h - How a reduction is carried out -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each bit of a place (register, lane, warp) moves along the axis that is reduced, along the
// other dimensions, or not at all (a copy). So a reduction has up to three steps:
//
//   1. Each thread combines its registers along the axis. One value for each of its
//      coordinates in the other dimensions is left: a *partial*.
//   2. Lanes that differ along the axis exchange partials, bit by bit; then all of them
//      have the warp's result.
//   3. Where warps differ along the axis, one lane for each coordinate stores its warp's
//      partials to scratch memory. After a barrier every thread loads what all those warps
//      stored and combines it. No further barrier is needed.
//
// All threads that differ only along the axis end up with equal results, bit for bit: they
// combine the same values, and each pair of lanes in the same grouping.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_COMMON_REDUCTION_H
#define TILEWRIGHT_LOWER_COMMON_REDUCTION_H

#include "ir/ttg/Dialect.h"
#include "lower/common/Emitter.h"

#include <optional>

namespace tilewright::lower {

/// How a tt.reduce is carried out.
struct ReductionPlan {
  /// For each partial the registers it combines; copies of others are left out.
  std::vector<std::vector<unsigned>> registers;
  /// For each register of the results its partial; {0} for scalars.
  std::vector<unsigned> partialOfResult;
  /// The bits of the lane's number that move along the axis.
  uint32_t axisLanes = 0;

  /// How many warps have values of one coordinate; 1: no scratch is needed.
  unsigned axisWarps = 1;

  // Step 3. Offsets count elements of one operand; the thread's part is linear in the
  // bits of its number.

  /// Where a thread's partials go, and where those of all warps come from.
  ThreadBases storeBases, loadBases;
  /// What is added for each partial, and for each of the axisWarps.
  std::vector<uint32_t> partialOffsets, warpOffsets;
  /// Partials (of consecutive numbers) that are neighbours: one store takes them.
  unsigned partialVector = 1;
  /// Warps' values of one partial that are neighbours: one load takes them.
  unsigned warpVector = 1;
  /// Bits of the thread's number that are all 0 in threads that store.
  uint32_t copyThreads = 0;
  /// Where each operand's part of the scratch begins, in bytes; and the size of the whole.
  std::vector<uint64_t> operandOffsets;
  uint64_t scratchBytes = 0;
};

/// The plan of `op`, whose operands have layouts; `maxAccessBits` bounds vector accesses.
/// Nothing if a bit of the layout moves along the axis and another dimension at once.
std::optional<ReductionPlan> planReduction(tt::ReduceOp op, unsigned maxAccessBits);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_COMMON_REDUCTION_H
