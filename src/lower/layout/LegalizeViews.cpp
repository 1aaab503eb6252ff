//===- LegalizeViews.cpp - Conversions for views that move elements -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The passes over layouts leave views that rename registers. A view of a .ttgir may have any
// layouts on its sides: then it gets the result that renaming gives, or the operand that
// renaming takes, and a conversion from or to what was there.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Inference.h"
#include "lower/core/Passes.h"
#include "lower/layout/ViewRegisters.h"

#include "mlir/IR/Builders.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_LEGALIZEVIEWS
#include "lower/core/Passes.h.inc"
} // namespace tilewright::lower

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static RankedTensorType withLayout(Value value, Attribute layout) {
  auto type = cast<RankedTensorType>(value.getType());
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

/// The layout of the results for which `view` renames registers of its operands; null where none
/// follows from the operands' alone.
static Attribute getRenamedLayout(Operation *view) {
  Value src = view->getOperand(0);
  auto layout = tt::getLayoutEncoding(src.getType());
  if (isa<tt::ReshapeOp>(view))
    return ttg::inferReshape(shapeOf(src), layout, shapeOf(view->getResult(0)));
  if (auto trans = dyn_cast<tt::TransOp>(view))
    return layout.inferTrans(shapeOf(src), trans.getOrder());
  if (isa<tt::BroadcastOp>(view))
    return layout;
  if (isa<tt::JoinOp>(view))
    return ttg::inferJoin(shapeOf(src), layout);
  if (isa<tt::CatOp>(view))
    return ttg::inferCat(shapeOf(src), layout);
  return {};
}

/// The layout of the operand for which `view` renames its registers to those of the results.
static Attribute getSourceLayout(Operation *view) {
  Value result = view->getResult(0);
  auto layout = tt::getLayoutEncoding(result.getType());
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(view))
    return layout.inferReduce(expand.getAxis());
  if (isa<tt::SplitOp>(view))
    return ttg::inferJoin(shapeOf(result), layout);
  return {};
}

static void legalize(Operation *view) {
  OpBuilder builder(view);
  if (Attribute layout = getSourceLayout(view)) {
    Value src = view->getOperand(0);
    view->setOperand(
        0, ttg::ConvertLayoutOp::create(builder, view->getLoc(), withLayout(src, layout), src));
  } else if ((layout = getRenamedLayout(view))) {
    Value result = view->getResult(0);
    Type wanted = result.getType();
    result.setType(withLayout(result, layout));
    builder.setInsertionPointAfter(view);
    auto converted = ttg::ConvertLayoutOp::create(builder, view->getLoc(), wanted, result);
    result.replaceAllUsesExcept(converted, converted);
  }
}

namespace {

struct LegalizeViewsPass : lower::impl::LegalizeViewsBase<LegalizeViewsPass> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (isView(op) && !findViewRegisters(op))
        legalize(op);
    });
  }
};

} // namespace

std::unique_ptr<Pass> lower::createLegalizeViewsPass() {
  return std::make_unique<LegalizeViewsPass>();
}
