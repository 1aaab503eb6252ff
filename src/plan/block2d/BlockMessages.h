//===- BlockMessages.h - Plans of 2D block messages for a layout ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tensor in a distributed layout is to be loaded, stored or prefetched. Which 2D block
// messages (BlockMessage.h) do it? The question is one of linear algebra. A message is
// itself a layout: it maps (slot, lane) to (x, y), and each bit of slot and lane moves by
// one bit of x or of y. It serves the layout L of a tensor exactly if
//
//   lanes      each bit of the lane moves the same in both;
//   slots      what each bit of the slot moves is in the span of L's register bases. Which
//              registers they are is a renaming, so the order of the bases and sums of
//              them do not matter;
//   places     whatever else moves (the other registers, warps, blocks) moves no bit that
//              the message covers: then XOR and addition agree, and it is the message's
//              place.
//
// Rows need not be the tensor's rows. The pitch is free, so a message can step over every
// 2^rowShift-th row, along any dimension, and along the contiguous one itself.
//
// The plan is the one with the fewest messages. docs/block-messages.md has the
// derivation, examples, and what decides between equals.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_BLOCK2D_BLOCKMESSAGES_H
#define TILEWRIGHT_PLAN_BLOCK2D_BLOCKMESSAGES_H

#include "plan/Namespaces.h"
#include "plan/block2d/BlockMessage.h"
#include "tilewright/layout/LinearLayout.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilewright::plan::block2d {

/// Dimensions of a plan's maps: the number of a message in its warp, and the place of an
/// element among those that a lane has of one message.
layout::Dim messageDim();
layout::Dim slotDim();

struct BlockMessageRequest {
  /// (register, lane, warp, block) -> (dim0, dim1, ...).
  layout::LinearLayout layout;
  /// 8, 16, 32 or 64.
  unsigned elementBits = 16;
  /// The dimension whose neighbours are neighbours in memory: its place among the outputs.
  unsigned contiguousDim = 1;
  /// The one dimension along which rows may step; none: any.
  std::optional<unsigned> rowDim = std::nullopt;
  BlockAccess access = BlockAccess::Load;
  /// Those of the target (blockMessageLimits).
  BlockMessageLimits limits = {};

  /// The registers' user takes them in words of this many bits, lower registers in lower bits
  /// (operand B of DPAS: 32). Between plans with as many messages, one whose slots are
  /// such words is taken. 0: elementBits.
  unsigned wordBits = 0;
  /// Registers of a lane that one instruction takes (an operand of DPAS); for the text. 0: not
  /// known.
  unsigned operandRegisters = 0;
  /// For each dimension the largest power of two such that a mask does not change within
  /// aligned groups of that size; empty: no mask. A message stays within a group.
  std::vector<uint64_t> maskConstancy = {};
  /// Pieces of the contiguous dimension may be a surface's rows. The caller promises that
  /// the tensor's start is aligned as a surface's base and that it is in bounds.
  bool foldRows = false;
  /// Only messages with a SPIR-V instruction.
  bool spirvFormsOnly = false;
};

/// The reason why a layout cannot be moved by messages.
enum class MessageRejection {
  None,
  /// The sub-group has not 16 or 32 lanes; not 16, if only SPIR-V forms are allowed.
  LaneCount,
  /// A lane bit moves nothing: lanes hold copies of each other's elements.
  LaneCopy,
  /// A lane bit moves several coordinate bits.
  LaneSum,
  /// Two lane bits move the same.
  LaneTwice,
  /// A register, warp or block moves what a lane bit moves, too: the elements of two lanes
  /// would change places.
  LaneMoved,
  /// The mask may change between the lanes of a message.
  Mask,
  /// No message that the limits allow moves the lanes like this.
  Shape
};

struct BlockMessagePlan {
  /// Why there are no messages but gathers or scatters, and the rule that was broken in one
  /// sentence without a full stop. Empty if the message below does it; otherwise nothing
  /// below holds but what repeats the request.
  MessageRejection obstacle = MessageRejection::None;
  std::string fallback;
  bool hasMessages() const { return obstacle == MessageRejection::None; }

  BlockAccess access = BlockAccess::Load;
  unsigned elementBits = 16;
  unsigned threadsPerWarp = 16;
  unsigned operandRegisters = 0;
  /// Outputs of the layout by their place: contiguous in memory, and the one along which the
  /// surface's rows step by 2^rowShift; none if the message has a single row.
  unsigned contiguousDim = 1;
  std::optional<unsigned> rowDim;
  unsigned rowShift = 0;
  /// The rows are pieces of 2^rowShift elements of the contiguous dimension.
  bool foldsRows() const { return rowDim == contiguousDim; }

  /// All messages have this shape.
  BlockMessage message;
  BlockMessageLimits limits = {};
  /// Messages that one warp issues.
  unsigned messageCount() const { return 1u << origin.inBits(messageDim()); }
  /// The start of each message: (message, warp, block) -> the tensor's dimensions.
  layout::LinearLayout origin;

  /// Loads and stores: 2 if each register is counted as two halves of 32 bits, of which the
  /// lower is 2 * register, otherwise 1.
  unsigned unitsPerElement = 1;
  /// Loads and stores: where register r of a lane is: register -> (slot, message). A slot
  /// here holds one tensor element (or unit): slot k is bits k * b and up of the lane's part
  /// of the message, with b the bits of an element. Not injective if a lane holds an
  /// element more than once.
  layout::LinearLayout slots;
  /// The register that each slot is: (slot, message) -> register; of several that hold the
  /// same, one.
  layout::LinearLayout registers;

  /// Stores and prefetches: warps and blocks with one of these bits set have copies of
  /// what others have, and issue nothing.
  uint64_t idleWarps = 0;
  uint64_t idleBlocks = 0;

  /// The tensor coordinates at which a message starts.
  std::vector<uint64_t> originOf(unsigned index, unsigned warp, unsigned block) const;
};

/// The fewest messages for the request, or a plan that says why there are none. An error if
/// the request itself is wrong: element bits, dimensions, sizes of lists.
Result<BlockMessagePlan> planBlockMessages(const BlockMessageRequest &request);

/// The tensor's position: a part of an array in memory.
struct TensorMemory {
  /// Address of the array's first element.
  uint64_t base = 0;
  /// For each dimension of the tensor: bytes from one element to the next; elements of the
  /// array; where the tensor starts.
  std::vector<uint64_t> strides;
  std::vector<uint64_t> sizes;
  std::vector<uint64_t> starts;
};

/// The surface of a message that starts at tensor coordinates `origin`, with the base aligned
/// down as the limits want it and x moved to match. An error, which names the message, if
/// the memory has no such surface.
Result<BlockSurface> surfaceOf(const BlockMessagePlan &plan, const TensorMemory &memory,
                               std::span<const uint64_t> origin);

} // namespace tilewright::plan::block2d

#endif // TILEWRIGHT_PLAN_BLOCK2D_BLOCKMESSAGES_H
