//===- MaskBranches.h - Branches around masks that hold for long ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What masks are for stands in the body of a loop twice, all else once:
//
//     for start in [0, end):                     for start in [0, end):
//       copy p mask rk < K - start          =>     if start < middle: copy p
//       copy q mask rk < K - start                                    copy q
//                                                  else: copy p mask rk < K - start
//                                                        copy q mask rk < K - start
//
// Threads take the same way. Copies that nothing but the end of a group lies between share a
// branch: they end up in the first of their groups, so that the wait for any of these is as long as
// it was.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_MASKBRANCHES_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_MASKBRANCHES_H

#include "transform/pipeline/LoopMasks.h"

namespace tilewright::transform {

/// Has the asynchronous copies of `loop` that `masks` are for done without them in the iterations
/// in which all hold.
void branchOnMasks(mlir::scf::ForOp loop, llvm::ArrayRef<LoopMask> masks);

/// Has the asynchronous copies of `loop` done without the comparisons `holding`, which hold in all
/// its iterations.
void dropMasks(mlir::scf::ForOp loop, const llvm::SmallPtrSetImpl<mlir::Value> &holding);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_MASKBRANCHES_H
