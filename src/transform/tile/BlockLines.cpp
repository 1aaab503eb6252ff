//===- BlockLines.cpp - What is known along one dimension of a block ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/tile/BlockLines.h"

#include "ir/tt/Dialect.h"
#include "ir/ttg/encoding/Inference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

RankedTensorType BlockLines::getBlockType(Type element) const {
  return RankedTensorType::get(block.getShape(), element, block.getEncoding());
}

SmallVector<Attribute> BlockLines::getLayouts(unsigned dim) const {
  SmallVector<Attribute> layouts = {block.getEncoding()};
  for (unsigned axis = block.getRank(); axis-- > 0;)
    if (axis != dim)
      layouts.push_back(layouts.back() ? ttg::sliceOf(layouts.back(), axis) : Attribute());
  std::reverse(layouts.begin(), layouts.end());
  return layouts;
}

RankedTensorType BlockLines::getType(unsigned dim, Type element) const {
  return RankedTensorType::get({block.getDimSize(dim)}, element, getLayouts(dim).front());
}

Value BlockLines::getPositions(unsigned dim, Value first) const {
  Type wide = builder.getI64Type();
  Value steps = tt::MakeRangeOp::create(builder, loc, getType(dim, builder.getI32Type()), 0,
                                        static_cast<int32_t>(block.getDimSize(dim)));
  Value start = splatLine(dim, arith::ExtSIOp::create(builder, loc, wide, first));
  return arith::AddIOp::create(builder, loc, start,
                               arith::ExtSIOp::create(builder, loc, getType(dim, wide), steps));
}

Value BlockLines::splatLine(unsigned dim, Value scalar) const {
  return tt::SplatOp::create(builder, loc, getType(dim, scalar.getType()), scalar);
}

Value BlockLines::splatBlock(Value scalar) const {
  return tt::SplatOp::create(builder, loc, getBlockType(scalar.getType()), scalar);
}

Value BlockLines::isInside(unsigned dim, Value positions, Value size) const {
  Value zero = arith::ConstantOp::create(
      builder, loc,
      SplatElementsAttr::get(cast<ShapedType>(positions.getType()), builder.getI64IntegerAttr(0)));
  using Predicate = arith::CmpIPredicate;
  Value notBefore = arith::CmpIOp::create(builder, loc, Predicate::sge, positions, zero);
  Value notAfter =
      arith::CmpIOp::create(builder, loc, Predicate::slt, positions, splatLine(dim, size));
  return arith::AndIOp::create(builder, loc, notBefore, notAfter);
}

Value BlockLines::toBlock(unsigned dim, Value line) const {
  auto type = cast<RankedTensorType>(line.getType());
  SmallVector<int64_t> shape(type.getShape());
  const SmallVector<Attribute> allLayouts = getLayouts(dim);
  ArrayRef<Attribute> layouts = allLayouts;
  for (unsigned axis = 0; axis < block.getRank(); ++axis)
    if (axis != dim) {
      shape.insert(shape.begin() + axis, 1);
      layouts = layouts.drop_front();
      type = RankedTensorType::get(shape, type.getElementType(), layouts.front());
      line = tt::ExpandDimsOp::create(builder, loc, type, line, axis);
    }
  if (type.getShape() == block.getShape())
    return line;
  return tt::BroadcastOp::create(builder, loc, getBlockType(type.getElementType()), line);
}
