//===- SharedAccesses.cpp - The accesses of a shared-memory plan --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/shared/SharedAccesses.h"

#include "support/Bits.h"

#include <cassert>

namespace tilewright::plan {

namespace {

/// A map to offsets, from dimensions and what their bits move.
LinearLayout mapOf(std::initializer_list<std::pair<Dim, const F2Vectors *>> dims,
                   const MemoryOrder &order) {
  LinearLayout::DimList ins;
  F2Vectors bases;
  for (auto [dim, elements] : dims) {
    ins.push_back({dim, static_cast<unsigned>(elements->size())});
    for (uint64_t v : *elements)
      bases.push_back(order.offsetOf(v));
  }
  return LinearLayout::fromPacked(ins, {SizedDim{dims::Offset, order.offsetBits}}, bases);
}

/// Bit i is the parity of the element with rounds[i].
uint64_t roundOf(uint64_t element, const F2Vectors &rounds) {
  uint64_t round = 0;
  for (size_t i = 0; i < rounds.size(); ++i)
    round |= uint64_t(parity(rounds[i], element)) << i;
  return round;
}

/// The condition for repetition `round`: no copies, and the warps that have it.
ThreadCondition conditionOf(uint64_t round, const std::vector<ThreadParity> &warpsOfRound,
                            ThreadParity copies) {
  ThreadCondition condition;
  for (uint32_t rest = copies.lanes; rest; rest &= rest - 1)
    condition.terms.push_back({{rest & -rest, 0}, false});
  for (uint32_t rest = copies.warps; rest; rest &= rest - 1)
    condition.terms.push_back({{0, rest & -rest}, false});
  for (size_t i = 0; i < warpsOfRound.size(); ++i)
    if (!warpsOfRound[i].isZero())
      condition.terms.push_back({warpsOfRound[i], (round >> i & 1) != 0});
  return condition;
}

/// One side's registers: what each moves, as its offset and above that its repetition.
class RegisterKeys {
public:
  RegisterKeys(const LayoutBases &side, const MemoryOrder &order, const AccessShape &shape,
               const F2Vectors &rounds)
      : offsetBits(order.offsetBits), contiguous(shape.form->contiguous) {
    F2Basis solver;
    for (size_t i = 0; i < side.registers.size(); ++i) {
      uint64_t element = side.registers[i];
      keys.push_back(order.offsetOf(element) | roundOf(element, rounds) << offsetBits);
      solver.insert(element, unit(i));
    }
    for (uint64_t element : shape.registers)
      access.push_back(solver.reduce(element).tag);
  }

  uint64_t keyOf(uint64_t own) const { return sumOf(keys, own); }
  uint64_t offsetOf(uint64_t own) const { return keyOf(own) & (unit(offsetBits) - 1); }

  /// The register with those of its access taken away that are moved within the address.
  uint64_t firstOf(uint64_t own) const {
    const uint64_t key = keyOf(own);
    for (size_t i = 0; i < contiguous.size(); ++i)
      if (key >> i & 1)
        own ^= access[contiguous[i].bit];
    return own;
  }

  /// Puts `count` more registers into the access, one for each bit of the number of times: such as
  /// stay in their repetition.
  void addTimes(unsigned count, TimesChoice choice, uint64_t addressedBits) {
    F2Basis taken, rounds;
    for (uint64_t own : access)
      taken.insert(keyOf(own));
    F2Vectors candidates;
    for (size_t i = 0; i < keys.size(); ++i) {
      F2Basis::Reduced rest = rounds.insert(keys[i] >> offsetBits, unit(i));
      if (!rest.vector)
        candidates.push_back(firstOf(rest.tag));
    }
    auto isAdded = [&](uint64_t own) { return (offsetOf(own) & addressedBits) == 0; };
    const bool inOrder = choice == TimesChoice::RegisterOrder;
    for (bool added : {false, true})
      for (uint64_t own : candidates)
        if (count && (inOrder || isAdded(own) == added) && taken.insert(keyOf(own)).vector) {
          access.push_back(own);
          --count;
        }
    assert(count == 0 && "fewer registers in a repetition than in an access");
  }

  const F2Vectors &ofAccess() const { return access; }

