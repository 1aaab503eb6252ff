//===- ProducerChoice.h - Whether copies get a warp of their own ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Groups of warps that share tiles meet at a barrier in each iteration. Where each of them computes
// with what its product gives (LoopStrategy::isChainOfGroups), all compute at the same time then,
// and the matrix unit waits for them; a second block on the multiprocessor would fill the gap. So
// such a loop gets a warp for its copies where its block is alone, and its iterations are long
// enough for what it costs to hand over tiles. What that takes of registers: ProducerRegisters.h.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PRODUCERCHOICE_H
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PRODUCERCHOICE_H

#include "transform/pipeline/Strategy.h"
#include "vendor/nvidia/transform/BlockLoadGroups.h"

namespace tilewright::vendor::nvidia {

/// A scheduled loop as it stands before it is specialised.
struct ProducerNeeds {
  /// Cycles for which a warp group's iteration keeps the matrix unit busy, and the unit of special
  /// functions.
  unsigned unitCycles = 0;
  /// How many iterations there are is not the same for all programs.
  bool isUneven = false;
  /// Registers of a thread of the kernel, as estimated (analysis/RegisterEstimate.h).
  unsigned registers = 0;
  /// Bytes of the rings that a producer fills, with their barriers, and those that are used beside
  /// them.
  uint64_t ringBytes = 0, usedBytes = 0;
  /// The buffers of the longest ring, and the iterations of the loop, if that is known.
  unsigned buffers = 1;
  std::optional<int64_t> trips = std::nullopt;
};

/// Whether a warp for the copies makes iterations shorter of a loop that nobody asks to have one:
/// `strategy` on `target`, of blocks of `warps` warps.
bool prefersProducer(const target::Target &target, const transform::LoopStrategy &strategy,
                     unsigned warps, const ProducerNeeds &needs);

/// The needs of `loop`, whose loads are `groups`, in rings of so many `buffers`.
ProducerNeeds findProducerNeeds(mlir::scf::ForOp loop, const target::Target &target,
                                llvm::ArrayRef<LoadGroup> groups, llvm::ArrayRef<unsigned> buffers,
                                unsigned registers);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_PRODUCERCHOICE_H
