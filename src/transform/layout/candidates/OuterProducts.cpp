//===- OuterProducts.cpp - Tiles of sums of outer products --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/candidates/OuterProducts.h"

#include "transform/layout/LayoutTypes.h"
#include "transform/layout/problem/AccessCost.h"
#include "transform/layout/problem/LayoutCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilewright::transform {

//===--------------------------------------------------------------------------===//
// Sums of outer products
//===--------------------------------------------------------------------------===//

namespace {

/// Tiles of fewer elements a thread have little to gain.
constexpr int64_t minElements = 4;

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

} // namespace

SmallVector<OuterProduct> findOuterProducts(tt::FuncOp function) {
  SmallVector<OuterProduct> products;
  function.walk([&](scf::ForOp loop) {
    for (unsigned i = 0; i < loop.getNumResults(); ++i)
      if (std::optional<OuterProduct> product = match(loop, i))
        products.push_back(*product);
  });
  return products;
}

SmallVector<tt::StoreOp> findStores(Value value) {
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

//===--------------------------------------------------------------------------===//
// Tiles
//===--------------------------------------------------------------------------===//

/// How one operand, of which dimension `dim` alone is longer than 1, is loaded.
static AccessForm describeOperand(tt::LoadOp load, unsigned dim, const AxisInfoAnalysis &axes,
                                  const target::Target &target) {
  AccessForm form;
  form.pointers = cast<RankedTensorType>(load.getPtr().getType());
  form.order = {dim, 1 - dim};
  form.vector = axes.getVectorWidth(load.getPtr(), load.getMask(), dim, target.maxAccessBits());
  form.contiguity = static_cast<unsigned>(axes.get(load.getPtr()).dims[dim].contiguity);
  form.isDense = form.contiguity > 1 || dim == 1;
  return form;
}

SmallVector<ProductTile> findTiles(const OuterProduct &product, const AxisInfoAnalysis &axes,
                                   const target::Target &target) {
  auto type = cast<RankedTensorType>(product.add->getResult(0).getType());
  const int64_t m = type.getShape()[0], n = type.getShape()[1];
  const unsigned lanes = ttg::getThreadsPerWarp(product.add), warps = ttg::getNumWarps(product.add);
  SmallVector<ProductTile> tiles;
  if (m * n < minElements * lanes * warps)
    return tiles;
  const AccessForm column = describeOperand(product.column, 0, axes, target),
                   row = describeOperand(product.row, 1, axes, target);
  for (unsigned laneRows = 1; laneRows <= lanes; laneRows *= 2)
    for (unsigned warpRows = 1; warpRows <= warps; warpRows *= 2) {
      const unsigned laneColumns = lanes / laneRows, warpColumns = warps / warpRows;
      const int64_t rows = m / (laneRows * warpRows), columns = n / (laneColumns * warpColumns);
      if (rows == 0 || columns == 0)
        continue;
      const unsigned sizes[] = {unsigned(std::min<int64_t>(rows, column.vector)),
                                unsigned(std::min<int64_t>(columns, row.vector))};
      auto layout = ttg::BlockedEncodingAttr::get(type.getContext(), sizes, {laneRows, laneColumns},
                                                  {warpRows, warpColumns}, {1, 0});
      const auto encoding = cast<tt::LayoutEncoding>(Attribute(layout));
      tiles.push_back(
          {layout, costOfAccess(column, encoding, target) + costOfAccess(row, encoding, target)});
    }
  return tiles;
}

//===--------------------------------------------------------------------------===//
// Proposals
//===--------------------------------------------------------------------------===//

TileLayouts::TileLayouts(tt::FuncOp function, const AxisInfoAnalysis &axes,
                         const target::Target &target) {
  constexpr size_t maxTiles = 4;
  for (const OuterProduct &product : findOuterProducts(function)) {
    if (!product.add->hasAttr(tt::anchorAttrName))
      continue;
    const SmallVector<ProductTile> tiles = findTiles(product, axes, target);
    SmallVector<const ProductTile *> cheapest(llvm::make_pointer_range(tiles));
    llvm::sort(cheapest,
               [](auto *a, auto *b) { return std::pair(a->cost, a) < std::pair(b->cost, b); });
    cheapest.truncate(std::min(cheapest.size(), maxTiles));
    SmallVector<Operation *> accesses = {product.column, product.row};
    llvm::append_range(accesses, findStores(product.result));
    auto propose = [&](Operation *op, Attribute layout, Cost cost, const char *why) {
      proposalsOf[op].push_back(LayoutProposal::inOne(op, layout, cost, why));
    };
    auto type = cast<RankedTensorType>(product.add->getResult(0).getType());
    propose(product.add, type.getEncoding(), countRegisters(type), "as it is");
    for (const ProductTile *tile : cheapest) {
      propose(product.add, tile->layout, countRegisters(withLayout(type, tile->layout)), "a tile");
      for (Operation *access : accesses)
        propose(access, tile->layout,
                costOfAccess(describeAccess(access, axes, target),
                             cast<tt::LayoutEncoding>(Attribute(tile->layout)), target),
                "a tile of the product");
    }
  }
}

void TileLayouts::propose(Operation *op, SmallVectorImpl<LayoutProposal> &proposals) {
  if (const auto found = proposalsOf.find(op); found != proposalsOf.end())
    llvm::append_range(proposals, found->second);
}

} // namespace tilewright::transform
