//===- ElectThread.h - One thread that acts for all -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_ELECTTHREAD_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_ELECTTHREAD_H

#include "lower/core/builder/LoweringBuilder.h"

#include "mlir/IR/PatternMatch.h"

namespace tilewright::lower::nvidia {

/// Emits `body` for the first warp of the group, all of whose lanes take part.
void emitForFirstWarp(LoweringBuilder &e, mlir::RewriterBase &rewriter,
                      llvm::function_ref<void()> body);

/// Emits `body` for one thread of a warp that is here as a whole.
void emitForOneLane(LoweringBuilder &e, mlir::RewriterBase &rewriter,
                    llvm::function_ref<void()> body);

/// Emits `body` for one thread of each warp, all of whose lanes are done with what stands before.
/// `predicate` (i1, may be null), the same for a warp's lanes: only where it holds. `rewriter` is
/// the emitter's builder; it stands after the branch then.
void emitForEachWarp(LoweringBuilder &e, mlir::RewriterBase &rewriter, mlir::Value predicate,
                     llvm::function_ref<void()> body);

/// Emits `body` for one thread of the group, always the same one: a lane of the first warp that
/// the hardware elects, by which ptxas sees that it is one. `predicate` (i1, may be null): only
/// where it holds. `rewriter` is the emitter's builder; it stands after the branch then.
void emitForOneThread(LoweringBuilder &e, mlir::RewriterBase &rewriter, mlir::Value predicate,
                      llvm::function_ref<void()> body);

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_ELECTTHREAD_H
