//===- Canonicalize.cpp - Folders and canonicalization of tt ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Constants move into tensors, splats move through shape changes toward their
// uses, and memory accesses whose mask is known lose it.
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tt;

/// The constant `value` as a constant of `type`, where it has the same value everywhere.
static OpFoldResult resplat(Attribute value, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (auto dense = dyn_cast_or_null<SplatElementsAttr>(value))
    return SplatElementsAttr::get(tensor, dense.getSplatValue<Attribute>());
  return {};
}

/// True or false where every element of the mask is known to be so.
static std::optional<bool> getConstantMask(Value mask) {
  if (matchPattern(mask, m_One()))
    return true;
  if (matchPattern(mask, m_Zero()))
    return false;
  return std::nullopt;
}

OpFoldResult AddPtrOp::fold(FoldAdaptor) {
  return matchPattern(getOffset(), m_Zero()) ? OpFoldResult(getPtr()) : OpFoldResult();
}

OpFoldResult MakeRangeOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getType());
  if (type.getNumElements() != 1)
    return {};
  return SplatElementsAttr::get(type, IntegerAttr::get(type.getElementType(), getStart()));
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  Attribute value = adaptor.getSrc();
  if (!isa_and_nonnull<FloatAttr, IntegerAttr>(value))
    return {};
  return SplatElementsAttr::get(cast<ShapedType>(getType()), value);
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return resplat(adaptor.getSrc(), getType());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getType() == getSrc().getType())
    return getSrc();
  return resplat(adaptor.getSrc(), getType());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getType() == getSrc().getType() && !getAllowReorder())
    return getSrc();
  // The same elements in the same order, however often their shape changes.
  auto inner = getSrc().getDefiningOp<ReshapeOp>();
  if (inner && !inner.getAllowReorder() && !getAllowReorder()) {
    if (inner.getSrc().getType() == getType())
      return inner.getSrc();
    if (!cast<RankedTensorType>(getType()).getEncoding()) {
      getSrcMutable().assign(inner.getSrc());
      return getResult();
    }
  }
  return resplat(adaptor.getSrc(), getType());
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  if (getType() == getSrc().getType() && llvm::is_sorted(getOrder()))
    return getSrc();
  return resplat(adaptor.getSrc(), getType());
}

namespace {

/// A shape change of a splat is a splat of the new shape.
template <typename Op> struct ShapeOfSplat : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto splat = op.getSrc().template getDefiningOp<SplatOp>();
    if (!splat)
      return failure();
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
};

/// broadcast(broadcast(x)) -> broadcast(x).
struct BroadcastOfBroadcast : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getSrc().getDefiningOp<BroadcastOp>();
    if (!inner)
      return failure();
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getSrc());
    return success();
  }
};

/// A load that reads everything needs no mask; one that reads nothing is its `other`.
struct LoadWithKnownMask : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LoadOp op, PatternRewriter &rewriter) const override {
    if (!op.getMask())
      return failure();
    std::optional<bool> mask = getConstantMask(op.getMask());
    if (!mask)
      return failure();
    if (*mask) {
      rewriter.modifyOpInPlace(op, [&] {
        op.getMaskMutable().clear();
        op.getOtherMutable().clear();
      });
      return success();
    }
    if (op.getOther()) {
      rewriter.replaceOp(op, op.getOther());
      return success();
    }
    // Without `other` it is zero, as where the mask is found false only when the kernel runs.
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getZeroAttr(op.getType()));
    return success();
  }
};

/// A store that writes everything needs no mask; one that writes nothing goes.
struct StoreWithKnownMask : OpRewritePattern<StoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(StoreOp op, PatternRewriter &rewriter) const override {
    if (!op.getMask())
      return failure();
    std::optional<bool> mask = getConstantMask(op.getMask());
    if (!mask)
      return failure();
    if (*mask)
      rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    else
      rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void ExpandDimsOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ShapeOfSplat<ExpandDimsOp>>(context);
}

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ShapeOfSplat<BroadcastOp>, BroadcastOfBroadcast>(context);
}

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<LoadWithKnownMask>(context);
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<StoreWithKnownMask>(context);
}
