//===- MaskBranches.h - Branches around masks that hold for long ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What masks are for stands in a branch, and all else of the loop once:
//
//     for start in [0, end):                     for start in [0, end):
//       x = q @ k                                  x = q @ k
//       s = select rm >= start + rn, x, c   =>     if start < middle: s = x
//                                                  else: s = select rm >= start + rn, x, c
//
// Threads take the same way. Code generators do not mix what is in front of a branch with what is
// after it, so the branch comes right after the product. Where the scores are scaled first, the
// way with masks scales them as well, and what is after the branch multiplies by one:
//
//       x = q @ k                                  x = q @ k
//       s = select rm >= start + rn,        =>     if start < middle: y = x, f = scale
//                  x * scale, c                    else: y = select rm >= start + rn, x * scale, c
//                                                        f = 1
//                                                  s = y * f
//
// A product by one is exact, alone and in a multiply-add.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MASKS_MASKBRANCHES_H
#define TILEWRIGHT_TRANSFORM_MASKS_MASKBRANCHES_H

#include "transform/masks/LoopMasks.h"

namespace tilewright::transform {

/// Has the large selects of `loop` that `masks` are for done without them in the iterations in
/// which all hold.
void branchOnSelectMasks(mlir::scf::ForOp loop, llvm::ArrayRef<LoopMask> masks);

/// Has the asynchronous copies of `loop` that `masks` are for done without them in the iterations
/// in which all hold. Copies that nothing but the end of a group lies between share a branch: they
/// end up in the first of their groups, so that the wait for any of these is as long as it was.
void branchOnCopyMasks(mlir::scf::ForOp loop, llvm::ArrayRef<LoopMask> masks);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MASKS_MASKBRANCHES_H
