//===- Channel.cpp - Rings of buffers between ops of a loop -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/Channel.h"

#include "ir/ttng/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cassert>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

static Value createConstant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
}

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

//===----------------------------------------------------------------------------===//
// The length of a ring
//===----------------------------------------------------------------------------===//

/// Whether a wait stands between the op at `place`, or is that op, and the next fill in front of
/// the op at `fillPlace`, of this round of the body or of the next one.
static bool isWaitedFor(unsigned place, unsigned fillPlace, ArrayRef<unsigned> waits) {
  return llvm::any_of(waits, [&](unsigned wait) {
    return place < fillPlace ? place <= wait && wait < fillPlace
                             : place <= wait || wait < fillPlace;
  });
}

unsigned transform::countBuffers(unsigned fillStage, unsigned fillPlace, ArrayRef<RingRead> reads,
                                 ArrayRef<unsigned> waits) {
  unsigned buffers = 1;
  for (const RingRead &read : reads) {
    const bool isToCome = read.place >= fillPlace;
    const bool isUnderWay = read.isOfUnit && !isWaitedFor(read.place, fillPlace, waits);
    buffers =
        std::max(buffers, countBuffers(fillStage, read.stage, unsigned(isToCome) + isUnderWay));
  }
  return buffers;
}

//===----------------------------------------------------------------------------===//
// What the loop carries
//===----------------------------------------------------------------------------===//

namespace {
/// The ops of one loop that advance what it carries.
class CarriedIndices {
public:
  explicit CarriedIndices(scf::ForOp loop) : loop(loop), builder(loop), loc(loop.getLoc()) {}

  /// The index of the buffer that follows the one that the loop carries as value `number`, and
  /// whether it is the first one again.
  std::pair<Value, Value> advance(unsigned number, unsigned buffers) {
    builder.setInsertionPoint(loop);
    Value zero = createConstant(builder, loc, 0), one = createConstant(builder, loc, 1),
          end = createConstant(builder, loc, buffers);
    builder.setInsertionPointToStart(loop.getBody());
    Value next = arith::AddIOp::create(builder, loc, loop.getRegionIterArg(number), one);
    Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, next, end);
    Value index = arith::SelectOp::create(builder, loc, wraps, zero, next);
    setYielded(number, index);
    return {index, wraps};
  }

  /// The phase that the loop carries as value `number`, or the other one if the index `wraps`.
  Value turnPhase(unsigned number, Value wraps) {
    builder.setInsertionPoint(loop);
    Value one = createConstant(builder, loc, 1), carried = loop.getRegionIterArg(number);
    builder.setInsertionPointAfterValue(wraps);
    Value other = arith::XOrIOp::create(builder, loc, carried, one);
    Value phase = arith::SelectOp::create(builder, loc, wraps, other, carried);
    setYielded(number, phase);
    return phase;
  }

private:
  void setYielded(unsigned number, Value value) {
    loop.getTiedLoopYieldedValue(loop.getRegionIterArg(number))->set(value);
  }

  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
};
} // namespace

scf::ForOp LoopChannels::carryIndices(scf::ForOp loop) {
  IRRewriter rewriter(loop);
  Value before = createConstant(rewriter, loop.getLoc(), -1),
        zero = createConstant(rewriter, loop.getLoc(), 0);
  SmallVector<Value> initial;
  for (const auto &[kind, indices] : kinds) {
    if (kind.hasIndices())
      initial.append({before, before});
    if (kind.completion == FillCompletion::Barrier)
      initial.push_back(zero);
  }
  unsigned number = loop.getNumRegionIterArgs();
  if (!initial.empty())
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
        [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
          return SmallVector<Value>(arguments.begin(), arguments.end());
        }));
  CarriedIndices carried(loop);
  for (auto &[kind, indices] : kinds) {
    if (!kind.hasIndices())
      continue;
    indices.fill = carried.advance(number++, kind.buffers).first;
    Value wraps;
    std::tie(indices.drain, wraps) = carried.advance(number++, kind.buffers);
    if (kind.completion == FillCompletion::Barrier)
      indices.phase = carried.turnPhase(number++, wraps);
  }
  return loop;
}

//===----------------------------------------------------------------------------===//
// One channel
//===----------------------------------------------------------------------------===//

Value Channel::allocate(Location loc, ttg::MemDescType type) {
  OpBuilder builder(loop);
  return ttg::LocalAllocOp::create(builder, loc,
                                   kind.hasIndices() ? getBuffersType(type, kind.buffers) : type);
}

void Channel::createBarriers(Location loc) {
  assert(kind.completion == FillCompletion::Barrier);
  const ttg::MemDescType type = getBarrierType(loop.getContext());
  barriers = allocate(loc, type);
  OpBuilder builder(loop);
  SmallVector<Value> each;
  for (unsigned i = 0; i < kind.buffers; ++i) {
    each.push_back(
        ttg::MemDescIndexOp::create(builder, loc, type, barriers, createConstant(builder, loc, i)));
    ttng::InitBarrierOp::create(builder, loc, each.back(), /*count=*/1);
  }
  builder.setInsertionPointAfter(loop);
  for (Value barrier : each)
    ttng::InvalBarrierOp::create(builder, loc, barrier);
  ttg::LocalDeallocOp::create(builder, loc, barriers);
}

void Channel::place(Value number, Slot slot) {
  Operation *op = number.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody())
    return;
  const Slot *known = schedule->find(op);
  if (!known || schedule->isBefore(slot.cluster, known->cluster))
    schedule->set(op, slot);
  for (Value operand : op->getOperands())
    place(operand, slot);
}

Value Channel::index(OpBuilder &builder, Slot slot, Location loc, Value memory, Value number) {
  if (!number)
    return memory;
  place(number, slot);
  const auto all = cast<ttg::MemDescType>(memory.getType());
  const auto type = ttg::MemDescType::get(all.getShape().drop_front(), all.getElementType(),
                                          all.getEncoding(), all.getMemorySpace(),
                                          /*mutableMemory=*/true);
  return schedule->create<ttg::MemDescIndexOp>(builder, slot, loc, type, memory, number);
}

Value Channel::acquire(OpBuilder &builder, Slot slot, Location loc, Value memory) {
  return index(builder, slot, loc, memory, indices.fill);
}

Value Channel::expect(OpBuilder &builder, Slot slot, Location loc, uint32_t bytes, Value pred) {
  Value barrier = index(builder, slot, loc, barriers, indices.fill);
  schedule->create<ttng::BarrierExpectOp>(builder, slot, loc, barrier, bytes, pred);
  return barrier;
}

Operation *Channel::wait(OpBuilder &builder, Slot slot, Location loc) {
  Value barrier = index(builder, slot, loc, barriers, indices.drain);
  place(indices.phase, slot);
  return schedule->create<ttng::WaitBarrierOp>(builder, slot, loc, barrier, indices.phase,
                                               /*pred=*/Value(), /*deps=*/ValueRange());
}

Value Channel::read(OpBuilder &builder, Slot slot, Location loc, Value memory) {
  return index(builder, slot, loc, memory, indices.drain);
}
