//===- Reduce.cpp - Reductions of cooperative matrices ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/coopmatrix/ElementArithmetic.h"
#include "lower/coopmatrix/MatrixRegisters.h"
#include "lower/coopmatrix/Patterns.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::CooperativeMatrix;
using Element = CooperativeMatrix::Element;

namespace {

/// The registers of one row, or of one column, in each lane are combined; then the lanes whose
/// elements differ in the other coordinate only, by butterfly shuffles. All of these have the
/// result then, and a lane takes what it is to hold.
struct ReducePattern final : LoweringPattern<tw::CoopMatrixReduceOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixReduceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    const tw::CoopMatrixType type = op.getMatrix().getType();
    const tw::CombineKind kind = op.getKind();
    ElementArithmetic arithmetic(e, type.getElementType());
    MatrixRegisters places(e, type), resultPlaces(e, op.getType());
    const CooperativeMatrix &layout = places.getLayout();
    // The coordinate that stays.
    int64_t Element::*kept = op.getAxis() == 0 ? &Element::column : &Element::row;

    // The partial results, by the coordinate in lane 0.
    std::map<int64_t, Value> partials;
    for (auto [r, value] : llvm::enumerate(adaptor.getMatrix())) {
      if (layout.isPadding(r))
        continue;
      Value wide = arithmetic.widen(value, type.getElementType());
      if (Value isElement = places.isElement(r))
        wide = e.create<LLVM::SelectOp>(isElement, wide, arithmetic.getIdentity(kind));
      auto [entry, isNew] = partials.try_emplace(layout.registerElement(r).*kept, wide);
      if (!isNew)
        entry->second = arithmetic.combine(kind, entry->second, wide);
    }
    for (unsigned bit = 0; bit < e.context.laneBits; ++bit)
      if (layout.laneElement(int64_t(1) << bit).*kept == 0)
        for (auto &[coordinate, value] : partials)
          value = arithmetic.combine(kind, value, e.shuffleXor(value, 1u << bit));

    // As the registers of the matrix whose elements have been replaced by the results.
    SmallVector<Value> combined;
    for (unsigned r = 0; r < places.size(); ++r) {
      auto found = partials.find(layout.registerElement(r).*kept);
      combined.push_back(found == partials.end() ? e.getZero(arithmetic.getType()) : found->second);
    }
    ElementGather gather(e, layout, combined);
    SmallVector<Value> results;
    const CooperativeMatrix &resultLayout = resultPlaces.getLayout();
    for (unsigned r = 0; r < resultPlaces.size(); ++r) {
      const Element own = resultLayout.registerElement(r);
      Value value = gather.get([&](int64_t lane) -> Element {
        const Element at = resultLayout.laneElement(lane);
        // Any element of the row or column will do: one of this lane's, where it has some.
        const Element source = layout.laneElement(lane);
        return op.getAxis() == 0 ? Element{source.row, own.column + at.column}
                                 : Element{own.row + at.row, source.column};
      });
      results.push_back(resultPlaces.withoutPadding(r, arithmetic.narrow(value)));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{results});
    return success();
  }
};

} // namespace

void lower::addCoopMatrixReducePattern(RewritePatternSet &patterns, const TypeConverter &converter,
                                       LoweringContext &context) {
  patterns.add<ReducePattern>(converter, context, patterns.getContext());
}
