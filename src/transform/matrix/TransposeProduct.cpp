//===- TransposeProduct.cpp - A product as that of its transposes -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/TransposeProduct.h"

#include "transform/matrix/Rearrangement.h"
#include "transform/matrix/WidenedOperands.h"

using namespace mlir;

namespace tilewright::transform {

static const int32_t exchanged[] = {1, 0};

bool isMatrixTranspose(tt::TransOp op) { return op.getOrder() == ArrayRef<int32_t>(exchanged); }

namespace {

/// The transposition of matrices.
class Transposition final : public Rearrangement {
public:
  /// `pairsRows`: see transposeProduct.
  explicit Transposition(bool pairsRows) : pairsRows(pairsRows) {}

  Value apply(OpBuilder &builder, Location loc, Value matrix) const override {
    if (!pairsRows) {
      auto trans = skipConversions(matrix).getDefiningOp<tt::TransOp>();
      return trans && isMatrixTranspose(trans) ? trans.getSrc()
                                               : permuteDims(builder, loc, matrix, exchanged);
    }
    const auto [rows, columns] = sizesOf(matrix);
    Value split = reshapeTo(builder, loc, matrix, {rows, columns / pairedRows, pairedRows / 2, 2});
    return reshapeTo(builder, loc, permuteDims(builder, loc, split, {1, 3, 2, 0}), {columns, rows});
  }

  Value undo(OpBuilder &builder, Location loc, Value matrix) const override {
    if (!pairsRows)
      return permuteDims(builder, loc, matrix, exchanged);
    const auto [rows, columns] = sizesOf(matrix);
    Value split = reshapeTo(builder, loc, matrix, {rows / pairedRows, 2, pairedRows / 2, columns});
    return reshapeTo(builder, loc, permuteDims(builder, loc, split, {3, 0, 2, 1}), {columns, rows});
  }

private:
  static std::pair<int64_t, int64_t> sizesOf(Value matrix) {
    auto type = cast<RankedTensorType>(matrix.getType());
    return {type.getDimSize(0), type.getDimSize(1)};
  }

  static constexpr int64_t pairedRows = 16;
  const bool pairsRows;
};

} // namespace

tt::DotOp transposeProduct(tt::DotOp dot, Value a, Value b, bool pairsRows) {
  OpBuilder builder(dot);
  const Transposition transposition(pairsRows);
  Value left = transposition.apply(builder, dot.getLoc(), b),
        right = Transposition(false).apply(builder, dot.getLoc(), a);
  return rearrangeProduct(dot, left, right, transposition);
}

} // namespace tilewright::transform
