//===- ReleasePoints.h - When a loop is done with a buffer ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A buffer is free when nothing reads it any more. Loads to registers are done where they stand. A
// product of warp groups reads its operands in memory until an op waits for it: the iteration
// itself, where an op reads its result or that of a later product (findAwaitedProducts), else the
// next one, where that waits for its first product, and for all that were issued before.
//
//     wait for full K;  s = q k      awaited:   K of this iteration is free
//                                               V of the iteration before is free
//     softmax
//     wait for full V;  o += p v     runs on
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_RELEASEPOINTS_H
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_RELEASEPOINTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilewright::vendor::nvidia {

/// The point of an iteration at which a buffer is free.
struct ReleasePoint {
  /// The op of the body after which it is; null: at the end of the iteration.
  mlir::Operation *after = nullptr;
  /// It is the buffer of the iteration before, not of this one.
  bool isOfLast = true;
};

/// The release point of `buffers`, views of shared memory in the body of `loop` that one iteration
/// reads.
ReleasePoint findReleasePoint(mlir::scf::ForOp loop, mlir::ValueRange buffers);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_RELEASEPOINTS_H
