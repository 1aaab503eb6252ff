//===- SharedAccesses.cpp - The accesses of a shared-memory plan -------------------- ===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/SharedAccesses.h"

namespace tilewright::layout {

namespace {

uint64_t unit(size_t bit) { return uint64_t(1) << bit; }

LinearLayout mapOf(const Places &side, const MemoryOrder &order, bool withRegisters) {
  LinearLayout::DimList ins;
  F2Vectors bases;
  auto add = [&](Dim dim, const F2Vectors &elements) {
    ins.push_back({dim, static_cast<unsigned>(elements.size())});
    for (uint64_t v : elements)
      bases.push_back(order.offsetOf(v));
  };
  if (withRegisters) {
    F2Vectors registers;
    for (uint64_t own : side.toOwn)
      registers.push_back(sumOf(view(side.registers), own));
    add(dims::Register, registers);
  }
  add(dims::Lane, side.lanes);
  add(dims::Warp, side.warps);
  return LinearLayout::fromPacked(ins, {SizedDim{dims::Offset, order.offsetBits}}, view(bases));
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

} // namespace

SideOfPlan listAccesses(const Places &side, const MemoryOrder &order, unsigned vectorBits,
                        const F2Vectors &rounds, ThreadParity copies) {
  SideOfPlan result;
  result.map = mapOf(side, order, /*withRegisters=*/true);
  result.base = mapOf(side, order, /*withRegisters=*/false);
  uint64_t baseBits = 0;
  for (uint64_t basis : result.base.bases())
    baseBits |= basis;

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

  // A register's key: its offset, and above it its round. The registers that make up vectors
  // have the keys 1, 2, 4, ..; one register of each vector has a key with those bits 0.
  F2Vectors keys;
  F2Span solver;
  for (size_t i = 0; i < side.registers.size(); ++i) {
    uint64_t element = side.registers[i];
    keys.push_back(order.offsetOf(element) | roundOf(element, rounds) << order.offsetBits);
    solver.insert(keys[i], unit(i));
  }
  F2Vectors inVector, firsts, firstKeys;
  for (unsigned i = 0; i < vectorBits; ++i)
    inVector.push_back(solver.reduce(unit(i)).tag);
  F2Span known;
  for (size_t i = 0; i < keys.size(); ++i) {
    uint64_t low = keys[i] & (unit(vectorBits) - 1);
    if (known.insert(keys[i] ^ low).vector) {
      firsts.push_back(unit(i) ^ sumOf(view(inVector), low));
      firstKeys.push_back(keys[i] ^ low);
    }
  }

  result.accesses.resize(roundCount);
  for (uint64_t n = 0; n < unit(firsts.size()); ++n) {
    uint64_t first = sumOf(view(firsts), n), key = sumOf(view(firstKeys), n);
    uint64_t offset = key & (unit(order.offsetBits) - 1), round = key >> order.offsetBits;
    SharedAccess access;
    for (uint64_t i = 0; i < unit(vectorBits); ++i)
      access.registers.push_back(side.wholeRegister(first ^ sumOf(view(inVector), i)));
    access.xorOffset = static_cast<uint32_t>(offset & baseBits);
    access.addOffset = static_cast<uint32_t>(offset & ~baseBits);
    // Where warps select the round, each such round has the access.
    for (uint64_t other = 0; other < roundCount; ++other)
      if ((other & ~roundsByWarp) == round)
        result.accesses[other].push_back(access);
  }
  return result;
}

} // namespace tilewright::layout
