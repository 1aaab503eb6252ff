//===- LocalAccess.cpp - Plans of loads and stores of given shared memory -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/shared/LocalAccess.h"

#include "plan/shared/Access.h"
#include "plan/shared/SharedAccesses.h"

#include <algorithm>
#include <optional>

namespace tilewright::plan {

namespace {

/// `registers` as a map to the coordinates of `memory`, packed as there.
std::optional<LinearLayout> inCoordinatesOf(const LinearLayout &memory, LinearLayout registers) {
  if (registers.outs().size() != memory.outs().size())
    return std::nullopt;
  std::vector<Dim> order;
  for (SizedDim out : memory.outs()) {
    if (!registers.hasOut(out.dim) || registers.outBits(out.dim) > out.bits)
      return std::nullopt;
    order.push_back(out.dim);
    registers = registers.resizeOut(out.dim, out.size());
  }
  return registers.transposeOuts(order);
}

MemoryOrder orderOf(const LinearLayout &memory) {
  MemoryOrder order;
  order.offsetBits = memory.inBits(dims::Offset);
  // Of several offsets of an element the lowest counts.
  for (unsigned i = 0; i < order.offsetBits; ++i)
    order.span.insert(memory.basis(dims::Offset, i), uint64_t(1) << i);
  return order;
}

class Planner {
public:
  Planner(const LinearLayout &registers, const LocalMemory &local, LocalDirection direction,
          const ExchangeModel &memory, uint64_t partBits)
      : side(layoutBasesOf(registers, registers)), fitSide(side), order(orderOf(local.layout)),
        direction(direction), memory(memory), partBits(partBits),
        elementBytes(memoryBitsOf(local.elementBits) / 8) {
    const uint64_t most =
        std::min<uint64_t>(local.contiguous, memory.maxAccessBits / 8 / elementBytes);
    maxVectorBits = most ? log2Of(most) : 0;
    if (direction == LocalDirection::Store)
      findCopies();
    // The elements that the lowest bits of an offset stand for.
    for (unsigned i = 0; i < order.offsetBits; ++i) {
      uint64_t element = local.layout.basis(dims::Offset, i);
      if (order.offsetOf(element) != uint64_t(1) << i)
        break;
      low.push_back(element);
    }
  }

  bool isWithinMemory() const {
    auto reaches = [&](const F2Vectors &vectors) {
      return std::all_of(vectors.begin(), vectors.end(),
                         [&](uint64_t v) { return order.span.contains(v); });
    };
    return reaches(side.registers) && reaches(side.lanes) && reaches(side.warps);
  }

  LocalAccessPlan plan() const {
    std::optional<LocalAccessPlan> best;
    unsigned bestCost = 0;
    auto consider = [&](const AccessShape &shape) {
      LocalAccessPlan candidate = build(shape);
      const Costs &costs = memory.costs;
      unsigned cost = candidate.transactions * costs.transaction +
                      static_cast<unsigned>(candidate.accesses.size()) * costs.access +
                      shape.atom->latency;
      if (!best || cost < bestCost) {
        best = std::move(candidate);
        bestCost = cost;
      }
    };
    consider(widestVectors());
    for (const CopyAtom &atom : warpCopiesOf(copies()))
      if (std::optional<AccessShape> shape = shapeOf(atom))
        consider(*shape);
    return *best;
  }

private:
  /// Lanes and warps that hold what those before them do.
  void findCopies() {
    F2Basis span(side.registers);
    for (size_t i = 0; i < side.lanes.size(); ++i)
      if (!span.insert(side.lanes[i]).vector)
        copiedThreads.lanes |= 1u << i;
    for (size_t i = 0; i < side.warps.size(); ++i)
      if (!span.insert(side.warps[i]).vector)
        copiedThreads.warps |= 1u << i;
  }

  std::span<const CopyAtom> copies() const {
    return direction == LocalDirection::Store ? memory.stores : memory.loads;
  }

  bool isUsable(const AccessShape &shape) const {
    return (partBits & (unit(shape.addressBits()) - 1)) == 0 &&
           isAligned(side, order, shape, copiedThreads);
  }

  /// Single elements at least.
  AccessShape widestVectors() const {
    AccessShape widest = laneAccess(copies(), elementBytes, 0);
    for (unsigned bits = 1; bits <= std::min<size_t>(maxVectorBits, low.size()); ++bits) {
      const CopyAtom &atom = *laneAccess(copies(), elementBytes, bits).atom;
      std::optional<AccessShape> wider = fit(fitSide, atom, elementBytes, {low});
      if (!wider || !isUsable(*wider))
        break;
      widest = *wider;
    }
    return widest;
  }

