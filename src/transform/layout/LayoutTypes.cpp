//===- LayoutTypes.cpp - Tensor types by their layouts ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/LayoutTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright::transform {

RankedTensorType withLayout(Type type, Attribute layout) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(), layout);
}

Value stripConversions(Value value) {
  while (auto convert = value.getDefiningOp<ttg::ConvertLayoutOp>())
    value = convert.getSrc();
  return value;
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
  setResultLayout(op, layout);
}

void setResultLayout(Operation *op, Attribute layout) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    Type before = result.getType();
    result.setType(withLayout(before, layout));
    auto back = ttg::ConvertLayoutOp::create(builder, op->getLoc(), before, result);
    result.replaceAllUsesExcept(back, back);
  }
}

} // namespace tilewright::transform
