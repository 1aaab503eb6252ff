//===- StagedLoads.h - Loads through registers to shared memory -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Where no copies go from global to shared memory by themselves, operands of matrix units go by way
// of registers. The registers are then a buffer too: a tile is loaded into them while the unit
// works on the one before, and put into memory after that:
//
//     %m = ttg.local_alloc                      one buffer
//     x = load tile 0                           stage 0
//     local_store x, %m                         stage 0
//     for ...
//       x = load tile i + 1                     stage 0
//       dot local_load %m                       stage 1
//       local_store x, %m                       stage 0
//
// A thread's registers hold the sums, the tile that comes, and operands of a step of K. Where they
// are too few for a tile it is loaded right before it is stored, and the wait for it is seen.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_STAGED_STAGEDLOADS_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_STAGED_STAGEDLOADS_H

#include "ir/ttg/Dialect.h"
#include "target/Target.h"
#include "transform/pipeline/copies/LowerLoads.h"

namespace tilewright::transform {

/// The loads of operands in `loop` that begin an iteration before their use, as many as registers
/// and shared memory are left for beside what the loop only keeps: those of fewer bytes first.
llvm::SmallVector<tt::LoadOp> findEarlyLoads(mlir::scf::ForOp loop, const target::Target &target);

/// Puts those loads of `loop` that begin a stage before their use into shared memory at the end of
/// their stage.
LoweredLoop stageLoads(mlir::scf::ForOp loop, LoopSchedule schedule, const target::Target &target);

/// Puts other loads of operands in loops of `module` into shared memory as they come: whole, where
/// a conversion goes through it piece by piece. Those for which no memory is left stay conversions.
void stageLoadsInPlace(mlir::ModuleOp module, const target::Target &target);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_STAGED_STAGEDLOADS_H
