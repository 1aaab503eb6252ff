//===- BlockLoadGroups.h - Loads of blocks that share a barrier -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_BLOCKLOADGROUPS_H
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_BLOCKLOADGROUPS_H

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
  /// The op of `body`, which the loads are in, that comes first in the program of those that take
  /// what they give.
  mlir::Operation *findFirstInBlock(mlir::Block *body) const;
};

/// The loads of blocks in `loop` that begin at least a stage before their use, in groups.
std::vector<LoadGroup> findLoadGroups(mlir::scf::ForOp loop,
                                      const transform::LoopSchedule &schedule);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_BLOCKLOADGROUPS_H
