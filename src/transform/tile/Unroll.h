//===- Unroll.h - Loop unrolling ------------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_TILE_UNROLL_H
#define TILEWRIGHT_TRANSFORM_TILE_UNROLL_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilewright::transform {

/// Makes `loop` run `factor` iterations at once, and a second loop after it, which is marked as
/// one of a single stage, those that are left. The bounds may be in any order. Returns false
/// and changes nothing if it is known that there are fewer than `factor` iterations.
bool unrollLoop(mlir::scf::ForOp loop, uint64_t factor);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_TILE_UNROLL_H
