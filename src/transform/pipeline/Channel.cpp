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
/// The positions that one loop carries.
class CarriedPositions {
public:
  explicit CarriedPositions(scf::ForOp loop) : loop(loop), builder(loop), loc(loop.getLoc()) {}

  /// The position after the one whose index, and phase, if it `hasPhase`, the loop carries as
  /// values number `number` and the next one.
  RingPosition advance(unsigned number, unsigned buffers, bool hasPhase) {
    builder.setInsertionPoint(loop);
    const RingTurn turn(builder, loc, buffers);
    builder.setInsertionPointToStart(loop.getBody());
    RingPosition last = {loop.getRegionIterArg(number), Value()};
    if (hasPhase)
      last.phase = loop.getRegionIterArg(number + 1);
    const RingPosition next = turn.next(builder, loc, last);
    setYielded(number, next.index);
    if (hasPhase)
      setYielded(number + 1, next.phase);
    return next;
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
  const auto [before, zero] = createFirstPosition(rewriter, loop.getLoc());
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
  CarriedPositions carried(loop);
  for (auto &[kind, indices] : kinds) {
    if (!kind.hasIndices())
      continue;
    const bool hasPhase = kind.completion == FillCompletion::Barrier;
    indices.fill = carried.advance(number++, kind.buffers, /*hasPhase=*/false).index;
    const RingPosition drain = carried.advance(number, kind.buffers, hasPhase);
    indices.drain = drain.index;
    indices.phase = drain.phase;
    number += hasPhase ? 2 : 1;
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

void Channel::deallocate(Location loc, Value memory) {
  OpBuilder builder(loop.getContext());
  builder.setInsertionPointAfter(loop);
  ttg::LocalDeallocOp::create(builder, loc, memory);
}

void Channel::createBarriers(Location loc) {
  assert(kind.completion == FillCompletion::Barrier);
  OpBuilder builder(loop);
  barriers = transform::createBarriers(builder, loc, kind.buffers);
  builder.setInsertionPointAfter(loop);
  invalidateBarriers(builder, loc, barriers, kind.buffers);
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
