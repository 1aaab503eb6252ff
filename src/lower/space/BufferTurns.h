//===- BufferTurns.h - Buffers that iterations take in turn ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A pipelined loop has an allocation of n buffers, and numbers that run along: each iteration takes
// the buffer after the one that the iteration before has taken, and the first one after the last.
//
//     ^loop(%before):                            ; first a constant, then %index
//       %sum = arith.addi %before, 1
//       %index = arith.select (%sum >= n), 0, %sum
//       %view = ttg.memdesc_index %buffers[%index]
//
// Of two such views it is known then whether they are of the same buffer, also when they belong to
// different iterations.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_SPACE_BUFFERTURNS_H
#define TILEWRIGHT_LOWER_SPACE_BUFFERTURNS_H

#include "ir/ttg/Dialect.h"

#include "llvm/ADT/DenseMap.h"

#include <compare>

namespace tilewright::lower {

/// Buffer (number + t) mod buffers, t iterations after the first one, of an allocation of so many
/// equal buffers; with 0 buffers nothing is known.
struct BufferTurn {
  unsigned buffers = 0, number = 0;
  /// The head of the loop whose iterations are counted, and the block that leads back to it. Null
  /// for a buffer that is always the same.
  mlir::Block *loop = nullptr, *latch = nullptr;

  friend auto operator<=>(const BufferTurn &, const BufferTurn &) = default;

  /// Whether the two, in the same iteration, are of different buffers for sure.
  bool differs(const BufferTurn &other) const {
    return buffers && buffers == other.buffers && loop == other.loop && number != other.number;
  }
};

/// The facts on the buffer that `view` is, or is a part of. Control flow is that of blocks.
BufferTurn findBufferTurn(mlir::Value view);

/// `turn` where control has passed from `from` to `to`: counted from the iteration that begins
/// there. `latches`: the blocks that lead back to the heads of loops in which buffers take turns.
BufferTurn passEdge(BufferTurn turn, mlir::Block *from, mlir::Block *to,
                    const llvm::DenseMap<mlir::Block *, mlir::Block *> &latches);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_SPACE_BUFFERTURNS_H
