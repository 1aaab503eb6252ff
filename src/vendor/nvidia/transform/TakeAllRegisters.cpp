//===- TakeAllRegisters.cpp - Kernels that need all registers -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// ptxas chooses how many registers a thread has. Of some kernels that do not fit into all of them
// it takes 32 and spills nearly everything (13.0: bench/notes/emit.md); not where the kernel says
// that one block on a multiprocessor is enough. It does not do so of others, which get more
// registers by that, and fewer blocks.
//
//===--------------------------------------------------------------------------===//

#include "analysis/RegisterEstimate.h"
#include "ir/ttg/Attributes.h"
#include "ir/ttg/Dialect.h"
#include "target/Target.h"
#include "vendor/nvidia/lower/LeastBlocks.h"
#include "vendor/nvidia/transform/Passes.h"

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_NVIDIATAKEALLREGISTERS
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;

namespace {

bool sharesRegisters(ModuleOp module) {
  return module.walk([](ttg::WarpSpecializeOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Whether what has to be kept at some place does not fit, without the addresses and masks that are
/// made where they are used.
bool spills(tt::FuncOp function, const target::Target &target) {
  return llvm::any_of(transform::estimateRegisters(function, target),
                      [&](const transform::RegisterEstimate &group) {
                        return group.data.registers > target.execution.maxRegistersPerThread;
                      });
}

class TakeAllRegisters : public vendor::nvidia::impl::NvidiaTakeAllRegistersBase<TakeAllRegisters> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    const target::Target *target = ttg::getTarget(module);
    if (!target || module->hasAttr(ttg::maxRegistersAttrName) || sharesRegisters(module))
      return;
    for (auto function : module.getOps<tt::FuncOp>())
      if (function.isPublic() && !function.isExternal() && spills(function, *target))
        module->setAttr(lower::nvidia::leastBlocksAttrName, Builder(module).getI32IntegerAttr(1));
  }
};

} // namespace
