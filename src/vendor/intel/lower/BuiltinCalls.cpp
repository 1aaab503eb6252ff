//===- BuiltinCalls.cpp - Instructions of SPIR-V by name ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/lower/BuiltinCalls.h"

#include "ir/ttig/Ops.h"
#include "lower/core/Patterns.h"
#include "vendor/intel/lower/Builtins.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {
struct BuiltinCallPattern final : LoweringPattern<ttig::BuiltinCallOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttig::BuiltinCallOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> operands;
    for (ValueRange operand : adaptor.getOperands())
      llvm::append_range(operands, operand);
    // A call that accesses memory without a pointer is a barrier.
    auto isPointer = [](Value value) { return isa<LLVM::LLVMPointerType>(value.getType()); };
    const intel::Effect effect = !op.getMemory()                     ? intel::Effect::Exchange
                                 : llvm::any_of(operands, isPointer) ? intel::Effect::Message
                                                                     : intel::Effect::Barrier;
    LLVM::CallOp call = intel::callBuiltin(
        rewriter, op.getLoc(), op.getName(), op.getParameters(),
        op.getResult() ? getTypeConverter()->convertType(op.getResult().getType()) : Type(),
        operands, effect);
    rewriter.replaceOp(op, call->getResults());
    return success();
  }
};
} // namespace

void intel::addBuiltinCallPattern(RewritePatternSet &patterns, const PatternServices &services) {
  patterns.add<BuiltinCallPattern>(services.converter, services.context, patterns.getContext());
}
