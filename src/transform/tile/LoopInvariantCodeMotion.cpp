//===- LoopInvariantCodeMotion.cpp - LICM that moves loads as well ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/tile/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONLOOPINVARIANTCODEMOTION
#include "transform/tile/Passes.h.inc"
} // namespace tilewright::transform

/// Whether the loop's annotation says that nothing is to leave it.
static bool isHoistingForbidden(Operation *loop) {
  auto annotation = loop->getAttrOfType<LLVM::LoopAnnotationAttr>("llvm.loop_annotation");
  LLVM::LoopLICMAttr licm = annotation ? annotation.getLicm() : LLVM::LoopLICMAttr();
  return licm && licm.getDisable() && licm.getDisable().getValue();
}

/// Whether all that `op` and the ops in it do to memory is to read it.
static bool onlyReads(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
  return effects && llvm::all_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect());
         });
}

namespace {

/// The loads of one scf.for: whether they may leave it, and the mask they need outside.
class LoadHoister {
public:
  explicit LoadHoister(scf::ForOp loop) : loop(loop) {}

  bool mayHoist(Operation *op) {
    if (!loop || !isa<tt::LoadOp>(op))
      return false;
    if (!allowed)
      allowed = onlyReads(loop) && getKnownToRun() != false;
    return *allowed;
  }

  void hoist(tt::LoadOp load) {
    if (getKnownToRun() != true) {
      OpBuilder builder(loop);
      Value mask = getGuard(builder, tt::getMaskType(load.getPtr().getType()));
      if (load.getMask())
        mask = arith::AndIOp::create(builder, load.getLoc(), load.getMask(), mask);
      load.getMaskMutable().assign(mask);
    }
    load->moveBefore(loop);
  }

private:
  /// Whether the loop has an iteration, where the bounds are constant.
  std::optional<bool> getKnownToRun() {
    APInt lower, upper;
    if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
        !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)))
      return std::nullopt;
    return loop.getUnsignedCmp() ? lower.ult(upper) : lower.slt(upper);
  }

  /// True, everywhere in a value of `type`, if the loop has an iteration.
  Value getGuard(OpBuilder &builder, Type type) {
    if (!runs) {
      auto predicate =
          loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
      runs = arith::CmpIOp::create(builder, loop.getLoc(), predicate, loop.getLowerBound(),
                                   loop.getUpperBound());
    }
    if (!isa<RankedTensorType>(type))
      return runs;
    return tt::SplatOp::create(builder, loop.getLoc(), type, runs);
  }

  scf::ForOp loop;
  std::optional<bool> allowed;
  Value runs;
};

struct LoopInvariantCodeMotion
    : transform::impl::TritonLoopInvariantCodeMotionBase<LoopInvariantCodeMotion> {
  void runOnOperation() override {
    // Inner loops come first: what leaves them may leave the outer ones as well.
    getOperation().walk([](LoopLikeOpInterface loop) {
      if (isHoistingForbidden(loop))
        return;
      LoadHoister loads(dyn_cast<scf::ForOp>(*loop));
      moveLoopInvariantCode(
          loop.getLoopRegions(),
          [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
          [&](Operation *op, Region *) {
            return (isMemoryEffectFree(op) && isSpeculatable(op)) || loads.mayHoist(op);
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
