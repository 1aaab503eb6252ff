//===- ResolveAutoEncodings.cpp - Layouts for tensors without a decided one ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/gluon/LayoutSpread.h"
#include "transform/gluon/Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_GLUONRESOLVEAUTOENCODINGS
#include "transform/gluon/Passes.h.inc"

namespace {

bool isAuto(Attribute encoding) { return isa_and_nonnull<gluon::AutoEncodingAttr>(encoding); }

class ResolveAutoEncodings : public impl::GluonResolveAutoEncodingsBase<ResolveAutoEncodings> {
public:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>())
      if (failed(resolve(function)) || failed(verifyAllDecided(function)))
        return signalPassFailure();
  }

private:
  /// Values that nothing uses, such as a constant that was folded into another: no layout follows
  /// for them.
  static void eraseUnused(tt::FuncOp function) {
    SmallVector<Operation *> ops;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : llvm::reverse(ops))
      if (isOpTriviallyDead(op))
        op->erase();
  }

  static LogicalResult resolve(tt::FuncOp function) {
    eraseUnused(function);
    LayoutSpread spread(isAuto);
    SmallVector<gluon::SetAutoLayoutOp> deciding;
    function.walk([&](gluon::SetAutoLayoutOp op) { deciding.push_back(op); });
    for (gluon::SetAutoLayoutOp op : deciding)
      if (failed(spread.decide(op.getSrc(), op.getType().getEncoding(), &op.getSrcMutable())))
        return failure();
    if (failed(spread.spread()))
      return failure();
    spread.rewrite();
    for (gluon::SetAutoLayoutOp op : deciding) {
      op.replaceAllUsesWith(op.getSrc());
      op.erase();
    }
    return success();
  }

  static LogicalResult verifyAllDecided(tt::FuncOp function) {
    auto check = [](Value value) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (!type || !isAuto(type.getEncoding()))
        return success();
      InFlightDiagnostic error = emitError(value.getLoc())
                                 << "no layout follows for this tensor, whose layout is left "
                                    "open";
      error.attachNote(value.getLoc()) << "help: give it one with layout=.., or decide it with "
                                          "gl.set_auto_layout";
      return LogicalResult(error);
    };
    const WalkResult result = function.walk([&](Operation *op) {
      for (Value value : op->getResults())
        if (failed(check(value)))
          return WalkResult::interrupt();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            if (failed(check(argument)))
              return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace
} // namespace tilewright::transform
