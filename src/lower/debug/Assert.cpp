//===- Assert.cpp - Lowering of assertions ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/core/Patterns.h"
#include "lower/core/blocks/Assertion.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

struct AssertPattern final : LoweringPattern<tt::AssertOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::AssertOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!context.target.canFail())
      return reject(op, rewriter, "since kernels cannot stop with a message there",
                    "without --debug a kernel's assertions are left out");
    LoweringBuilder e(context, rewriter, op.getLoc());
    Value holds;
    llvm::SmallDenseSet<Value> seen;
    for (Value condition : adaptor.getCondition())
      if (seen.insert(condition).second)
        holds = e.andPredicates(holds, condition);
    emitAssertion(e, rewriter, op, holds);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::addAssertPattern(RewritePatternSet &patterns, const TypeConverter &converter,
                             LoweringContext &context) {
  patterns.add<AssertPattern>(converter, context, patterns.getContext());
}
