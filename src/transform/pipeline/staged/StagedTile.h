//===- StagedTile.h - Tiles on their way to matrix units ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Tiles that go through registers to shared memory, and from there to matrix units as operands
// (StagedLoads.h): which loads make one, and how it lies in memory.
//
// What a unit does not take and has to be widened - 8-bit floats where there are products of f16 -
// is widened on the way into memory, if there is room for it: there each element is in one thread,
// as an operand it is in all that multiply by it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_STAGED_STAGEDTILE_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_STAGED_STAGEDTILE_H

#include "ir/ttg/Dialect.h"
#include "target/Target.h"
#include "transform/pipeline/copies/AsyncLoads.h"

namespace tilewright::transform {

/// A load of a tile that operands of matrix units are, and nothing else.
struct StagedTile {
  tt::LoadOp load;
  /// The op that widens the tile before it is converted; or null.
  tt::FpToFpOp widened;
  llvm::SmallVector<ConvertedUse> uses;
  /// The ops that widen the operands, for each of `uses`, if the tile in memory is to be wide.
  llvm::SmallVector<tt::FpToFpOp> widenings;
  /// The type of the memory.
  ttg::MemDescType memory;

  /// The operand that `uses[number]` gives.
  mlir::Value getOperand(size_t number) {
    return widenings.empty() ? mlir::Value(uses[number].convert) : mlir::Value(widenings[number]);
  }
};

/// The memory of a tile of `type` through which a conversion of the whole of it to `operand` goes.
/// Null if it goes another way.
ttg::MemDescType planTileMemory(mlir::RankedTensorType type, const layout::LinearLayout &operand,
                                const target::Target &target);

/// The tiles of the loads of `loop`'s body that shared memory has room for together, the smaller
/// ones first.
llvm::SmallVector<StagedTile> findStagedTiles(mlir::scf::ForOp loop, const target::Target &target);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_STAGED_STAGEDTILE_H
