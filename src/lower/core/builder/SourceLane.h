//===- SourceLane.h - Source lanes of shuffles ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Where it depends on the thread's lane alone, it is known when compiling for each lane, and
// the target may have an instruction for that table (TargetLowering::shuffleFixed). Otherwise, and
// where it has none, the lane's number is computed.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BUILDER_SOURCELANE_H
#define TILEWRIGHT_LOWER_CORE_BUILDER_SOURCELANE_H

#include "lower/core/builder/LoweringBuilder.h"

#include <functional>

namespace tilewright::lower {

/// One lane for each thread, for any number of shuffles at places that the first dominates.
class SourceLane {
public:
  /// The image of the thread's number under a linear map, XOR `constant`: a lane of its warp.
  SourceLane(LoweringBuilder &e, const ThreadBases &bases, unsigned constant);
  /// Lane table[l] for lane l. `compute` emits the same, i32; called at most once.
  SourceLane(LoweringBuilder &e, llvm::SmallVector<unsigned> table,
             std::function<mlir::Value()> compute);

  /// `value`, of up to 64 bits, as that lane has it.
  mlir::Value shuffle(mlir::Value value);

private:
  LoweringBuilder &e;
  /// Empty where warps differ, and where the target has no way of its own for the table.
  llvm::SmallVector<unsigned> sources;
  std::function<mlir::Value()> compute;
  mlir::Value lane;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BUILDER_SOURCELANE_H
