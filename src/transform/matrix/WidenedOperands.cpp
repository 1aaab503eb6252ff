//===- WidenedOperands.cpp - What operands of products come from --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/WidenedOperands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright::transform {

Value skipConversions(Value value) {
  while (auto convert = value.getDefiningOp<ttg::ConvertLayoutOp>())
    value = convert.getSrc();
  return value;
}

/// What `value` was widened from, in floating point and without loss; null if it was not.
static Value getNarrow(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtFOp, tt::FpToFpOp>(op))
    return {};
  Value narrow = skipConversions(op->getOperand(0));
  return tt::getElementBits(narrow.getType()) < tt::getElementBits(value.getType()) ? narrow
                                                                                    : Value();
}

std::pair<Value, Value> skipWidening(tt::DotOp dot) {
  Value a = skipConversions(dot.getA()), b = skipConversions(dot.getB());
  // From f32 to f16 to 8 bits, as long as both go.
  for (Value narrowA = getNarrow(a), narrowB = getNarrow(b); narrowA && narrowB;
       narrowA = getNarrow(a), narrowB = getNarrow(b)) {
    if (tt::getElementTypeOrSelf(narrowA.getType()) != tt::getElementTypeOrSelf(narrowB.getType()))
      break;
    a = narrowA;
    b = narrowB;
  }
  return {a, b};
}

} // namespace tilewright::transform
