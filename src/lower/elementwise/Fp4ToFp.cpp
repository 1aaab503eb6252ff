//===- Fp4ToFp.cpp - Lowering of numbers of four bits -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// e2m1 (OCP Microscaling Formats (MX) Specification 1.0): a sign, two bits of exponent with bias 1,
// one of mantissa. Exponent and mantissa in f16's places are the number times 2^(1 - 15), subnormal
// ones included.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"
#include "lower/core/blocks/RegionPatterns.h"
#include "lower/elementwise/FloatCasts.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;

namespace {

/// For each register of the result the register of the operand that has its byte, twice, and one
/// more for the byte's upper half.
SmallVector<unsigned> findHalves(ttg::Fp4ToFpOp op) {
  LinearLayout dst = ttg::toLinearLayout(cast<RankedTensorType>(op.getType()));
  SmallVector<layout::Dim> dims;
  for (const layout::SizedDim &out : dst.outs())
    dims.push_back(out.dim);
  LinearLayout src =
      LinearLayout::identity1D(2, layout::dims::Register, layout::Dim::tensor(op.getAxis())) *
      ttg::toLinearLayout(cast<RankedTensorType>(op.getSrc().getType()));
  src = src.transposeOuts(dims);
  llvm::DenseMap<uint64_t, unsigned> halves;
  for (unsigned half = 0; half < src.inSize(layout::dims::Register); ++half)
    halves.try_emplace(src.applyFlat(uint64_t(half) << src.inShift(layout::dims::Register)), half);
  SmallVector<unsigned> result;
  // The op's verifier has seen to it that each of them is in the thread.
  for (uint64_t r = 0; r < dst.inSize(layout::dims::Register); ++r)
    result.push_back(halves.at(dst.applyFlat(r << dst.inShift(layout::dims::Register))));
  return result;
}

struct Fp4ToFpPattern final : LoweringPattern<ttg::Fp4ToFpOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttg::Fp4ToFpOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    auto type = cast<FloatType>(tt::getElementTypeOrSelf(op.getType()));
    llvm::SmallDenseMap<unsigned, Value> numbers;
    SmallVector<Value> registers;
    for (unsigned half : findHalves(op)) {
      Value &number = numbers[half];
      if (!number)
        number = convert(e, adaptor.getSrc()[half / 2], half % 2, type);
      registers.push_back(number);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }

private:
  static Value convert(LoweringBuilder &e, Value byte, bool isUpper, FloatType type) {
    Type word = e.builder.getI16Type();
    FloatType f16 = e.builder.getF16Type();
    Value bits = e.create<LLVM::ZExtOp>(word, byte);
    // Bit 3 or 7 is the sign, those below it the magnitude.
    auto field = [&](int64_t mask, int64_t place) -> Value {
      const int64_t from = isUpper ? 4 : 0, shift = place - from;
      Value masked = e.create<LLVM::AndOp>(bits, e.getInt(word, mask << from));
      return e.create<LLVM::ShlOp>(masked, e.getInt(word, shift));
    };
    Value number = e.create<LLVM::OrOp>(field(7, 9), field(8, 12));
    number = e.create<LLVM::BitcastOp>(f16, number);
    number = e.create<LLVM::FMulOp>(f16, number, e.getConstant(e.builder.getF16FloatAttr(0x1p14f)));
    return castFloat(e, number, f16, type, /*towardZero=*/false);
  }
};

} // namespace

void lower::addFp4Pattern(RewritePatternSet &patterns, const TypeConverter &converter,
                          LoweringContext &context) {
  patterns.add<Fp4ToFpPattern>(converter, context, patterns.getContext());
}
