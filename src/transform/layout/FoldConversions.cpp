//===- FoldConversions.cpp - Conversions that their neighbours make superfluous ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/FoldConversions.h"

#include "ir/ttg/Conversion.h"
#include "transform/layout/LayoutTypes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

//===--------------------------------------------------------------------------===//
// Waits
//===--------------------------------------------------------------------------===//

/// Whether `op` waits, and its results are its operands.
static bool isPassingWait(Operation *op) {
  auto user = dyn_cast<ttg::SharedMemoryUser>(op);
  return user && user.getAsyncRole().waits && op->getNumOperands() == op->getNumResults() &&
         llvm::equal(op->getOperandTypes(), op->getResultTypes());
}

void transform::moveConversionsBehindWaits(tt::FuncOp function) {
  function.walk([](Operation *op) {
    if (!isPassingWait(op))
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    for (auto [operand, result] : llvm::zip_equal(op->getOpOperands(), op->getResults())) {
      auto convert = operand.get().getDefiningOp<ttg::ConvertLayoutOp>();
      if (!convert)
        continue;
      Type type = result.getType();
      operand.set(convert.getSrc());
      result.setType(convert.getSrc().getType());
      auto after = ttg::ConvertLayoutOp::create(builder, op->getLoc(), type, result);
      result.replaceAllUsesExcept(after, after);
      if (convert->use_empty())
        convert.erase();
    }
  });
}

//===--------------------------------------------------------------------------===//
// Gathers and reshapes
//===--------------------------------------------------------------------------===//

static bool goesThroughMemory(ttg::ConvertLayoutOp convert) {
  const Result<plan::ConversionPlan> &plan =
      ttg::planConversion(convert, ttg::getPlanCache(convert));
  return plan && plan->kind == plan::ConversionPlan::Kind::SharedMemory;
}

bool transform::canReorder(RankedTensorType a, RankedTensorType b) {
  const layout::LinearLayout x = ttg::toLinearLayout(a), y = ttg::toLinearLayout(b);
  return x.isInvertible() && y.isInvertible() &&
         x.inSize(layout::dims::Register) == y.inSize(layout::dims::Register);
}

/// Whether `use`, of the result of `convert`, may be of its operand.
static bool isFree(ttg::ConvertLayoutOp convert, OpOperand &use) {
  if (auto gather = dyn_cast<tt::GatherOp>(use.getOwner()))
    return use.getOperandNumber() == 0 && !gather.getEfficientLayout() &&
           goesThroughMemory(convert);
  auto reshape = dyn_cast<tt::ReshapeOp>(use.getOwner());
  return reshape && reshape.getAllowReorder() &&
         transform::canReorder(typeOf(convert.getSrc()), reshape.getType());
}

/// A reshape that gives what is wanted of it.
static bool foldIntoReshape(ttg::ConvertLayoutOp convert) {
  auto reshape = convert.getSrc().getDefiningOp<tt::ReshapeOp>();
  if (!reshape || !reshape.getAllowReorder() || reshape.getEfficientLayout() ||
      !reshape->hasOneUse() || !transform::canReorder(typeOf(reshape.getSrc()), convert.getType()))
    return false;
  reshape.getResult().setType(convert.getType());
  convert.replaceAllUsesWith(reshape.getResult());
  convert.erase();
  return true;
}

//===--------------------------------------------------------------------------===//
// Loads from shared memory
//===--------------------------------------------------------------------------===//

static bool foldIntoLocalLoad(ttg::ConvertLayoutOp convert) {
  SmallVector<std::pair<Value, Attribute>> changes;
  Attribute layout = convert.getType().getEncoding();
  Value value = convert.getSrc();
  for (;; value = value.getDefiningOp()->getOperand(0)) {
    if (!layout || !value.hasOneUse())
      return false;
    changes.push_back({value, layout});
    auto trans = value.getDefiningOp<tt::TransOp>();
    if (!trans)
      break;
    layout = trans.inferOperandLayout(layout);
  }
  if (!value.getDefiningOp<ttg::LocalLoadOp>() || !goesThroughMemory(convert))
    return false;
  for (auto [changed, to] : changes)
    changed.setType(transform::withLayout(changed.getType(), to));
  convert.replaceAllUsesWith(convert.getSrc());
  convert.erase();
  return true;
}

void transform::foldConversions(tt::FuncOp function) {
  SmallVector<ttg::ConvertLayoutOp> conversions;
  function.walk([&](ttg::ConvertLayoutOp convert) { conversions.push_back(convert); });
  for (ttg::ConvertLayoutOp convert : conversions) {
    for (OpOperand &use : llvm::make_early_inc_range(convert->getUses()))
      if (isFree(convert, use))
        use.set(convert.getSrc());
    if (convert->use_empty())
      convert.erase();
    else if (!foldIntoReshape(convert))
      foldIntoLocalLoad(convert);
  }
}
