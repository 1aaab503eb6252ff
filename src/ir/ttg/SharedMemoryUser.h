//===- SharedMemoryUser.h - Shared memory effects of ops ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An op says which shared memory it accesses and when these accesses are complete
// (SharedMemoryUser), and what shared memory it needs for itself (ScratchUser). An asynchronous
// access has an issue, by the op that begins it, and a completion, at a later wait:
//
//     ttg.async_copy_global_to_local    issues into CopyGroups
//     ttg.async_commit_group            commits: what was issued since the last commit is a group
//     ttg.async_wait {num = 1}          waits until at most 1 group is still under way
//
// Groups of a queue complete in the order in which they were committed. Accesses in the queue of
// Barriers complete when the barrier that the op names is told; there are no groups.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_SHAREDMEMORYUSER_H
#define TILEWRIGHT_IR_TTG_SHAREDMEMORYUSER_H

#include "mlir/IR/OpDefinition.h"

#include <cstdint>
#include <optional>

namespace tilewright::plan {
class PlanCache;
} // namespace tilewright::plan

namespace tilewright::ttg {

/// One access of shared memory through a view.
struct ViewAccess {
  mlir::Value view;
  bool isWrite = false;
};

/// The queue that completes accesses, and its order.
enum class AsyncQueue {
  None,         ///< They are complete when the op is.
  CopyGroups,   ///< cp.async: groups of each thread's copies into shared memory.
  Products,     ///< wgmma: products that read operands in shared memory.
  TensorStores, ///< TMA stores and reductions, which read shared memory.
  Barriers,     ///< TMA loads, tcgen05, remote stores: an mbarrier is told.
};

/// The role of an op in asynchronous accesses.
struct AsyncRole {
  AsyncQueue queue = AsyncQueue::None;
  /// The op's accesses of memory go on after it, until its queue completes them.
  bool issues = false;
  /// All that was issued into the queue since the last commit becomes a group; with `issues`, also
  /// what the op itself issues. In the queue of Barriers: the barrier that the op names is told
  /// when all that was issued before is complete.
  bool commits = false;
  /// The op waits until at most this many of the groups committed last are still under way; in
  /// the queue of Barriers it waits for the barrier that it names, and the number is 0.
  std::optional<unsigned> waits;
};

/// The scratch memory of one op.
struct Scratch {
  uint64_t bytes = 0;
  /// There is a barrier of the threads that run the op between its first store and its last load.
  bool hasBlockBarrier = true;
};

namespace detail {
void getViewAccesses(mlir::Operation *op, llvm::SmallVectorImpl<ViewAccess> &accesses);
} // namespace detail

} // namespace tilewright::ttg

#include "ir/ttg/OpInterfaces.h.inc"

#endif // TILEWRIGHT_IR_TTG_SHAREDMEMORYUSER_H
