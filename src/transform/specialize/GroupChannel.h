//===- GroupChannel.h - Rings of buffers between groups of warps ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A channel whose two ends are of different groups of warps, each in a loop of its own
// (ttg.warp_specialize). No order of ops keeps them apart, so each buffer has two barriers: `full`
// counts the bytes that arrive, `empty` the releases.
//
//     one group fills                 another drains
//     acquire  wait for empty[i]      wait     for full[i]
//     expect   the bytes of full[i]   read     the buffer
//     copies into the buffer          release  each warp arrives at empty[i] when it has read it
//
// Where the filling group's threads copy, each a part, `full` counts the threads instead:
// nobody expects bytes, and each thread arrives when its copies are there (arriveAfterCopies).
//
// Both go round the ring in the same order. The phase of a round is 0, 1, 0, ..: `full` is waited
// for in the phase of the round, `empty` in the other one, which at first is over: all buffers are
// free.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_SPECIALIZE_GROUPCHANNEL_H
#define TILEWRIGHT_TRANSFORM_SPECIALIZE_GROUPCHANNEL_H

#include "transform/pipeline/Ring.h"

namespace tilewright::transform {

class GroupChannel {
public:
  /// The memory of the ring, for tiles of `types`, and its barriers, made at `builder`, where all
  /// groups are one. A group of `drainingWarps` warps drains it; so many `fills` complete a
  /// buffer: 1, or the threads that copy.
  GroupChannel(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<ttg::MemDescType> types,
               unsigned buffers, unsigned fills, unsigned drainingWarps);

  unsigned getBuffers() const { return buffers; }
  /// What both groups take: the memory of each tile, `full` and `empty`.
  llvm::ArrayRef<mlir::Value> getValues() const { return values; }
  /// The same channel, of values that stand for those of getValues() in another group.
  GroupChannel withValues(llvm::ArrayRef<mlir::Value> others) const;

  /// The filling group: waits until the buffer at `position` is free.
  void acquire(mlir::OpBuilder &builder, mlir::Location loc, const RingPosition &position) const;
  /// Tells the barrier of the buffer, which is returned, of `bytes` that will arrive.
  mlir::Value expect(mlir::OpBuilder &builder, mlir::Location loc, const RingPosition &position,
                     uint32_t bytes) const;

  /// Each thread of the filling group arrives when all that it has copied so far is there.
  void arriveAfterCopies(mlir::OpBuilder &builder, mlir::Location loc,
                         const RingPosition &position) const;

  /// The draining group: waits until the buffer is full.
  void wait(mlir::OpBuilder &builder, mlir::Location loc, const RingPosition &position) const;
  /// Tells the filling group that the buffer of number `index` is free, where `pred`, which may be
  /// null, is true. Each warp says so for itself: none waits for another.
  void release(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value index,
               mlir::Value pred) const;

  /// The buffer of tile number `tile`.
  mlir::Value getBuffer(mlir::OpBuilder &builder, mlir::Location loc, unsigned tile,
                        mlir::Value index) const;

  /// Ends the lives of memory and barriers at `builder`, where all groups are one.
  void end(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  mlir::Value getFull() const { return values[values.size() - 2]; }
  mlir::Value getEmpty() const { return values.back(); }

  llvm::SmallVector<mlir::Value> values;
  unsigned buffers = 1;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_SPECIALIZE_GROUPCHANNEL_H
