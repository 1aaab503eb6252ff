//===- LegalizeViews.cpp - Conversions for views that move elements -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The passes over layouts leave views that rename registers. A view of a .ttgir may have any
// layouts on its sides: then it gets the operand that renaming takes, or the result that renaming
// gives, and a conversion from or to what was there.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"
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

static RankedTensorType withLayout(Value value, Attribute layout) {
  auto type = cast<RankedTensorType>(value.getType());
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

/// The op says which layouts go with each other. One operand is converted: it has as many elements
/// as the result, or fewer. Of several the result is.
static void legalize(Operation *view) {
  auto layoutOp = cast<tt::LayoutOp>(view);
  Value src = view->getOperand(0), result = view->getResult(0);
  OpBuilder builder(view);
  Attribute wanted = layoutOp.inferOperandLayout(tt::getLayoutEncoding(result.getType()));
  if (wanted && view->getNumOperands() == 1) {
    view->setOperand(
        0, ttg::ConvertLayoutOp::create(builder, view->getLoc(), withLayout(src, wanted), src));
  } else if (Attribute layout = layoutOp.inferResultLayout(tt::getLayoutEncoding(src.getType()));
             layout && view->getNumResults() == 1) {
    Type type = result.getType();
    result.setType(withLayout(result, layout));
    builder.setInsertionPointAfter(view);
    auto converted = ttg::ConvertLayoutOp::create(builder, view->getLoc(), type, result);
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
