//===- DataMovement.h - Classification of ops that move data between threads -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LOCALITY_DATAMOVEMENT_H
#define TILEWRIGHT_TRANSFORM_LOCALITY_DATAMOVEMENT_H

#include "ir/ttg/Dialect.h"

namespace tilewright::transform {

/// Whether elements that `reduce` combines are in different threads.
bool reducesAcrossThreads(tt::ReduceOp reduce);

/// Whether what `op` does is to move data between threads through shared memory (ttg::ScratchUser),
/// so that they wait for one another. Products of matrices do not count: they have arithmetic for
/// the time of a load.
bool synchronises(mlir::Operation *op);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LOCALITY_DATAMOVEMENT_H
