//===- AsyncLoads.h - Loads that asynchronous copies can make -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_COPIES_ASYNCLOADS_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_COPIES_ASYNCLOADS_H

#include "analysis/AxisInfo.h"
#include "ir/ttg/Dialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "target/Target.h"

#include <optional>

namespace tilewright::transform {

/// How a load is made by asynchronous copies.
struct AsyncLoad {
  /// The layout of the tile in shared memory.
  ttg::SharedLayoutEncoding encoding;
  /// Neighboring elements that one copy of a thread takes.
  unsigned elements = 1;
  /// Ops read the tile in shared memory themselves, so for longer than they take to issue: no
  /// registers hold it.
  bool isReadInMemory = false;
};

/// A use of a load's value in another layout, as operands of products are.
struct ConvertedUse {
  /// Between the two, if the tile is transposed.
  tt::TransOp trans;
  ttg::ConvertLayoutOp convert;

  /// Where the elements of the tile, as it was loaded, are in the end.
  layout::LinearLayout getMap() const;
};

/// The uses of `load`'s value that are conversions, or transpose what is then converted in the same
/// block.
llvm::SmallVector<ConvertedUse> getConvertedUses(tt::LoadOp load);

/// How copies of `target` make `load`; nothing if they cannot. The layout in memory is that of the
/// allocations that the load's value initializes, if it does nothing else. Otherwise rows lie along
/// memory; where operands of products are read from them, swizzled so that eight rows of 16 bytes
/// lie in different banks.
std::optional<AsyncLoad> planAsyncLoad(tt::LoadOp load, const AxisInfoAnalysis &axes,
                                       const target::Target &target);

/// Whether elements that the mask of `load` leaves out get a value that a copy, which writes zeros,
/// does not: it is put there when the copied tile is read, in the layout of the load.
bool needsOther(tt::LoadOp load);

/// Adds what is not there any more where `load`, see ttg::isLoad, is made by copies to memory: the
/// allocations that its value initializes, and its conversions.
void collectReplaced(mlir::Operation *load, llvm::SmallPtrSetImpl<mlir::Operation *> &replaced);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_COPIES_ASYNCLOADS_H
