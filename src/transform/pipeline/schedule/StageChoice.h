//===- StageChoice.h - How many stages a loop is better off with ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A loop of S stages has the tiles of S - 1 iterations under way, in buffers of shared memory. More
// stages hide more latency, and leave room for fewer blocks. So do more buffers for as many stages
// (copies/BufferPlan.h); of a sum of one product:
//
//     S        the copy goes into what the iteration has read: a second barrier
//     S + 1    it goes into what the iteration before has read: one barrier
//
// The search tries each number of stages for which there is memory, and takes the cheapest. The
// blocks that fit come from target/Residency.h.
//
// A loop without products whose threads wait for each other, as one that reduces rows, takes no
// more stages than have enough bytes under way to keep a multiprocessor's memory busy. Buffers must
// not keep out blocks that its arithmetic needs: where it computes longer than its tile takes to
// come, warps that wait for each other leave the slots of instructions to those of other blocks.
//
// Costs are percents of an iteration (target/LoopCosts.h):
//
// - A warp that is not resident costs most, up to those with which a multiprocessor is busy. A loop
//   that sums up products keeps the matrix unit busy with two groups of four warps, where those of
//   an iteration take 256 cycles, and with more groups where they take fewer. Where iterations read
//   what a product gives, each waits for the one before, and no number of warps is enough.
// - Of a block alone, a third copy under way is worth more than a second barrier where elements
//   have 16 bits (f16 and bf16 of 8192 are 8 and 6 % faster), and less where they have 8, whose
//   iterations are half as long (4 to 12 % slower). Where other blocks are resident these compute
//   meanwhile, and the copy is worth little.
// - A loop that has no copy under way while it computes waits for each.
// - Where iterations wait for their product, what counts are the copies under way of all blocks
//   together.
//
// A loop whose products complete in order goes at the pace of its warps' instructions. A warp alone
// issues one every busyWarps / partitions cycles, and waits for what a copy takes longer than the
// iterations for which it is under way. The blocks that are resident share that time, until the
// slots of instructions are full. So copies that begin after the iteration's reads, into the buffer
// that these have freed, are better where few warps are resident and fewer buffers let more in.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_STAGECHOICE_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_STAGECHOICE_H

#include "target/Target.h"

#include <optional>

namespace tilewright::transform {

/// The facts about a loop that its number of stages and its buffers depend on.
struct StageNeeds {
  unsigned warps = 4;
  /// Bytes of shared memory that the block has beside the buffers, and that one iteration copies.
  uint64_t usedBytes = 0;
  uint64_t tileBytes = 0;
  /// A product's elements have fewer than 16 bits.
  bool isNarrow = false;
  /// LoopStrategy::waitsInIteration. Such a loop has as many buffers as stages, and one barrier.
  bool waitsInIteration = false;
  /// Cycles of the matrix unit for a group's products of an iteration, where the loop does nothing
  /// but sum them up. 0: it does more.
  unsigned sumCycles = 0;
  /// Iterations read what a product of theirs gives.
  bool readsProducts = false;
  /// Registers of a thread. 0: they let in any number of blocks.
  unsigned registers = 0;
};

/// Buffers of a loop.
struct BufferNeeds {
  /// The bytes of all of them.
  uint64_t bytes = 0;
  /// Iterations whose copies are under way while one computes.
  unsigned underWay = 1;
  bool hasSecondBarrier = false;
};

/// The cost of a loop with `buffers`, of which only the differences to others of the loop matter;
/// nothing if a block has no memory for them.
std::optional<int> getBufferCost(const target::Target &target, const StageNeeds &needs,
                                 const BufferNeeds &buffers);

/// The least cost of `stages` stages; nothing if a block has no memory for their buffers.
std::optional<int> getStageCost(const target::Target &target, const StageNeeds &needs,
                                unsigned stages);

/// The cheapest number of stages from `asked` to one more, of equal ones the larger; `asked` if
/// there is memory for none.
unsigned chooseStages(const target::Target &target, const StageNeeds &needs, unsigned asked);

/// The facts about a loop whose pace is that of its warps' instructions: one whose products, if it
/// has any, complete in order.
struct IssueNeeds {
  unsigned warps = 4;
  /// The registers of a thread, as a back end is expected to allocate them.
  unsigned registers = 0;
  /// Bytes of shared memory that the block has beside the buffers, and that one iteration copies.
  uint64_t usedBytes = 0;
  uint64_t tileBytes = 0;
  /// Cycles for which a warp's instructions of an iteration take the slots of a partition.
  unsigned issueCycles = 0;
  /// The blocks that are resident at most, whatever there is room for: a small grid has fewer.
  unsigned maxBlocks = ~0u;
};

/// The stages of such a loop without products, whose threads wait for each other in every
/// iteration, from 1 to `asked`.
unsigned chooseStages(const target::Target &target, const IssueNeeds &needs, unsigned asked);

/// The cycles that a multiprocessor takes for an iteration of one block of such a loop with
/// `buffers`; nothing if a block has no memory for them.
std::optional<uint64_t> getIterationCycles(const target::Target &target, const IssueNeeds &needs,
                                           const BufferNeeds &buffers);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_STAGECHOICE_H
