//===- AsyncDots.cpp - Products of warp groups that run on --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// In a loop whose n products all may run on, one wait behind the last of them leaves n under way,
// those of the present iteration: the ones of the iteration before are complete, and the memory
// that they have read may be written.
//
//     %d = warp_group_dot %a, %b, %acc {isAsync = true}
//     %e, .. = warp_group_dot_wait %d, %a, %b {pendings = 1}
//     scf.yield %e
//
// A product may run on into the next iteration
//   - if its operands in memory are of several buffers or are not made in the loop;
//   - if its result is f32, in registers that nothing but products adds to (integers and f16 go
//     through other registers on the way);
//   - and if the loop carries the result to nothing but products as what they add to, or to ops
//     behind a wait for all of them, which another product needs.
// Any other one is waited for where it stands, and with it all that are under way.
//
// Registers of a product under way must not be touched. That they become readable, or free, at a
// wait, the wait says by taking them and giving them back.
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/Passes.h"

#include "llvm/ADT/SetVector.h"

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_NVIDIAASYNCDOTS
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;

namespace {

/// The products of one loop body.
class LoopDots {
public:
  explicit LoopDots(scf::ForOp loop) : loop(loop) {
    for (auto dot : loop.getBody()->getOps<ttng::WarpGroupDotOp>())
      if (!dot.getIsAsync())
        dots.push_back(dot);
  }

  void run() {
    if (dots.empty())
      return;
    for (ttng::WarpGroupDotOp dot : dots)
      if (hasLastingOperands(dot) && hasPlainResult(dot))
        running.insert(dot);
    // One that is waited for may be what another one relies on, and the other way round.
    while (running.remove_if([&](ttng::WarpGroupDotOp dot) { return !isCarriedToProducts(dot); }))
      ;
    for (ttng::WarpGroupDotOp dot : dots)
      dot.setIsAsync(true);
    for (ttng::WarpGroupDotOp dot : dots)
      if (!running.contains(dot))
        waitHere(dot);
    if (running.empty())
      return;
    if (running.size() == dots.size())
      waitForIterationBefore();
    waitAfterLoop();
  }

private:
  bool hasLastingOperands(ttng::WarpGroupDotOp dot) {
    return llvm::all_of(dot->getOperands(), [&](Value operand) {
      if (!isa<ttg::MemDescType>(operand.getType()))
        return true;
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

  static bool isAddend(OpOperand &use) {
    auto dot = dyn_cast<ttng::WarpGroupDotOp>(use.getOwner());
    return dot && &use == &dot.getCMutable();
  }

  bool hasPlainResult(ttng::WarpGroupDotOp dot) {
    return cast<RankedTensorType>(dot.getType()).getElementType().isF32() &&
           llvm::all_of(dot.getResult().getUses(), [&](OpOperand &use) {
             return use.getOwner() == loop.getBody()->getTerminator() ||
                    (isAddend(use) && use.getOwner()->getBlock() == loop.getBody());
           });
  }

  /// The values that the loop carries from the result of `dot`.
  SmallVector<unsigned> getCarried(ttng::WarpGroupDotOp dot) {
    SmallVector<unsigned> numbers;
    for (auto [number, value] : llvm::enumerate(loop.getYieldedValues()))
      if (value == dot.getResult())
        numbers.push_back(number);
    return numbers;
  }

  bool isCarriedToProducts(ttng::WarpGroupDotOp dot) {
    return llvm::all_of(getCarried(dot), [&](unsigned number) {
      return llvm::all_of(loop.getRegionIterArg(number).getUses(), [&](OpOperand &use) {
        return isAddend(use) || isBehindWait(use.getOwner());
      });
    });
  }

  bool isBehindWait(Operation *user) {
    Operation *op = loop.getBody()->findAncestorOpInBlock(*user);
    return llvm::any_of(dots, [&](ttng::WarpGroupDotOp dot) {
      return !running.contains(dot) && dot->isBeforeInBlock(op);
    });
  }

  /// Waits for `inputs` at `builder`, until `pending` products are under way. Users behind the wait
  /// that `isBehind` is true of take what it gives.
  static void createWait(OpBuilder &builder, Location loc, ArrayRef<Value> inputs, unsigned pending,
                         llvm::function_ref<bool(OpOperand &)> isBehind) {
    auto wait = ttng::WarpGroupDotWaitOp::create(builder, loc, inputs, pending);
    for (auto [input, output] : llvm::zip_equal(inputs, wait.getOutputs()))
      if (isa<RankedTensorType>(input.getType()))
        Value(input).replaceUsesWithIf(
            output, [&](OpOperand &use) { return use.getOwner() != wait && isBehind(use); });
  }

  void waitHere(ttng::WarpGroupDotOp dot) {
    llvm::SetVector<Value> inputs;
    inputs.insert(dot.getResult());
    // What products of the iteration before have summed is there then, too.
    for (ttng::WarpGroupDotOp other : running)
      for (unsigned number : getCarried(other))
        inputs.insert(loop.getRegionIterArg(number));
    OpBuilder builder(dot->getContext());
    builder.setInsertionPointAfter(dot);
    createWait(builder, dot.getLoc(), inputs.getArrayRef(), 0, [&](OpOperand &use) {
      Operation *op = loop.getBody()->findAncestorOpInBlock(*use.getOwner());
      return op && dot->isBeforeInBlock(op);
    });
  }

  void waitForIterationBefore() {
    llvm::SetVector<Value> inputs;
    for (ttng::WarpGroupDotOp dot : dots)
      if (!getCarried(dot).empty())
        inputs.insert(dot.getResult());
    for (ttng::WarpGroupDotOp dot : dots)
      for (Value operand : {dot.getA(), Value(dot.getB())})
        inputs.insert(operand);
    OpBuilder builder(loop.getContext());
    builder.setInsertionPointAfter(dots.back());
    createWait(builder, dots.back().getLoc(), inputs.getArrayRef(), dots.size(),
               [&](OpOperand &use) { return use.getOwner() == loop.getBody()->getTerminator(); });
  }

  void waitAfterLoop() {
    SmallVector<Value> inputs;
    for (auto [number, value] : llvm::enumerate(loop.getYieldedValues())) {
      Operation *op = value.getDefiningOp();
      if (auto wait = dyn_cast_or_null<ttng::WarpGroupDotWaitOp>(op))
        op = wait.getInputs()[cast<OpResult>(value).getResultNumber()].getDefiningOp();
      if (auto dot = dyn_cast_or_null<ttng::WarpGroupDotOp>(op); dot && running.contains(dot))
        inputs.push_back(loop.getResult(number));
    }
    OpBuilder builder(loop.getContext());
    builder.setInsertionPointAfter(loop);
    createWait(builder, loop.getLoc(), inputs, 0, [](OpOperand &) { return true; });
  }

  scf::ForOp loop;
  /// In their order.
  SmallVector<ttng::WarpGroupDotOp> dots;
  /// Those that are under way when the next iteration begins.
  llvm::SetVector<ttng::WarpGroupDotOp> running;
};

struct AsyncDotsPass : vendor::nvidia::impl::NvidiaAsyncDotsBase<AsyncDotsPass> {
  void runOnOperation() override {
    getOperation().walk([](scf::ForOp loop) { LoopDots(loop).run(); });
  }
};

} // namespace
