//===- PipelineLoops.cpp - Iterations of scheduled loops overlap --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/Passes.h"
#include "transform/pipeline/Strategy.h"
#include "transform/pipeline/copies/LowerLoads.h"
#include "transform/pipeline/schedule/AsyncWaits.h"
#include "transform/pipeline/schedule/ExpandLoop.h"
#include "transform/pipeline/staged/InvariantOperands.h"
#include "transform/pipeline/staged/StagedLoads.h"

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONGPUPIPELINE
#include "transform/pipeline/Passes.h.inc"
} // namespace tilewright::transform

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

/// Waits for the copies into `buffers`, if that is what fills them, after `loop` and ends the
/// buffers' lives.
static void endBuffers(scf::ForOp loop, ArrayRef<Value> buffers) {
  if (buffers.empty())
    return;
  OpBuilder builder(loop.getContext());
  builder.setInsertionPointAfter(loop);
  const bool hasCopies = loop.getBody()
                             ->walk([](ttg::AsyncCommitGroupOp) { return WalkResult::interrupt(); })
                             .wasInterrupted();
  if (hasCopies)
    ttg::AsyncWaitOp::create(builder, loop.getLoc(), ValueRange(), 0);
  for (Value buffer : buffers)
    ttg::LocalDeallocOp::create(builder, loop.getLoc(), buffer);
}

/// The stages of `loop`, to which so many are `assigned`. One that is drained by a group of warps,
/// and filled by another, has none: there they are the buffers of its ring.
static int32_t countStages(scf::ForOp loop, Attribute assigned) {
  if (auto last = loop->getAttrOfType<IntegerAttr>(ttg::maxStageAttrName))
    return last.getInt() + 1;
  return loop->getParentOfType<ttg::WarpSpecializeOp>() ? cast<IntegerAttr>(assigned).getInt() : 1;
}

namespace {

struct PipelinePass : transform::impl::TritonGPUPipelineBase<PipelinePass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<scf::ForOp> loops;
    SmallVector<int32_t> stages;
    module.walk([&](scf::ForOp loop) {
      if (loop->hasAttr(ttg::maxStageAttrName))
        loops.push_back(loop);
      if (Attribute assigned = loop->removeAttr(ttg::assignedStagesAttrName))
        stages.push_back(countStages(loop, assigned));
    });
    if (!stages.empty())
      module->setAttr(ttg::loopStagesAttrName, DenseI32ArrayAttr::get(&getContext(), stages));
    const target::Target *target = ttg::getTarget(module);
    const bool isStaged = target && getPointerPath(*target) == LoadPath::Registers;
    if (isStaged)
      storeInvariantOperands(module, *target);
    for (scf::ForOp loop : loops) {
      std::optional<LoopSchedule> schedule = LoopSchedule::read(loop);
      LoopSchedule::erase(loop);
      if (!target || !schedule || !schedule->isRight(loop))
        continue;
      LoweredLoop lowered =
          lowerLoads(loop, *std::move(schedule), AxisInfoAnalysis(module), *target);
      FailureOr<scf::ForOp> expanded = expandLoop(lowered.loop, lowered.schedule);
      if (failed(expanded))
        return signalPassFailure();
      endBuffers(*expanded, lowered.buffers);
      for (ttg::AsyncWaitOp wait : expanded->getBody()->getOps<ttg::AsyncWaitOp>())
        setPendingGroups(wait);
    }
    if (isStaged)
      stageLoadsInPlace(module, *target);
  }
};

} // namespace
