//===- Ops.cpp - Verifiers and canonicalization of ttg ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

#include "ir/ttg/encoding/Syntax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

#define GET_OP_CLASSES
#include "ir/ttg/Ops.cpp.inc"

//===--------------------------------------------------------------------------===//
// ConvertLayoutOp
//===--------------------------------------------------------------------------===//

LogicalResult ConvertLayoutOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType()), dst = cast<RankedTensorType>(getType());
  // For tensors without layouts it is the operand.
  if (!src.getEncoding() && !dst.getEncoding())
    return success();
  // One that is still to be chosen comes to have one.
  auto hasLayout = [](RankedTensorType type) {
    return tt::getLayoutEncoding(type) || tt::isUndecided(type);
  };
  if (!hasLayout(src) || !hasLayout(dst))
    return emitOpError("converts between layouts, but one of its tensors has none");
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSrc()))
    return SplatElementsAttr::get(cast<ShapedType>(getType()), splat.getSplatValue<Attribute>());
  return {};
}

namespace {

/// convert(convert(x)) -> convert(x).
struct ConvertOfConvert : OpRewritePattern<ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertLayoutOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getSrc().getDefiningOp<ConvertLayoutOp>();
    if (!inner)
      return failure();
    rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, op.getType(), inner.getSrc());
    return success();
  }
};

/// A tensor in shared memory is loaded in the layout of the result.
struct ConvertOfLoad : OpRewritePattern<ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertLayoutOp op, PatternRewriter &rewriter) const override {
    auto load = op.getSrc().getDefiningOp<LocalLoadOp>();
    if (!load || !load->hasOneUse())
      return failure();
    // At the load, not at the conversion: memory may be written in between.
    rewriter.setInsertionPoint(load);
    rewriter.replaceOpWithNewOp<LocalLoadOp>(op, op.getType(), load.getSrc(), load.getToken());
    return success();
  }
};

/// An op without operands that have a layout makes its result in the wanted one.
struct ConvertOfSource : OpRewritePattern<ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertLayoutOp op, PatternRewriter &rewriter) const override {
    Operation *source = op.getSrc().getDefiningOp();
    if (auto splat = dyn_cast_or_null<tt::SplatOp>(source)) {
      rewriter.replaceOpWithNewOp<tt::SplatOp>(op, op.getType(), splat.getSrc());
      return success();
    }
    if (auto range = dyn_cast_or_null<tt::MakeRangeOp>(source)) {
      rewriter.replaceOpWithNewOp<tt::MakeRangeOp>(op, op.getType(), range.getStart(),
                                                   range.getEnd());
      return success();
    }
    return failure();
  }
};

} // namespace

void ConvertLayoutOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                  MLIRContext *context) {
  patterns.add<ConvertOfConvert, ConvertOfLoad, ConvertOfSource>(context);
}

//===--------------------------------------------------------------------------===//
// Fp4ToFpOp
//===--------------------------------------------------------------------------===//

/// The layout after each byte has become two elements, its halves: coordinates along `axis` double,
/// and the thread that had the byte has both.
static layout::LinearLayout unpackedLayout(RankedTensorType type, unsigned axis) {
  layout::Dim dim = layout::Dim::tensor(axis);
  auto both = layout::LinearLayout::identity1D(2, layout::dims::Register, dim);
  return both * toLinearLayout(type);
}

/// Whether every thread has the same elements in both, in whatever registers.
static bool sameThreads(const layout::LinearLayout &a, const layout::LinearLayout &b) {
  for (layout::Dim dim : {layout::dims::Lane, layout::dims::Warp, layout::dims::Block})
    for (unsigned bit = 0; bit < std::max(a.inBits(dim), b.inBits(dim)); ++bit)
      for (const layout::SizedDim &out : a.outs())
        if (bit >= a.inBits(dim) || bit >= b.inBits(dim) ||
            a.basis(dim, bit, out.dim) != b.basis(dim, bit, out.dim))
          return false;
  auto registers = [](const layout::LinearLayout &map) {
    SmallVector<layout::Dim> outs;
    for (const layout::SizedDim &out : map.outs())
      outs.push_back(out.dim);
    const layout::Dim ins[] = {layout::dims::Register};
    return map.sublayout(ins, std::span<const layout::Dim>(outs.data(), outs.size()));
  };
  return registers(a).imageWithin(registers(b)) && registers(b).imageWithin(registers(a));
}

LogicalResult Fp4ToFpOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType()), dst = cast<RankedTensorType>(getType());
  int64_t axis = getAxisAttr().getInt();
  if (axis < 0 || axis >= src.getRank())
    return emitOpError() << "has axis " << axis << ", but its operand has dimensions 0 .. "
                         << src.getRank() - 1;
  SmallVector<int64_t> shape(src.getShape());
  shape[axis] *= 2;
  if (dst.getShape() != ArrayRef(shape))
    return emitOpError() << "gives two numbers a byte along axis " << axis << ": of " << src
                         << " it has shape " << shape << ", not that of " << dst;
  if ((!src.getEncoding() && !dst.getEncoding()) || tt::isUndecided(src) || tt::isUndecided(dst))
    return success();
  if (!tt::getLayoutEncoding(src) || !tt::getLayoutEncoding(dst))
    return emitOpError("needs a layout on both its tensors or on neither");
  if (!sameThreads(unpackedLayout(src, axis), toLinearLayout(dst)))
    return emitOpError() << "leaves both numbers of a byte in the thread that has it, but "
                         << dst.getEncoding() << " puts them elsewhere than " << src.getEncoding();
  return success();
}

//===--------------------------------------------------------------------------===//
// GlobalScratchAllocOp
//===--------------------------------------------------------------------------===//

LogicalResult GlobalScratchAllocOp::verify() {
  if (int32_t bytes = getNbytes(); bytes <= 0)
    return emitOpError() << "has `nbytes` = " << bytes << ", which must be positive";
  if (int32_t alignment = getAlignment(); alignment <= 0 || !llvm::isPowerOf2_32(alignment))
    return emitOpError() << "has `alignment` = " << alignment << ", which must be a power of two";
  return success();
}
