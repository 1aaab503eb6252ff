//===- LayoutRules.cpp - Layout rules of ops that need an encoding ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The rules of tt's ops that rest on what ttg knows: which encoding describes a map, and how many
// threads a block has. The others are beside their ops in ir/tt.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"
#include "ir/ttg/encoding/Inference.h"

using namespace mlir;
using namespace tilewright;
using tt::LayoutRule;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static tt::LayoutEncoding encodingOf(Attribute layout) { return cast<tt::LayoutEncoding>(layout); }

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

/// Whether a load is worth keeping in its coalesced layout: it has at least one element for each
/// thread that takes part.
static bool isWide(tt::LoadOp op) {
  auto pointers = dyn_cast<RankedTensorType>(op.getPtr().getType());
  if (!pointers)
    return false;
  const int64_t threads = int64_t(ttg::getNumWarps(op)) * ttg::getThreadsPerWarp(op);
  return pointers.getNumElements() >= threads;
}

LayoutRule tt::LoadOp::getLayoutRule() {
  return hasEffect<MemoryEffects::Write>(*this) || isWide(*this) ? LayoutRule::Anchor
                                                                 : LayoutRule::SameLayout;
}

LayoutRule tt::GatherOp::getLayoutRule() {
  // Whoever asked for an efficient layout has chosen it.
  return getEfficientLayout() ? LayoutRule::Anchor : LayoutRule::Collective;
}

//===--------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------===//

Attribute tt::ExpandDimsOp::inferResultLayout(Attribute operand) {
  return encodingOf(operand).inferExpandDims(getAxis());
}
Attribute tt::ExpandDimsOp::inferOperandLayout(Attribute result) {
  return encodingOf(result).inferReduce(getAxis());
}

/// The order of a transposition back.
static SmallVector<int32_t> invertOrder(ArrayRef<int32_t> order) {
  SmallVector<int32_t> inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = to;
  return inverse;
}

Attribute tt::TransOp::inferResultLayout(Attribute operand) {
  return encodingOf(operand).inferTrans(shapeOf(getSrc()), getOrder());
}
Attribute tt::TransOp::inferOperandLayout(Attribute result) {
  return encodingOf(result).inferTrans(shapeOf(getResult()), invertOrder(getOrder()));
}

LayoutRule tt::ReshapeOp::getLayoutRule() {
  // As for a gather.
  return getEfficientLayout() ? LayoutRule::Anchor : LayoutRule::Inferred;
}
Attribute tt::ReshapeOp::inferResultLayout(Attribute operand) {
  return ttg::inferReshape(shapeOf(getSrc()), operand, shapeOf(getResult()));
}
Attribute tt::ReshapeOp::inferOperandLayout(Attribute result) {
  return ttg::inferReshape(shapeOf(getResult()), result, shapeOf(getSrc()));
}

Attribute tt::JoinOp::inferResultLayout(Attribute operand) {
  return ttg::inferJoin(shapeOf(getLhs()), operand);
}
Attribute tt::JoinOp::inferOperandLayout(Attribute result) {
  return ttg::inferSplit(shapeOf(getResult()), result);
}

Attribute tt::SplitOp::inferResultLayout(Attribute operand) {
  return ttg::inferSplit(shapeOf(getSrc()), operand);
}
Attribute tt::SplitOp::inferOperandLayout(Attribute result) {
  return ttg::inferJoin(shapeOf(getOutLHS()), result);
}

Attribute tt::CatOp::inferResultLayout(Attribute operand) {
  return ttg::inferCat(shapeOf(getLhs()), operand);
}
Attribute tt::CatOp::inferOperandLayout(Attribute) {
  return {}; // there are many; none stands out
}

//===--------------------------------------------------------------------------===//
// Reductions
//===--------------------------------------------------------------------------===//

Attribute tt::ReduceOp::inferResultLayout(Attribute operand) {
  tt::LayoutEncoding layout = encodingOf(operand);
  return layout.getRank() > 1 ? layout.inferReduce(getAxis()) : Attribute();
}
Attribute tt::ReduceOp::inferOperandLayout(Attribute result) {
  // Only a slice says along what its elements were.
  auto slice = dyn_cast<ttg::SliceEncodingAttr>(result);
  return slice && slice.getDim() == getAxis() ? Attribute(slice.getParent()) : Attribute();
}
