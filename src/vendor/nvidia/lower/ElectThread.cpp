//===- ElectThread.cpp - One thread that acts for all -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/ElectThread.h"

#include "lower/core/blocks/Branch.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

/// Emits `body` where `predicate` (i1) is true; everywhere if it is null.
static void emitWhere(LoweringBuilder &e, RewriterBase &rewriter, Value predicate,
                      llvm::function_ref<void()> body) {
  if (!predicate)
    return body();
  emitBranch(e, rewriter, predicate, {}, [&] {
    body();
    return SmallVector<Value>();
  });
}

/// Whether the thread is of the group's first warp (i1); null if there is one only.
static Value isInFirstWarp(LoweringBuilder &e) {
  const uint32_t lanes = (1u << e.context.laneBits) - 1, warps = e.numThreads() - 1 - lanes;
  return e.testThreadBitsZero(warps);
}

void lower::nvidia::emitForFirstWarp(LoweringBuilder &e, RewriterBase &rewriter,
                                     llvm::function_ref<void()> body) {
  emitWhere(e, rewriter, isInFirstWarp(e), body);
}

void lower::nvidia::emitForOneLane(LoweringBuilder &e, RewriterBase &rewriter,
                                   llvm::function_ref<void()> body) {
  emitWhere(e, rewriter, e.create<NVVM::ElectSyncOp>(e.builder.getI1Type(), /*membermask=*/Value()),
            body);
}

void lower::nvidia::emitForEachWarp(LoweringBuilder &e, RewriterBase &rewriter, Value predicate,
                                    llvm::function_ref<void()> body) {
  e.context.target.emitWarpBarrier(e.builder, e.loc);
  emitWhere(e, rewriter, predicate, [&] { emitForOneLane(e, rewriter, body); });
}

void lower::nvidia::emitForOneThread(LoweringBuilder &e, RewriterBase &rewriter, Value predicate,
                                     llvm::function_ref<void()> body) {
  // The whole warp is in it: the condition is the same for its lanes.
  emitWhere(e, rewriter, e.andPredicates(isInFirstWarp(e), predicate),
            [&] { emitForOneLane(e, rewriter, body); });
}
