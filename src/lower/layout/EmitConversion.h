//===- EmitConversion.h - Emission of conversion plans --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Emits a plan::ConversionPlan as LLVM-dialect ops, step by step.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_LAYOUT_EMITCONVERSION_H
#define TILEWRIGHT_LOWER_LAYOUT_EMITCONVERSION_H

#include "lower/core/builder/LoweringBuilder.h"
#include "target/Atom.h"
#include "tilewright/layout/ConversionPlan.h"

#include "mlir/IR/PatternMatch.h"

namespace tilewright::lower {

/// The registers after a conversion of kind Shuffles; `src` are those before, of LLVM type
/// `type`.
llvm::SmallVector<mlir::Value> emitShuffles(LoweringBuilder &e, const plan::ShufflePlan &plan,
                                            mlir::ValueRange src, mlir::Type type);

/// Likewise of kind SharedMemory, with scratch memory from byte `scratch` of the block's shared
/// memory on: a multiple of the widest access. `rewriter` is the emitter's builder; its block
/// may be split.
llvm::SmallVector<mlir::Value>
emitSharedConversion(LoweringBuilder &e, mlir::RewriterBase &rewriter, const plan::SharedPlan &plan,
                     mlir::ValueRange src, mlir::Type type, uint64_t scratch);

/// Likewise of any kind; `scratch` matters only for kind SharedMemory.
llvm::SmallVector<mlir::Value> emitConversion(LoweringBuilder &e, mlir::RewriterBase &rewriter,
                                              const plan::ConversionPlan &plan,
                                              mlir::ValueRange src, mlir::Type type,
                                              uint64_t scratch);

//===----------------------------------------------------------------------------===//
// Conditions of plans
//===----------------------------------------------------------------------------===//

/// The masks of a parity as one mask over the bits of the thread's number.
uint32_t getThreadMask(const plan::ThreadParity &parity, const LoweringContext &context);

/// The linear map of the thread's number whose bit k is the parity of its bits in masks[k].
ThreadBases getParityBases(llvm::ArrayRef<uint32_t> masks, LoweringBuilder &e);

/// i1: whether the parity is odd; null where it never is.
mlir::Value testParity(LoweringBuilder &e, const plan::ThreadParity &parity);

/// i1: whether the thread meets the condition; null where all do.
mlir::Value testCondition(LoweringBuilder &e, const plan::ThreadCondition &condition);

//===----------------------------------------------------------------------------===//
// Accesses of plans
//===----------------------------------------------------------------------------===//

/// Emits the store of one access of a thread: `values` as they are in memory, in the order of
/// SharedAccess::registers. `predicate` (i1, may be null) is only for
/// what each lane does for itself.
void emitSharedStore(LoweringBuilder &e, const target::CopyAtom &atom, mlir::Value pointer,
                     mlir::ValueRange values, mlir::Value predicate);

/// Emits the load of one access of a thread: `count` elements of `memoryType`. Where `predicate` is
/// given and false, `passThrough`, as many.
llvm::SmallVector<mlir::Value> emitSharedLoad(LoweringBuilder &e, const target::CopyAtom &atom,
                                              mlir::Value pointer, unsigned count,
                                              mlir::Type memoryType, mlir::Value predicate = {},
                                              mlir::ValueRange passThrough = {});

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_LAYOUT_EMITCONVERSION_H
