//===- SplitLoops.cpp - Loops without masks that hold for long ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Where a mask holds up to an iteration (LoopMasks.h), the iterations up to there do without it:
//
//     for start in [0, end):                     for start in [0, middle):
//       s = select rm >= start + rn, qk, c         s = qk
//       x = load p mask rk < K - start      =>     x = load p
//                                                for start in [middle, end):
//                                                  s = select rm >= start + rn, qk, c
//                                                  x = load p mask rk < K - start
//
// Both loops carry the same values, and the code is there twice. Where operands go by way of
// registers, tiles are loaded in one part of an iteration and stored in another, and registers of
// what is off have to be cleared, so masks of loads count as well. The first loop then also
// computes addresses in fewer instructions (UniformBases.h), where they are near enough to each
// other; otherwise the second one has all iterations.
//
// Where asynchronous copies bring the operands, an assembler reads the code, and takes its time for
// each instruction: there is one loop, with a branch around selects or, where elements have 32
// bits, around copies (MaskBranches.h). The mask of another copy is one comparison, which stays.
//
// It is worth it in innermost loops with products, which wait for arithmetic and not for memory.
//
//===--------------------------------------------------------------------------===//

#include "analysis/Resources.h"
#include "ir/ttg/query/Conversion.h"
#include "ir/ttg/query/OpKinds.h"
#include "transform/masks/MaskBranches.h"
#include "transform/masks/Passes.h"
#include "transform/masks/UniformBases.h"
#include "transform/pipeline/staged/StagedLoads.h"

#include "mlir/IR/IRMapping.h"

namespace tilewright::transform {
#define GEN_PASS_DEF_SPLITLOOPS
#include "transform/masks/Passes.h.inc"
} // namespace tilewright::transform

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// Whether arithmetic is what `loop` takes its time for, and its body is all that is repeated.
static bool isInnermostWithProduct(scf::ForOp loop) {
  bool hasProduct = false;
  const bool hasLoop = loop.getBody()
                           ->walk([&](Operation *op) {
                             hasProduct |= ttg::isProduct(op);
                             return WalkResult(failure(isa<LoopLikeOpInterface>(op)));
                           })
                           .wasInterrupted();
  return hasProduct && !hasLoop;
}

/// Whether what `loop` carries and the tiles that it loads take more registers than a thread has.
static bool isShortOfRegisters(scf::ForOp loop, const AxisInfoAnalysis &axes,
                               const target::Target &target) {
  const LoopRegisters registers = {.carried = countCarriedRegisters(loop),
                                   .addresses = countAddressRegisters(loop, axes),
                                   .loads = countLoadRegisters(loop)};
  return registers.total() > target.execution.maxRegistersPerThread;
}

/// Erases addresses that nothing in `loop` wants any more, and masks that were for them.
static void eraseUnused(scf::ForOp loop) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*loop.getBody())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Splits `loop` where the first of `masks` may fail. The first loop has what `bases` finds, if
/// that is not null.
static void split(scf::ForOp loop, ArrayRef<LoopMask> masks, UniformBases *bases) {
  BoundBuilder bounds(loop);
  OpBuilder &builder = bounds.builder;
  Value middle = createMiddle(bounds, masks);
  IRMapping mapping;
  scf::IfOp branch;
  if (bases) {
    const SmallVector<Value> inits = bases->createInits(builder);
    Value fits = bases->createFits();
    branch = scf::IfOp::create(builder, loop.getLoc(), ValueRange(inits).getTypes(), fits,
                               /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    const SmallVector<Value> results = bases->createLoop(builder, middle, mapping);
    // Without results, both branches have their terminators.
    if (!results.empty()) {
      scf::YieldOp::create(builder, loop.getLoc(), results);
      builder.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(builder, loop.getLoc(), inits);
    }
    builder.setInsertionPoint(loop);
    loop.setLowerBound(bounds.select(fits, middle, loop.getLowerBound()));
    bases->startWith(branch.getResults());
  } else {
    auto first = cast<scf::ForOp>(builder.clone(*loop, mapping));
    first.setUpperBound(middle);
    loop.setLowerBound(middle);
    loop.getInitArgsMutable().assign(first.getResults());
  }
  for (const LoopMask &mask : masks) {
    Value condition = mapping.lookup(mask.condition);
    builder.setInsertionPoint(condition.getDefiningOp());
    TypedAttr always = builder.getBoolAttr(true);
    if (auto type = dyn_cast<RankedTensorType>(condition.getType()))
      always = DenseElementsAttr::get(type, always);
    condition.replaceAllUsesWith(arith::ConstantOp::create(builder, loop.getLoc(), always));
  }
  if (branch)
    for (auto fast : branch.thenBlock()->getOps<scf::ForOp>())
      eraseUnused(fast);
}

namespace {

struct SplitLoopsPass : transform::impl::SplitLoopsBase<SplitLoopsPass> {
  void runOnOperation() override {
    const target::Target *target = ttg::getTarget(getOperation());
    if (!target)
      return;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      Type type = loop.getInductionVar().getType();
      if (!loop.getUnsignedCmp() && type.isInteger() && type.getIntOrFloatBitWidth() <= 32 &&
          isInnermostWithProduct(loop))
        loops.push_back(loop);
    });
    // Of the pointers that loops begin with, which do not change.
    std::optional<AxisInfoAnalysis> axes;
    for (scf::ForOp loop : loops)
      if (const LoopStrategy strategy = decideStrategy(*target, loop);
          strategy.pointers == LoadPath::Registers)
        runOnStagedLoop(loop, strategy, axes, *target);
      else
        runOnCopyingLoop(loop, strategy);
  }

private:
  static void runOnCopyingLoop(scf::ForOp loop, const LoopStrategy &strategy) {
    LoopMasks masks = findSelectMasks(loop);
    if (masks.empty())
      branchOnCopyMasks(loop, findCopyMasks(loop, strategy));
    else
      branchOnSelectMasks(loop, masks);
  }

  /// `axes` are made when they are wanted first.
  void runOnStagedLoop(scf::ForOp loop, const LoopStrategy &strategy,
                       std::optional<AxisInfoAnalysis> &axes, const target::Target &target) {
    LoopMasks masks = findSelectMasks(loop);
    std::optional<UniformBases> bases;
    if (target.execution.warpUnit.registers != 0 && strategy.multipliesFragments) {
      LoopMasks ofLoads = findLoadMasks(loop);
      if (!axes)
        axes.emplace(getOperation());
      bases.emplace(loop, isShortOfRegisters(loop, *axes, target));
      if (bases->hasLargeOffsets() || hasOwnMasks(ofLoads))
        llvm::append_range(masks, std::move(ofLoads));
      else
        bases.reset();
    }
    const bool hasBases = bases && !bases->empty();
    if (!masks.empty() || hasBases)
      split(loop, masks, hasBases ? &*bases : nullptr);
  }
};

} // namespace
