//===- ThreadGroup.h - The warps that run an op ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A group of warps runs one piece of code: its layouts are for as many warps, its barriers are
// those of these warps, and the numbers of its warps and threads begin at 0. A kernel has a default
// group, which runs all that stands outside of partitions, and one more for each partition of a
// `ttg.warp_specialize`. Partitions of different such ops may be run by the same warps, one after
// the other.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_THREADGROUP_H
#define TILEWRIGHT_IR_TTG_THREADGROUP_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace tilewright::ttg {

/// Consecutive warps of a block that run the same code.
struct ThreadGroup {
  /// The number in the block of the group's first warp.
  unsigned firstWarp = 0;
  unsigned numWarps = 0;
  /// The number of the partition; nothing for the default group.
  std::optional<unsigned> partition = std::nullopt;

  /// The number in the block of the warp after its last.
  unsigned endWarp() const { return firstWarp + numWarps; }
  bool operator==(const ThreadGroup &) const = default;
};

/// The group that runs `op`, or the ops of `region`: that of the partition around it, or the
/// default group, whose warps are as many as the module (`ttg.num-warps`) says.
ThreadGroup getThreadGroup(mlir::Operation *op);
ThreadGroup getThreadGroup(mlir::Region *region);

/// How many warps run `op`: its layouts are for as many.
unsigned getNumWarps(mlir::Operation *op);

/// The warps that a block of the module's kernels is launched with: those of the default group and
/// of all partitions, or more where the module (`ttg.total-num-warps`) says so.
unsigned getTotalNumWarps(mlir::ModuleOp module);

/// Lanes a warp, blocks a cluster: the attributes of the module around `op`. Where one is missing:
/// 32 and 1. (Of `ttg.num-warps`: 4. All are Triton's defaults.)
unsigned getThreadsPerWarp(mlir::Operation *op);
unsigned getNumCTAs(mlir::Operation *op);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_THREADGROUP_H
