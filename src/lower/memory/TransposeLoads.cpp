//===- TransposeLoads.cpp - Loads that transpose what goes to shared memory ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/TransposingLoads.h"
#include "lower/core/Passes.h"
#include "lower/core/types/AccessWidth.h"

#include "mlir/IR/Matchers.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_TRANSPOSELOADS
#include "lower/core/Passes.h.inc"
} // namespace tilewright::lower

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
namespace dims = layout::dims;

/// Whether lanes that are masked off get zero, or whatever the load gives.
static bool givesZeroElsewhere(tt::LoadOp load) {
  return !load.getOther() || matchPattern(load.getOther(), m_Zero()) ||
         matchPattern(load.getOther(), m_AnyZeroFloat());
}

/// Whether one access of a lane takes as many elements as one of `atom`.
static bool accessesAsWide(tt::LoadOp load, const target::CopyAtom &atom) {
  auto width = load->getAttrOfType<DenseI32ArrayAttr>(ttg::accessWidthAttrName);
  const auto &form = *atom.form(atom.elementBits / 8);
  return width && width.size() == 2 && width[1] == 1 << form.contiguous.size();
}

/// The layout in which `store` stores what `load` transposes, if it is to; null if not.
static Attribute findTransposedLayout(ttg::LocalStoreOp store, tt::LoadOp load,
                                      const target::Target &target) {
  auto type = cast<RankedTensorType>(load.getType());
  const target::CopyAtom *atom =
      ttg::findTransposingLoad(target, tt::getStorageBits(type.getElementType()));
  if (!atom || !load->hasOneUse() || load.getIsVolatile() || !givesZeroElsewhere(load) ||
      load.getCache() != tt::CacheModifier::NONE || load.getEvict() != tt::EvictionPolicy::NORMAL ||
      !accessesAsWide(load, *atom))
    return {};
  Attribute transposed = ttg::getTransposedLayout(type, *atom);
  if (!transposed)
    return {};
  const layout::LinearLayout memory = store.getDst().getType().toLinearLayout(),
                             map = ttg::toLinearLayout(RankedTensorType::get(
                                 type.getShape(), type.getElementType(), transposed));
  const unsigned bits = atom->form(atom->elementBits / 8)->registerBits;
  return ttg::beginAlike(map, dims::Register, memory, dims::Offset, bits) ? transposed
                                                                          : Attribute();
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
      Attribute layout = load ? findTransposedLayout(store, load, *target) : Attribute();
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
