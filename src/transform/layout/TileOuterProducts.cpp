//===- TileOuterProducts.cpp - Near-square tiles for outer products -----------===//
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
// With threads along M alone a thread has one row: one element of a and all N of b, N + 1
// loads for N products. A thread with a tile of r x c elements, r * c = M * N / threads, needs
// r + c loads for as many products: fewest when r = c.
//
// Of all ways to deal lanes and warps to the two dimensions the cheapest is taken. The cost of
// an iteration is read off the maps of a and b, for one warp:
//
//     loadCycles * (load instructions) + (sectors of memory they touch)
//
// in what a sector is and a load takes on the target (target/Target.h). Where it loads what all
// lanes of a warp have in common once for the warp, into registers of
// its own, an operand that has the same elements in all lanes costs a fixed number of cycles for
// each such load: with 32 lanes along M a thread has one row and loads one element of a, and the
// warp all N of b.
//
// Where the pointers are known to be contiguous, a thread's elements are neighbours and come
// in vectors. Where not, they are dealt out one by one, so that neighbouring lanes have
// neighbouring columns: should the columns be contiguous after all, which only the run
// will tell, an instruction still touches whole sectors. Rows of unknown stride count as one
// sector each.
//
// The store of the result takes the layout, too, if its rows then are written in whole
// sectors: no data moves between threads then. Otherwise, if that can be, each warp stores the
// rows that it has computed: data moves between its lanes alone, without a barrier of the block.
//
//===--------------------------------------------------------------------------===//

#include "analysis/AxisInfo.h"
#include "plan/shared/Access.h"
#include "target/Target.h"
#include "transform/layout/FunctionLayouts.h"
#include "transform/layout/LayoutTypes.h"
#include "transform/layout/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_TILEOUTERPRODUCTS
#include "transform/layout/Passes.h.inc"

namespace {

/// Tiles of fewer elements a thread have little to gain.
constexpr int64_t minElements = 4;

/// acc += broadcast(column) * broadcast(row), in the body of a loop.
struct OuterProduct {
  Operation *add;
  tt::LoadOp column; // [M, 1]
  tt::LoadOp row;    // [1, N]
  Value result;      // of the loop
};

/// The load that `value` is, perhaps converted to another type or layout.
tt::LoadOp findLoad(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto load = dyn_cast<tt::LoadOp>(op))
      return load;
    if (!isa<ttg::ConvertLayoutOp, arith::ExtFOp, arith::TruncFOp, tt::FpToFpOp, arith::SIToFPOp,
             arith::UIToFPOp, arith::ExtSIOp, arith::ExtUIOp>(op))
      return {};
    value = op->getOperand(0);
  }
  return {};
}

/// The load whose result is broadcast along dimension `dim` of `product`'s operand.
tt::LoadOp findBroadcastLoad(Value value, unsigned dim) {
  auto broadcast = stripConversions(value).getDefiningOp<tt::BroadcastOp>();
  if (!broadcast)
    return {};
  ArrayRef<int64_t> from = cast<RankedTensorType>(broadcast.getSrc().getType()).getShape();
  ArrayRef<int64_t> to = cast<RankedTensorType>(broadcast.getType()).getShape();
  if (from.size() != 2 || from[dim] != 1 || from[1 - dim] != to[1 - dim] || to[1 - dim] == 1)
    return {};
  return findLoad(broadcast.getSrc());
}

std::optional<OuterProduct> matchProduct(Operation *add, Value left, Value right, scf::ForOp loop,
                                         Value result) {
  for (auto [a, b] : {std::pair(left, right), std::pair(right, left)}) {
    tt::LoadOp column = findBroadcastLoad(a, 1), row = findBroadcastLoad(b, 0);
    if (column && row && column->getParentOp() == loop && row->getParentOp() == loop)
      return OuterProduct{add, column, row, result};
  }
  return std::nullopt;
}

/// The outer product that is added to what the loop carries as number `i`.
std::optional<OuterProduct> match(scf::ForOp loop, unsigned i) {
  auto type = dyn_cast<RankedTensorType>(loop.getResult(i).getType());
  if (!type || type.getRank() != 2 || !getLayout(type))
    return std::nullopt;
  Value arg = loop.getRegionIterArg(i);
  Operation *add = stripConversions(loop.getYieldedValues()[i]).getDefiningOp();
  if (!add || add->getParentOp() != loop)
    return std::nullopt;
  auto isArg = [&](Value value) { return stripConversions(value) == arg; };
  if (auto fma = dyn_cast<math::FmaOp>(add))
    return isArg(fma.getC()) ? matchProduct(add, fma.getA(), fma.getB(), loop, loop.getResult(i))
                             : std::nullopt;
  if (!isa<arith::AddFOp, arith::AddIOp>(add))
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    Operation *mul = stripConversions(add->getOperand(side)).getDefiningOp();
    if (isArg(add->getOperand(1 - side)) && isa_and_nonnull<arith::MulFOp, arith::MulIOp>(mul))
      return matchProduct(add, mul->getOperand(0), mul->getOperand(1), loop, loop.getResult(i));
  }
  return std::nullopt;
}

/// How one operand is loaded.
struct Operand {
  RankedTensorType pointers;
  /// The dimension that is longer than 1.
  unsigned dim;
  /// Elements of the widest vector access along it, and neighbours in memory.
  unsigned vector, contiguity;
  /// Neighbours along it are (or, in rows, may well be) neighbours in memory.
  bool dense;

  unsigned elementBytes() const {
    auto pointer = cast<tt::PointerType>(pointers.getElementType());
    return tt::getStorageBits(pointer.getPointeeType()) / 8;
  }
};

