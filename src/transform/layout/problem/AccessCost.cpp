//===- AccessCost.cpp - What an access to memory costs in a layout --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/problem/AccessCost.h"

#include "layout/F2.h"
#include "plan/shared/Access.h"

using namespace mlir;

namespace tilewright::transform {

unsigned AccessForm::elementBits() const {
  return tt::getStorageBits(tt::getElementTypeOrSelf(tt::getPointeeType(pointers)));
}

SmallVector<unsigned> orderOfAccess(Value pointers, const AxisInfoAnalysis &axes) {
  const AxisInfo info = axes.get(pointers);
  auto order =
      llvm::to_vector(llvm::seq<unsigned>(0, cast<RankedTensorType>(pointers.getType()).getRank()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(info.dims[a].contiguity, a) > std::pair(info.dims[b].contiguity, b);
  });
  return order;
}

static Value maskOf(Operation *op) {
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getMask();
  if (auto store = dyn_cast<tt::StoreOp>(op))
    return store.getMask();
  return {};
}

AccessForm describeAccess(Operation *op, const AxisInfoAnalysis &axes,
                          const target::Target &target) {
  const Value pointers = op->getOperand(0);
  AccessForm form;
  form.pointers = cast<RankedTensorType>(pointers.getType());
  form.order = orderOfAccess(pointers, axes);
  const unsigned first = form.order.front();
  form.vector = axes.getVectorWidth(pointers, maskOf(op), first, target.maxAccessBits());
  form.contiguity = static_cast<unsigned>(axes.get(pointers).dims[first].contiguity);
  form.isDense = form.contiguity > 1 || first + 1 == form.order.size();
  return form;
}

/// Sectors that a warp touches when each lane accesses `vector` elements. Neighbours along the
/// other dimensions are at unknown distances: each has sectors of its own.
static uint64_t countSectors(const AccessForm &form, const layout::LinearLayout &map,
                             unsigned vector, const target::Target &target) {
  const auto first = layout::Dim::tensor(form.order.front());
  const unsigned bytes = std::max(1u, form.elementBits() / 8);
  auto sectorOf = [&](uint64_t element) {
    const uint64_t along = map.outValue(element, first);
    const uint64_t place = form.isDense ? along * bytes / target.global.sectorBytes : along;
    return (element & ~map.outMask(first)) | place << map.outShift(first);
  };
  layout::F2Basis touched;
  for (uint64_t basis : map.bases(layout::dims::Lane))
    touched.insert(sectorOf(basis));
  for (uint64_t element = 1; form.isDense && element < vector; element *= 2)
    touched.insert(sectorOf(element << map.outShift(first)));
  return uint64_t(1) << touched.rank();
}

/// Cycles of loads that a warp does once for its lanes, which have nothing but `common` elements.
static Cost costOfWarp(const AccessForm &form, const layout::LinearLayout &common,
                       const target::WarpUnit &unit) {
  const unsigned bytes = form.elementBits() / 8;
  const unsigned run = std::min(form.contiguity, plan::contiguousPerThread(common, form.order));
  const unsigned ofLoad = std::min(run * bytes, unit.maxLoadBytes);
  return Cost(unit.loadCycles) * Cost(common.inSize(layout::dims::Register)) * bytes / ofLoad;
}

Cost costOfAccess(const AccessForm &form, tt::LayoutEncoding layout, const target::Target &target) {
  const layout::LinearLayout map =
      layout.toLinearLayout(form.pointers.getShape()).removeZeroBasesAlong(layout::dims::Register);
  const target::WarpUnit &unit = target.execution.warpUnit;
  if (unit.registers && form.elementBits() / 8 >= unit.minLoadBytes &&
      llvm::all_of(map.bases(layout::dims::Lane), [](uint64_t basis) { return basis == 0; }))
    return costOfWarp(form, map, unit);
  const unsigned vector = std::min(form.vector, plan::contiguousPerThread(map, form.order));
  const uint64_t instructions = map.inSize(layout::dims::Register) / vector;
  return instructions * (target.global.loadCycles + countSectors(form, map, vector, target));
}

} // namespace tilewright::transform
