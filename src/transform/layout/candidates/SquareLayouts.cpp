//===- SquareLayouts.cpp - Layouts of loads that threads turn round -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/candidates/SquareLayouts.h"

#include "ir/ttg/query/TransposingLoads.h"
#include "transform/layout/LayoutTypes.h"
#include "transform/layout/problem/AccessCost.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilewright::transform {

/// Whether warps of `target` load from shared memory together, each lane for another: then the
/// hardware turns round.
static bool loadsByWarps(const target::Target &target) {
  return !target::warpCopiesOf(target::copiesBetween(target.copies(), target::Space::Shared,
                                                     target::Space::Registers))
              .empty();
}

SmallVector<tt::LoadOp> findTurnedLoads(Operation *root, const target::Target &target) {
  if (loadsByWarps(target))
    return {};
  SmallVector<tt::LoadOp> loads;
  root->walk([&](ttg::ConvertLayoutOp convert) {
    auto operand = dyn_cast_or_null<ttg::DotOperandEncodingAttr>(getLayout(convert.getType()));
    if (!operand || isa<ttg::BlockedEncodingAttr>(operand.getParent()) ||
        convert.getType().getRank() != 2)
      return;
    unsigned kDim = 1 - operand.getOpIdx();
    Value value = convert.getSrc();
    while (Operation *op = value.getDefiningOp()) {
      if (auto trans = dyn_cast<tt::TransOp>(op))
        kDim = trans.getOrder()[kDim];
      else if (!isa<ttg::ConvertLayoutOp>(op))
        break;
      value = op->getOperand(0);
    }
    auto load = value.getDefiningOp<tt::LoadOp>();
    auto blocked =
        load ? dyn_cast_or_null<ttg::BlockedEncodingAttr>(getLayout(load.getType())) : nullptr;
    if (blocked && blocked.getLayout().order.front() != kDim && !llvm::is_contained(loads, load))
      loads.push_back(load);
  });
  return loads;
}

/// Divides the lanes and warps of `load` so that `lanesAcross` lanes lie along `order[1]`, and
/// these come first if they are to; null where the tensor is too small.
static Attribute divideThreads(tt::LoadOp load, ArrayRef<unsigned> sizes, ArrayRef<unsigned> order,
                               unsigned lanesAcross, bool acrossFirst) {
  auto type = cast<RankedTensorType>(load.getType());
  const unsigned along = order[0], across = order[1];
  const unsigned numLanes = ttg::getThreadsPerWarp(load), numWarps = ttg::getNumWarps(load);
  SmallVector<unsigned> lanes(2), warps(2);
  if (lanesAcross > numLanes)
    return {};
  lanes[across] = lanesAcross;
  lanes[along] = numLanes / lanesAcross;
  warps[along] = std::min<uint64_t>(numWarps, type.getDimSize(along) /
                                                  (uint64_t(sizes[along]) * lanes[along]));
  warps[across] = numWarps / std::max(1u, warps[along]);
  if (!warps[along] ||
      uint64_t(sizes[across]) * lanes[across] * warps[across] > uint64_t(type.getDimSize(across)))
    return {};
  const SmallVector<unsigned> lanesOrder =
      acrossFirst ? SmallVector<unsigned>{across, along} : llvm::to_vector(order);
  return ttg::BlockedEncodingAttr::get(type.getContext(), sizes, lanes, warps, lanesOrder);
}

unsigned elementsOfSharedAccess(tt::LoadOp load, const target::Target &target) {
  return std::max(1u, target.shared.maxAccessBits / tt::getElementBits(load.getType()));
}

