//===- LowerLoads.h - Loads of a scheduled loop as asynchronous copies -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A load in stage 0 whose value is used in stage 2 becomes a copy into one of several buffers, and
// what is used is read from there:
//
//     %m = ttg.local_alloc                      3 buffers
//     for ... iter_args(%in = -1, %out = -1)
//       %in' = %in + 1, or 0 after the last     stage 0
//       %k = async_copy %p, %m[%in']            stage 0
//       %g = async_commit_group %k              stage 0
//       %w = async_wait %g                      stage 2
//       %out' = %out + 1, or 0 after the last   stage 2
//       %x = local_load %m[%out'], %w           stage 2
//     async_wait, local_dealloc %m
//
// Order in the body. The copies for an iteration to come stand after the wait and before the
// reads of the present one: then one barrier, after the wait, does both: it says that everybody's
// copies are there, and that everybody has read the buffer that the copies write, that of the
// iteration before. That takes a buffer more than there are copies under way.
//
// Where a unit reads the tile in memory itself it is still reading that of the iteration before
// when the present one begins, and one buffer more keeps the barrier the only one. Where fewer
// buffers let another block in, or are all that there is room for, the copies stay where the
// schedule has them, at the end, after a second barrier (BufferPlan.h).
//
// There they stay in any case if units read all tiles, for several groups of warps. To begin copies
// takes a thread long: in front of the product the unit would wait for it, while after the product
// it is busy. A single group that waits at a barrier leaves its unit idle, so that it is better off
// with one.
//
// At the end they stay, too, where an iteration waits at its end for its product, one of whose
// operands is in registers that the iteration writes: they are begun while the unit is busy. The
// product has read its buffer by the next barrier, so that there is one buffer less and no second
// barrier.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_COPIES_LOWERLOADS_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_COPIES_LOWERLOADS_H

#include "analysis/AxisInfo.h"
#include "target/Target.h"
#include "transform/pipeline/schedule/LoopSchedule.h"

namespace tilewright::transform {

/// A loop whose loads are copies.
struct LoweredLoop {
  mlir::scf::ForOp loop;
  LoopSchedule schedule;
  /// The buffers, which live until the copies are over after the loop.
  llvm::SmallVector<mlir::Value> buffers;
};

/// Replaces those loads of `loop` that begin at least a stage before their use by copies, where
/// `target` has them. The other ops keep their slots.
LoweredLoop lowerLoads(mlir::scf::ForOp loop, LoopSchedule schedule, const AxisInfoAnalysis &axes,
                       const target::Target &target);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_COPIES_LOWERLOADS_H
