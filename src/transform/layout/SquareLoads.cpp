//===- SquareLoads.cpp - Loads of operands that threads turn round ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A matrix unit that takes its operands from registers wants neighbours along K in a thread. An
// operand whose rows in memory run along the other dimension, as B of a product of row-major
// matrices, is loaded from global memory by rows. If a thread loads pieces of several rows,
// neighbours along K,
//
//     thread 0 loads    b[0, 0..7]          and stores    b[0..7, 0]
//                       b[1, 0..7]                        b[0..7, 1]
//                       ..                                ..
//
// it turns them round in its registers, and what it stores to shared memory, and what is loaded
// from there, is as wide as what it loaded.
//
// Where a load of the whole warp turns round (ttg/TransposingLoads.h), a loop's operand is loaded
// with the rows that a warp exchanges in neighbouring lanes.
//
//===--------------------------------------------------------------------------===//

#include "analysis/AxisInfo.h"
#include "ir/ttg/query/TransposingLoads.h"
#include "target/Target.h"
#include "transform/layout/LayoutTypes.h"
#include "transform/layout/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilewright::transform {

#define GEN_PASS_DEF_SQUARELOADS
#include "transform/layout/Passes.h.inc"

namespace {

/// Whether warps of `target` load from shared memory together, each lane for another: then the
/// hardware turns round.
bool loadsByWarps(const target::Target &target) {
  return !target::warpCopiesOf(target::copiesBetween(target.copies(), target::Space::Shared,
                                                     target::Space::Registers))
              .empty();
}

/// Divides the lanes and warps of `load` so that `lanesAcross` lanes lie along `order[1]`, and
/// these come first if they are to; null where the tensor is too small.
Attribute divideThreads(tt::LoadOp load, ArrayRef<unsigned> sizes, ArrayRef<unsigned> order,
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

/// A layout in which a thread has, of what it loads, neighbours in both dimensions: along
/// `order[1]` as many as an access of shared memory takes, or fewer where it has no more, but a
/// word of them before it loads less at once. Null where `load` has none.
///
/// What is then stored is narrower than what is loaded from shared memory. Neighbours of one access
/// come from neighbouring lanes then: where these store at different times, memory is swizzled by
/// less than an access, and threads would have to move what they have loaded.
Attribute getSquareLayout(tt::LoadOp load, const target::Target &target) {
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
  across = std::min<uint64_t>(ofAccess, type.getDimSize(order[1]));
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
Attribute getTransposingLayout(tt::LoadOp load, const target::CopyAtom &atom) {
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

class SquareLoads : public impl::SquareLoadsBase<SquareLoads> {
public:
  void runOnOperation() override {
    const target::Target *target = ttg::getTarget(getOperation());
    if (!target || loadsByWarps(*target))
      return;
    SmallVector<tt::LoadOp> loads;
    getOperation().walk([&](ttg::ConvertLayoutOp convert) {
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
    std::optional<AxisInfoAnalysis> axes;
    for (tt::LoadOp load : loads)
      if (Attribute layout = chooseLayout(load, *target, axes))
        setAccessLayout(load, layout);
  }

private:
  /// `axes` is computed when it is first wanted.
  Attribute chooseLayout(tt::LoadOp load, const target::Target &target,
                         std::optional<AxisInfoAnalysis> &axes) {
    const auto type = cast<RankedTensorType>(load.getType());
    const target::CopyAtom *atom = ttg::findTransposingLoad(target, tt::getElementBits(type));
    if (!atom || !isa<scf::ForOp>(load->getParentOp()))
      return getSquareLayout(load, target);
    if (!axes)
      axes.emplace(getOperation());
    const auto &blocked = cast<ttg::BlockedEncodingAttr>(type.getEncoding()).getLayout();
    const unsigned bits = target.maxAccessBits();
    const bool isWide = axes->getVectorWidth(load.getPtr(), load.getMask(), blocked.order[0],
                                             bits) == bits / atom->elementBits;
    Attribute layout = isWide ? getTransposingLayout(load, *atom) : Attribute();
    return layout ? layout : getSquareLayout(load, target);
  }
};

} // namespace
} // namespace tilewright::transform
