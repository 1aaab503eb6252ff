//===- OptimizeDotOperands.cpp - Layouts of dot operands ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/Passes.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_TRITONGPUOPTIMIZEDOTOPERANDS
#include "transform/matrix/Passes.h.inc"

namespace {

Value stripConversions(Value value) {
  while (auto convert = value.getDefiningOp<ttg::ConvertLayoutOp>())
    value = convert.getSrc();
  return value;
}

/// What `value` was widened from, in floating point and without loss; null if it was not.
Value getNarrow(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtFOp, tt::FpToFpOp>(op))
    return {};
  Value narrow = stripConversions(op->getOperand(0));
  return tt::getElementBits(narrow.getType()) < tt::getElementBits(value.getType()) ? narrow
                                                                                    : Value();
}

class OptimizeDotOperands : public impl::TritonGPUOptimizeDotOperandsBase<OptimizeDotOperands> {
public:
  void runOnOperation() override {
    getOperation().walk([](tt::DotOp dot) {
      auto type = cast<RankedTensorType>(dot.getType());
      if (!isa_and_nonnull<ttg::BlockedEncodingAttr>(type.getEncoding()))
        return;
      Value a = stripConversions(dot.getA()), b = stripConversions(dot.getB());
      // From f32 to f16 to 8 bits, as long as both go.
      for (Value narrowA = getNarrow(a), narrowB = getNarrow(b); narrowA && narrowB;
           narrowA = getNarrow(a), narrowB = getNarrow(b)) {
        if (tt::getElementTypeOrSelf(narrowA.getType()) !=
            tt::getElementTypeOrSelf(narrowB.getType()))
          break;
        a = narrowA;
        b = narrowB;
      }
      auto replace = [](OpOperand &operand, Value value) {
        Operation *unused = operand.get().getDefiningOp();
        operand.set(value);
        while (unused && isOpTriviallyDead(unused)) {
          Operation *next =
              unused->getNumOperands() ? unused->getOperand(0).getDefiningOp() : nullptr;
          unused->erase();
          unused = next;
        }
      };
      replace(dot.getAMutable(), a);
      replace(dot.getBMutable(), b);
    });
  }
};

} // namespace
} // namespace tilewright::transform
