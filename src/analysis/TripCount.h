//===- TripCount.h - Trip counts of loops ---------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_TRIPCOUNT_H
#define TILEWRIGHT_ANALYSIS_TRIPCOUNT_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tilewright::transform {

/// The number of iterations of `loop`, to be read as an unsigned number of the type of its
/// bounds. These may be in any order: where the upper one is not above the lower one, it is
/// 0. Constants are folded.
mlir::Value createTripCount(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

/// Whether `loop` has an iteration, where its bounds are constant.
std::optional<bool> isKnownToRun(mlir::scf::ForOp loop);

/// Whether `loop` has an iteration, as an i1 at `builder`.
mlir::Value createIfRuns(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_TRIPCOUNT_H
