//===- TransposeProduct.cpp - A product as that of its transposes -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/TransposeProduct.h"

#include "ir/ttg/Inference.h"
#include "transform/matrix/WidenedOperands.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilewright::transform {

static const int32_t exchanged[] = {1, 0};

bool isMatrixTranspose(tt::TransOp op) { return op.getOrder() == ArrayRef<int32_t>(exchanged); }

namespace {

/// The transposition of matrices, and the way back. Nothing but layouts change.
class Transposition {
public:
  /// `pairsRows`: see transposeProduct.
  Transposition(OpBuilder &builder, Location loc, bool pairsRows)
      : builder(builder), loc(loc), pairsRows(pairsRows) {}

  Value apply(Value matrix) {
    if (!pairsRows) {
      auto trans = skipConversions(matrix).getDefiningOp<tt::TransOp>();
      return trans && isMatrixTranspose(trans) ? trans.getSrc() : permute(matrix, exchanged);
    }
    const auto [rows, columns] = sizesOf(matrix);
    Value split = reshape(matrix, {rows, columns / pairedRows, pairedRows / 2, 2});
    return reshape(permute(split, {1, 3, 2, 0}), {columns, rows});
  }

  Value undo(Value matrix) {
    if (!pairsRows)
      return permute(matrix, exchanged);
    const auto [rows, columns] = sizesOf(matrix);
    Value split = reshape(matrix, {rows / pairedRows, 2, pairedRows / 2, columns});
    return reshape(permute(split, {3, 0, 2, 1}), {columns, rows});
  }

private:
  static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }
  static std::pair<int64_t, int64_t> sizesOf(Value matrix) {
    return {typeOf(matrix).getDimSize(0), typeOf(matrix).getDimSize(1)};
  }

  Value permute(Value value, ArrayRef<int32_t> order) {
    const RankedTensorType type = typeOf(value);
    Attribute layout = tt::getLayoutEncoding(type).inferTrans(type.getShape(), order);
    SmallVector<int64_t> shape;
    for (int32_t dim : order)
      shape.push_back(type.getDimSize(dim));
    return builder.createOrFold<tt::TransOp>(
        loc, RankedTensorType::get(shape, type.getElementType(), layout), value, order);
  }

  Value reshape(Value value, ArrayRef<int64_t> shape) {
    const RankedTensorType type = typeOf(value);
    Attribute layout = ttg::inferReshape(type.getShape(), type.getEncoding(), shape);
    return builder.createOrFold<tt::ReshapeOp>(
        loc, RankedTensorType::get(shape, type.getElementType(), layout), value,
        /*allow_reorder=*/false, /*efficient_layout=*/false);
  }

  static constexpr int64_t pairedRows = 16;
  OpBuilder &builder;
  Location loc;
  const bool pairsRows;
};

} // namespace

/// `value` with the type of `like`, of which it has all but the layout.
static Value convertLike(OpBuilder &builder, Location loc, Value value, Value like) {
  return value.getType() == like.getType()
             ? value
             : ttg::ConvertLayoutOp::create(builder, loc, like.getType(), value).getResult();
}

/// The number of the value by which a loop carries the sum of one iteration's `dot` to the next
/// one's, which adds to it; nothing if it is not so.
static std::optional<unsigned> getCarriedSum(tt::DotOp dot) {
  auto argument = dyn_cast<BlockArgument>(skipConversions(dot.getC()));
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || argument.getArgNumber() < loop.getNumInductionVars())
    return std::nullopt;
  const unsigned number = argument.getArgNumber() - loop.getNumInductionVars();
  if (skipConversions(loop.getYieldedValues()[number]) != dot.getResult())
    return std::nullopt;
  return number;
}

/// Has `loop` carry the transposed sum of `dot` in place of value `number`.
static void carryTransposed(scf::ForOp loop, unsigned number, tt::DotOp dot, bool pairsRows) {
  IRRewriter rewriter(loop);
  const Location loc = dot.getLoc();
  Transposition transposition(rewriter, loc, pairsRows);
  Value initial = transposition.apply(loop.getInitArgs()[number]);
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location, ArrayRef<BlockArgument>) {
        return SmallVector<Value>{convertLike(builder, loc, dot.getResult(), initial)};
      }));
  const BlockArgument untransposed = loop.getRegionIterArg(number),
                      carried = loop.getRegionIterArgs().back();
  rewriter.setInsertionPoint(dot);
  dot.getCMutable().assign(convertLike(rewriter, loc, carried, dot.getC()));
  rewriter.setInsertionPointToStart(loop.getBody());
  rewriter.replaceAllUsesWith(
      untransposed, convertLike(rewriter, loc, transposition.undo(carried), untransposed));
  // Of the other one there is left what no iteration changes.
  loop.getTiedLoopYieldedValue(untransposed)->set(untransposed);
  rewriter.setInsertionPointAfter(loop);
  Value result = loop.getResult(number);
  rewriter.replaceAllUsesWith(
      result, convertLike(rewriter, loc, transposition.undo(loop.getResults().back()), result));
}

tt::DotOp transposeProduct(tt::DotOp dot, Value a, Value b, bool pairsRows) {
  OpBuilder builder(dot);
  const Location loc = dot.getLoc();
  const std::optional<unsigned> carried = getCarriedSum(dot);
  Transposition transposition(builder, loc, pairsRows), ofA(builder, loc, false);
  Value left = transposition.apply(b), right = ofA.apply(a), sum = transposition.apply(dot.getC());
  auto transposed = tt::DotOp::create(builder, loc, sum.getType(), left, right, sum,
                                      dot.getInputPrecision(), dot.getMaxNumImpreciseAcc());
  dot.replaceAllUsesWith(convertLike(builder, loc, transposition.undo(transposed), dot));
  dot.erase();
  if (carried)
    carryTransposed(transposed->getParentOfType<scf::ForOp>(), *carried, transposed, pairsRows);
  return transposed;
}

} // namespace tilewright::transform
