//===- MmaLowering.cpp - Products in tensor memory that somebody waits for ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     ttng.tc_gen5_mma %a, %b, %d, ..          %barrier, made for one arrival
//                                        ->    ttng.tc_gen5_mma .., %barrier[true] {is_async}
//                                              ttng.wait_barrier %barrier, 0; the barrier's end
//
// A function with ttng.tc_gen5_commit says itself which barriers learn of its products, as Gluon's
// kernels do: there a product without a barrier is asynchronous, and nobody waits for it here.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttng/Dialect.h"
#include "transform/pipeline/Ring.h"
#include "vendor/nvidia/transform/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_TRITONNVIDIAMMALOWERING
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;

namespace {

template <typename Op> void waitForProduct(Op op) {
  OpBuilder builder(op);
  const Location loc = op.getLoc();
  Value barrier =
      ttg::LocalAllocOp::create(builder, loc, transform::getBarrierType(op.getContext()));
  ttng::InitBarrierOp::create(builder, loc, barrier, /*count=*/1);
  Value always = arith::ConstantIntOp::create(builder, loc, 1, 1);
  op.getBarriersMutable().append(barrier);
  op.getBarrierPredsMutable().append(always);
  op.setIsAsync(true);
  builder.setInsertionPointAfter(op);
  Value phase = arith::ConstantIntOp::create(builder, loc, 0, 32);
  // Without the predicate nobody tells the barrier.
  ttng::WaitBarrierOp::create(builder, loc, barrier, phase, op.getPred(), /*deps=*/ValueRange());
  ttng::InvalBarrierOp::create(builder, loc, barrier);
}

struct TritonNvidiaMMALoweringPass
    : vendor::nvidia::impl::TritonNvidiaMMALoweringBase<TritonNvidiaMMALoweringPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<tt::FuncOp>()) {
      const bool commits =
          function.walk([](ttng::TCGen5CommitOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
      function.walk([&](Operation *op) {
        llvm::TypeSwitch<Operation *>(op).Case<ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp>(
            [&](auto product) {
              if (product.getIsAsync())
                return;
              if (commits)
                product.setIsAsync(true);
              else
                waitForProduct(product);
            });
      });
    }
  }
};

} // namespace
