//===- SplitRules.h - Which parts of operands give which of results -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_CLUSTER_SPLITRULES_H
#define TILEWRIGHT_TRANSFORM_CLUSTER_SPLITRULES_H

#include "ir/tw/ClusterSplit.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace tilewright::transform {

using tw::ClusterSplit;

/// Whether values of the type are divided among blocks: tensors and tensors in shared memory.
bool isTile(mlir::Type type);
bool hasTiles(mlir::Operation *op);
llvm::ArrayRef<int64_t> getTileShape(mlir::Type type);

/// The split that the layout of a tile says, for a cluster of 2^bits blocks; nothing where it has
/// no layout, or one of another form than CGALayout's.
std::optional<ClusterSplit> getLayoutSplit(mlir::Type tile, unsigned bits);

/// The part of `tile` that one block has: its shape, and its layout without the blocks.
mlir::Type getPartType(mlir::Type tile, const ClusterSplit &split);

/// Makes `op` one that computes a part of its results: gives tiles the types of their part
/// `results` and a constant or a range that size. The range begins where it did.
void setPartTypes(mlir::Operation *op, const ClusterSplit &results);

/// Whether `shape` can be divided so.
bool canDivide(llvm::ArrayRef<int64_t> shape, const ClusterSplit &split);

/// For each operand of `op` the part with which `op` computes the part `result` of its results, or
/// of its operands where it has none; those of operands that are no tiles mean nothing. Nothing
/// where that needs what other blocks have. With everything replicated every op has an answer, but
/// for those that know nothing of parts: see canDistribute.
///
/// Of a reduction `result` is the part of its operands.
std::optional<llvm::SmallVector<ClusterSplit>> getOperandSplits(mlir::Operation *op,
                                                                const ClusterSplit &result);

/// Whether `op`, which has tiles, can be computed by each block for its part at all.
bool canDistribute(mlir::Operation *op);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_CLUSTER_SPLITRULES_H
