//===- StagedLoads.cpp - Loads through registers to shared memory -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/staged/StagedLoads.h"

#include "analysis/RegisterPressure.h"
#include "analysis/Resources.h"
#include "transform/pipeline/Channel.h"
#include "transform/pipeline/staged/InvariantOperands.h"
#include "transform/pipeline/staged/StagedTile.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

//===----------------------------------------------------------------------------===//
// Which loads begin early
//===----------------------------------------------------------------------------===//

SmallVector<tt::LoadOp> transform::findEarlyLoads(scf::ForOp loop, const target::Target &target) {
  unsigned used = countLoopRegisters(loop, target) + countWaitingRegisters(loop);
  const unsigned most = target.execution.maxRegistersPerThread;
  SmallVector<tt::LoadOp> early;
  for (StagedTile &tile : findStagedTiles(loop, target)) {
    const unsigned registers = getDistinctRegisters(tile.load.getType());
    used += registers;
    // Another part's load of such a tile has an address for each access.
    if (loop->hasAttr(ttg::partAttrName))
      used += llvm::divideCeil(registers * 32, target.global.maxAccessBits);
    if (used > most)
      break;
    early.push_back(tile.load);
  }
  return early;
}

//===----------------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------------===//

/// `value` as a tensor of `element`, which is no narrower than its own.
static Value widen(OpBuilder &builder, Value value, Type element) {
  const auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  return tt::FpToFpOp::create(builder, value.getLoc(), tt::withElementType(type, element), value,
                              tt::RoundingModeAttr());
}

/// Stores what `tile` loads, after `builder`'s place.
static void store(OpBuilder &builder, StagedTile &tile, Value memory,
                  llvm::function_ref<void(Operation *)> place) {
  const Location loc = tile.load.getLoc();
  Value value = widen(builder, tile.load.getResult(), tile.memory.getElementType());
  if (value != tile.load.getResult())
    place(value.getDefiningOp());
  auto store = ttg::LocalStoreOp::create(builder, loc, value, memory);
  place(store);
}

/// Replaces the operands by loads from `memory`. `place` is called with each op that has been made,
/// and the one for which it has been.
static void loadFromMemory(StagedTile &tile, Value memory,
                           llvm::function_ref<void(Operation *made, Operation *for_)> place) {
  for (auto [number, use] : llvm::enumerate(tile.uses)) {
    Value operand = tile.getOperand(number);
    // Right before they are wanted: no loads of other tiles come between.
    Operation *first = operand.getDefiningOp();
    if (operand.hasOneUse() && operand.user_begin()->getBlock() == first->getBlock())
      first = *operand.user_begin();
    OpBuilder builder(first);
    const Location loc = tile.load.getLoc();
    Value view = memory;
    if (use.trans) {
      view = ttg::MemDescTransOp::create(builder, loc, memory, use.trans.getOrder());
      place(view.getDefiningOp(), use.convert);
    }
    const auto type = cast<RankedTensorType>(operand.getType());
    Value loaded = ttg::LocalLoadOp::create(
        builder, loc, tt::withElementType(type, tile.memory.getElementType()), view, Value());
    place(loaded.getDefiningOp(), use.convert);
    Value widened = widen(builder, loaded, type.getElementType());
    if (widened != loaded)
      place(widened.getDefiningOp(), use.convert);
    operand.replaceAllUsesWith(widened);
  }
}

/// The ops that loadFromMemory has replaced.
static void eraseUses(StagedTile &tile, llvm::function_ref<void(Operation *)> forget) {
  auto erase = [&](Operation *op) {
    forget(op);
    op->erase();
  };
  llvm::SetVector<Operation *> turned;
  for (tt::FpToFpOp widening : tile.widenings)
    erase(widening);
  for (ConvertedUse &use : tile.uses) {
    if (use.trans)
      turned.insert(use.trans);
    erase(use.convert);
  }
  for (Operation *trans : turned)
    erase(trans);
  if (tile.widened)
    erase(tile.widened);
}

namespace {
class LoadStaging {
public:
  LoadStaging(scf::ForOp loop, LoopSchedule schedule, const target::Target &target)
      : result{loop, std::move(schedule), {}}, target(target) {}

  LoweredLoop run() {
    SmallVector<StagedTile> early;
    for (StagedTile &tile : findStagedTiles(result.loop, target))
      if (llvm::all_of(tile.uses, [&](const ConvertedUse &use) {
            return result.schedule.get(use.convert).stage > result.schedule.get(tile.load).stage;
          }))
        early.push_back(tile);
    if (early.empty())
      return std::move(result);
    // Early loads first, then what the later stage computes, then the stores.
    const Cluster first = result.schedule.insertClusterBefore(result.schedule.getFirstCluster());
    const Cluster last = addClusterOfStores();
    for (StagedTile &tile : early)
      stage(tile, first, last);
    return std::move(result);
  }

private:
  /// After all but a branch that comes last (ScheduleLoops.cpp), which stores results: the
  /// registers of the next tile are free for it.
  Cluster addClusterOfStores() {
    LoopSchedule &schedule = result.schedule;
    std::optional<Cluster> ofBranch, ofOthers;
    auto add = [&](std::optional<Cluster> &latest, Cluster cluster) {
      latest = latest && schedule.isBefore(cluster, *latest) ? *latest : cluster;
    };
    for (Operation &op : result.loop.getBody()->without_terminator())
      add(isa<scf::IfOp>(op) ? ofBranch : ofOthers, schedule.get(&op).cluster);
    return ofBranch && ofOthers && schedule.isBefore(*ofOthers, *ofBranch)
               ? schedule.insertClusterBefore(*ofBranch)
               : schedule.appendCluster();
  }

  void stage(StagedTile &tile, Cluster first, Cluster last) {
    // Registers are the other buffer of the tile: one in memory does.
    const Location loc = tile.load.getLoc();
    Channel channel(ChannelKind(), RingIndices(), result.loop, result.schedule);
    Value memory = channel.allocate(loc, tile.memory);
    result.buffers.push_back(memory);
    forward.pull(tile.load, first);
    OpBuilder builder(result.loop.getContext());
    builder.setInsertionPointAfter(tile.load);
    const Slot fill{result.schedule.get(tile.load).stage, last};
    store(builder, tile, channel.acquire(builder, fill, loc, memory),
          [&](Operation *op) { result.schedule.set(op, fill); });
    loadFromMemory(tile, memory, [&](Operation *made, Operation *for_) {
      result.schedule.set(made, result.schedule.get(for_));
    });
    eraseUses(tile, [&](Operation *op) { result.schedule.remove(op); });
  }

  LoweredLoop result;
  ForwardMoves forward{result.loop, result.schedule};
  const target::Target &target;
};
} // namespace

LoweredLoop transform::stageLoads(scf::ForOp loop, LoopSchedule schedule,
                                  const target::Target &target) {
  return LoadStaging(loop, std::move(schedule), target).run();
}

void transform::stageLoadsInPlace(ModuleOp module, const target::Target &target) {
  SmallVector<scf::ForOp> loops;
  module.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    for (StagedTile &tile : findStagedTiles(loop, target)) {
      const Location loc = tile.load.getLoc();
      Channel channel(loop);
      Value memory = channel.allocate(loc, tile.memory);
      channel.deallocate(loc, memory);
      OpBuilder builder(loop.getContext());
      builder.setInsertionPointAfter(tile.load);
      store(builder, tile, memory, [](Operation *) {});
      loadFromMemory(tile, memory, [](Operation *, Operation *) {});
      eraseUses(tile, [](Operation *) {});
    }
}
