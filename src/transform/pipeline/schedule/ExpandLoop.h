//===- ExpandLoop.h - A scheduled loop with overlapping iterations --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// With stages 0 to n:
//
//     stage 0 of iteration 0                             the prologue: what is not there
//     stages 0, 1 of iterations 1, 0  ...                is masked off
//     for i in [lower, upper):
//       stages 0, .., n of iterations i + n, .., i       in their clusters' order
//
// In the last n iterations stages before the last one are masked off: no code stands after the
// loop, and what they cost are copies of nothing. MLIR's pipeliner of scf.for does this; here is
// what it asks for: the ops' order and their predication.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_EXPANDLOOP_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_EXPANDLOOP_H

#include "transform/pipeline/schedule/LoopSchedule.h"

namespace tilewright::transform {

/// Replaces `loop` by one whose iterations overlap as `schedule`, which is right for it, says.
mlir::FailureOr<mlir::scf::ForOp> expandLoop(mlir::scf::ForOp loop, const LoopSchedule &schedule);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_EXPANDLOOP_H
