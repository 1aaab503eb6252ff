//===- TileOuterProducts.cpp - Near-square tiles for outer products -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Takes of all tiles of a sum of outer products (OuterProducts.h) the one whose loads cost least.
//
// The store of the result takes the layout, too, if its rows then are written in whole
// sectors: no data moves between threads then. Otherwise, if that can be, each warp stores the
// rows that it has computed: data moves between its lanes alone, without a barrier of the block.
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/LayoutTypes.h"
#include "transform/layout/Passes.h"
#include "transform/layout/candidates/OuterProducts.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_TILEOUTERPRODUCTS
#include "transform/layout/Passes.h.inc"

namespace {

class TileOuterProducts : public impl::TileOuterProductsBase<TileOuterProducts> {
public:
  void runOnOperation() override {
    target = ttg::getTarget(getOperation());
    if (!target)
      return;
    for (auto function : getOperation().getOps<tt::FuncOp>()) {
      const SmallVector<OuterProduct> products = findOuterProducts(function);
      if (products.empty())
        continue;
      AxisInfoAnalysis axes(function);
      for (const OuterProduct &product : products)
        if (ttg::BlockedEncodingAttr layout = chooseLayout(product, axes))
          apply(product, layout, axes);
    }
  }

private:
  const target::Target *target = nullptr;

  /// The first of the cheapest tiles; null if there is none.
  ttg::BlockedEncodingAttr chooseLayout(const OuterProduct &product,
                                        const AxisInfoAnalysis &axes) const {
    const SmallVector<ProductTile> tiles = findTiles(product, axes, *target);
    const auto *best = llvm::min_element(
        tiles, [](const ProductTile &a, const ProductTile &b) { return a.cost < b.cost; });
    return best == tiles.end() ? ttg::BlockedEncodingAttr() : best->layout;
  }

  void apply(const OuterProduct &product, ttg::BlockedEncodingAttr layout,
             const AxisInfoAnalysis &axes) const {
    setAccessLayout(product.column, layout);
    setAccessLayout(product.row, layout);
    keepLayout(product.add, layout);
    for (tt::StoreOp store : findStores(product.result))
      if (writesWholeSectors(store, layout, axes))
        setAccessLayout(store, layout);
      else if (ttg::BlockedEncodingAttr rows = getRowsOfWarps(store, layout, axes))
        setAccessLayout(store, rows);
  }

  /// Rewrites elementwise `op` to work in `layout` and to stay there.
  static void keepLayout(Operation *op, Attribute layout) {
    setAccessLayout(op, layout);
    op->setAttr(tt::anchorAttrName, UnitAttr::get(op->getContext()));
  }

  /// Whether the lanes of a warp that write to one row of memory fill sectors.
  bool writesWholeSectors(tt::StoreOp store, ttg::BlockedEncodingAttr layout,
                          const AxisInfoAnalysis &axes) const {
    AxisInfo info = axes.get(store.getPtr());
    unsigned neighbours = layout.getSizePerThread()[1];
    // Columns of contiguous memory, or accesses narrower than a thread's run: with gaps.
    if (info.dims[0].contiguity > info.dims[1].contiguity ||
        neighbours > axes.getVectorWidth(store.getPtr(), 1, target->maxAccessBits()))
      return false;
    auto type = cast<RankedTensorType>(store.getValue().getType());
    unsigned bytes = tt::getStorageBits(type.getElementType()) / 8;
    return layout.getThreadsPerWarp()[1] * neighbours * bytes >= target->global.sectorBytes;
  }

  /// A layout in which each warp has what it has in `layout`, and its lanes the widest vectors,
  /// those of some lanes in a row filling two sectors: with more of them in a row more of the tile
  /// would be on its way between lanes at a time. Null if there is none or memory is not
  /// contiguous along rows.
  ttg::BlockedEncodingAttr getRowsOfWarps(tt::StoreOp store, ttg::BlockedEncodingAttr layout,
                                          const AxisInfoAnalysis &axes) const {
    AxisInfo info = axes.get(store.getPtr());
    unsigned vector = axes.getVectorWidth(store.getPtr(), 1, target->maxAccessBits());
    if (vector == 1 || info.dims[0].contiguity > info.dims[1].contiguity)
      return {};
    ArrayRef<int64_t> shape = cast<RankedTensorType>(store.getValue().getType()).getShape();
    ArrayRef<unsigned> warps = layout.getWarpsPerCTA(), lanes = layout.getThreadsPerWarp();
    int64_t rows = shape[0] / warps[0], columns = shape[1] / warps[1];
    unsigned bytes = tt::getStorageBits(getElementTypeOrSelf(store.getValue().getType())) / 8;
    unsigned allLanes = lanes[0] * lanes[1];
    auto laneColumns = static_cast<unsigned>(std::min<int64_t>(
        columns / vector, std::max(2 * target->global.sectorBytes / (vector * bytes), 1u)));
    if (laneColumns == 0 || rows < allLanes / laneColumns)
      return {};
    unsigned laneRows = allLanes / laneColumns;
    auto result = ttg::BlockedEncodingAttr::get(store.getContext(),
                                                {static_cast<unsigned>(rows / laneRows), vector},
                                                {laneRows, laneColumns}, warps, {1, 0});
    const layout::LinearLayout after = result.toLinearLayout(shape);
    const layout::LinearLayout before = layout.toLinearLayout(shape);
    return llvm::equal(after.bases(layout::dims::Warp), before.bases(layout::dims::Warp))
               ? result
               : ttg::BlockedEncodingAttr();
  }
};

} // namespace
} // namespace tilewright::transform
