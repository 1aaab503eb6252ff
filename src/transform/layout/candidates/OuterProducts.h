//===- OuterProducts.h - Tiles of sums of outer products --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A matrix product without tl.dot is a loop of outer products:
//
//     acc[M, N] += broadcast(a[M, 1]) * broadcast(b[1, N])
//
// With threads along M alone a thread has one row: one element of a and all N of b, N + 1 loads for
// N products. A thread with a tile of r x c elements, r * c = M * N / threads, needs r + c loads
// for as many products: fewest when r = c.
//
// A *tile* here is a way to deal lanes and warps to the two dimensions. Its cost is that of the
// loads of a and b by one warp in an iteration (AccessCost.h).
//
// Where the pointers are known to be contiguous, a thread's elements are neighbours and come in
// vectors. Where not, they are dealt out one by one, so that neighbouring lanes have neighbouring
// columns: should the columns be contiguous after all, which only the run will tell, an instruction
// still touches whole sectors. Rows of unknown stride count as one sector each.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_OUTERPRODUCTS_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_OUTERPRODUCTS_H

#include "analysis/AxisInfo.h"
#include "target/Target.h"
#include "transform/layout/candidates/LayoutProvider.h"

namespace tilewright::transform {

/// acc += broadcast(column) * broadcast(row), in the body of a loop.
struct OuterProduct {
  mlir::Operation *add;
  tt::LoadOp column;  // [M, 1]
  tt::LoadOp row;     // [1, N]
  mlir::Value result; // of the loop
};

/// A tile, and the cycles of its loads.
struct ProductTile {
  ttg::BlockedEncodingAttr layout;
  Cost cost;
};

llvm::SmallVector<OuterProduct> findOuterProducts(tt::FuncOp function);

/// All tiles of a product, in no order; none where a thread has little to gain.
llvm::SmallVector<ProductTile> findTiles(const OuterProduct &product, const AxisInfoAnalysis &axes,
                                         const target::Target &target);

/// The stores of `value`, perhaps converted to another type or layout.
llvm::SmallVector<tt::StoreOp> findStores(mlir::Value value);

/// Proposes for the sums, and for what they load and store, the cheapest tiles. The sums are those
/// that keep their layouts.
class TileLayouts final : public LayoutProvider {
public:
  TileLayouts(tt::FuncOp function, const AxisInfoAnalysis &axes, const target::Target &target);
  void propose(mlir::Operation *op, llvm::SmallVectorImpl<LayoutProposal> &proposals) override;

private:
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<LayoutProposal>> proposalsOf;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_CANDIDATES_OUTERPRODUCTS_H