Attribute getSquareLayout(tt::LoadOp load, const target::Target &target, unsigned rows) {
  auto type = cast<RankedTensorType>(load.getType());
  auto blocked = dyn_cast_or_null<ttg::BlockedEncodingAttr>(type.getEncoding());
  const unsigned bits = tt::getElementBits(type);
  if (!blocked || type.getRank() != 2 || bits < 8 || bits > 16)
    return {};
  const unsigned warps = ttg::getNumWarps(load), lanes = ttg::getThreadsPerWarp(load);
  const uint64_t ofThread =
      std::max<uint64_t>(1, type.getNumElements() / (uint64_t(warps) * lanes));
  SmallVector<unsigned> order = llvm::to_vector(blocked.getLayout().order),
                        sizes = llvm::to_vector(blocked.getLayout().sizePerThread);
  constexpr unsigned wordBits = 32;
  const unsigned ofAccess = target.shared.maxAccessBits / bits;
  unsigned &along = sizes[order[0]], &across = sizes[order[1]];
  across = std::min<uint64_t>(rows, type.getDimSize(order[1]));
  while (uint64_t(along) * across > ofThread)
    (across * bits > wordBits || along == 1 ? across : along) /= 2;
  if (across < ofAccess)
    if (Attribute layout = divideThreads(load, sizes, order, ofAccess / across, true))
      return layout;
  return ttg::BlockedEncodingAttr::getCovering(type.getContext(), type.getShape(), sizes, order,
                                               warps, lanes);
}

/// A layout of `load` of which `atom` gives threads neighbours along the dimension that is not
/// contiguous in memory: the rows that it wants in neighbouring lanes, and of each of them a piece
/// of `order[0]`. Null where there is none.
static Attribute layoutOfAtom(tt::LoadOp load, const target::CopyAtom &atom) {
  auto type = cast<RankedTensorType>(load.getType());
  const auto &layout = cast<ttg::BlockedEncodingAttr>(type.getEncoding()).getLayout();
  const unsigned along = layout.order[0];
  const target::AccessForm &form = *atom.form(atom.elementBits / 8);
  const unsigned elements = 1u << form.contiguous.size();
  SmallVector<unsigned> sizes(2, 1);
  sizes[along] = elements;
  const unsigned lanesAcross =
      std::max<uint64_t>(1u << form.registerBits, ttg::getThreadsPerWarp(load) * elements /
                                                      uint64_t(type.getDimSize(along)));
  // Lanes of one row after the rows.
  return divideThreads(load, sizes, layout.order, lanesAcross, /*acrossFirst=*/true);
}

Attribute getTransposingLayout(tt::LoadOp load, const target::Target &target,
                               const AxisInfoAnalysis &axes) {
  const target::CopyAtom *atom =
      ttg::findTransposingLoad(target, tt::getElementBits(load.getType()));
  if (!atom || !isa<scf::ForOp>(load->getParentOp()))
    return {};
  const unsigned first =
      cast<ttg::BlockedEncodingAttr>(getLayout(load.getType())).getLayout().order[0];
  const unsigned bits = target.maxAccessBits();
  const bool isWide =
      axes.getVectorWidth(load.getPtr(), load.getMask(), first, bits) == bits / atom->elementBits;
  return isWide ? layoutOfAtom(load, *atom) : Attribute();
}

//===--------------------------------------------------------------------------===//
// Proposals
//===--------------------------------------------------------------------------===//

SquareLayouts::SquareLayouts(tt::FuncOp function, const AxisInfoAnalysis &axes,
                             const target::Target &target)
    : axes(axes), target(target), loads(findTurnedLoads(function, target)) {}

void SquareLayouts::propose(Operation *op, SmallVectorImpl<LayoutProposal> &proposals) {
  auto load = dyn_cast<tt::LoadOp>(op);
  if (!load || !llvm::is_contained(loads, load))
    return;
  const AccessForm form = describeAccess(op, axes, target);
  for (unsigned rows = elementsOfSharedAccess(load, target); rows > 1; rows /= 2)
    if (Attribute layout = getSquareLayout(load, target, rows))
      proposals.push_back(LayoutProposal::inOne(
          op, layout, costOfAccess(form, cast<tt::LayoutEncoding>(layout), target),
          "squares of " + std::to_string(rows) + " rows"));
}

} // namespace tilewright::transform
