//===- OptimizeDotOperands.cpp - Layouts of dot operands ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/Passes.h"
#include "transform/matrix/WidenedOperands.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_TRITONGPUOPTIMIZEDOTOPERANDS
#include "transform/matrix/Passes.h.inc"

namespace {

class OptimizeDotOperands : public impl::TritonGPUOptimizeDotOperandsBase<OptimizeDotOperands> {
public:
  void runOnOperation() override {
    getOperation().walk([](tt::DotOp dot) {
      auto type = cast<RankedTensorType>(dot.getType());
      if (!isa_and_nonnull<ttg::BlockedEncodingAttr>(type.getEncoding()))
        return;
      auto [a, b] = skipWidening(dot);
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
