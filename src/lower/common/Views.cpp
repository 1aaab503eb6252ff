//===- Views.cpp - Ops that make tensors or show them otherwise ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Shape ops move no data between threads: each register of the result is some register of
// the operand, found by comparing the two layouts' maps.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"
#include "lower/common/Patterns.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;

namespace {

/// The layout with one output dimension, in which elements are numbered in row-major order
/// (the last dimension fastest).
LinearLayout flattenRowMajor(const LinearLayout &layout) {
  SmallVector<layout::Dim> order;
  for (const layout::SizedDim &dim : llvm::reverse(layout.outs()))
    order.push_back(dim.dim);
  return layout.transposeOuts(order).flattenOuts(layout::dims::Dim0);
}

/// For each register of `dst` the register of `src` that holds the same element in every
/// thread; the layouts' packed outputs number the elements. Nothing if there is none.
std::optional<SmallVector<unsigned>> matchRegisters(const LinearLayout &src,
                                                    const LinearLayout &dst) {
  if (getThreadBases(src) != getThreadBases(dst))
    return std::nullopt;
  const unsigned srcShift = src.inShift(layout::dims::Register);
  const unsigned dstShift = dst.inShift(layout::dims::Register);
  llvm::DenseMap<uint64_t, unsigned> places;
  for (uint64_t r = 0; r < src.inSize(layout::dims::Register); ++r)
    places.try_emplace(src.applyFlat(r << srcShift), r);
  SmallVector<unsigned> sources;
  for (uint64_t r = 0; r < dst.inSize(layout::dims::Register); ++r) {
    auto place = places.find(dst.applyFlat(r << dstShift));
    if (place == places.end())
      return std::nullopt;
    sources.push_back(place->second);
  }
  return sources;
}

LinearLayout layoutOf(Value tensor) {
  return ttg::toLinearLayout(cast<RankedTensorType>(tensor.getType()));
}

struct MakeRangePattern final : LoweringPattern<tt::MakeRangeOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::MakeRangeOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(context, rewriter, op.getLoc());
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
    // The only element is in all places.
    rewriter.replaceOp(op, adaptor.getSrc().front());
    return success();
  }
};

/// Base of the shape ops: `Derived::match` gives the registers.
template <typename Op, typename Derived> struct ShapePattern : LoweringPattern<Op> {
  using LoweringPattern<Op>::LoweringPattern;

  LogicalResult matchAndRewrite(Op op,
                                typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::optional<SmallVector<unsigned>> sources =
        Derived::match(op, layoutOf(op.getSrc()), layoutOf(op.getResult()));
    if (!sources)
      return this->reject(op, rewriter, "between layouts that need data moved across threads");
    ValueRange src = adaptor.getSrc();
    SmallVector<Value> registers =
        llvm::map_to_vector(*sources, [&](unsigned r) { return src[r]; });
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }
};

struct ExpandDimsPattern final : ShapePattern<tt::ExpandDimsOp, ExpandDimsPattern> {
  using ShapePattern::ShapePattern;
  static std::optional<SmallVector<unsigned>> match(tt::ExpandDimsOp, const LinearLayout &src,
                                                    const LinearLayout &dst) {
    return matchRegisters(flattenRowMajor(src), flattenRowMajor(dst));
  }
};

struct ReshapePattern final : ShapePattern<tt::ReshapeOp, ReshapePattern> {
  using ShapePattern::ShapePattern;
  static std::optional<SmallVector<unsigned>> match(tt::ReshapeOp op, const LinearLayout &src,
                                                    const LinearLayout &dst) {
    auto sources = matchRegisters(flattenRowMajor(src), flattenRowMajor(dst));
    // Where any order will do, a thread's elements become a thread's elements, provided that
    // no place is a copy of another.
    if (!sources && op.getAllowReorder() && src.isInvertible() && dst.isInvertible() &&
        src.inSize(layout::dims::Register) == dst.inSize(layout::dims::Register))
      sources = llvm::to_vector(
          llvm::seq<unsigned>(0, static_cast<unsigned>(src.inSize(layout::dims::Register))));
    return sources;
  }
};

struct TransPattern final : ShapePattern<tt::TransOp, TransPattern> {
  using ShapePattern::ShapePattern;
  static std::optional<SmallVector<unsigned>> match(tt::TransOp op, const LinearLayout &src,
                                                    const LinearLayout &dst) {
    SmallVector<layout::Dim> order;
    for (int32_t dim : op.getOrder())
      order.push_back(src.outs()[dim].dim);
    return matchRegisters(src.transposeOuts(order), dst);
  }
};

/// Along a repeated dimension all coordinates of the result are the operand's coordinate 0.
struct BroadcastPattern final : ShapePattern<tt::BroadcastOp, BroadcastPattern> {
  using ShapePattern::ShapePattern;
  static std::optional<SmallVector<unsigned>> match(tt::BroadcastOp, const LinearLayout &src,
                                                    LinearLayout dst) {
    for (const layout::SizedDim &dim : src.outs())
      if (dim.bits == 0)
        dst = dst.resizeOut(dim.dim, 1);
    return matchRegisters(src, dst);
  }
};

} // namespace

void lower::addViewPatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                            LoweringContext &context) {
  patterns.add<MakeRangePattern, SplatPattern, UnsplatPattern, ExpandDimsPattern, ReshapePattern,
               TransPattern, BroadcastPattern>(converter, context, patterns.getContext());
}
