//===- Branch.cpp - Code executed by some of the threads ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/blocks/Branch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

SmallVector<Value> lower::emitBranch(LoweringBuilder &e, RewriterBase &rewriter, Value predicate,
                                     ValueRange otherwise,
                                     llvm::function_ref<SmallVector<Value>()> body) {
  Block *before = rewriter.getInsertionBlock();
  Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
  SmallVector<Value> results;
  for (Value value : otherwise)
    results.push_back(after->addArgument(value.getType(), e.loc));
  Block *inside = rewriter.createBlock(after);
  SmallVector<Value> values = body();
  e.create<LLVM::BrOp>(values, after);
  rewriter.setInsertionPointToEnd(before);
  e.create<LLVM::CondBrOp>(predicate, inside, ValueRange(), after, otherwise);
  rewriter.setInsertionPointToStart(after);
  return results;
}
