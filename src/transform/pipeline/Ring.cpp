//===- Ring.cpp - Buffers and barriers that take turns ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/Ring.h"

#include "ir/ttng/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

static Value createConstant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
}

//===----------------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------------===//

ttg::MemDescType transform::getBarrierType(MLIRContext *context) {
  layout::SwizzledShared plain;
  plain.order = {0};
  return ttg::MemDescType::get({1}, IntegerType::get(context, 64),
                               ttg::SwizzledSharedEncodingAttr::get(context, plain),
                               ttg::SharedMemorySpaceAttr::get(context), /*mutableMemory=*/true);
}

ttg::MemDescType transform::getBuffersType(ttg::MemDescType type, int64_t count) {
  SmallVector<int64_t> shape = {count};
  llvm::append_range(shape, type.getShape());
  return ttg::MemDescType::get(shape, type.getElementType(), type.getEncoding(),
                               type.getMemorySpace(), type.getMutableMemory());
}

Value transform::createElement(OpBuilder &builder, Location loc, Value ring, Value index) {
  const auto all = cast<ttg::MemDescType>(ring.getType());
  const auto type = ttg::MemDescType::get(all.getShape().drop_front(), all.getElementType(),
                                          all.getEncoding(), all.getMemorySpace(),
                                          /*mutableMemory=*/true);
  return ttg::MemDescIndexOp::create(builder, loc, type, ring, index);
}

Value transform::createBarriers(OpBuilder &builder, Location loc, unsigned count,
                                unsigned arrivals) {
  const ttg::MemDescType type = getBarrierType(builder.getContext());
  Value ring = ttg::LocalAllocOp::create(builder, loc, getBuffersType(type, count));
  for (unsigned i = 0; i < count; ++i)
    ttng::InitBarrierOp::create(
        builder, loc, createElement(builder, loc, ring, createConstant(builder, loc, i)), arrivals);
  return ring;
}

void transform::invalidateBarriers(OpBuilder &builder, Location loc, Value ring, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    ttng::InvalBarrierOp::create(
        builder, loc, createElement(builder, loc, ring, createConstant(builder, loc, i)));
}

//===----------------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------------===//

RingPosition transform::createFirstPosition(OpBuilder &builder, Location loc) {
  return {createConstant(builder, loc, -1), createConstant(builder, loc, 0)};
}

RingTurn::RingTurn(OpBuilder &builder, Location loc, unsigned buffers)
    : zero(createConstant(builder, loc, 0)), one(createConstant(builder, loc, 1)),
      end(createConstant(builder, loc, buffers)) {}

RingPosition RingTurn::next(OpBuilder &builder, Location loc, const RingPosition &last) const {
  Value next = arith::AddIOp::create(builder, loc, last.index, one);
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, next, end);
  RingPosition position;
  position.index = arith::SelectOp::create(builder, loc, wraps, zero, next);
  if (last.phase) {
    Value other = arith::XOrIOp::create(builder, loc, last.phase, one);
    position.phase = arith::SelectOp::create(builder, loc, wraps, other, last.phase);
  }
  return position;
}
