//===- InsertBarriers.h - Barriers between uses of shared memory ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An op with scratch memory stores to it, lets the threads meet, and loads from it. The next
// op that stores to the same bytes must not do so while a slower thread still loads. Where
// a path leads from one to the other without a barrier of the block, one is put in.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_COMMON_INSERTBARRIERS_H
#define TILEWRIGHT_LOWER_COMMON_INSERTBARRIERS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <cstdint>

namespace tilewright::lower {

/// What an op does with shared memory, as far as other ops are concerned: it accesses the
/// bytes [begin, end), first by storing.
struct SharedAccessRange {
  uint64_t begin = 0, end = 0;
  /// The op has a barrier of the block between its first store and its last load: whatever
  /// came before it is over, and of its own accesses only loads can still be going on.
  bool hasBlockBarrier = false;

  bool empty() const { return begin == end; }
};

/// Inserts a `ttg.barrier local` before ops of `func`, whose control flow is that of its blocks,
/// so that no store meets an earlier access to the same bytes, on any path. No barrier is
/// inserted that could be left out with the others in place. `describe` tells about an op.
void insertBarriers(mlir::FunctionOpInterface func,
                    llvm::function_ref<SharedAccessRange(mlir::Operation *)> describe);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_COMMON_INSERTBARRIERS_H
