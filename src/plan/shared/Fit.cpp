//===- Fit.cpp - Atoms fitted to layouts --------------------------------------===//
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

namespace {

/// A bit of a position in memory that the form ties to a register or a lane, and its element.
struct TiedBit {
  AccessForm::ThreadBit at;
  uint64_t element;
};

FixedVector<TiedBit, 32> tiedBits(const AccessForm &form, const MemoryBits &memory) {
  FixedVector<TiedBit, 32> bits;
  for (size_t i = 0; i < form.contiguous.size(); ++i)
    bits.push_back({form.contiguous[i], memory.contiguous[i]});
  for (size_t i = 0; i < form.strided.size(); ++i)
    bits.push_back({form.strided[i], memory.strided[i]});
  return bits;
}

/// What is in the way of a form of so many lane bits that ties these bits.
Misfit misfitOf(const FitSide &side, unsigned laneBits, std::span<const TiedBit> tied) {
  unsigned lanes = laneBits;
  for (const TiedBit &bit : tied)
    if (bit.at.isLane && side.bases.lanes[bit.at.bit] != bit.element)
      lanes = std::min<unsigned>(lanes, bit.at.bit);
  if (lanes < laneBits)
    return {lanes, std::nullopt};
  F2Basis taken;
  for (const TiedBit &bit : tied) {
    const bool isThere = bit.at.isLane || side.registers.contains(bit.element);
    if (!isThere || !taken.insert(bit.element).vector)
      return {lanes, bit.element};
  }
  return {lanes, std::nullopt};
}

} // namespace

std::optional<F2Vectors> fit(const FitSide &side, const AccessForm &form, const MemoryBits &memory,
                             Misfit *misfit) {
  if ((form.laneBits && side.bases.lanes.size() != form.laneBits) ||
      memory.contiguous.size() < form.contiguous.size() ||
      memory.strided.size() < form.strided.size())
    return std::nullopt;
  F2Vectors registers;
  registers.resize(form.registerBits, 0);
  const FixedVector<TiedBit, 32> tied = tiedBits(form, memory);
  F2Basis taken;
  for (const TiedBit &bit : tied) {
    const bool isThere = bit.at.isLane ? side.bases.lanes[bit.at.bit] == bit.element
                                       : side.registers.contains(bit.element);
    if (!isThere || !taken.insert(bit.element).vector) {
      if (misfit)
        *misfit = misfitOf(side, form.laneBits, {tied.data(), tied.size()});
      return std::nullopt;
    }
    if (!bit.at.isLane)
      registers[bit.at.bit] = bit.element;
  }
  // Of the registers that are left, the lowest.
  for (AccessForm::ThreadBit bit : form.addressed)
    for (size_t i = 0; !bit.isLane && !registers[bit.bit]; ++i) {
      if (i == side.bases.registers.size())
        return std::nullopt;
      if (taken.insert(side.bases.registers[i]).vector)
        registers[bit.bit] = side.bases.registers[i];
    }
  return registers;
}

std::optional<AccessShape> fit(const FitSide &side, const CopyAtom &atom, unsigned elementBytes,
                               const MemoryBits &memory) {
  const AccessForm *form = atom.form(elementBytes);
  if (!form)
    return std::nullopt;
  std::optional<F2Vectors> registers = fit(side, *form, memory);
  if (!registers)
    return std::nullopt;
  return AccessShape{&atom, form, *registers, 0};
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
