//===- DistributeTiles.cpp - Each block of a cluster gets its part ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// In two steps. First it is found which parts of each value are wanted, from what has effects back
// to its operands: a value that is carried by a loop in two kinds of parts becomes two. Then the
// body is written anew, each op once for each part in which it is computed.
//
//===--------------------------------------------------------------------------===//

#include "transform/cluster/BlockProgram.h"
#include "transform/cluster/Passes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

namespace tilewright::transform {
#define GEN_PASS_DEF_DISTRIBUTETILES
#include "transform/cluster/Passes.h.inc"
} // namespace tilewright::transform

namespace {

struct DistributeTiles : transform::impl::DistributeTilesBase<DistributeTiles> {
  using DistributeTilesBase::DistributeTilesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const unsigned blocks = module->hasAttr(ttg::numCTAsAttrName) ? ttg::getNumCTAs(module)
                                                                  : static_cast<unsigned>(numCTAs);
    // Sizes that no target has are reported where the target is known.
    if (blocks == 1 || !llvm::isPowerOf2_32(blocks) || module->hasAttr(tw::distributedAttrName))
      return;
    const unsigned bits = llvm::Log2_32(blocks);
    const SplitChoice choice(bits);
    for (auto function : module.getOps<tt::FuncOp>()) {
      if (function.isExternal())
        continue;
      if (!function.getBody().hasOneBlock()) {
        function.emitOpError("has branches, which cannot be divided among the blocks of a cluster")
                .attachNote()
            << clusterRemedy;
        return signalPassFailure();
      }
      Demands demands(choice);
      if (failed(demands.find(function)))
        return signalPassFailure();
      OpBuilder builder(&getContext());
      BlockProgram(demands, bits, builder).rewrite(function);
    }
    module->setAttr(tw::distributedAttrName, UnitAttr::get(&getContext()));
  }
};

} // namespace
