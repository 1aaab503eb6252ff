//===- TensorProducts.cpp - Accumulators in tensor memory ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     %sum = scf.for .. iter_args(%c = %init)      %acc = ttng.tmem_alloc %init
//       %d = tw.memory_dot %a, %b, %c              scf.for .. iter_args(%t = 0)
//       scf.yield %d                          ->     ttng.tc_gen5_mma %a, %b, %acc, %bars[t mod 2]
//                                                    ttng.wait_barrier %bars[(t - 1) mod 2]
//                                                    scf.yield %t + 1
//                                                  ttng.wait_barrier %bars[(t - 1) mod 2]
//                                                  %sum = ttng.tmem_load %acc
//
// The product runs on while the next iteration begins, if its operands stay where they are so long:
// buffers that iterations take in turn, of which the pipeline makes one more than copies are under
// way, or memory from before the loop. Two barriers take turns, since a wait for a phase must not
// see the end of the one after it. A product whose end the schedule has counted on
// (Strategy.h, mayRunOn) is waited for.
//
// What else adds to a value gets memory for one product: the value is stored, unless it is zero,
// and the sum loaded. Such products are waited for at once (triton-nvidia-mma-lowering).
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/OpKinds.h"
#include "ir/tw/Dialect.h"
#include "transform/pipeline/Ring.h"
#include "transform/pipeline/Strategy.h"
#include "vendor/nvidia/transform/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_NVIDIATENSORPRODUCTS
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;

namespace {

/// The memory of the result of `dot`: a word for each element.
ttg::MemDescType getAccumulatorType(tw::MemoryDotOp dot) {
  auto type = cast<RankedTensorType>(dot.getD().getType());
  constexpr unsigned wordBits = 32;
  auto tiles = ttng::TensorMemoryEncodingAttr::get(
      dot.getContext(), dot.getBlockM(), dot.getBlockN(), wordBits / tt::getElementBits(type),
      /*CGALayout=*/ArrayRef<unsigned>(), /*CTASplitM=*/1, /*CTASplitN=*/1, /*twoCTAs=*/false,
      /*fp4Padded=*/false);
  return ttg::MemDescType::get(type.getShape(), type.getElementType(), tiles,
                               ttng::TensorMemorySpaceAttr::get(dot.getContext()),
                               /*mutableMemory=*/true);
}

class TensorProduct {
public:
  explicit TensorProduct(tw::MemoryDotOp dot) : dot(dot), loc(dot.getLoc()) {}

  void run() {
    if (scf::ForOp loop = findLoop())
      sumInLoop(loop);
    else
      sumOnce();
  }

private:
  /// The loop that adds this product to what it carries, and does nothing else with the sum.
  scf::ForOp findLoop() {
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    auto c = dyn_cast<BlockArgument>(dot.getC());
    if (!loop || !c || c.getOwner() != loop.getBody() || !c.hasOneUse() ||
        !dot.getD().hasOneUse() || c.getArgNumber() == 0)
      return {};
    OpOperand &use = *dot.getD().use_begin();
    carried = c.getArgNumber() - loop.getNumInductionVars();
    const bool isYielded = use.getOwner() == loop.getBody()->getTerminator();
    return isYielded && use.getOperandNumber() == carried ? loop : scf::ForOp();
  }

  Value createAlways(OpBuilder &builder, bool value = true) {
    return arith::ConstantIntOp::create(builder, loc, value, 1);
  }

  void sumInLoop(scf::ForOp loop) {
    OpBuilder builder(loop);
    Value memory = createMemory(builder, loop.getInitArgs()[carried]);
    const bool runsOn = transform::mayRunOn(dot) && hasLastingOperands(loop);
    if (runsOn)
      loop = runOn(loop, memory);
    builder.setInsertionPoint(dot);
    if (!runsOn)
      createProduct(builder, memory, createAlways(builder));
    // The loop passes on what it does not change; nobody looks at it.
    loop.getBody()->getTerminator()->setOperand(carried, dot.getC());
    builder.setInsertionPointAfter(afterLoop ? afterLoop : loop.getOperation());
    loop.getResult(carried).replaceAllUsesWith(createLoad(builder, memory));
    dot.erase();
  }

  /// Whether no iteration before the one after the next writes what the product reads.
  bool hasLastingOperands(scf::ForOp loop) {
    return llvm::all_of(ValueRange{dot.getA(), dot.getB()}, [&](Value operand) {
      // Views of views.
      while (Operation *op = operand.getDefiningOp()) {
        if (!loop->isAncestor(op) || isa<ttg::MemDescIndexOp>(op))
          return true;
        if (op->getNumOperands() != 1 || !isa<ttg::MemDescType>(op->getOperand(0).getType()))
          return false;
        operand = op->getOperand(0);
      }
      return !loop->isAncestor(operand.getParentBlock()->getParentOp());
    });
  }

