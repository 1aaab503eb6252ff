//===- LoopInvariantCodeMotion.cpp - Loop-invariant code motion of ops and loads -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/TripCount.h"
#include "ir/ttg/Dialect.h"
#include "transform/tile/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONLOOPINVARIANTCODEMOTION
#include "transform/tile/Passes.h.inc"
} // namespace tilewright::transform

/// Whether all that `op` and the ops in it do to memory is to read it.
static bool onlyReads(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
  return effects && llvm::all_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect());
         });
}

/// Whether `op` does nothing but make a value, however often it runs. Shared memory that holds one
/// tensor throughout its life is a value, too: outside the loop it is written once.
static bool isPureValue(Operation *op) {
  return isMemoryEffectFree(op) && (isSpeculatable(op) || isa<ttg::LocalAllocOp>(op));
}

/// Whether the kernel asks that nothing leaves the loop: `disable_licm` of tl.range and
/// tl.condition.
static bool isSwitchedOff(Operation *loop) {
  auto annotation = loop->getAttrOfType<LLVM::LoopAnnotationAttr>("llvm.loop_annotation");
  return annotation && annotation.getLicm() && annotation.getLicm().getDisable() &&
         annotation.getLicm().getDisable().getValue();
}

namespace {

/// The loads of one loop: whether they may leave it, and the mask they need outside.
class LoadHoister {
public:
  explicit LoadHoister(LoopLikeOpInterface op) : op(op), loop(dyn_cast<scf::ForOp>(*op)) {}

  bool mayHoist(Operation *load, Region *region) {
    if (!isa<tt::LoadOp>(load))
      return false;
    if (!allowed)
      allowed = onlyReads(op) && (!loop || transform::isKnownToRun(loop) != false);
    // What an scf.while evaluates its condition with it evaluates once at least.
    auto whileLoop = dyn_cast<scf::WhileOp>(*op);
    return *allowed && (loop || (whileLoop && region == &whileLoop.getBefore()));
  }

  void hoist(tt::LoadOp load) {
    if (loop && transform::isKnownToRun(loop) != true) {
      OpBuilder builder(loop);
      Value mask = getGuard(builder, tt::getMaskType(load.getPtr().getType()));
      if (load.getMask())
        mask = arith::AndIOp::create(builder, load.getLoc(), load.getMask(), mask);
      load.getMaskMutable().assign(mask);
    }
    load->moveBefore(op);
  }

private:
  /// True, everywhere in a value of `type`, if the loop has an iteration.
  Value getGuard(OpBuilder &builder, Type type) {
    if (!runs)
      runs = transform::createIfRuns(builder, loop);
    if (!isa<RankedTensorType>(type))
      return runs;
    return tt::SplatOp::create(builder, loop.getLoc(), type, runs);
  }

  LoopLikeOpInterface op;
  scf::ForOp loop; ///< `op`, or null.
  std::optional<bool> allowed;
  Value runs;
};

struct LoopInvariantCodeMotion
    : transform::impl::TritonLoopInvariantCodeMotionBase<LoopInvariantCodeMotion> {
  void runOnOperation() override {
    // Inner loops come first: what leaves them may leave the outer ones as well.
    getOperation().walk([](LoopLikeOpInterface loop) {
      if (isSwitchedOff(loop))
        return;
      LoadHoister loads(loop);
      moveLoopInvariantCode(
          loop.getLoopRegions(),
          [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
          [&](Operation *op, Region *region) {
            return isPureValue(op) || loads.mayHoist(op, region);
          },
          [&](Operation *op, Region *) {
            if (auto load = dyn_cast<tt::LoadOp>(op))
              loads.hoist(load);
            else
              loop.moveOutOfLoop(op);
          });
    });
  }
};

} // namespace
