//===- LayoutProvider.h - Layouts that ops could be in ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The passes before tritongpu-remove-layout-conversions give the ops that keep their layouts one
// each, by rules of their own: wide accesses, square tiles, the fewest fragments. A provider
// proposes the other layouts among which such a rule has chosen, and says what the op costs in
// each. They become the alternatives of a LayoutProblem, whose solver sees what follows from them
// in the rest of the function:
//
//     provider         of which ops               proposes                                  rule of
//     AccessLayouts    loads, stores              narrower accesses, the layouts of other
//     tritongpu-coalesce
//                                                 accesses, of the value that is stored
//     SquareLayouts    loads of operands that     squares of fewer rows tilewright-square-loads
//                      threads turn round
//     TileLayouts      sums of outer products,    other tiles tilewright-tile-outer-products
//                      their loads and stores
//     ProductLayouts   products of matrix units   other shares of the warps
//     tritongpu-accelerate-matmul
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_LAYOUTPROVIDER_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_LAYOUTPROVIDER_H

#include "ir/ttg/Dialect.h"
#include "transform/layout/problem/LayoutProblem.h"

#include <memory>

namespace tilewright::transform {

/// Layouts in which an op could be.
struct LayoutProposal {
  /// One for each operand, and one for each result, that is a tensor.
  llvm::SmallVector<mlir::Attribute, 3> operands;
  llvm::SmallVector<mlir::Attribute, 1> results;
  /// Cycles for which the op then keeps one warp's part of the machine busy, once.
  Cost cost = 0;
  /// The reason to be in these layouts: some words, for people.
  std::string why;

  /// All operands and results of `op` in one layout.
  static LayoutProposal inOne(mlir::Operation *op, mlir::Attribute layout, Cost cost,
                              std::string why);
  /// Whether the layouts are those that `op` has.
  bool isOf(mlir::Operation *op) const;
  bool hasLayoutsOf(const LayoutProposal &other) const {
    return operands == other.operands && results == other.results;
  }
};

class LayoutProvider {
public:
  virtual ~LayoutProvider() = default;
  /// Appends the layouts in which `op` could be, and those that it has, to `proposals`. Nothing for
  /// ops that the provider does not know. Of an op, all providers count costs in the same way.
  virtual void propose(mlir::Operation *op, llvm::SmallVectorImpl<LayoutProposal> &proposals) = 0;
};

/// All providers for the ops of `function`, which stays as it is while they are in use; none
/// without a known target.
std::vector<std::unique_ptr<LayoutProvider>> createLayoutProviders(tt::FuncOp function);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_LAYOUTPROVIDER_H
