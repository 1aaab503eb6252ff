//===- BufferPlan.h - Where copies begin, and how many buffers that takes -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The copies of a loop begin in front of what uses the present tile, or after it. The later they
// begin, the fewer tiles are in their way. Of a tile that is used d stages after its copy begins,
// with a unit that reads it in memory or without:
//
//     plan            buffers       barriers   the copy goes into the buffer of
//     Front           d + 1, d + 2  1          the iteration before, or the one before that
//     FrontAwaited    d + 1         1          the iteration before
//     Last            d + 1         2          the iteration before
//     LastAwaited     d, d + 1      2          this iteration, or the one before
//
// A unit goes on reading after its product is issued, until an op waits for it. Front and Last
// count on nothing: the product is still under way when the next iteration begins copies. The other
// two count reads one by one. The iteration itself waits for a product whose result it reads, and
// then for all that were issued before (findAwaitedProducts): what they read is free. In
// LastAwaited tiles that go to registers are free when they are read; so are those of products that
// complete in order.
//
// Last copies are under way for an iteration less, but where a loop does nothing but sum up a
// product: there the unit works after the copies have begun.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_COPIES_BUFFERPLAN_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_COPIES_BUFFERPLAN_H

#include "transform/pipeline/schedule/LoopSchedule.h"

namespace tilewright::transform {

enum class BufferPlan : uint8_t { Front, FrontAwaited, Last, LastAwaited };

constexpr bool beginsInFront(BufferPlan plan) {
  return plan == BufferPlan::Front || plan == BufferPlan::FrontAwaited;
}
constexpr bool countsAwaited(BufferPlan plan) {
  return plan == BufferPlan::FrontAwaited || plan == BufferPlan::LastAwaited;
}

/// A read of a copied tile, at an op of the loop's body.
struct TileRead {
  Slot slot;
  mlir::Operation *op;
  /// A unit reads the tile in memory, until an op waits for it.
  bool isOfUnit = false;
};

/// A tile that is copied.
struct CopiedTile {
  /// The copy as it is scheduled, and the first op that uses the tile.
  Slot begin, use;
  bool isReadInMemory = false;
  llvm::SmallVector<TileRead> reads;

  unsigned getLastStage() const;
};

/// The reads of `value`, a tile that a copy will bring: of memory, where it `isReadInMemory`, else
/// of its conversions and of its first user, in slot `use`.
llvm::SmallVector<TileRead> findReads(mlir::scf::ForOp loop, const LoopSchedule &schedule,
                                      mlir::Value value, bool isReadInMemory, Slot use,
                                      mlir::Operation *firstUser);

/// The buffers of `tile` in `plan`; `awaited` are the products that an iteration of `loop` waits
/// for.
unsigned countBuffers(const CopiedTile &tile, BufferPlan plan, mlir::scf::ForOp loop,
                      const LoopSchedule &schedule, llvm::ArrayRef<mlir::Operation *> awaited);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_COPIES_BUFFERPLAN_H
