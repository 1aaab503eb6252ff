//===- WaitingValues.h - Tensors that a loop only keeps -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_WAITINGVALUES_H
#define TILEWRIGHT_ANALYSIS_WAITINGVALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilewright::transform {

/// The tensors that earlier loops of the block gave, that are used after `loop`, and that `loop`
/// does not use: it only keeps them. The one with the most registers first.
llvm::SmallVector<mlir::Value> findWaitingValues(mlir::scf::ForOp loop);

/// The op of `loop`'s block with the first use of `value` after `loop`; null if there is none, or
/// if `loop` uses it.
mlir::Operation *findFirstUseBehind(mlir::Value value, mlir::scf::ForOp loop);

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_WAITINGVALUES_H
