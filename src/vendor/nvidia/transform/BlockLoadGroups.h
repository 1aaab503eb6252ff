//===- BlockLoadGroups.h - Loads of blocks that share a barrier -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_BLOCKLOADGROUPS_H
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_BLOCKLOADGROUPS_H

#include "analysis/AxisInfo.h"
#include "transform/pipeline/schedule/LoopSchedule.h"
#include "vendor/nvidia/transform/TensorCopyOps.h"

namespace tilewright::vendor::nvidia {

/// A load that becomes a copy.
struct EarlyLoad {
  BlockLoad load;
  /// The last stage of ops that read the tile.
  unsigned lastStage;
  /// A unit reads it in memory.
  bool isReadInMemory;
};

/// Loads that share a barrier: they begin in one slot, and one op is the first to use them.
struct LoadGroup {
  llvm::SmallVector<EarlyLoad> loads;
  transform::Slot begin, use;
  mlir::Operation *firstUser;

  /// The buffers of each load: a unit that reads a tile in memory is not done with it when the next
  /// iteration begins.
  unsigned getBuffers() const;
  uint32_t getBytes() const;
  /// The copies that each of so many `threads` makes of loads through pointers.
  unsigned countCopies(unsigned threads) const;
  /// Copies of threads fill the buffers: all loads are through pointers, or none is.
  bool isOfPointers() const { return loads.front().load.isOfPointers(); }
  /// The op of `body`, which the loads are in, that comes first in the program of those that take
  /// what they give.
  mlir::Operation *findFirstInBlock(mlir::Block *body) const;
};

/// The loads of blocks in `loop` that begin at least a stage before their use, in groups. With
/// `axes`, the facts about the loop's module, also those through pointers that copies of 16 bytes
/// make, if the value of each only initializes allocations.
std::vector<LoadGroup> findLoadGroups(mlir::scf::ForOp loop,
                                      const transform::LoopSchedule &schedule,
                                      const transform::AxisInfoAnalysis *axes = nullptr);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_BLOCKLOADGROUPS_H
