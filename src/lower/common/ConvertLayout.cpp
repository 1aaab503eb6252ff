//===- ConvertLayout.cpp - Lowering of layout conversions ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Emits what layout::planConversion says, step by step.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Conversion.h"
#include "lower/common/EmitConversion.h"
#include "lower/common/Patterns.h"
#include "lower/common/SharedMemory.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

struct ConvertLayoutPattern final : LoweringPattern<ttg::ConvertLayoutOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    using Kind = layout::ConversionPlan::Kind;
    Emitter e(context, rewriter, op.getLoc());
    ValueRange src = adaptor.getSrc();
    Type type = getTypeConverter()->convertType(tt::getElementTypeOrSelf(op.getType()));
    layout::ConversionPlan plan =
        ttg::planConversion(op, context.target.getTarget().sharedMemory());
    SmallVector<Value> registers;
    switch (plan.kind) {
    case Kind::None:
    case Kind::Registers:
      registers = llvm::map_to_vector(plan.registerSources, [&](unsigned r) { return src[r]; });
      break;
    case Kind::Shuffles:
      registers = emitShuffles(e, plan.shuffles, src, type);
      break;
    case Kind::SharedMemory: {
      std::optional<uint64_t> offset = getScratchOffset(op);
      if (!offset)
        return reject(op, rewriter, "before allocate-shared-memory has placed its scratch");
      registers = emitSharedConversion(e, rewriter, plan.shared, src, type, *offset);
      break;
    }
    case Kind::Unsupported:
      return reject(op, rewriter, "because " + plan.reason);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

} // namespace

void lower::addConvertLayoutPattern(RewritePatternSet &patterns, const TypeConverter &converter,
                                    LoweringContext &context) {
  patterns.add<ConvertLayoutPattern>(converter, context, patterns.getContext());
}
