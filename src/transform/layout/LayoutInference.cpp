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
  if (isa<tt::ExpandDimsOp, tt::TransOp, tt::ReshapeOp>(op))
    return OpKind::Derived;
  if (isa<tt::ReduceOp>(op))
    return OpKind::Reduce;
  if (isa<tt::UnsplatOp>(op))
    return OpKind::Unsplat;
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::ConditionOp>(op) ||
      (isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op->getParentOp())))
    return OpKind::Control;
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getIsVolatile() || isWideAccess(op) ? OpKind::Fixed : OpKind::SameLayout;
  bool elementwise = op->hasTrait<OpTrait::Elementwise>() || op->hasTrait<tt::SameEncoding>() ||
                     op->hasTrait<OpTrait::SameOperandsAndResultType>();
  return elementwise && op->getNumResults() == 1 && isMemoryEffectFree(op) ? OpKind::SameLayout
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

Attribute inferReshape(ArrayRef<int64_t> from, Attribute layout, ArrayRef<int64_t> to) {
  if (from == to)
    return layout;
  // Row-major means that the last dimension has the low bits of a flat index.
  auto reversed = [](ArrayRef<int64_t> shape) {
    SmallVector<layout::SizedDim> dims;
    for (size_t i = shape.size(); i-- > 0;)
      dims.push_back({layout::Dim::tensor(i), llvm::Log2_64(shape[i])});
    return dims;
  };
  auto names = [](unsigned rank, bool backwards) {
    SmallVector<layout::Dim> dims;
    for (unsigned i = 0; i < rank; ++i)
      dims.push_back(layout::Dim::tensor(backwards ? rank - 1 - i : i));
    return dims;
  };
  layout::LinearLayout map = cast<tt::LayoutEncoding>(layout).toLinearLayout(from);
  map = map.transposeOuts(names(from.size(), true))
            .reshapeOuts(reversed(to))
            .transposeOuts(names(to.size(), false));
  return ttg::encodingOf(layout.getContext(), map);
}

Attribute inferResultLayout(Operation *op, Attribute operand) {
  auto layout = cast<tt::LayoutEncoding>(operand);
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    return layout.inferExpandDims(expand.getAxis());
  if (auto trans = dyn_cast<tt::TransOp>(op))
    return layout.inferTrans(shapeOf(trans.getSrc()), trans.getOrder());
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op))
    return inferReshape(shapeOf(reshape.getSrc()), operand, shapeOf(reshape.getResult()));
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
    return inferReshape(shapeOf(reshape.getResult()), result, shapeOf(reshape.getSrc()));
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