  /// One register of each access: a basis of their numbers.
  F2Vectors firsts() const {
    F2Vectors result;
    F2Basis known;
    for (uint64_t own : access)
      known.insert(keyOf(firstOf(own)));
    for (size_t i = 0; i < keys.size(); ++i)
      if (known.insert(keyOf(firstOf(unit(i)))).vector)
        result.push_back(firstOf(unit(i)));
    return result;
  }

private:
  unsigned offsetBits;
  const AccessForm::ThreadBits &contiguous;
  F2Vectors keys;
  /// The registers in an access, combinations of the side's, lowest bit first.
  F2Vectors access;
};

uint64_t offsetBitsOf(const F2Vectors &elements, const MemoryOrder &order) {
  uint64_t bits = 0;
  for (uint64_t v : elements)
    bits |= order.offsetOf(v);
  return bits;
}

} // namespace

bool isAligned(const LayoutBases &side, const MemoryOrder &order, const AccessShape &shape,
               ThreadParity copies) {
  uint64_t moved = 0;
  for (size_t i = 0; i < side.warps.size(); ++i)
    if (!(copies.warps >> i & 1))
      moved |= order.offsetOf(side.warps[i]);
  if (shape.isByLanes()) {
    for (size_t i = 0; i < side.lanes.size(); ++i)
      if (!(copies.lanes >> i & 1))
        moved |= order.offsetOf(side.lanes[i]);
  } else {
    moved |= offsetBitsOf(addressedElements(side, shape), order);
  }
  // Registers may move bits that are the access's own registers.
  uint64_t ownRegisters = 0;
  for (size_t i = 0; i < shape.form->contiguous.size(); ++i)
    if (!shape.form->contiguous[i].isLane)
      ownRegisters |= unit(i);
  moved |= offsetBitsOf(side.registers, order) & ~ownRegisters;
  return (moved & (unit(shape.addressBits()) - 1)) == 0;
}

SideOfPlan listAccesses(const LayoutBases &side, const MemoryOrder &order, const AccessShape &shape,
                        const F2Vectors &rounds, ThreadParity copies, TimesChoice times) {
  SideOfPlan result;
  F2Vectors registers;
  for (uint64_t own : side.toOwn)
    registers.push_back(sumOf(side.registers, own));
  result.map = mapOf(
      {{dims::Register, &registers}, {dims::Lane, &side.lanes}, {dims::Warp, &side.warps}}, order);

  std::vector<ThreadParity> warpsOfRound(rounds.size());
  uint64_t roundsByWarp = 0;
  for (size_t w = 0; w < side.warps.size(); ++w) {
    uint64_t round = roundOf(side.warps[w], rounds);
    roundsByWarp |= round;
    for (size_t i = 0; i < rounds.size(); ++i)
      warpsOfRound[i].warps |= uint32_t(round >> i & 1) << w;
  }
  size_t roundCount = size_t(1) << rounds.size();
  for (size_t round = 0; round < roundCount; ++round)
    result.conditions.push_back(conditionOf(round, warpsOfRound, copies));

  RegisterKeys keys(side, order, shape, rounds);
  F2Vectors lanes = side.lanes;
  if (!shape.isByLanes()) {
    lanes = addressedElements(side, shape);
    keys.addTimes(shape.timesBits, times,
                  offsetBitsOf(lanes, order) | offsetBitsOf(side.warps, order));
    for (size_t i = shape.registers.size(); i < keys.ofAccess().size(); ++i)
      lanes.push_back(sumOf(side.registers, keys.ofAccess()[i]));
    lanes.resize(side.lanes.size(), 0);
  }
  result.base = mapOf({{dims::Lane, &lanes}, {dims::Warp, &side.warps}}, order);
  uint64_t baseBits = 0;
  for (uint64_t basis : result.base.bases())
    baseBits |= basis;

  F2Vectors inAccess = keys.ofAccess(), firsts = keys.firsts();
  result.accesses.resize(roundCount);
  for (uint64_t n = 0; n < unit(firsts.size()); ++n) {
    uint64_t first = sumOf(firsts, n), key = keys.keyOf(first);
    uint64_t offset = key & (unit(order.offsetBits) - 1), round = key >> order.offsetBits;
    SharedAccess access;
    for (uint64_t i = 0; i < unit(inAccess.size()); ++i)
      access.registers.push_back(side.wholeRegister(first ^ sumOf(inAccess, i)));
    access.xorOffset = static_cast<uint32_t>(offset & baseBits);
    access.addOffset = static_cast<uint32_t>(offset & ~baseBits);
    // Where warps select the round, each such round has the access.
    for (uint64_t other = 0; other < roundCount; ++other)
      if ((other & ~roundsByWarp) == round)
        result.accesses[other].push_back(access);
  }
  return result;
}

} // namespace tilewright::plan
