//===- Branch.h - Code executed by some of the threads --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// For operations that cannot be predicated.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BLOCKS_BRANCH_H
#define TILEWRIGHT_LOWER_CORE_BLOCKS_BRANCH_H

#include "lower/core/builder/LoweringBuilder.h"

#include "mlir/IR/PatternMatch.h"

namespace tilewright::lower {

/// Emits `body` in a block of its own, which threads enter where `predicate` (i1) is true. The
/// results are what `body` gives, and `otherwise` in the other threads. `rewriter` is the
/// emitter's builder; it stands after the branch then.
llvm::SmallVector<mlir::Value>
emitBranch(LoweringBuilder &e, mlir::RewriterBase &rewriter, mlir::Value predicate,
           mlir::ValueRange otherwise, llvm::function_ref<llvm::SmallVector<mlir::Value>()> body);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BLOCKS_BRANCH_H
