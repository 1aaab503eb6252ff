//===- LoopMasks.h - Masks that hold up to an iteration -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A mask of causal attention holds for all elements of a tile up to the diagonal, and that of a
// load along K in all iterations but the last ones. A comparison whose sides are affine in the
// loop's index (AffineForm.h) holds for all elements, for a scale n that makes it fail in the end,
//
//     n * iv <= limit, which is known before the loop: for iv up to floor(limit / n)
//
// provided that no element of either side has wrapped around up to there.
//
// A mask may be several comparisons, of which some are not affine. One of numbers, which a
// pipelined loop has for the loads of iterations that there are not, costs next to nothing: it
// goes with others, but alone is no reason to change a loop.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MASKS_LOOPMASKS_H
#define TILEWRIGHT_TRANSFORM_MASKS_LOOPMASKS_H

#include "analysis/AffineForm.h"
#include "ir/ttg/Dialect.h"
#include "transform/masks/BoundBuilder.h"
#include "transform/pipeline/Strategy.h"

namespace tilewright::transform {

/// A comparison that holds for all elements as long as difference >= 0, and then no longer.
struct LoopMask {
  mlir::Value condition;
  AffineForm left, right;
  AffineForm difference;
};

using LoopMasks = llvm::SmallVector<LoopMask, 1>;

/// Whether the op selects at least 16 elements a thread, each by its own condition.
bool isLargeSelect(mlir::arith::SelectOp select);

/// The masks of large selects that hold at the beginning of `loop`.
LoopMasks findSelectMasks(mlir::scf::ForOp loop);

/// Those of asynchronous copies of elements of at least 32 bits that hold at its beginning, unless
/// several groups of warps have a unit multiply meanwhile (LowerLoads.h), so that masks take no
/// time.
LoopMasks findCopyMasks(mlir::scf::ForOp loop, const LoopStrategy &strategy);

/// Those of loads that hold at its beginning.
LoopMasks findLoadMasks(mlir::scf::ForOp loop);

/// Whether threads have masks of their own. One for all costs little.
bool hasOwnMasks(llvm::ArrayRef<LoopMask> masks);

/// The first index of the loop, whose bounds are of at most 32 bits, from which one of `masks` may
/// fail, or its upper bound if there is none. It is the lower bound where an element may wrap
/// around.
mlir::Value createMiddle(BoundBuilder &bounds, llvm::ArrayRef<LoopMask> masks);

/// Whether the op makes a mask of masks, all of whose elements are true if theirs are.
bool isMaskOp(mlir::Operation *op);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MASKS_LOOPMASKS_H