  /// An atom that takes whole warps, as often as one instruction does it; nothing if it does not
  /// fit.
  std::optional<AccessShape> shapeOf(const CopyAtom &atom) const {
    const AccessForm *form = atom.form(elementBytes);
    if (copiedThreads.lanes || !form || form->contiguous.size() > maxVectorBits)
      return std::nullopt;
    std::optional<AccessShape> shape = fit(fitSide, atom, elementBytes, {low});
    if (!shape)
      return std::nullopt;
    shape->timesBits = static_cast<unsigned>(
        std::min<size_t>(log2Of(atom.maxTimes), side.registers.size() - shape->registers.size()));
    return isUsable(*shape) ? shape : std::nullopt;
  }

  LocalAccessPlan build(const AccessShape &shape) const {
    SideOfPlan listed =
        listAccesses(side, order, shape, /*rounds=*/{}, copiedThreads, TimesChoice::RegisterOrder);
    LocalAccessPlan plan;
    plan.atom = shape.atom;
    plan.elementBytes = elementBytes;
    plan.base = listed.base;
    plan.accesses = std::move(listed.accesses[0]);
    plan.condition = std::move(listed.conditions[0]);
    for (unsigned whole = 0; whole < side.wholeRegisterCount(); ++whole)
      plan.copies.push_back(side.wholeRegister(side.ownRegister(whole)));
    Transactions one = countOne(plan, shape);
    const auto count = static_cast<unsigned>(plan.accesses.size());
    plan.transactions = one.actual * count;
    plan.conflicts = one.conflicts() * count;
    return plan;
  }

  Transactions countOne(const LocalAccessPlan &plan, const AccessShape &shape) const {
    const unsigned bytes = elementBytes << shape.addressBits();
    std::vector<uint64_t> addresses;
    std::vector<unsigned> lanes;
    const size_t naming = unit(shape.isByLanes() ? side.lanes.size()
                                                 : shape.form->addressed.size() + shape.timesBits);
    for (unsigned lane = 0; lane < naming; ++lane)
      if (!(lane & copiedThreads.lanes)) {
        lanes.push_back(lane);
        addresses.push_back(plan.base.applyFlat(lane) * elementBytes);
      }
    return countTransactions(addresses, lanes, bytes, direction, memory);
  }

  const LayoutBases side;
  const FitSide fitSide;
  const MemoryOrder order;
  const LocalDirection direction;
  const ExchangeModel &memory;
  /// The bits of the offset that the tensor's place in the memory may change.
  const uint64_t partBits;
  const unsigned elementBytes;
  unsigned maxVectorBits = 0;
  ThreadParity copiedThreads;
  F2Vectors low;
};

} // namespace

Result<LocalAccessPlan> planLocalAccess(const LinearLayout &registers, const LocalMemory &local,
                                        LocalDirection direction, const ExchangeModel &memory) {
  std::optional<LinearLayout> inMemory = inCoordinatesOf(local.layout, registers);
  if (!inMemory)
    return Failure("the layouts of registers and of memory are of different tensors");
  if (registers.inSize(dims::Block) != 1 || local.layout.inSize(dims::Block) != 1)
    return Failure("the memory of several blocks cannot be accessed yet");
  MemoryOrder order = orderOf(local.layout);
  uint64_t partBits = 0;
  for (SizedDim out : local.layout.outs())
    for (unsigned bit = registers.outBits(out.dim); bit < out.bits; ++bit)
      partBits |= order.offsetOf(uint64_t(1) << (local.layout.outShift(out.dim) + bit));
  Planner planner(*inMemory, local, direction, memory, partBits);
  if (!planner.isWithinMemory())
    return Failure("a block holds elements that are in the memory of another block");
  return planner.plan();
}

uint64_t offsetOfPart(const LinearLayout &layout, std::span<const int64_t> coordinates) {
  uint64_t element = 0;
  for (size_t i = 0; i < coordinates.size(); ++i)
    element |= static_cast<uint64_t>(coordinates[i]) << layout.outShift(layout.outs()[i].dim);
  return orderOf(layout).offsetOf(element);
}

} // namespace tilewright::plan
