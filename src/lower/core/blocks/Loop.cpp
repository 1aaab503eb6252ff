//===- Loop.cpp - Loops in lowered code ---------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/blocks/Loop.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

static LLVM::LoopAnnotationAttr getNotUnrolled(MLIRContext *context) {
  auto unroll =
      LLVM::LoopUnrollAttr::get(context, BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {},
                                       {}, {}, {});
}

SmallVector<Value> lower::emitLoop(LoweringBuilder &e, RewriterBase &rewriter, uint64_t iterations,
                                   ValueRange initial, LoopBody body) {
  if (iterations == 1)
    return body(e.getI32(0), initial);
  Value zero = e.getI32(0), one = e.getI32(1), end = e.getI32(iterations);
  Block *before = rewriter.getInsertionBlock();
  Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
  SmallVector<Type> types = {zero.getType()};
  llvm::append_range(types, initial.getTypes());
  Block *head = rewriter.createBlock(after, types, SmallVector<Location>(types.size(), e.loc));
  Value number = head->getArgument(0);
  SmallVector<Value> results = body(number, head->getArguments().drop_front());

  SmallVector<Value> next = {e.create<LLVM::AddOp>(number, one, LLVM::IntegerOverflowFlags::nsw)};
  llvm::append_range(next, results);
  Value again = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::slt, next[0], end);
  auto latch = e.create<LLVM::CondBrOp>(again, head, next, after, ValueRange());
  latch.setLoopAnnotationAttr(getNotUnrolled(rewriter.getContext()));

  rewriter.setInsertionPointToEnd(before);
  SmallVector<Value> first = {zero};
  llvm::append_range(first, initial);
  e.create<LLVM::BrOp>(first, head);
  rewriter.setInsertionPointToStart(after);
  return results;
}
