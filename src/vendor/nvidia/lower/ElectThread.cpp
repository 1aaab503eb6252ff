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

void lower::nvidia::emitForOneThread(LoweringBuilder &e, RewriterBase &rewriter, Value predicate,
                                     llvm::function_ref<void()> body) {
  const uint32_t lanes = (1u << e.context.laneBits) - 1, warps = e.numThreads() - 1 - lanes;
  Value isChosen = e.andPredicates(e.testThreadBitsZero(warps), predicate);
  auto elect = [&] {
    // The whole warp is here: the condition so far is the same for its lanes.
    Value elected = e.create<NVVM::ElectSyncOp>(e.builder.getI1Type(), /*membermask=*/Value());
    emitBranch(e, rewriter, elected, {}, [&] {
      body();
      return SmallVector<Value>();
    });
    return SmallVector<Value>();
  };
  if (isChosen)
    emitBranch(e, rewriter, isChosen, {}, elect);
  else
    elect();
}
