//===- CoalescedLayouts.cpp - Layouts that accesses to memory want --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/layout/candidates/CoalescedLayouts.h"

#include "ir/ttg/query/Conversion.h"
#include "transform/layout/LayoutTypes.h"
#include "transform/layout/problem/AccessCost.h"

using namespace mlir;

namespace tilewright::transform {

SmallVector<Operation *> findTensorAccesses(tt::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op) &&
        getLayout(op->getOperand(0).getType()))
      ops.push_back(op);
  });
  return ops;
}

/// Whether what is loaded is wanted as neighbours in a thread, however it has to be loaded.
static bool wantsNeighbours(tt::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa<tt::DotOp, tt::DotScaledOp, tt::ScanOp>(op) ? WalkResult::interrupt()
                                                               : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The mask by which an access may come apart; null if there is none.
static Value maskOf(Operation *op) {
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getMask();
  auto store = dyn_cast<tt::StoreOp>(op);
  return store ? store.getMask() : Value();
}

CoalescedLayouts::CoalescedLayouts(ArrayRef<Operation *> ops, const AxisInfoAnalysis &axes)
    : axes(axes) {
  splitsAtMasks = !ops.empty() && !wantsNeighbours(ops.front()->getParentOfType<tt::FuncOp>());
  for (Operation *op : ops) {
    const CoalescedAccess &access = list.emplace_back(describe(op));
    unsigned &width = widest[{SmallVector<int64_t>(access.pointers.getShape()), access.order}];
    width = std::max(width, access.width);
  }
}

CoalescedAccess CoalescedLayouts::describe(Operation *op) const {
  const Value pointer = op->getOperand(0);
  CoalescedAccess access{op, cast<RankedTensorType>(pointer.getType()),
                         orderOfAccess(pointer, axes), 1};
  access.width = axes.getVectorWidth(pointer, splitsAtMasks ? maskOf(op) : Value(),
                                     access.order.front(), ttg::getMaxAccessBits(op));
  return access;
}

/// Elements that one access can take. Atomic operations change one, additions of floats as many as
/// the target has, where the mask lets them.
unsigned CoalescedLayouts::maxAtOnce(const CoalescedAccess &access) const {
  if (isa<tt::StoreOp>(access.op))
    return std::numeric_limits<unsigned>::max();
  auto atomic = dyn_cast<tt::AtomicRMWOp>(access.op);
  const unsigned bits =
      tt::getStorageBits(tt::getElementTypeOrSelf(tt::getPointeeType(access.pointers)));
  const target::Target *target = ttg::getTarget(access.op);
  if (!atomic || atomic.getAtomicRmwOp() != tt::RMWOp::FADD || !target || bits > 32 ||
      target->global.maxAtomicAddBits <= bits)
    return 1;
  return axes.getVectorWidth(atomic.getPtr(), atomic.getMask(), access.order.front(),
                             target->global.maxAtomicAddBits);
}

unsigned CoalescedLayouts::widthOf(const CoalescedAccess &access) const {
  const int64_t threads = int64_t(ttg::getNumWarps(access.op)) * ttg::getThreadsPerWarp(access.op);
  unsigned width = widest.at({SmallVector<int64_t>(access.pointers.getShape()), access.order});
  width =
      std::min<int64_t>(width, std::max<int64_t>(1, access.pointers.getNumElements() / threads));
  return isa<tt::LoadOp>(access.op) ? width : std::min({width, access.width, maxAtOnce(access)});
}

ttg::BlockedEncodingAttr CoalescedLayouts::layoutOf(const CoalescedAccess &access, unsigned width) {
  SmallVector<unsigned> sizes(access.pointers.getRank(), 1);
  sizes[access.order.front()] = width;
  return ttg::BlockedEncodingAttr::getCovering(
      access.pointers.getContext(), access.pointers.getShape(), sizes, access.order,
      ttg::getNumWarps(access.op), ttg::getThreadsPerWarp(access.op));
}

//===--------------------------------------------------------------------------===//
// Proposals
//===--------------------------------------------------------------------------===//

AccessLayouts::AccessLayouts(tt::FuncOp function, const AxisInfoAnalysis &axes,
                             const target::Target &target)
    : axes(axes), target(target), layouts(findTensorAccesses(function), axes) {}

void AccessLayouts::propose(Operation *op, SmallVectorImpl<LayoutProposal> &proposals) {
  const auto *access =
      llvm::find_if(layouts.accesses(), [&](const CoalescedAccess &each) { return each.op == op; });
  if (access == layouts.accesses().end() || !isa<tt::LoadOp, tt::StoreOp>(op))
    return;
  const AccessForm form = describeAccess(op, axes, target);
  auto add = [&](Attribute layout, const Twine &why) {
    proposals.push_back(LayoutProposal::inOne(
        op, layout, costOfAccess(form, cast<tt::LayoutEncoding>(layout), target), why.str()));
  };
  add(getLayout(access->pointers), "as it is");
  const unsigned bits = form.elementBits(), wordBits = 32;
  for (unsigned width = layouts.widthOf(*access); width > 0; width /= 2)
    if (width == layouts.widthOf(*access) || width * bits >= wordBits)
      add(CoalescedLayouts::layoutOf(*access, width), Twine(width * bits) + " bits a thread");
  if (auto store = dyn_cast<tt::StoreOp>(op))
    add(getLayout(stripConversions(store.getValue()).getType()), "that of the value");
  for (const CoalescedAccess &other : layouts.accesses())
    if (other.pointers.getShape() == access->pointers.getShape())
      add(getLayout(other.pointers), "that of another access");
}

} // namespace tilewright::transform
