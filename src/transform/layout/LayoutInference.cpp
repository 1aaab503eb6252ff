//===- LayoutInference.cpp - Layouts across one op ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/LayoutInference.h"

#include "ir/ttg/Inference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace tilewright::transform {

bool isWideAccess(Operation *op) {
  auto pointers = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!pointers)
    return false;
  int64_t threads = int64_t(ttg::getNumWarps(op)) * ttg::getThreadsPerWarp(op);
  return pointers.getNumElements() >= threads;
}

OpKind getOpKind(Operation *op) {
  if (op->hasAttr(anchorAttrName))
    return OpKind::Fixed;
  if (isa<ttg::ConvertLayoutOp>(op))
    return OpKind::Convert;
  if (isa<arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp, ub::PoisonOp>(op))
    return OpKind::Source;
  if (isa<tt::ExpandDimsOp, tt::TransOp, tt::ReshapeOp, tt::JoinOp, tt::SplitOp, tt::CatOp>(op))
    return OpKind::Derived;
  if (isa<tt::ReduceOp, tt::ScanOp>(op))
    return OpKind::Collective;
  // Whoever asked for an efficient layout has chosen it.
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    return gather.getEfficientLayout() ? OpKind::Fixed : OpKind::Collective;
  if (isa<tt::UnsplatOp, tt::HistogramOp, tt::PrintOp, tt::AssertOp>(op))
    return OpKind::AnyLayout;
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::ConditionOp>(op) ||
      (isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op->getParentOp())))
    return OpKind::Control;
  if (isa<tt::LoadOp>(op))
    return hasEffect<MemoryEffects::Write>(op) || isWideAccess(op) ? OpKind::Fixed
                                                                   : OpKind::SameLayout;
  bool elementwise =
      op->hasTrait<OpTrait::Elementwise>() || op->hasTrait<tt::SameEncoding>() ||
      op->hasTrait<OpTrait::SameOperandsAndResultType>() ||
      isa<tt::ElementwiseInlineAsmOp, tt::ExternElementwiseOp, tt::MapElementwiseOp>(op);
  return elementwise && op->getNumResults() > 0 && isMemoryEffectFree(op) ? OpKind::SameLayout
                                                                          : OpKind::Fixed;
}

/// The order of a transposition back.
static SmallVector<int32_t> invertOrder(ArrayRef<int32_t> order) {
  SmallVector<int32_t> inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = to;
  return inverse;
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

Attribute inferResultLayout(Operation *op, Attribute operand) {
  auto layout = cast<tt::LayoutEncoding>(operand);
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    return layout.inferExpandDims(expand.getAxis());
  if (auto trans = dyn_cast<tt::TransOp>(op))
    return layout.inferTrans(shapeOf(trans.getSrc()), trans.getOrder());
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op))
    return ttg::inferReshape(shapeOf(reshape.getSrc()), operand, shapeOf(reshape.getResult()));
  if (auto join = dyn_cast<tt::JoinOp>(op))
    return ttg::inferJoin(shapeOf(join.getLhs()), operand);
  if (auto split = dyn_cast<tt::SplitOp>(op))
    return ttg::inferSplit(shapeOf(split.getSrc()), operand);
  if (auto cat = dyn_cast<tt::CatOp>(op))
    return ttg::inferCat(shapeOf(cat.getLhs()), operand);
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return layout.getRank() > 1 ? layout.inferReduce(reduce.getAxis()) : Attribute();
  return operand;
}

Attribute inferOperandLayout(Operation *op, Attribute result) {
  auto layout = cast<tt::LayoutEncoding>(result);
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    return layout.inferReduce(expand.getAxis());
  if (auto trans = dyn_cast<tt::TransOp>(op))
    return layout.inferTrans(shapeOf(trans.getResult()), invertOrder(trans.getOrder()));
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op))
    return ttg::inferReshape(shapeOf(reshape.getResult()), result, shapeOf(reshape.getSrc()));
  if (auto join = dyn_cast<tt::JoinOp>(op))
    return ttg::inferSplit(shapeOf(join.getResult()), result);
  if (auto split = dyn_cast<tt::SplitOp>(op))
    return ttg::inferJoin(shapeOf(split->getResult(0)), result);
  if (isa<tt::CatOp>(op)) // the operands' layouts are many; none stands out
    return {};
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    // Only a slice says along what its elements were.
    auto slice = dyn_cast<ttg::SliceEncodingAttr>(result);
    return slice && slice.getDim() == reduce.getAxis() ? Attribute(slice.getParent()) : Attribute();
  }
  return result;
}

RankedTensorType withLayout(Type type, Attribute layout) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(), layout);
}

void setTypeInPlace(Value value, Type type) {
  if (value.getType() == type)
    return;
  value.setType(type);
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
      constant.setValueAttr(dense.reshape(cast<ShapedType>(type)));
}

void setAccessLayout(Operation *op, Attribute layout) {
  if (getLayout(op->getOperand(0).getType()) == layout)
    return;
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()))
      operand.set(ttg::ConvertLayoutOp::create(
          builder, op->getLoc(), withLayout(operand.get().getType(), layout), operand.get()));
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    Type before = result.getType();
    result.setType(withLayout(before, layout));
    auto back = ttg::ConvertLayoutOp::create(builder, op->getLoc(), before, result);
    result.replaceAllUsesExcept(back, back);
  }
}

} // namespace tilewright::transform
