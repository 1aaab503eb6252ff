//===- Fit.h - Atoms fitted to layouts ------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Can the threads of a layout do a copy? An atom (target/Atom.h) says of each bit of an element's
// position in memory which bit of a register or of a lane it is. A layout says what element each
// bit of a register and of a lane moves; a memory, for which element each bit of a position stands.
// Elements are vectors over F2, and the atom fits if the two agree:
//
//   lanes       where a contiguous or a strided bit is a bit of the lane, the layout's lane moves
//               by just that element;
//   registers   where it is a bit of the register, the element is in the span of what the layout's
//               registers move. Which registers they are is a renaming, so their order, and sums of
//               them, do not matter;
//   addressed   bits are free, since a lane gives the address: what a lane's bit moves is that of
//               the layout, and for a register's bit any that is not taken yet will do.
//
// The other inputs - further registers, warps - must not move the contiguous bits, nor the strided
// ones: addresses are then aligned, and XOR and addition agree. This is asked of the order in
// memory (isAligned, SharedAccesses.h).
//
// An example. ldmatrix on elements of 16 bits: o0 is r0, o1 and o2 are l0 and l1; addressed are l2,
// l3 and l4. It fits the layout with registers {v0, a} and lanes {v1, v2, b, c, d} in a memory
// whose lowest bits stand for v0, v1, v2, whatever a to d are. ldmatrix.trans, whose o0, o1, o2 are
// l2, l3, l4, fits where lanes are {b, c, v0, v1, v2}. docs/atoms.md has more.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_SHARED_FIT_H
#define TILEWRIGHT_PLAN_SHARED_FIT_H

#include "layout/F2.h"
#include "plan/Namespaces.h"
#include "plan/shared/LayoutBases.h"
#include "target/Atom.h"

#include <optional>
#include <span>

namespace tilewright::plan {

/// An atom as a layout has it.
struct AccessShape {
  const CopyAtom *atom = nullptr;
  /// The atom's, for the width of the elements.
  const AccessForm *form = nullptr;
  /// The element by which each register bit of the form moves.
  F2Vectors registers;
  /// log2 of the times that one instruction does it (CopyAtom::maxTimes).
  unsigned timesBits = 0;

  /// Whether each lane does it for itself.
  bool isByLanes() const { return atom->issuer == Issuer::Lane; }
  /// log2 of the elements that one address covers, and of those that a thread moves.
  unsigned addressBits() const { return static_cast<unsigned>(form->contiguous.size()); }
  unsigned elementBits() const { return form->registerBits + timesBits; }
};

/// The side of a layout that atoms are fitted to.
struct FitSide {
  explicit FitSide(const LayoutBases &bases) : bases(bases), registers(bases.registers) {}
  const LayoutBases &bases;
  F2Basis registers;
};

/// The elements that the lowest bits of a position in memory stand for: contiguous ones, and by a
/// pitch each.
struct MemoryBits {
  std::span<const uint64_t> contiguous;
  std::span<const uint64_t> strided = {};
};

/// What keeps a copy from fitting: the first lane that moves otherwise or, with all lanes right,
/// the first element that the registers do not move, or that is taken already.
struct Misfit {
  /// Lane bits that are right, from bit 0 on.
  unsigned lanes = 0;
  /// The element; nothing if a lane is what does not fit.
  std::optional<uint64_t> element;
};

/// The element by which each register bit of the form moves, in this layout and memory; nothing if
/// the form does not fit, and then `misfit`, if given, says what is in the way. Bits of the memory
/// beyond the form's are not looked at.
std::optional<F2Vectors> fit(const FitSide &side, const AccessForm &form, const MemoryBits &memory,
                             Misfit *misfit = nullptr);

/// The atom, once; nothing if it does not fit or cannot move elements of so many bytes.
std::optional<AccessShape> fit(const FitSide &side, const CopyAtom &atom, unsigned elementBytes,
                               const MemoryBits &memory);

/// The copy of 2^vectorBits elements by each lane. `copies` is a list of a memory (ExchangeModel)
/// that has it.
AccessShape laneAccess(std::span<const CopyAtom> copies, unsigned elementBytes,
                       unsigned vectorBits);

/// What tells the addresses of one time apart, lowest bit first: what the lanes, or the registers,
/// move that are addressed.
F2Vectors addressedElements(const LayoutBases &side, const AccessShape &shape);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_SHARED_FIT_H
