//===- AccessWidth.cpp - How wide loads and stores can be ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/common/AccessWidth.h"

#include "ir/ttg/Dialect.h"
#include "transform/analysis/AxisInfo.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;

/// The register bits whose images are 1, 2, 4, .. along dimension `dim`: as many as there
/// are without a gap.
static SmallVector<unsigned, 4> getContiguousBits(const LinearLayout &layout, unsigned dim) {
  SmallVector<unsigned, 4> bits;
  ArrayRef<uint64_t> bases(layout.bases(layout::dims::Register));
  const unsigned shift = layout.outShift(layout.outs()[dim].dim);
  while (true) {
    const uint64_t *basis = llvm::find(bases, uint64_t(1) << (shift + bits.size()));
    if (basis == bases.end() || bits.size() >= layout.outs()[dim].bits)
      return bits;
    bits.push_back(basis - bases.begin());
  }
}

AccessWidths::AccessWidths(ModuleOp module, unsigned maxBits) {
  transform::AxisInfoAnalysis axes(module);
  auto add = [&](Operation *op, Value pointer, Value mask) {
    AccessWidth &width = widths[op];
    unsigned elementBytes =
        tt::getStorageBits(tt::getElementTypeOrSelf(tt::getPointeeType(pointer.getType()))) / 8;
    if (auto type = dyn_cast<RankedTensorType>(pointer.getType())) {
      LinearLayout layout = ttg::toLinearLayout(type);
      for (unsigned dim : llvm::seq<unsigned>(0, type.getRank())) {
        SmallVector<unsigned, 4> bits = getContiguousBits(layout, dim);
        unsigned elements = axes.getVectorWidth(pointer, mask, dim, maxBits);
        if (bits.size() > llvm::Log2_32(elements))
          bits.truncate(llvm::Log2_32(elements));
        if (bits.size() > width.registerBits.size())
          width.registerBits = bits;
      }
    }
    width.alignment = width.elements() * elementBytes;
  };
  module.walk([&](Operation *op) {
    if (auto load = dyn_cast<tt::LoadOp>(op))
      add(op, load.getPtr(), load.getMask());
    else if (auto store = dyn_cast<tt::StoreOp>(op))
      add(op, store.getPtr(), store.getMask());
  });
}
