//===- TransposeProduct.cpp - A product as that of its transposes -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/TransposeProduct.h"

#include "transform/matrix/WidenedOperands.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilewright::transform {

static const int32_t exchanged[] = {1, 0};

bool isMatrixTranspose(tt::TransOp op) { return op.getOrder() == ArrayRef<int32_t>(exchanged); }

static RankedTensorType getTransposed(RankedTensorType type) {
  Attribute layout = tt::getLayoutEncoding(type).inferTrans(type.getShape(), exchanged);
  return RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)}, type.getElementType(),
                               layout);
}

/// `matrix` transposed; of what is transposed already, in some layout.
static Value transpose(OpBuilder &builder, Location loc, Value matrix) {
  if (auto trans = skipConversions(matrix).getDefiningOp<tt::TransOp>();
      trans && isMatrixTranspose(trans))
    return trans.getSrc();
  return builder.createOrFold<tt::TransOp>(
      loc, getTransposed(cast<RankedTensorType>(matrix.getType())), matrix, exchanged);
}

/// Erases what makes `value`, as far as nothing uses it.
static void eraseDead(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isOpTriviallyDead(op))
      return;
    value = op->getNumOperands() ? op->getOperand(0) : Value();
    op->erase();
    if (!value)
      return;
  }
}

/// The transposed sum that `dot` adds to, if a loop carries it untransposed from one iteration's
/// `dot` to the next one's: then the loop carries it as it is.
static void carryTransposed(tt::DotOp dot) {
  auto trans = dot.getC().getDefiningOp<tt::TransOp>();
  auto argument = trans ? dyn_cast<BlockArgument>(skipConversions(trans.getSrc())) : nullptr;
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || argument.getArgNumber() < loop.getNumInductionVars())
    return;
  const unsigned number = argument.getArgNumber() - loop.getNumInductionVars();
  auto yielded = skipConversions(loop.getYieldedValues()[number]).getDefiningOp<tt::TransOp>();
  if (!yielded || yielded.getSrc() != dot.getResult())
    return;

  IRRewriter rewriter(loop);
  const Location loc = dot.getLoc();
  Value initial = transpose(rewriter, loc, loop.getInitArgs()[number]);
  loop = cast<scf::ForOp>(
      *loop.replaceWithAdditionalYields(rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
                                        [&](OpBuilder &builder, Location, ArrayRef<BlockArgument>) {
                                          return SmallVector<Value>{ttg::ConvertLayoutOp::create(
                                              builder, loc, initial.getType(), dot.getResult())};
                                        }));
  const BlockArgument untransposed = loop.getRegionIterArg(number),
                      carried = loop.getRegionIterArgs().back();
  rewriter.setInsertionPointToStart(loop.getBody());
  rewriter.replaceAllUsesWith(
      untransposed, tt::TransOp::create(rewriter, loc, untransposed.getType(), carried, exchanged));
  Value before = dot.getC();
  // In whatever layout: a conversion to that of the product follows.
  dot.getCMutable().assign(carried);
  eraseDead(before);
  // Of the other one there is left what no iteration changes.
  loop.getTiedLoopYieldedValue(untransposed)->set(untransposed);
  rewriter.setInsertionPointAfter(loop);
  Value result = loop.getResult(number);
  rewriter.replaceAllUsesWith(result, tt::TransOp::create(rewriter, loc, result.getType(),
                                                          loop.getResults().back(), exchanged));
}

tt::DotOp transposeProduct(tt::DotOp dot, Value a, Value b) {
  OpBuilder builder(dot);
  const Location loc = dot.getLoc();
  auto type = cast<RankedTensorType>(dot.getType());
  auto transposed = tt::DotOp::create(
      builder, loc, getTransposed(type), transpose(builder, loc, b), transpose(builder, loc, a),
      transpose(builder, loc, dot.getC()), dot.getInputPrecision(), dot.getMaxNumImpreciseAcc());
  Value result = tt::TransOp::create(builder, loc, type, transposed, exchanged);
  dot.replaceAllUsesWith(result);
  dot.erase();
  carryTransposed(transposed);
  return transposed;
}

} // namespace tilewright::transform
