//===- SplitChoice.h - How a program's tiles are best divided -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What is computed from a product has the product's split; what is reduced is divided along
// other dimensions, if it can be; everything else as Triton's default layouts do it, along the
// slowest dimension first.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_CLUSTER_SPLITCHOICE_H
#define TILEWRIGHT_TRANSFORM_CLUSTER_SPLITCHOICE_H

#include "ir/tw/Dialect.h"
#include "transform/cluster/SplitRules.h"

#include "llvm/ADT/DenseSet.h"

namespace tilewright::transform {

class SplitChoice {
public:
  /// For clusters of 2^bits blocks.
  explicit SplitChoice(unsigned bits) : bits(bits) {}

  unsigned numBits() const { return bits; }
  /// The split of any value that is a tile.
  ClusterSplit ofValue(mlir::Value tile) const;
  /// The split of a product.
  ClusterSplit ofProduct(tt::DotOp dot) const;
  /// The split of the operands of a reduction.
  ClusterSplit ofReduced(tt::ReduceOp reduce) const;

private:
  /// Divides `shape` along its slowest dimension first, along `last` only in the end.
  ClusterSplit ofShape(llvm::ArrayRef<int64_t> shape, int64_t last = -1) const;
  /// The split of the product, or of the layout, that decides about `tile`.
  std::optional<ClusterSplit> findProduct(mlir::Value tile,
                                          llvm::DenseSet<mlir::Value> &seen) const;

  unsigned bits;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_CLUSTER_SPLITCHOICE_H
