//===- NarrowAtomics.h - Atomic operations narrower than a word -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_MEMORY_NARROWATOMICS_H
#define TILEWRIGHT_LOWER_MEMORY_NARROWATOMICS_H

#include "lower/core/builder/LoweringBuilder.h"

#include "mlir/IR/PatternMatch.h"

namespace tilewright::lower {

/// Replaces an integer of `bits` bits (less than 32) at `pointer` by what `update` makes of it, in
/// one step for all other threads, and returns what was there: a loop of compare-and-swap on the
/// aligned word of 32 bits around it. `update` splits no blocks. `rewriter` is the emitter's
/// builder, which stands after the loop then.
mlir::Value emitNarrowAtomic(LoweringBuilder &e, mlir::RewriterBase &rewriter, mlir::Value pointer,
                             unsigned bits, mlir::LLVM::AtomicOrdering ordering,
                             llvm::StringRef scope,
                             llvm::function_ref<mlir::Value(mlir::Value)> update);

/// `operation` of two elements of `type` (the kernel's type), as integers of its bits.
mlir::Value emitOperation(LoweringBuilder &e, mlir::LLVM::AtomicBinOp operation, mlir::Type type,
                          mlir::Value old, mlir::Value operand);

/// How a compare-and-swap that fails is ordered where one that succeeds is ordered so: it writes
/// nothing, so it has nothing to release.
mlir::LLVM::AtomicOrdering getFailureOrdering(mlir::LLVM::AtomicOrdering ordering);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_MEMORY_NARROWATOMICS_H
