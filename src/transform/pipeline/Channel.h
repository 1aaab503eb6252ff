//===- Channel.h - Rings of buffers between ops of a loop -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A channel is a ring of n buffers in memory, through which tiles go from the ops that fill it to
// the ops that drain it, in later stages of a pipelined loop:
//
//     fill   stage f   acquire  the buffer that is filled next
//                      expect   the bytes that will arrive, if a barrier counts them
//     drain  stage d   wait     until the tile is there
//                      read     the buffer that is drained next
//
// The loop carries the index of the buffer that is filled and of the one that is drained, from -1,
// and with barriers the phase that is waited for. Channels of one kind share them: they advance in
// the same iterations.
//
// Nothing tells the filling ops that a buffer is free. The ring is long enough for that
// (countBuffers): in the order of the loop each buffer is drained before it is filled again, and
// barrier insertion makes the threads of a block keep that order.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_CHANNEL_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_CHANNEL_H

#include "ir/ttg/Dialect.h"
#include "transform/pipeline/Ring.h"
#include "transform/pipeline/schedule/LoopSchedule.h"

#include <compare>
#include <map>

namespace tilewright::transform {

/// How it is known that a buffer has been filled.
enum class FillCompletion : uint8_t {
  Stores,     ///< Threads store to it: barrier insertion sees that.
  GroupCount, ///< Threads wait until at most so many groups of their copies are under way.
  Barrier,    ///< A barrier in memory counts the bytes that arrive; its phase tells the round.
};

/// What channels have in common that share their indices.
struct ChannelKind {
  FillCompletion completion = FillCompletion::Stores;
  unsigned buffers = 1;
  unsigned fillStage = 0;
  /// The stage of the first op that drains a buffer.
  unsigned drainStage = 0;

  /// A ring of one buffer that no barrier guards needs no index.
  bool hasIndices() const { return buffers > 1 || completion != FillCompletion::Stores; }

  friend auto operator<=>(const ChannelKind &, const ChannelKind &) = default;
};

/// The buffers of a ring that is filled in stage `fillStage` and read until stage `lastDrainStage`.
/// `kept` counts the tiles that must still be there when a fill begins, of those whose turn to be
/// drained has come: 0 where all reads of the body stand before the fill, 1 where those of the
/// present iteration follow it, or a unit goes on reading its tile, 2 where both hold.
constexpr unsigned countBuffers(unsigned fillStage, unsigned lastDrainStage, unsigned kept) {
  const unsigned buffers = lastDrainStage - fillStage + kept;
  return buffers ? buffers : 1;
}

/// A read of a ring's tile, in stage `stage`, by the op at `place` in the order of the body.
struct RingRead {
  unsigned stage = 0;
  unsigned place = 0;
  /// A unit reads the tile, until the loop waits for it.
  bool isOfUnit = false;
};

/// The fewest buffers of a ring that is filled in stage `fillStage` in front of the op at
/// `fillPlace`. The ops at `waits` are complete, and all that units were told to do before, when
/// the next op begins.
unsigned countBuffers(unsigned fillStage, unsigned fillPlace, llvm::ArrayRef<RingRead> reads,
                      llvm::ArrayRef<unsigned> waits);

/// The values that channels of one kind carry through the loop, as of the present iteration. Null
/// where the kind has none.
struct RingIndices {
  mlir::Value fill, drain;
  /// Of the barrier of the buffer that is drained.
  mlir::Value phase;
};

/// A ring of buffers, of one tile or of several that arrive together.
class Channel {
public:
  Channel(ChannelKind kind, RingIndices indices, mlir::scf::ForOp loop, LoopSchedule &schedule)
      : kind(kind), indices(indices), loop(loop), schedule(&schedule) {}
  /// A ring of one buffer that no barrier guards, in a loop whose ops stay in their order.
  explicit Channel(mlir::scf::ForOp loop) : loop(loop), schedule(nullptr) {}

  /// Memory for the buffers of a tile of `type`, before the loop.
  mlir::Value allocate(mlir::Location loc, ttg::MemDescType type);
  /// Ends the life of that memory after the loop.
  void deallocate(mlir::Location loc, mlir::Value memory);
  /// The barriers of the buffers, before the loop; they are invalid after it, and their memory is
  /// free. For FillCompletion::Barrier only.
  void createBarriers(mlir::Location loc);

  /// The buffer of `memory` that is filled next.
  mlir::Value acquire(mlir::OpBuilder &builder, Slot slot, mlir::Location loc, mlir::Value memory);
  /// Tells the barrier of that buffer, which is returned, of `bytes` that will arrive if `pred`.
  mlir::Value expect(mlir::OpBuilder &builder, Slot slot, mlir::Location loc, uint32_t bytes,
                     mlir::Value pred);
  /// Waits for the barrier of the buffer that is drained next.
  mlir::Operation *wait(mlir::OpBuilder &builder, Slot slot, mlir::Location loc);
  /// The buffer of `memory` that is drained next.
  mlir::Value read(mlir::OpBuilder &builder, Slot slot, mlir::Location loc, mlir::Value memory);

private:
  mlir::Value index(mlir::OpBuilder &builder, Slot slot, mlir::Location loc, mlir::Value memory,
                    mlir::Value number);
  /// Gives the ops of the body that compute `number` the slot `slot`, if they have none or a later
  /// one: an index that several channels share is there for the first of them.
  void place(mlir::Value number, Slot slot);

  ChannelKind kind;
  RingIndices indices;
  mlir::scf::ForOp loop;
  LoopSchedule *schedule;
  mlir::Value barriers;
};

/// The channels of a loop. First all kinds are added, then the loop is made to carry their indices,
/// then channels are created.
class LoopChannels {
public:
  void add(const ChannelKind &kind) { kinds.try_emplace(kind); }
  /// Replaces `loop` by the loop that carries the indices of all kinds, which is returned.
  mlir::scf::ForOp carryIndices(mlir::scf::ForOp loop);
  /// A channel of a kind that has been added.
  Channel create(const ChannelKind &kind, mlir::scf::ForOp loop, LoopSchedule &schedule) const {
    return Channel(kind, kinds.at(kind), loop, schedule);
  }

private:
  std::map<ChannelKind, RingIndices> kinds;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_CHANNEL_H
