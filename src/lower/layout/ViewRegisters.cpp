//===- ViewRegisters.cpp - Registers of a view's operand ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/layout/ViewRegisters.h"

#include "ir/ttg/Dialect.h"
#include "layout/ShapeChanges.h"
#include "lower/core/builder/LoweringBuilder.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;

namespace {

/// Both sides of a view, the registers of all operands and of all results each numbered
/// through: maps to one numbering of the elements.
struct ViewMaps {
  LinearLayout src, dst;
};

} // namespace

static LinearLayout layoutOf(Value tensor) {
  return ttg::toLinearLayout(cast<RankedTensorType>(tensor.getType()));
}

/// Two tensors of one layout, numbered along a new last dimension.
static LinearLayout twoOf(const LinearLayout &layout) {
  layout::Dim which = layout::Dim::tensor(layout.outs().size());
  return layout * LinearLayout::identity1D(2, layout::dims::Register, which);
}

static ViewMaps getMaps(Operation *view) {
  LinearLayout src = layoutOf(view->getOperand(0)), dst = layoutOf(view->getResult(0));
  if (isa<tt::JoinOp>(view))
    return {twoOf(src), dst};
  if (isa<tt::SplitOp>(view))
    return {src, twoOf(dst)};
  if (isa<tt::CatOp>(view))
    return {layout::concatenate(src), dst};
  if (auto trans = dyn_cast<tt::TransOp>(view)) {
    auto order =
        llvm::map_to_vector(trans.getOrder(), [&](int32_t dim) { return src.outs()[dim].dim; });
    return {src.transposeOuts(order), dst};
  }
  if (isa<tt::BroadcastOp>(view)) {
    // Along a repeated dimension all coordinates of the result are the operand's coordinate 0.
    for (const layout::SizedDim &dim : src.outs())
      if (dim.bits == 0)
        dst = dst.resizeOut(dim.dim, 1);
    return {src, dst};
  }
  return {layout::flattenRowMajor(src), layout::flattenRowMajor(dst)};
}

/// For each register of `dst` the register of `src` that holds the same element in every
/// thread; the layouts' packed outputs number the elements. Nothing if there is none.
static std::optional<SmallVector<unsigned>> matchRegisters(const LinearLayout &src,
                                                           const LinearLayout &dst) {
  if (getThreadBases(src) != getThreadBases(dst))
    return std::nullopt;
  const unsigned srcShift = src.inShift(layout::dims::Register);
  const unsigned dstShift = dst.inShift(layout::dims::Register);
  llvm::DenseMap<uint64_t, unsigned> locations;
  for (uint64_t r = 0; r < src.inSize(layout::dims::Register); ++r)
    locations.try_emplace(src.applyFlat(r << srcShift), r);
  SmallVector<unsigned> sources;
  for (uint64_t r = 0; r < dst.inSize(layout::dims::Register); ++r) {
    auto location = locations.find(dst.applyFlat(r << dstShift));
    if (location == locations.end())
      return std::nullopt;
    sources.push_back(location->second);
  }
  return sources;
}

bool lower::isView(Operation *op) {
  return isa<tt::ReshapeOp, tt::TransOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::JoinOp, tt::SplitOp,
             tt::CatOp>(op) &&
         tt::getLayoutEncoding(op->getOperand(0).getType()) &&
         tt::getLayoutEncoding(op->getResult(0).getType());
}

std::optional<SmallVector<unsigned>> lower::findViewRegisters(Operation *view) {
  auto [src, dst] = getMaps(view);
  std::optional<SmallVector<unsigned>> sources = matchRegisters(src, dst);
  // Where any order will do, a thread's elements become a thread's elements, provided that
  // no location is a copy of another.
  if (auto reshape = dyn_cast<tt::ReshapeOp>(view);
      reshape && !sources && reshape.getAllowReorder() && src.isInvertible() &&
      dst.isInvertible() &&
      src.inSize(layout::dims::Register) == dst.inSize(layout::dims::Register))
    sources = llvm::to_vector(
        llvm::seq<unsigned>(0, static_cast<unsigned>(src.inSize(layout::dims::Register))));
  return sources;
}
