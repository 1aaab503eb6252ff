//===- InferCoalescedEncodings.cpp - Layouts of coalesced accesses ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/gluon/LayoutSpread.h"
#include "transform/gluon/Passes.h"
#include "transform/layout/candidates/CoalescedLayouts.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_GLUONINFERCOALESCEDENCODINGS
#include "transform/gluon/Passes.h.inc"

namespace {

bool isCoalesced(Attribute encoding) {
  return isa_and_nonnull<gluon::CoalescedEncodingAttr>(encoding);
}

class InferCoalescedEncodings
    : public impl::GluonInferCoalescedEncodingsBase<InferCoalescedEncodings> {
public:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>())
      if (failed(infer(function)))
        return signalPassFailure();
  }

private:
  static LogicalResult infer(tt::FuncOp function) {
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      if (!isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op))
        return;
      auto pointers = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
      if (pointers && isCoalesced(pointers.getEncoding()))
        ops.push_back(op);
    });
    if (ops.empty())
      return success();
    const AxisInfoAnalysis axes(function);
    const CoalescedLayouts layouts(ops, axes);
    LayoutSpread spread(isCoalesced);
    for (const CoalescedAccess &access : layouts.accesses())
      if (failed(spread.decide(access.op->getOperand(0),
                               CoalescedLayouts::layoutOf(access, layouts.widthOf(access)),
                               &access.op->getOpOperand(0))))
        return failure();
    if (failed(spread.spread()))
      return failure();
    spread.rewrite();
    return success();
  }
};

} // namespace
} // namespace tilewright::transform
