//===- GroupChannel.cpp - Rings of buffers between groups of warps ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/specialize/GroupChannel.h"

#include "ir/ttng/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

static Value createConstant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
}

//===----------------------------------------------------------------------------===//
// The channel
//===----------------------------------------------------------------------------===//

GroupChannel::GroupChannel(OpBuilder &builder, Location loc, ArrayRef<ttg::MemDescType> types,
                           unsigned buffers, unsigned fills, unsigned drainingWarps)
    : buffers(buffers) {
  for (ttg::MemDescType type : types)
    values.push_back(ttg::LocalAllocOp::create(builder, loc, getBuffersType(type, buffers)));
  for (unsigned arrivals : {fills, drainingWarps})
    values.push_back(createBarriers(builder, loc, buffers, arrivals));
}

GroupChannel GroupChannel::withValues(ArrayRef<Value> others) const {
  GroupChannel result = *this;
  result.values.assign(others.begin(), others.end());
  return result;
}

void GroupChannel::acquire(OpBuilder &builder, Location loc, const RingPosition &position) const {
  Value before =
      arith::XOrIOp::create(builder, loc, position.phase, createConstant(builder, loc, 1));
  ttng::WaitBarrierOp::create(builder, loc, createElement(builder, loc, getEmpty(), position.index),
                              before, /*pred=*/Value(), /*deps=*/ValueRange());
}

Value GroupChannel::expect(OpBuilder &builder, Location loc, const RingPosition &position,
                           uint32_t bytes) const {
  Value barrier = createElement(builder, loc, getFull(), position.index);
  Value always = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  ttng::BarrierExpectOp::create(builder, loc, barrier, bytes, always);
  return barrier;
}

void GroupChannel::arriveAfterCopies(OpBuilder &builder, Location loc,
                                     const RingPosition &position) const {
  Value barrier = createElement(builder, loc, getFull(), position.index);
  ttng::AsyncCopyMbarrierArriveOp::create(builder, loc, barrier, /*noIncrement=*/true);
}

void GroupChannel::wait(OpBuilder &builder, Location loc, const RingPosition &position) const {
  ttng::WaitBarrierOp::create(builder, loc, createElement(builder, loc, getFull(), position.index),
                              position.phase, /*pred=*/Value(), /*deps=*/ValueRange());
}

void GroupChannel::release(OpBuilder &builder, Location loc, Value index, Value pred) const {
  ttng::ArriveBarrierOp::create(builder, loc, createElement(builder, loc, getEmpty(), index),
                                /*count=*/1, pred, /*perWarp=*/true);
}

Value GroupChannel::getBuffer(OpBuilder &builder, Location loc, unsigned tile, Value index) const {
  return createElement(builder, loc, values[tile], index);
}

void GroupChannel::end(OpBuilder &builder, Location loc) const {
  for (Value ring : {getFull(), getEmpty()})
    invalidateBarriers(builder, loc, ring, buffers);
  for (Value value : values)
    ttg::LocalDeallocOp::create(builder, loc, value);
}
