//===- Rearrangement.cpp - Matrices whose elements change places --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/Rearrangement.h"

#include "ir/ttg/encoding/Inference.h"
#include "transform/matrix/WidenedOperands.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace tilewright::transform {

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

Value permuteDims(OpBuilder &builder, Location loc, Value value, ArrayRef<int32_t> order) {
  const RankedTensorType type = typeOf(value);
  Attribute layout = tt::getLayoutEncoding(type).inferTrans(type.getShape(), order);
  SmallVector<int64_t> shape;
  for (int32_t dim : order)
    shape.push_back(type.getDimSize(dim));
  return builder.createOrFold<tt::TransOp>(
      loc, RankedTensorType::get(shape, type.getElementType(), layout), value, order);
}

Value reshapeTo(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  const RankedTensorType type = typeOf(value);
  Attribute layout = ttg::inferReshape(type.getShape(), type.getEncoding(), shape);
  return builder.createOrFold<tt::ReshapeOp>(
      loc, RankedTensorType::get(shape, type.getElementType(), layout), value,
      /*allow_reorder=*/false, /*efficient_layout=*/false);
}

Value convertLike(OpBuilder &builder, Location loc, Value value, Value like) {
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

/// Has `loop` carry the rearranged sum of `dot` in place of value `number`.
static void carryRearranged(scf::ForOp loop, unsigned number, tt::DotOp dot,
                            const Rearrangement &ofSum) {
  IRRewriter rewriter(loop);
  const Location loc = dot.getLoc();
  Value initial = ofSum.apply(rewriter, loc, loop.getInitArgs()[number]);
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location, ArrayRef<BlockArgument>) {
        return SmallVector<Value>{convertLike(builder, loc, dot.getResult(), initial)};
      }));
  const BlockArgument asBefore = loop.getRegionIterArg(number),
                      carried = loop.getRegionIterArgs().back();
  rewriter.setInsertionPoint(dot);
  dot.getCMutable().assign(convertLike(rewriter, loc, carried, dot.getC()));
  rewriter.setInsertionPointToStart(loop.getBody());
  rewriter.replaceAllUsesWith(
      asBefore, convertLike(rewriter, loc, ofSum.undo(rewriter, loc, carried), asBefore));
  // Of the other one there is left what no iteration changes.
  loop.getTiedLoopYieldedValue(asBefore)->set(asBefore);
  rewriter.setInsertionPointAfter(loop);
  Value result = loop.getResult(number);
  rewriter.replaceAllUsesWith(
      result,
      convertLike(rewriter, loc, ofSum.undo(rewriter, loc, loop.getResults().back()), result));
}

tt::DotOp rearrangeProduct(tt::DotOp dot, Value a, Value b, const Rearrangement &ofSum) {
  OpBuilder builder(dot);
  const Location loc = dot.getLoc();
  const std::optional<unsigned> carried = getCarriedSum(dot);
  Value sum = ofSum.apply(builder, loc, dot.getC());
  auto rearranged = tt::DotOp::create(builder, loc, sum.getType(), a, b, sum,
                                      dot.getInputPrecision(), dot.getMaxNumImpreciseAcc());
  dot.replaceAllUsesWith(convertLike(builder, loc, ofSum.undo(builder, loc, rearranged), dot));
  dot.erase();
  if (carried)
    carryRearranged(rearranged->getParentOfType<scf::ForOp>(), *carried, rearranged, ofSum);
  return rearranged;
}

} // namespace tilewright::transform
