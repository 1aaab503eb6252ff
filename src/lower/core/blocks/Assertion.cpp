//===- Assertion.cpp - Ends a launch where a condition is false ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/blocks/Assertion.h"

#include "lower/core/blocks/Branch.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

void lower::emitAssertion(LoweringBuilder &e, RewriterBase &rewriter, tt::AssertOp op,
                          Value holds) {
  StringRef file = "unknown", function = "unknown";
  unsigned line = 0;
  if (auto place = op.getLoc()->findInstanceOf<FileLineColLoc>()) {
    file = place.getFilename();
    line = place.getLine();
  }
  if (auto parent = dyn_cast<FunctionOpInterface>(rewriter.getBlock()->getParentOp()))
    function = parent.getName();
  Value fails = e.create<LLVM::XOrOp>(holds, e.getInt(rewriter.getI1Type(), 1));
  emitBranch(e, rewriter, fails, {}, [&] {
    e.target.emitAssertionFailure(e.builder, e.loc, op.getMessage(), file, function, line);
    return SmallVector<Value>();
  });
}
