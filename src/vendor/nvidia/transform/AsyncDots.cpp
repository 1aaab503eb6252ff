//===- AsyncDots.cpp - Products of warp groups that run on --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// In a loop whose n products all may run on, one wait after the last of them leaves n under way,
// those of the present iteration: the ones of the iteration before are complete, and the memory
// that they have read may be written.
//
//     %d = warp_group_dot %a, %b, %acc {isAsync = true}
//     %e, .. = warp_group_dot_wait %d, %a, %b {pendings = 1}
//     scf.yield %e
//
// A product may run on into the next iteration
//   - if its operands in memory are of several buffers or are not made in the loop;
//   - if its result is f32 or i32, in registers that nothing but products adds to (f16 goes through
//     other registers on the way);
//   - and if the loop carries the result to nothing but products as what they add to, or to ops
//     after a wait for all of them, which another product needs;
//   - and if the schedule has not counted on its end (Strategy.h, mayRunOn).
// A branch may read the result, as one that stores the tile where it is complete: it waits for all,
// and has no wait where it is not taken. It may also give another sum to go on with. Where the loop
// goes on with the sum that is read, the branch gives what its wait has given: the registers read
// elsewhere would be copied before that wait.
//
//     %e = scf.if %last {
//       %f = warp_group_dot_wait %d {pendings = 0}
//       store %f
//       scf.yield %zero
//     } else {
//       scf.yield %d
//     }
//
// Any other one is waited for where it stands, and with it all that are under way.
//
// Operands in registers are read as late as those in memory. Where an iteration writes them, none
// is left under way at its end; until there copies for later iterations are begun. Registers of its
// own for every other iteration would take a loop of two iterations and one for the last, and ptxas
// twice the time.
//
// Registers of a product under way must not be touched. That they become readable, or free, at a
// wait, the wait says by taking them and giving them back. A sum that only another product adds to
// is no operand of a wait: products of one sum follow each other without one.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Attributes.h"
#include "transform/pipeline/Strategy.h"
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
    for (ttng::WarpGroupDotOp dot : dots) {
      if (transform::mayRunOn(dot) && hasLastingOperands(dot) && hasPlainResult(dot))
        running.insert(dot);
      dot->removeAttr(ttg::selfLatencyAttrName);
    }
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
    if (running.size() == dots.size() && transform::findNeeds(loop).ofWrittenRegisters != 0)
      return waitForIteration();
    if (running.size() == dots.size())
      waitForIterationBefore();
    waitInBranches();
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

  /// The branch of the body that `op` stands in; null if it stands in none.
  scf::IfOp getBranch(Operation *op) {
    Operation *ancestor = loop.getBody()->findAncestorOpInBlock(*op);
    return ancestor == op ? scf::IfOp() : dyn_cast_or_null<scf::IfOp>(ancestor);
  }

  /// Of `branch`, the results that may be `value`.
  static SmallVector<Value> getPassedOn(scf::IfOp branch, Value value) {
    SmallVector<Value> results;
    for (OpResult result : branch.getResults())
      if (llvm::any_of(branch->getRegions(), [&](Region &region) {
            return region.front().getTerminator()->getOperand(result.getResultNumber()) == value;
          }))
        results.push_back(result);
    return results;
  }

  /// Whether nothing but the next iteration gets `use`, but for branches, which can wait.
  bool isPlainUse(OpOperand &use) {
    Operation *user = use.getOwner();
    if (user == loop.getBody()->getTerminator() ||
        (isAddend(use) && user->getBlock() == loop.getBody()))
      return true;
    scf::IfOp branch = getBranch(user);
    return branch && llvm::all_of(getPassedOn(branch, use.get()), [&](Value result) {
             return llvm::all_of(result.getUsers(), [&](Operation *next) {
               return next == loop.getBody()->getTerminator();
             });
           });
  }

  bool hasPlainResult(ttng::WarpGroupDotOp dot) {
    return cast<RankedTensorType>(dot.getType()).getElementType().getIntOrFloatBitWidth() == 32 &&
           llvm::all_of(dot.getResult().getUses(), [&](OpOperand &use) { return isPlainUse(use); });
  }

  /// Whether `value`, which the loop yields, may be the result of `dot`.
  bool mayBeResult(Value value, ttng::WarpGroupDotOp dot) {
    auto wait = value.getDefiningOp<ttng::WarpGroupDotWaitOp>();
    if (wait)
      value = wait.getInputs()[cast<OpResult>(value).getResultNumber()];
    if (auto branch = value.getDefiningOp<scf::IfOp>())
      return llvm::any_of(branch->getRegions(), [&](Region &region) {
        return mayBeResult(
            region.front().getTerminator()->getOperand(cast<OpResult>(value).getResultNumber()),
            dot);
      });
    return value == dot.getResult();
  }

  /// The values that the loop carries from the result of `dot`.
  SmallVector<unsigned> getCarried(ttng::WarpGroupDotOp dot) {
    SmallVector<unsigned> numbers;
    for (auto [number, value] : llvm::enumerate(loop.getYieldedValues()))
      if (mayBeResult(value, dot))
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

  /// Waits for `inputs` at `builder`, until `pending` products are under way. Users after the wait
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
    // What products of the iteration before have summed is there then, too. A sum that one product
    // adds to stays out: its registers would be copied while products are under way, and ptxas
    // might wait after every instruction then (C7515).
    for (ttng::WarpGroupDotOp other : running)
      for (unsigned number : getCarried(other))
        if (BlockArgument sum = loop.getRegionIterArg(number);
            !sum.hasOneUse() || !isAddend(*sum.use_begin()))
          inputs.insert(sum);
    OpBuilder builder(dot->getContext());
    builder.setInsertionPointAfter(dot);
    createWait(builder, dot.getLoc(), inputs.getArrayRef(), 0, [&](OpOperand &use) {
      Operation *op = loop.getBody()->findAncestorOpInBlock(*use.getOwner());
      return op && dot->isBeforeInBlock(op);
    });
  }

  bool isYieldOrBranch(OpOperand &use) {
    return use.getOwner() == loop.getBody()->getTerminator() || getBranch(use.getOwner());
  }

  /// Waits in front of `op` until `pending` products are under way.
  void waitForSums(Operation *op, unsigned pending) {
    llvm::SetVector<Value> inputs;
    for (ttng::WarpGroupDotOp dot : dots)
      if (!getCarried(dot).empty())
        inputs.insert(dot.getResult());
    for (ttng::WarpGroupDotOp dot : dots)
      for (Value operand : {dot.getA(), Value(dot.getB())})
        if (isa<ttg::MemDescType>(operand.getType()))
          inputs.insert(operand);
    OpBuilder builder(op);
    createWait(builder, dots.back().getLoc(), inputs.getArrayRef(), pending,
               [&](OpOperand &use) { return isYieldOrBranch(use); });
  }

  /// After the products of an iteration, for those of the one before.
  void waitForIterationBefore() { waitForSums(dots.back()->getNextNode(), dots.size()); }

  /// At the end of an iteration, for all, or in front of the first branch that reads them.
  void waitForIteration() {
    Operation *end = loop.getBody()->getTerminator();
    for (ttng::WarpGroupDotOp dot : dots)
      for (Operation *user : dot->getUsers())
        if (Operation *branch = getBranch(user); branch && branch->isBeforeInBlock(end))
          end = branch;
    waitForSums(end, 0);
  }

  /// Whether an op of `region`, which yields to a branch, reads `value`: more than yields it.
  static bool isReadIn(Region &region, Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return region.isAncestor(user->getParentRegion()) && user != region.front().getTerminator();
    });
  }

  /// The results of `running`, and what waits outside of branches have made of them.
  llvm::SetVector<Value> getRunningSums() {
    llvm::SetVector<Value> sums;
    for (ttng::WarpGroupDotOp dot : running) {
      sums.insert(dot.getResult());
      for (Operation *user : dot.getResult().getUsers())
        if (auto wait = dyn_cast<ttng::WarpGroupDotWaitOp>(user))
          for (auto [input, output] : llvm::zip_equal(wait.getInputs(), wait.getOutputs()))
            if (input == dot.getResult())
              sums.insert(output);
    }
    return sums;
  }

  /// Where a branch reads what is under way, it waits for all first.
  void waitInBranches() {
    llvm::SetVector<Value> sums = getRunningSums();
    for (scf::IfOp branch : llvm::make_early_inc_range(loop.getBody()->getOps<scf::IfOp>())) {
      SmallVector<Value> read;
      for (Value sum : sums)
        if (llvm::any_of(branch->getRegions(),
                         [&](Region &region) { return isReadIn(region, sum); }))
          read.push_back(sum);
      if (read.empty())
        continue;
      branch = passOn(branch, read, sums);
      for (Region &region : branch->getRegions())
        waitIn(region, read);
    }
  }

  /// At the beginning of `region`, for those of `sums` that it reads.
  static void waitIn(Region &region, ArrayRef<Value> sums) {
    const SmallVector<Value> read = llvm::filter_to_vector(
        sums, [&](Value sum) { return !region.empty() && isReadIn(region, sum); });
    if (read.empty())
      return;
    auto builder = OpBuilder::atBlockBegin(&region.front());
    createWait(builder, region.getLoc(), read, 0, [&](OpOperand &use) {
      return region.isAncestor(use.getOwner()->getParentRegion());
    });
  }

  /// Has `branch` give those of `read` that are used after it, which use its results then; these
  /// are added to `sums`.
  scf::IfOp passOn(scf::IfOp branch, ArrayRef<Value> read, llvm::SetVector<Value> &sums) {
    auto isAfter = [&](OpOperand &use) {
      Operation *op = loop.getBody()->findAncestorOpInBlock(*use.getOwner());
      return op && branch->isBeforeInBlock(op);
    };
    const SmallVector<Value> used = llvm::filter_to_vector(
        read, [&](Value sum) { return llvm::any_of(sum.getUses(), isAfter); });
    if (used.empty())
      return branch;
    branch = addResults(branch, used);
    for (auto [sum, result] : llvm::zip_equal(used, branch.getResults().take_back(used.size()))) {
      Value(sum).replaceUsesWithIf(result, isAfter);
      sums.insert(result);
    }
    return branch;
  }

  /// Replaces `branch` by one that gives `values` besides, whether it is taken or not.
  static scf::IfOp addResults(scf::IfOp branch, ArrayRef<Value> values) {
    OpBuilder builder(branch);
    Location loc = branch.getLoc();
    SmallVector<Type> types(branch.getResultTypes());
    llvm::append_range(types, ValueRange(values).getTypes());
    auto grown = scf::IfOp::create(builder, loc, types, branch.getCondition(),
                                   /*addThenBlock=*/false, /*addElseBlock=*/false);
    grown->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
    for (auto [from, to] : llvm::zip_equal(branch->getRegions(), grown->getRegions())) {
      to.takeBody(from);
      if (to.empty()) {
        builder.createBlock(&to);
        scf::YieldOp::create(builder, loc);
      }
      Operation *yield = to.front().getTerminator();
      yield->insertOperands(yield->getNumOperands(), values);
    }
    branch->replaceAllUsesWith(grown.getResults().take_front(branch.getNumResults()));
    branch.erase();
    return grown;
  }

  void waitAfterLoop() {
    SmallVector<Value> inputs;
    for (auto [number, value] : llvm::enumerate(loop.getYieldedValues()))
      if (llvm::any_of(running, [&](ttng::WarpGroupDotOp dot) { return mayBeResult(value, dot); }))
        inputs.push_back(loop.getResult(number));
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
