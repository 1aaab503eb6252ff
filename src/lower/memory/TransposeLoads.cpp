//===- TransposeLoads.cpp - Loads that transpose what goes to shared memory ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/TransposingLoads.h"
#include "lower/core/Passes.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_TRANSPOSELOADS
#include "lower/core/Passes.h.inc"
} // namespace tilewright::lower

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

/// The elements of one access of a lane, in order; 0 if that is not known.
static unsigned getElementsOfAccess(tt::LoadOp load) {
  auto width = load->getAttrOfType<DenseI32ArrayAttr>(ttg::accessWidthAttrName);
  return width && width.size() == 2 ? width[1] : 0;
}

namespace {
struct TransposeLoadsPass : lower::impl::TransposeLoadsBase<TransposeLoadsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    module.walk([](Operation *op) { op->removeAttr(ttg::transposingAttrName); });
    const target::Target *target = ttg::getTarget(module);
    if (!target)
      return;
    const auto mark = UnitAttr::get(&getContext());
    module.walk([&](ttg::LocalStoreOp store) {
      auto load = store.getSrc().getDefiningOp<tt::LoadOp>();
      Attribute layout =
          load ? ttg::findTransposedStore(store, getElementsOfAccess(load), *target) : Attribute();
      if (!layout)
        return;
      auto type = cast<RankedTensorType>(load.getType());
      OpBuilder builder(store);
      auto convert = ttg::ConvertLayoutOp::create(
          builder, load.getLoc(),
          RankedTensorType::get(type.getShape(), type.getElementType(), layout), load.getResult());
      load->setAttr(ttg::transposingAttrName, mark);
      convert->setAttr(ttg::transposingAttrName, mark);
      store.getSrcMutable().assign(convert);
    });
  }
};
} // namespace

std::unique_ptr<Pass> lower::createTransposeLoadsPass() {
  return std::make_unique<TransposeLoadsPass>();
}
