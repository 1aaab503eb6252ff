//===- Fit.cpp - Atoms fitted to layouts ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/shared/Fit.h"

#include "support/Bits.h"

#include <algorithm>
#include <cassert>

namespace tilewright::plan {

std::optional<AccessShape> fit(const FitSide &side, const CopyAtom &atom, unsigned elementBytes,
                               const MemoryBits &memory) {
  const AccessForm *form = atom.form(elementBytes);
  if (!form || (form->laneBits && side.bases.lanes.size() != form->laneBits) ||
      memory.contiguous.size() < form->contiguous.size() ||
      memory.strided.size() < form->strided.size())
    return std::nullopt;
  AccessShape shape{&atom, form, {}, 0};
  shape.registers.resize(form->registerBits, 0);

  F2Basis taken;
  auto place = [&](const AccessForm::ThreadBits &bits, std::span<const uint64_t> elements) {
    for (size_t i = 0; i < bits.size(); ++i) {
      const uint64_t element = elements[i];
      const bool isThere = bits[i].isLane ? side.bases.lanes[bits[i].bit] == element
                                          : side.registers.contains(element);
      if (!isThere || !taken.insert(element).vector)
        return false;
      if (!bits[i].isLane)
        shape.registers[bits[i].bit] = element;
    }
    return true;
  };
  if (!place(form->contiguous, memory.contiguous) || !place(form->strided, memory.strided))
    return std::nullopt;
  // Of the registers that are left, the lowest.
  for (AccessForm::ThreadBit bit : form->addressed)
    for (size_t i = 0; !bit.isLane && !shape.registers[bit.bit]; ++i) {
      if (i == side.bases.registers.size())
        return std::nullopt;
      if (taken.insert(side.bases.registers[i]).vector)
        shape.registers[bit.bit] = side.bases.registers[i];
    }
  return shape;
}

AccessShape laneAccess(std::span<const CopyAtom> copies, unsigned elementBytes,
                       unsigned vectorBits) {
  const unsigned bits = 8 * elementBytes << vectorBits;
  auto atom = std::find_if(copies.begin(), copies.end(), [&](const CopyAtom &copy) {
    return copy.issuer == Issuer::Lane && copy.bits() == bits;
  });
  assert(atom != copies.end() && "a memory has copies of lanes up to its widest access");
  return {&*atom, atom->form(elementBytes), {}, 0};
}

F2Vectors addressedElements(const LayoutBases &side, const AccessShape &shape) {
  F2Vectors elements;
  for (AccessForm::ThreadBit bit : shape.form->addressed)
    elements.push_back(bit.isLane ? side.lanes[bit.bit] : shape.registers[bit.bit]);
  return elements;
}

} // namespace tilewright::plan
