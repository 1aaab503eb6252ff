//===- ConvertLayout.cpp - Lowering of layout conversions ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Emits what plan::planConversion says, step by step.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/Conversion.h"
#include "lower/core/Patterns.h"
#include "lower/core/builder/Scratch.h"
#include "lower/layout/EmitConversion.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

using Kind = plan::ConversionPlan::Kind;

SmallVector<Value> lower::emitConversion(LoweringBuilder &e, RewriterBase &rewriter,
                                         const plan::ConversionPlan &plan, ValueRange src,
                                         Type type, uint64_t scratch) {
  switch (plan.kind) {
  case Kind::None:
  case Kind::Registers:
    return llvm::map_to_vector(plan.registerSources, [&](unsigned r) -> Value { return src[r]; });
  case Kind::Shuffles:
    return emitShuffles(e, plan.shuffles, src, type);
  case Kind::SharedMemory:
    return emitSharedConversion(e, rewriter, plan.shared, src, type, scratch);
  }
  llvm_unreachable("all kinds are emitted");
}

namespace {

struct ConvertLayoutPattern final : LoweringPattern<ttg::ConvertLayoutOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Type type = getTypeConverter()->convertType(tt::getElementTypeOrSelf(op.getType()));
    const Result<plan::ConversionPlan> &plan = ttg::planConversion(op, context.plans);
    if (!plan)
      return reject(op, rewriter, "because " + plan.error());
    std::optional<uint64_t> scratch = getScratchOffset(op);
    if (plan->kind == Kind::SharedMemory && !scratch)
      return reject(op, rewriter, "before allocate-shared-memory has placed its scratch");
    SmallVector<Value> registers =
        emitConversion(e, rewriter, *plan, adaptor.getSrc(), type, scratch.value_or(0));
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

} // namespace

void lower::addConvertLayoutPattern(RewritePatternSet &patterns, const TypeConverter &converter,
                                    LoweringContext &context) {
  patterns.add<ConvertLayoutPattern>(converter, context, patterns.getContext());
}

static ttg::Scratch getConvertLayoutScratch(ttg::ConvertLayoutOp op, plan::PlanCache &plans) {
  const Result<plan::ConversionPlan> &plan = ttg::planConversion(op, plans);
  if (!plan)
    return {};
  return {plan->scratchBytes(), plan->shared.barrier == plan::Barrier::Block};
}

void lower::attachConvertLayoutScratch(MLIRContext &context) {
  attachScratch<ttg::ConvertLayoutOp, getConvertLayoutScratch>(context);
}