Operand describe(tt::LoadOp load, unsigned dim, const AxisInfoAnalysis &axes,
                 const target::Target &target) {
  unsigned vector = axes.getVectorWidth(load.getPtr(), load.getMask(), dim, target.maxAccessBits());
  auto contiguity = static_cast<unsigned>(axes.get(load.getPtr()).dims[dim].contiguity);
  return {cast<RankedTensorType>(load.getPtr().getType()), dim, vector, contiguity,
          contiguity > 1 || dim == 1};
}

/// Cycles that one warp's loads of `operand` take in an iteration, where lanes have nothing but
/// `common` elements and the warp loads them as a whole.
int64_t warpLoadCost(const Operand &operand, const layout::LinearLayout &common,
                     ArrayRef<unsigned> order, const target::WarpUnit &unit) {
  unsigned run = std::min(operand.contiguity, plan::contiguousPerThread(common, order));
  unsigned bytes = std::min(run * operand.elementBytes(), unit.maxLoadBytes);
  return unit.loadCycles * common.inSize(layout::dims::Register) * operand.elementBytes() / bytes;
}

/// Cycles that one warp's loads of `operand` take in an iteration.
int64_t loadCost(const Operand &operand, tt::LayoutEncoding layout, const target::Target &target) {
  layout::LinearLayout map = layout.toLinearLayout(operand.pointers.getShape());
  map = map.removeZeroBasesAlong(layout::dims::Register);
  SmallVector<unsigned> order = {operand.dim, 1 - operand.dim};
  const target::WarpUnit &unit = target.execution.warpUnit;
  if (unit.registers && operand.elementBytes() >= unit.minLoadBytes &&
      llvm::all_of(map.bases(layout::dims::Lane), [](uint64_t basis) { return basis == 0; }))
    return warpLoadCost(operand, map, order, unit);
  uint64_t registers = map.inSize(layout::dims::Register);
  unsigned vector = std::min(operand.vector, plan::contiguousPerThread(map, order));
  uint64_t instructions = registers / vector;
  uint64_t sectors;
  if (operand.dense) {
    sectors = plan::sectorsPerWarpAccess(map, order, operand.elementBytes(), vector,
                                         target.global.sectorBytes);
  } else {
    layout::Dim lane[] = {layout::dims::Lane};
    layout::Dim outs[] = {layout::Dim::tensor(0), layout::Dim::tensor(1)};
    sectors = uint64_t(1) << map.sublayout(lane, outs).rank();
  }
  return instructions * (target.global.loadCycles + sectors);
}

class TileOuterProducts : public impl::TileOuterProductsBase<TileOuterProducts> {
public:
  void runOnOperation() override {
    target = ttg::getTarget(getOperation());
    if (!target)
      return;
    for (auto function : getOperation().getOps<tt::FuncOp>()) {
      SmallVector<OuterProduct> products;
      function.walk([&](scf::ForOp loop) {
        for (unsigned i = 0; i < loop.getNumResults(); ++i)
          if (std::optional<OuterProduct> product = match(loop, i))
            products.push_back(*product);
      });
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

  ttg::BlockedEncodingAttr chooseLayout(const OuterProduct &product,
                                        const AxisInfoAnalysis &axes) const {
    auto type = cast<RankedTensorType>(product.add->getResult(0).getType());
    int64_t m = type.getShape()[0], n = type.getShape()[1];
    unsigned lanes = ttg::getThreadsPerWarp(product.add), warps = ttg::getNumWarps(product.add);
    if (m * n < minElements * lanes * warps)
      return {};
    Operand column = describe(product.column, 0, axes, *target);
    Operand row = describe(product.row, 1, axes, *target);

    ttg::BlockedEncodingAttr best;
    int64_t bestCost = 0;
    for (unsigned laneRows = 1; laneRows <= lanes; laneRows *= 2)
      for (unsigned warpRows = 1; warpRows <= warps; warpRows *= 2) {
        unsigned laneColumns = lanes / laneRows, warpColumns = warps / warpRows;
        int64_t rows = m / (laneRows * warpRows), columns = n / (laneColumns * warpColumns);
        if (rows == 0 || columns == 0)
          continue;
        unsigned sizes[] = {unsigned(std::min<int64_t>(rows, column.vector)),
                            unsigned(std::min<int64_t>(columns, row.vector))};
        auto layout = ttg::BlockedEncodingAttr::get(
            type.getContext(), sizes, {laneRows, laneColumns}, {warpRows, warpColumns}, {1, 0});
        auto encoding = cast<tt::LayoutEncoding>(Attribute(layout));
        int64_t cost = loadCost(column, encoding, *target) + loadCost(row, encoding, *target);
        if (!best || cost < bestCost) {
          best = layout;
          bestCost = cost;
        }
      }
    return best;
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

  /// The stores of `value`, perhaps converted to another type or layout.
  static SmallVector<tt::StoreOp> findStores(Value value) {
    SmallVector<tt::StoreOp> stores;
    SmallVector<Value> values = {value};
    while (!values.empty())
      for (OpOperand &use : values.pop_back_val().getUses()) {
        Operation *user = use.getOwner();
        if (auto store = dyn_cast<tt::StoreOp>(user)) {
          if (use.get() == store.getValue())
            stores.push_back(store);
        } else if (isa<ttg::ConvertLayoutOp, arith::TruncFOp, arith::ExtFOp, tt::FpToFpOp>(user)) {
          values.push_back(user->getResult(0));
        }
      }
    return stores;
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
