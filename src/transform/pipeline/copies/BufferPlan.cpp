//===- BufferPlan.cpp - Where copies begin, and how many buffers that takes ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/copies/BufferPlan.h"

#include "ir/ttg/query/OpKinds.h"
#include "transform/pipeline/Channel.h"
#include "transform/pipeline/copies/AsyncLoads.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

unsigned CopiedTile::getLastStage() const {
  unsigned last = use.stage;
  for (const TileRead &read : reads)
    last = std::max(last, read.slot.stage);
  return last;
}

//===----------------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------------===//

/// Whether `op`, or one in it, is a product of operands in memory.
static bool isOfUnit(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return WalkResult(failure(ttg::isProduct(inner) && isa<ttg::SharedMemoryUser>(inner)));
      })
      .wasInterrupted();
}

SmallVector<TileRead> transform::findReads(scf::ForOp loop, const LoopSchedule &schedule,
                                           Value value, bool isReadInMemory, Slot use,
                                           Operation *firstUser) {
  SmallVector<TileRead> reads;
  auto add = [&](Operation *user) {
    Operation *op = loop.getBody()->findAncestorOpInBlock(*user);
    reads.push_back({schedule.get(op), op, isReadInMemory && isOfUnit(op)});
  };
  if (!isReadInMemory) {
    reads.push_back({use, firstUser});
    if (auto load = value.getDefiningOp<tt::LoadOp>())
      for (ConvertedUse &converted : getConvertedUses(load))
        add(converted.convert);
    return reads;
  }
  SmallVector<Value> open = {value};
  while (!open.empty())
    for (Operation *user : open.pop_back_val().getUsers()) {
      // Allocations, and views of them, are the memory itself.
      const bool isView = llvm::any_of(user->getResultTypes(), llvm::IsaPred<ttg::MemDescType>);
      if (isView)
        llvm::append_range(open, user->getResults());
      else
        add(user);
    }
  return reads;
}

//===----------------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------------===//

unsigned transform::countBuffers(const CopiedTile &tile, BufferPlan plan, scf::ForOp loop,
                                 const LoopSchedule &schedule, ArrayRef<Operation *> awaited) {
  if (!countsAwaited(plan))
    return countBuffers(tile.begin.stage, tile.getLastStage(),
                        /*kept=*/tile.isReadInMemory && beginsInFront(plan) ? 2 : 1);
  const std::vector<Operation *> order = schedule.getOrder(loop);
  const auto placeOf = [&](Operation *op) -> unsigned {
    return llvm::find(order, op) - order.begin();
  };
  const Cluster ofCopies = beginsInFront(plan) ? tile.use.cluster : tile.begin.cluster;
  const unsigned fillPlace = llvm::count_if(
      order, [&](Operation *op) { return schedule.isBefore(schedule.get(op).cluster, ofCopies); });
  const auto reads = llvm::map_to_vector(tile.reads, [&](const TileRead &read) {
    return RingRead{read.slot.stage, placeOf(read.op), read.isOfUnit};
  });
  return countBuffers(tile.begin.stage, fillPlace, reads, llvm::map_to_vector(awaited, placeOf));
}
