//===- Ring.h - Buffers and barriers that take turns ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A ring is memory for n tiles, or for n barriers, of which iterations take one after the other and
// then the first again. Channels are made of rings: those of one group of warps (Channel.h) and
// those between groups (specialize/GroupChannel.h).
//
// A position in a ring is an index, from 0 to n - 1, and the phase of the round: 0, 1, 0, .. A
// barrier of the ring completes once a round, so its phase is waited for.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_RING_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_RING_H

#include "ir/ttg/Dialect.h"

namespace tilewright::transform {

/// A barrier in memory, and `count` of `type`, a tile or a barrier.
ttg::MemDescType getBarrierType(mlir::MLIRContext *context);
ttg::MemDescType getBuffersType(ttg::MemDescType type, int64_t count);

/// Element number `index` of `ring`.
mlir::Value createElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value ring,
                          mlir::Value index);

/// A ring of `count` barriers, each of which so many `arrivals` complete.
mlir::Value createBarriers(mlir::OpBuilder &builder, mlir::Location loc, unsigned count,
                           unsigned arrivals = 1);
/// Ends the use of its `count` barriers as such; the memory stays.
void invalidateBarriers(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value ring,
                        unsigned count);

/// Where in a ring an iteration is.
struct RingPosition {
  mlir::Value index;
  /// Null where nobody waits for phases.
  mlir::Value phase;
};

/// The position before a loop, to be carried: the next one is the first.
RingPosition createFirstPosition(mlir::OpBuilder &builder, mlir::Location loc);

/// The numbers that positions of a ring of `buffers` advance by, made where `builder` is.
class RingTurn {
public:
  RingTurn(mlir::OpBuilder &builder, mlir::Location loc, unsigned buffers);

  /// The position after `last`.
  RingPosition next(mlir::OpBuilder &builder, mlir::Location loc, const RingPosition &last) const;

private:
  mlir::Value zero, one, end;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_RING_H
