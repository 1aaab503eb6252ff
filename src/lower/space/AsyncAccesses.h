//===- AsyncAccesses.h - Accesses of memory under way ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An asynchronous access begins at one op and is complete at another (ttg::AsyncRole). Followed
// along all paths: which allocations accesses may be under way to at an op, and of which
// allocations a wait completes accesses. What the default group of warps begins nobody else
// completes, and the other way round; partitions of different ttg.warp_specialize may be run by the
// same warps.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_SPACE_ASYNCACCESSES_H
#define TILEWRIGHT_LOWER_SPACE_ASYNCACCESSES_H

#include "lower/space/MemorySpace.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::lower {

/// Allocations that are read and written, by their numbers.
struct AccessedAllocations {
  llvm::BitVector reads, writes;

  bool empty() const { return reads.none() && writes.none(); }
  /// True if this changed.
  bool join(const AccessedAllocations &other);
};

/// Whether `op` hands the copies of groups that its threads have begun over to a barrier, which
/// each thread tells by itself when its own are complete: no group completes them, and no thread
/// speaks for others.
bool handsOverCopies(mlir::Operation *op);

/// The asynchronous accesses of one function to one memory space. The function's control flow is
/// that of its blocks.
class AsyncAccesses {
public:
  using AllocationsOf = llvm::function_ref<llvm::BitVector(mlir::Value view)>;

  AsyncAccesses() = default;
  /// `allocationsOf`: the numbers of those that a view may be of.
  AsyncAccesses(tt::FuncOp func, const MemorySpace &space, AllocationsOf allocationsOf);

  /// Those that accesses may be under way to before `op`; may be a shorter set than all.
  llvm::BitVector underWayAt(mlir::Operation *op) const;
  /// Those to which `wait` completes accesses, on some path.
  AccessedAllocations completedAt(mlir::Operation *wait) const;

private:
  llvm::DenseMap<mlir::Operation *, llvm::BitVector> underWay;
  llvm::DenseMap<mlir::Operation *, AccessedAllocations> completed;
  /// Allocations with accesses under way when a partition ends, and from then on.
  llvm::BitVector abandoned;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_SPACE_ASYNCACCESSES_H