  static constexpr unsigned numTurns = 2;

  static Value createInteger(OpBuilder &builder, Location loc, int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }

  /// Waits for the product of the iteration before `time`, if there was one.
  void waitForBefore(OpBuilder &builder, Value turns, Value time) {
    Value one = createInteger(builder, loc, 1);
    Value before = arith::SubIOp::create(builder, loc, time, one);
    Value number = arith::AndIOp::create(builder, loc, before, one);
    Value phase =
        arith::AndIOp::create(builder, loc, arith::ShRUIOp::create(builder, loc, before, one), one);
    Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, time,
                                         createInteger(builder, loc, 0));
    ttng::WaitBarrierOp::create(builder, loc, transform::createElement(builder, loc, turns, number),
                                phase, exists,
                                /*deps=*/ValueRange());
  }

  /// Lets the product run on into the next iteration; the loop counts its iterations then.
  scf::ForOp runOn(scf::ForOp loop, Value memory) {
    IRRewriter rewriter(loop);
    // Two barriers take turns.
    Value turns = transform::createBarriers(rewriter, loc, numTurns);
    Value zero = createInteger(rewriter, loc, 0);
    auto counted = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, zero, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> times) {
          Value one = createInteger(builder, loc, 1);
          return SmallVector<Value>{arith::AddIOp::create(builder, loc, times[0], one)};
        }));
    Value time = counted.getRegionIterArgs().back();
    OpBuilder builder(dot);
    Value number = arith::AndIOp::create(builder, loc, time, createInteger(builder, loc, 1));
    Value always = createAlways(builder);
    ttng::TCGen5MMAOp::create(builder, loc, /*token=*/Type(), dot.getA(), dot.getB(), memory,
                              /*acc_dep=*/Value(), /*useD=*/always, /*pred=*/always,
                              transform::createElement(builder, loc, turns, number), always,
                              /*is_async=*/true,
                              /*two_ctas=*/false, /*multicast=*/false);
    waitForBefore(builder, turns, time);
    builder.setInsertionPointAfter(counted);
    waitForBefore(builder, turns, counted.getResults().back());
    transform::invalidateBarriers(builder, loc, turns, numTurns);
    afterLoop = &*std::prev(builder.getInsertionPoint());
    return counted;
  }

  Value createLoad(OpBuilder &builder, Value memory) {
    return ttng::TMEMLoadOp::create(builder, loc, dot.getD().getType(), /*token=*/Type(),
                                    /*red=*/Type(), memory, /*dep=*/Value(), /*redOp=*/{},
                                    /*abs=*/{}, /*NaN=*/{})
        .getResult();
  }

  void sumOnce() {
    OpBuilder builder(dot);
    const bool isZero = ttg::isZero(dot.getC());
    Value memory = createMemory(builder, isZero ? Value() : dot.getC());
    createProduct(builder, memory, createAlways(builder, !isZero));
    dot.getD().replaceAllUsesWith(createLoad(builder, memory));
    dot.erase();
  }

  Value createMemory(OpBuilder &builder, Value contents) {
    return ttng::TMEMAllocOp::create(builder, loc, getAccumulatorType(dot), /*token=*/Type(),
                                     contents)
        .getResult();
  }

  void createProduct(OpBuilder &builder, Value memory, Value usesSum) {
    ttng::TCGen5MMAOp::create(builder, loc, /*token=*/Type(), dot.getA(), dot.getB(), memory,
                              /*acc_dep=*/Value(), usesSum, createAlways(builder),
                              /*barriers=*/ValueRange(), /*barrier_preds=*/ValueRange(),
                              /*is_async=*/false, /*two_ctas=*/false, /*multicast=*/false);
  }

  tw::MemoryDotOp dot;
  Location loc;
  /// The number of the value that the loop carries.
  unsigned carried = 0;
  /// The last op that was put after the loop.
  Operation *afterLoop = nullptr;
};

struct NvidiaTensorProductsPass
    : vendor::nvidia::impl::NvidiaTensorProductsBase<NvidiaTensorProductsPass> {
  void runOnOperation() override {
    SmallVector<tw::MemoryDotOp> dots;
    getOperation()->walk([&](tw::MemoryDotOp dot) { dots.push_back(dot); });
    for (tw::MemoryDotOp dot : dots)
      TensorProduct(dot).run();
  }
};

} // namespace
