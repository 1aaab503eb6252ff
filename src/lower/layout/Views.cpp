//===- Views.cpp - Lowering of splats, ranges and views -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Views move no data between threads: each register of a result is some register of an operand
// (see ViewRegisters.h). tilewright-legalize-views has seen to that.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"
#include "lower/core/Patterns.h"
#include "lower/layout/ViewRegisters.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;

namespace {

LinearLayout layoutOf(Value tensor) {
  return ttg::toLinearLayout(cast<RankedTensorType>(tensor.getType()));
}

struct MakeRangePattern final : LoweringPattern<tt::MakeRangeOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::MakeRangeOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    LinearLayout layout = layoutOf(op.getResult());
    ThreadBases bases = getThreadBases(layout);
    const unsigned shift = layout.inShift(layout::dims::Register);
    const int64_t start = op.getStartAttr().getInt();
    SmallVector<Value> registers;
    for (uint64_t r = 0; r < layout.inSize(layout::dims::Register); ++r) {
      Value index = e.getIndex(bases, layout.applyFlat(r << shift));
      if (start)
        index = e.create<LLVM::AddOp>(index, e.getI32(start));
      registers.push_back(index);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct SplatPattern final : LoweringPattern<tt::SplatOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::SplatOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> registers(ttg::getElementsPerThread(op.getType()), adaptor.getSrc().front());
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct UnsplatPattern final : LoweringPattern<tt::UnsplatOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::UnsplatOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // The only element is in all locations.
    rewriter.replaceOp(op, adaptor.getSrc().front());
    return success();
  }
};

/// A view's results are registers of its operands.
template <typename Op> struct ViewPattern final : LoweringPattern<Op> {
  using LoweringPattern<Op>::LoweringPattern;

  LogicalResult matchAndRewrite(Op op,
                                typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::optional<SmallVector<unsigned>> sources = findViewRegisters(op);
    if (!sources)
      return this->reject(op, rewriter, "between layouts that need data moved across threads");
    SmallVector<Value> registers;
    for (ValueRange operand : adaptor.getOperands())
      llvm::append_range(registers, operand);
    SmallVector<Value> shown =
        llvm::map_to_vector(*sources, [&](unsigned r) { return registers[r]; });
    SmallVector<ValueRange> results;
    size_t count = shown.size() / op->getNumResults();
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      results.push_back(ValueRange(shown).slice(i * count, count));
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
};

} // namespace

void lower::addViewPatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                            LoweringContext &context) {
  patterns.add<MakeRangePattern, SplatPattern, UnsplatPattern, ViewPattern<tt::ExpandDimsOp>,
               ViewPattern<tt::ReshapeOp>, ViewPattern<tt::TransOp>, ViewPattern<tt::BroadcastOp>,
               ViewPattern<tt::JoinOp>, ViewPattern<tt::SplitOp>, ViewPattern<tt::CatOp>>(
      converter, context, patterns.getContext());
}
