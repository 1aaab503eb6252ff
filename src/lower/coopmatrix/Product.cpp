//===- Product.cpp - Products of cooperative matrices -------------------------===//
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

namespace {

/// Each lane computes the elements that it holds of the result. The row of A and the column of B
/// come by shuffles: where M is S or more, a lane has its rows of A, and an element of B is the
/// same for all.
struct MulAddPattern final : LoweringPattern<tw::CoopMatrixMulAddOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tw::CoopMatrixMulAddOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    const tw::CoopMatrixType typeA = op.getA().getType(), typeB = op.getB().getType(),
                             typeC = op.getType();
    ElementArithmetic arithmetic(e, typeC.getElementType());
    MatrixRegisters placesA(e, typeA), placesB(e, typeB), placesC(e, typeC);
    auto widen = [&](ValueRange registers, tw::CoopMatrixType type, bool isUnsigned) {
      return llvm::map_to_vector(registers, [&](Value value) {
        return arithmetic.widen(value, type.getElementType(), isUnsigned);
      });
    };
    const SmallVector<Value> a = widen(adaptor.getA(), typeA, op.getUnsignedA()),
                             b = widen(adaptor.getB(), typeB, op.getUnsignedB());
    ElementGather gatherA(e, placesA.getLayout(), a), gatherB(e, placesB.getLayout(), b);
    const CooperativeMatrix &layout = placesC.getLayout();

    SmallVector<Value> sums(adaptor.getC());
    for (auto [r, sum] : llvm::enumerate(sums)) {
      if (layout.isPadding(r))
        continue;
      const CooperativeMatrix::Element own = layout.registerElement(r);
      sum = arithmetic.widen(sum, typeC.getElementType());
      for (int64_t k = 0; k < typeA.getColumns(); ++k) {
        Value left = gatherA.get([&](int64_t lane) -> CooperativeMatrix::Element {
          return {own.row + layout.laneElement(lane).row, k};
        });
        Value right = gatherB.get([&](int64_t lane) -> CooperativeMatrix::Element {
          return {k, own.column + layout.laneElement(lane).column};
        });
        sum = arithmetic.multiplyAdd(left, right, sum);
      }
      sum = placesC.withoutPadding(r, arithmetic.narrow(sum));
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{sums});
    return success();
  }
};

} // namespace

void lower::addCoopMatrixProductPattern(RewritePatternSet &patterns, const TypeConverter &converter,
                                        LoweringContext &context) {
  patterns.add<MulAddPattern>(converter, context, patterns.getContext());
}
