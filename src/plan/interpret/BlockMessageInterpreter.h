//===- BlockMessageInterpreter.h - An interpreter of block messages -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Does what the hardware does, byte by byte, without any linear algebra: which byte of memory
// each byte of a lane's registers comes from or goes to. Plans are proved with it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_INTERPRET_BLOCKMESSAGEINTERPRETER_H
#define TILEWRIGHT_PLAN_INTERPRET_BLOCKMESSAGEINTERPRETER_H

#include "plan/Namespaces.h"
#include "plan/block2d/BlockMessages.h"

#include <cstdint>
#include <vector>

namespace tilewright::plan::block2d {

/// An address, or one of the two below.
using ByteAddress = int64_t;
/// Padding: there is no such byte in the message.
inline constexpr ByteAddress NoByte = -1;
/// Out of the surface's bounds: loads give 0, stores and prefetches skip it.
inline constexpr ByteAddress OutOfBounds = -2;

/// The memory byte of each byte of the message's registers, in their order: blocks one
/// after the other, each padded to `registerBytes`, rows (transposed or packed) one after
/// the other.
std::vector<ByteAddress> payloadOf(const BlockMessage &message, const BlockSurface &surface,
                                   unsigned registerBytes);

/// The memory byte of byte `byte` of slot `slot` of a lane: value slot * lanes + lane
/// of the payload.
ByteAddress deliver(const BlockMessage &message, const std::vector<ByteAddress> &payload,
                    unsigned threadsPerWarp, unsigned lane, unsigned slot, unsigned byte);

/// The effect of one warp's messages on a tensor in memory.
struct DeliveredWarp {
  /// Loads and stores: for each lane, register and byte of it, at ((lane * registers) +
  /// register) * elementBytes + byte, the memory byte. NoByte for a register that a store does
  /// not write (a copy, or all of an idle warp).
  std::vector<ByteAddress> bytes;
  /// All memory bytes that its messages touch, once for each time.
  std::vector<ByteAddress> touched;
};

/// Executes all messages of a plan for one warp. An error if a surface is not possible.
Result<DeliveredWarp> deliverWarp(const BlockMessagePlan &plan, const TensorMemory &memory,
                                  unsigned warp, unsigned block);

} // namespace tilewright::plan::block2d

#endif // TILEWRIGHT_PLAN_INTERPRET_BLOCKMESSAGEINTERPRETER_H
