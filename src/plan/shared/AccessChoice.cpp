//===- AccessChoice.cpp - Which accesses a conversion could use -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/shared/AccessChoice.h"

#include "plan/conversion/Packing.h"
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
    : sides(sides), elementBytes(elementBytes), memory(memory),
      maxVectorBits(log2Of(memory.maxAccessBits / 8) - log2Of(elementBytes)),
      wordBits(wordBitsOf(elementBytes * 8)), common(commonRegisters(sides)) {}

unsigned AccessChoices::commonVectorBits() const {
  return std::min<unsigned>(maxVectorBits, static_cast<unsigned>(common.size()));
}

void AccessChoices::addVectors(std::vector<AccessChoice> &choices, unsigned commonBits) const {
  F2Vectors low;
  for (uint64_t v : common)
    if (low.size() < commonBits)
      low.push_back(v);
  auto add = [&](const F2Vectors &all, const F2Vectors &stored, const F2Vectors &loaded) {
    auto shape = [](const F2Vectors &registers) {
      return AccessShape{AccessKind::Vector, static_cast<unsigned>(registers.size()), registers, 0};
    };
    choices.push_back({all, shape(stored), shape(loaded)});
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
AccessShape AccessChoices::vectorsOf(const LayoutBases &side, const F2Vectors &low) const {
  AccessShape shape;
  F2Basis registers(side.registers), threads = threadsOf(side);
  for (uint64_t v : low) {
    if (shape.addressBits == maxVectorBits || !registers.contains(v) || !threads.insert(v).vector)
      break;
    shape.registers.push_back(v);
    ++shape.addressBits;
  }
  return shape;
}

/// Whether warps of `side` could move matrices at all: all lanes take part in that, so none
/// may be left out as a copy. Whole warps may.
bool AccessChoices::canMove(const LayoutBases &side, AccessKind kind) const {
  bool isStore = &side == &sides.src;
  if (!(isStore ? memory.matrixStores : memory.matrixLoads) || side.lanes.size() != 5)
    return false;
  if (isStore && sides.copies.lanes)
    return false;
  if (kind == AccessKind::TransposedMatrix)
    return elementBytes == 2 && side.registers.size() >= 1;
  return elementBytes <= 4 && side.registers.size() >= wordBits;
}

/// The elements of a row, lowest bit first. Best in words are the registers that the other
/// side has, too.
F2Vectors AccessChoices::rowOf(const LayoutBases &side, AccessKind kind) const {
  if (kind == AccessKind::TransposedMatrix)
    return F2Vectors{side.lanes[2], side.lanes[3], side.lanes[4]};
  F2Vectors row;
  F2Basis known = threadsOf(side);
  for (const F2Vectors *registers : {&common, &side.registers})
    for (uint64_t v : *registers)
      if (row.size() < wordBits && known.insert(v).vector)
        row.push_back(v);
  row.push_back(side.lanes[0]);
  row.push_back(side.lanes[1]);
  return row;
}

/// Whether `side` has such matrices where these are the lowest bits.
bool AccessChoices::fits(const LayoutBases &side, AccessKind kind, const F2Vectors &low) const {
  unsigned rowBits = log2Of(16 / elementBytes);
  if (low.size() != rowBits || F2Basis(low).rank() != rowBits)
    return false;
  if (kind == AccessKind::TransposedMatrix)
    return low[0] == side.lanes[2] && low[1] == side.lanes[3] && low[2] == side.lanes[4];
  F2Basis registers(side.registers);
  for (unsigned i = 0; i < wordBits; ++i)
    if (!registers.contains(low[i]))
      return false;
  return low[wordBits] == side.lanes[0] && low[wordBits + 1] == side.lanes[1];
}

AccessShape AccessChoices::matricesOf(const LayoutBases &side, AccessKind kind,
                                      const F2Vectors &low) const {
  AccessShape shape{kind, static_cast<unsigned>(low.size()), {}, 0};
  if (kind == AccessKind::Matrix) {
    for (unsigned i = 0; i < wordBits; ++i)
      shape.registers.push_back(low[i]);
    return shape;
  }
  // Any register tells two rows apart; the lowest is already beside its neighbour in a word.
  F2Basis span(low);
  for (uint64_t v : side.registers)
    if (shape.registers.empty() && span.insert(v).vector)
      shape.registers.push_back(v);
  return shape;
}

void AccessChoices::addMatrices(std::vector<AccessChoice> &choices) const {
  // Low bits that make matrices of one side; then whatever both sides can do with them.
  std::vector<F2Vectors> tried;
  constexpr AccessKind kinds[] = {AccessKind::Matrix, AccessKind::TransposedMatrix};
  for (const LayoutBases *side : {&sides.src, &sides.dst})
    for (AccessKind kind : kinds) {
      if (!canMove(*side, kind))
        continue;
      F2Vectors low = rowOf(*side, kind);
      if (std::find(tried.begin(), tried.end(), low) != tried.end())
        continue;
      tried.push_back(low);

      auto shapesOf = [&](const LayoutBases &of) {
        FixedVector<AccessKind, 3> possible{AccessKind::Vector};
        for (AccessKind k : kinds)
          if (canMove(of, k) && fits(of, k, low))
            possible.push_back(k);
        return possible;
      };
      auto shape = [&](const LayoutBases &of, AccessKind k) {
        return k == AccessKind::Vector ? vectorsOf(of, low) : matricesOf(of, k, low);
      };
      for (AccessKind store : shapesOf(sides.src))
        for (AccessKind load : shapesOf(sides.dst)) {
          AccessChoice choice{low, shape(sides.src, store), shape(sides.dst, load)};
          bool isPossible = true;
          for (const AccessShape *s : {&choice.store, &choice.load})
            isPossible &= s->kind != AccessKind::TransposedMatrix || !s->registers.empty();
          if (choice.hasMatrices() && isPossible)
            choices.push_back(choice);
        }
    }
}

} // namespace tilewright::plan
