//===- Loop.h - Loops in lowered code -------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BLOCKS_LOOP_H
#define TILEWRIGHT_LOWER_CORE_BLOCKS_LOOP_H

#include "lower/core/builder/LoweringBuilder.h"

#include "mlir/IR/PatternMatch.h"

namespace tilewright::lower {

/// Makes the values that the next iteration starts with from the iteration's number (i32) and
/// the values it starts with; it may split blocks.
using LoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)>;

/// Emits `body` to be executed `iterations` (at least 1) times, and returns what the last one
/// made. A single iteration is emitted in place, with number 0. The loop is marked not to be
/// unrolled: its body is as long as it should be. `rewriter` is the emitter's builder; it
/// stands after the loop then.
llvm::SmallVector<mlir::Value> emitLoop(LoweringBuilder &e, mlir::RewriterBase &rewriter,
                                        uint64_t iterations, mlir::ValueRange initial,
                                        LoopBody body);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BLOCKS_LOOP_H
