//===- NeighborRows.cpp - Rows that a thread has, side by side ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/NeighborRows.h"

#include "transform/matrix/Rearrangement.h"

using namespace mlir;

namespace tilewright::transform {

namespace {

/// Rows of the product, from the slowest: (.., tile, warp, half, lane). Those in memory: (.., warp,
/// lane, tile, half). All the same where tiles and halves are one.
struct RowOrder {
  int64_t tiles = 1, warps = 1, halves = 1, lanes = 1;

  int64_t size() const { return tiles * warps * halves * lanes; }
  bool isChanged() const { return tiles * halves > 1; }
};

/// Rows of a thread along which neighbours fill a word of bytes.
constexpr int64_t neighbors = 4;

/// That of `size` rows of which an atom has `ofAtom` in 8 lanes.
RowOrder orderFor(int64_t size, unsigned ofAtom, unsigned warps) {
  RowOrder order;
  constexpr int64_t lanes = 8;
  if (size < int64_t(ofAtom) * warps || ofAtom < lanes)
    return order;
  order.warps = warps;
  order.lanes = lanes;
  order.halves = ofAtom / lanes;
  order.tiles = std::min<int64_t>(neighbors / order.halves, size / (int64_t(ofAtom) * warps));
  return order;
}

class RowExchange final : public Rearrangement {
public:
  RowExchange(RowOrder rows, RowOrder columns) : rows(rows), columns(columns) {}

  Value apply(OpBuilder &builder, Location loc, Value matrix) const override {
    Value result = exchange(builder, loc, matrix, 0, rows, false);
    return exchange(builder, loc, result, 1, columns, false);
  }
  Value undo(OpBuilder &builder, Location loc, Value matrix) const override {
    Value result = exchange(builder, loc, matrix, 0, rows, true);
    return exchange(builder, loc, result, 1, columns, true);
  }

private:
  /// Rows, or columns with `dim` 1, from memory's order to the product's or back.
  static Value exchange(OpBuilder &builder, Location loc, Value matrix, unsigned dim,
                        const RowOrder &order, bool isBack) {
    if (!order.isChanged())
      return matrix;
    SmallVector<int64_t> shape =
        llvm::to_vector(cast<RankedTensorType>(matrix.getType()).getShape());
    SmallVector<int64_t> inProduct = {shape[dim] / order.size(), order.tiles, order.warps,
                                      order.halves, order.lanes},
                         inMemory = {inProduct[0], order.warps, order.lanes, order.tiles,
                                     order.halves};
    const int32_t toProduct[] = {0, 3, 1, 4, 2}, toMemory[] = {0, 2, 4, 1, 3};
    SmallVector<int64_t> split = isBack ? inProduct : inMemory;
    SmallVector<int32_t> places;
    for (int32_t place : isBack ? toMemory : toProduct)
      places.push_back(place + static_cast<int32_t>(dim));
    if (dim == 0) {
      split.push_back(shape[1]);
      places.push_back(5);
    } else {
      split.insert(split.begin(), shape[0]);
      places.insert(places.begin(), 0);
    }
    Value parts = reshapeTo(builder, loc, matrix, split);
    return reshapeTo(builder, loc, permuteDims(builder, loc, parts, places), shape);
  }

  const RowOrder rows, columns;
};

} // namespace

tt::DotOp makeRowsNeighbors(tt::DotOp dot, Value a, Value b, NeighborRows wanted,
                            const target::MmaAtom &atom, ArrayRef<unsigned> warps) {
  auto result = cast<RankedTensorType>(dot.getType());
  RowOrder rows, columns;
  if (wanted.ofA)
    rows = orderFor(result.getDimSize(0), atom.m, warps[0]);
  if (wanted.ofB)
    columns = orderFor(result.getDimSize(1), atom.n, warps[1]);
  OpBuilder builder(dot);
  const Location loc = dot.getLoc();
  Value left = RowExchange(rows, {}).apply(builder, loc, a),
        right = RowExchange({}, columns).apply(builder, loc, b);
  return rearrangeProduct(dot, left, right, RowExchange(rows, columns));
}

} // namespace tilewright::transform
