//===- AccessChoice.cpp - Candidate accesses of a conversion ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/conversion/AccessChoice.h"

#include "plan/shared/Packing.h"
#include "support/Bits.h"

#include <algorithm>

namespace tilewright::plan {

namespace {

F2Basis threadsOf(const LayoutBases &side) {
  F2Basis span(side.lanes);
  for (uint64_t v : side.warps)
    span.insert(v);
  return span;
}

/// A basis of what both sides move by registers; source registers as they are first. Only
/// vectors that no threads move, too: else a thread's vectors would start unaligned.
F2Vectors commonRegisters(const ConversionSides &sides) {
  F2Basis ofDst(sides.dst.registers), known = threadsOf(sides.src);
  F2Vectors common;
  for (const F2Vectors *threads : {&sides.dst.lanes, &sides.dst.warps})
    for (uint64_t v : *threads)
      known.insert(v);
  for (uint64_t v : sides.src.registers)
    if (ofDst.contains(v) && known.insert(v).vector)
      common.push_back(v);
  for (uint64_t v : intersect(sides.src.registers, sides.dst.registers))
    if (known.insert(v).vector)
      common.push_back(v);
  return common;
}

} // namespace

AccessChoices::AccessChoices(const ConversionSides &sides, unsigned elementBytes,
                             const ExchangeModel &memory)
    : sides(sides), src(sides.src), dst(sides.dst), elementBytes(elementBytes), memory(memory),
      maxVectorBits(log2Of(memory.maxAccessBits / 8) - log2Of(elementBytes)),
      common(commonRegisters(sides)) {}

unsigned AccessChoices::commonVectorBits() const {
  return std::min<unsigned>(maxVectorBits, static_cast<unsigned>(common.size()));
}

void AccessChoices::addVectors(std::vector<AccessChoice> &choices, unsigned commonBits) const {
  F2Vectors low;
  for (uint64_t v : common)
    if (low.size() < commonBits)
      low.push_back(v);
  auto add = [&](const F2Vectors &all, const F2Vectors &stored, const F2Vectors &loaded) {
    auto shape = [&](const FitSide &side, const F2Vectors &registers) {
      AccessShape result =
          laneAccess(copiesOf(side), elementBytes, static_cast<unsigned>(registers.size()));
      result.registers = registers;
      return result;
    };
    choices.push_back({all, shape(src, stored), shape(dst, loaded)});
  };
  add(low, low, low);

  auto extended = [&](const F2Vectors &registers) {
    F2Vectors all = low;
    F2Basis span(all);
    for (uint64_t v : registers)
      if (all.size() < maxVectorBits && span.insert(v).vector)
        all.push_back(v);
    return all;
  };
  F2Vectors stored = extended(sides.src.registers), loaded = extended(sides.dst.registers);
  if (stored.size() > low.size())
    add(stored, stored, low);
  if (loaded.size() > low.size())
    add(loaded, low, loaded);
}

/// The widest vectors of `side` where these are the lowest bits.
AccessShape AccessChoices::vectorsOf(const FitSide &side, const F2Vectors &low) const {
  F2Vectors registers;
  F2Basis threads = threadsOf(side.bases);
  for (uint64_t v : low) {
    if (registers.size() == maxVectorBits || !side.registers.contains(v) ||
        !threads.insert(v).vector)
      break;
    registers.push_back(v);
  }
  AccessShape shape =
      laneAccess(copiesOf(side), elementBytes, static_cast<unsigned>(registers.size()));
  shape.registers = registers;
  return shape;
}

/// Whether warps of `side` could do the atom at all: all lanes take part in it, so none may be left
/// out as a copy. Whole warps may.
bool AccessChoices::canTake(const FitSide &side, const CopyAtom &atom) const {
  const AccessForm *form = atom.form(elementBytes);
  return form && side.bases.lanes.size() == form->laneBits &&
         side.bases.registers.size() >= form->registerBits &&
         !(&side == &src && sides.copies.lanes);
}

/// Elements for the lowest bits such that an atom of this form fits. The best registers are those
/// that the other side has, too.
F2Vectors AccessChoices::lowBitsFor(const FitSide &side, const AccessForm &form) const {
  F2Vectors registers;
  F2Basis known = threadsOf(side.bases);
  for (const F2Vectors *list : {&common, &side.bases.registers})
    for (uint64_t v : *list)
      if (registers.size() < form.registerBits && known.insert(v).vector)
        registers.push_back(v);
  F2Vectors low;
  size_t taken = 0;
  for (AccessForm::ThreadBit bit : form.contiguous)
    if (bit.isLane)
      low.push_back(side.bases.lanes[bit.bit]);
    else if (taken < registers.size())
      low.push_back(registers[taken++]);
  return low;
}

/// All that `side` can do where these are the lowest bits: vectors first.
std::vector<AccessShape> AccessChoices::shapesOf(const FitSide &side, const F2Vectors &low) const {
  std::vector<AccessShape> shapes{vectorsOf(side, low)};
  for (const CopyAtom &atom : warpCopiesOf(copiesOf(side)))
    if (canTake(side, atom))
      if (std::optional<AccessShape> shape = fit(side, atom, elementBytes, {low}))
        shapes.push_back(*shape);
  return shapes;
}

void AccessChoices::addWarpAtoms(std::vector<AccessChoice> &choices) const {
  // Low bits that make an atom fit one side; then whatever both sides can do with them.
  std::vector<F2Vectors> tried;
  for (const FitSide *side : {&src, &dst})
    for (const CopyAtom &atom : warpCopiesOf(copiesOf(*side))) {
      if (!canTake(*side, atom))
        continue;
      F2Vectors low = lowBitsFor(*side, *atom.form(elementBytes));
      if (std::find(tried.begin(), tried.end(), low) != tried.end())
        continue;
      tried.push_back(low);
      const std::vector<AccessShape> loads = shapesOf(dst, low);
      for (const AccessShape &store : shapesOf(src, low))
        for (const AccessShape &load : loads)
          if (AccessChoice choice{low, store, load}; !choice.isByLanes())
            choices.push_back(choice);
    }
}

} // namespace tilewright::plan
