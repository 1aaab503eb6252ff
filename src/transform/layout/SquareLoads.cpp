//===- SquareLoads.cpp - Loads of operands that threads turn round ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Gives loads of operands that threads turn round the layouts of SquareLayouts.h. Where a load of
// the whole warp turns round, a loop's operand is loaded with the rows that a warp exchanges in
// neighbouring lanes.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/TransposingLoads.h"
#include "transform/layout/LayoutTypes.h"
#include "transform/layout/Passes.h"
#include "transform/layout/candidates/SquareLayouts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_SQUARELOADS
#include "transform/layout/Passes.h.inc"

namespace {

class SquareLoads : public impl::SquareLoadsBase<SquareLoads> {
public:
  void runOnOperation() override {
    const target::Target *target = ttg::getTarget(getOperation());
    if (!target)
      return;
    std::optional<AxisInfoAnalysis> axes;
    for (tt::LoadOp load : findTurnedLoads(getOperation(), *target))
      if (Attribute layout = chooseLayout(load, *target, axes))
        setAccessLayout(load, layout);
  }

private:
  /// `axes` is computed when it is first wanted.
  Attribute chooseLayout(tt::LoadOp load, const target::Target &target,
                         std::optional<AxisInfoAnalysis> &axes) {
    if (isa<scf::ForOp>(load->getParentOp()) &&
        ttg::findTransposingLoad(target, tt::getElementBits(load.getType()))) {
      if (!axes)
        axes.emplace(getOperation());
      if (Attribute layout = getTransposingLayout(load, target, *axes))
        return layout;
    }
    return getSquareLayout(load, target, elementsOfSharedAccess(load, target));
  }
};

} // namespace
} // namespace tilewright::transform
