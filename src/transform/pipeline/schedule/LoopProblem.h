//===- LoopProblem.h - The scheduling problem of a loop -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_LOOPPROBLEM_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_LOOPPROBLEM_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "target/Target.h"
#include "transform/pipeline/schedule/ScheduleProblem.h"
#include "transform/pipeline/schedule/StageChoice.h"

namespace tilewright::transform {

/// The ops of the body of `loop`, its terminator aside, and how they depend on each other: by
/// values and by accesses of the same memory (MemoryOrder.h), in both directions where one writes:
/// the next iteration's first access comes after this one's last. `tt.latency` is how early an op
/// is. Cycles are those of one warp on `target`; without one, all are 0.
ScheduleProblem getProblem(mlir::scf::ForOp loop, const target::Target *target);

/// The cycles for which the products of an iteration of `loop` keep the matrix unit of `target`
/// busy, of those that a warp, or a group of warps, issues.
unsigned getProductCycles(mlir::scf::ForOp loop, const target::Target &target);

/// The facts that StageChoice asks about `loop`, whose products, if it has any, complete in order
/// and whose iterations copy `tileBytes`. `room` bytes of shared memory are free.
IssueNeeds findIssueNeeds(mlir::scf::ForOp loop, uint64_t room, uint64_t tileBytes,
                          const target::Target &target);

/// The cycles for which special functions such as exp, outside of branches, keep the unit of these
/// busy with one warp's.
unsigned getSpecialCycles(mlir::scf::ForOp loop, const target::Target &target);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_LOOPPROBLEM_H
