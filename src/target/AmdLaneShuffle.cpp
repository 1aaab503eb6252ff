//===- AmdLaneShuffle.cpp - Instruction choice for lane permutations on AMD ---===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/AmdLaneShuffle.h"

#include "target/AmdDppControl.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::target::amd;

namespace {

// A permlane has two selectors of 32 bits, which need scalar registers. What goes through the
// crossbar is to be waited for; by an index, it also needs a vector register.
constexpr unsigned costOfDpp = 1;
constexpr unsigned costOfPermlane = 2;
constexpr unsigned costOfSelect = 1;
constexpr unsigned costOfReadLane = 1;
constexpr unsigned costOfSwizzle = 4;
constexpr unsigned costOfIndexed = 6;

constexpr unsigned rowOf(unsigned lane) { return lane / rowLanes; }
constexpr unsigned columnOf(unsigned lane) { return lane % rowLanes; }

unsigned costOf(const RowShuffle &shuffle) {
  switch (shuffle.kind) {
  case RowShuffle::Kind::Nothing:
    return 0;
  case RowShuffle::Kind::Dpp:
  case RowShuffle::Kind::Dpp8:
    return costOfDpp;
  case RowShuffle::Kind::Permlane:
    return costOfPermlane;
  }
  return 0;
}

/// Adds that column `column` takes from `from`; false if it already takes from another.
bool require(RowPattern &pattern, unsigned column, unsigned from) {
  int &wanted = pattern[column];
  if (wanted >= 0 && wanted != static_cast<int>(from))
    return false;
  wanted = static_cast<int>(from);
  return true;
}

bool isFree(const RowPattern &pattern) {
  return std::all_of(pattern.begin(), pattern.end(), [](int from) { return from < 0; });
}

template <typename Function> bool matches(const RowPattern &pattern, Function columnFrom) {
  for (unsigned column = 0; column < rowLanes; ++column)
    if (pattern[column] >= 0 && pattern[column] != static_cast<int>(columnFrom(column)))
      return false;
  return true;
}

/// The pattern as one of groups of `size` columns, all alike: `bits` bits for each column of the
/// group say where in the group it takes from.
std::optional<uint32_t> asGroups(const RowPattern &pattern, unsigned size, unsigned bits) {
  std::array<int, rowLanes> inGroup;
  inGroup.fill(-1);
  for (unsigned column = 0; column < rowLanes; ++column) {
    if (pattern[column] < 0)
      continue;
    const unsigned from = static_cast<unsigned>(pattern[column]);
    int &wanted = inGroup[column % size];
    if (from / size != column / size || (wanted >= 0 && wanted != static_cast<int>(from % size)))
      return std::nullopt;
    wanted = static_cast<int>(from % size);
  }
  uint32_t control = 0;
  for (unsigned i = 0; i < size; ++i)
    control |= (inGroup[i] < 0 ? i : static_cast<unsigned>(inGroup[i])) << bits * i;
  return control;
}

std::optional<uint32_t> asDpp(const RowPattern &pattern) {
  if (std::optional<uint32_t> control = asGroups(pattern, 4, 2))
    return dpp::quadPerm | *control;
  for (unsigned n = 1; n < rowLanes; ++n)
    if (matches(pattern, [&](unsigned column) { return column ^ n; }))
      return dpp::rowXmask | n;
  for (unsigned n = 1; n < rowLanes; ++n)
    if (matches(pattern, [&](unsigned column) { return (column - n) % rowLanes; }))
      return dpp::rowRotateRight | n;
  for (unsigned n = 0; n < rowLanes; ++n)
    if (matches(pattern, [&](unsigned) { return n; }))
      return dpp::rowShare | n;
  return std::nullopt;
}

/// The four-bit selectors of a permlane; columns that are free stay.
uint64_t getSelectors(const RowPattern &pattern) {
  uint64_t selectors = 0;
  for (unsigned column = 0; column < rowLanes; ++column)
    selectors |= uint64_t(pattern[column] < 0 ? column : pattern[column]) << 4 * column;
  return selectors;
}

RowShuffle planRow(const RowPattern &pattern) {
  if (matches(pattern, [](unsigned column) { return column; }))
    return {};
  if (std::optional<uint32_t> control = asDpp(pattern))
    return {RowShuffle::Kind::Dpp, *control};
  if (std::optional<uint32_t> control = asGroups(pattern, 8, 3))
    return {RowShuffle::Kind::Dpp8, *control};
  return {RowShuffle::Kind::Permlane, 0, getSelectors(pattern)};
}

/// Two rows that take from themselves, each in its own pattern, as one instruction and a DPP
/// instruction for the row that has one.
bool planOwnRows(const std::array<RowPattern, 2> &own, LaneShuffle &plan) {
  RowPattern both = own[0];
  bool areAlike = true;
  for (unsigned column = 0; column < rowLanes; ++column)
    if (own[1][column] >= 0)
      areAlike &= require(both, column, static_cast<unsigned>(own[1][column]));
  if (areAlike) {
    if (!isFree(both))
      plan.own = planRow(both);
    return true;
  }
  unsigned best = ~0u;
  for (unsigned second : {1u, 0u}) {
    const RowShuffle first = planRow(own[1 - second]);
    const std::optional<uint32_t> control = asDpp(own[second]);
    if (!control || costOf(first) >= best)
      continue;
    best = costOf(first);
    plan.own = first;
    plan.second = RowShuffle{RowShuffle::Kind::Dpp, *control};
    plan.secondRow = second;
  }
  return plan.second.has_value();
}

std::optional<LaneShuffle> planRows(std::span<const unsigned> sources) {
  LaneShuffle plan;
  plan.kind = LaneShuffle::Kind::Rows;
  std::array<RowPattern, 2> own;
  RowPattern other;
  own[0].fill(-1), own[1].fill(-1), other.fill(-1);
  for (unsigned lane = 0; lane < waveLanes; ++lane) {
    const unsigned column = columnOf(lane), from = columnOf(sources[lane]);
    if (rowOf(sources[lane]) == rowOf(lane)) {
      own[rowOf(lane)][column] = static_cast<int>(from);
    } else {
      if (!require(other, column, from))
        return std::nullopt;
      plan.otherLanes |= uint32_t(1) << lane;
    }
  }
  plan.otherSelectors = getSelectors(other);
  if (!planOwnRows(own, plan))
    return std::nullopt;
  return plan;
}

/// The offset of ds_swizzle that makes each bit of the source 0, 1, the lane's or the lane's
/// inverted.
std::optional<uint32_t> asSwizzle(std::span<const unsigned> sources) {
  const unsigned atZero = sources[0], atOnes = sources[waveLanes - 1];
  const unsigned keep = atZero ^ atOnes, invert = atZero;
  for (unsigned lane = 0; lane < waveLanes; ++lane)
    if (sources[lane] != ((lane & keep) ^ invert))
      return std::nullopt;
  return swizzle::bitMasks(keep, /*orMask=*/0, invert);
}

} // namespace

unsigned LaneShuffle::cost() const {
  switch (kind) {
  case Kind::Rows: {
    unsigned cost = own ? costOf(*own) : 0;
    if (second)
      cost += costOf(*second);
    if (otherLanes)
      cost += costOfPermlane + (own ? costOfSelect : 0);
    return cost;
  }
  case Kind::ReadLane:
    return costOfReadLane;
  case Kind::Swizzle:
    return costOfSwizzle;
  case Kind::Indexed:
    return costOfIndexed;
  }
  return 0;
}

LaneShuffle tilewright::target::amd::planLaneShuffle(std::span<const unsigned> sources) {
  LaneShuffle best;
  auto consider = [&](const LaneShuffle &plan) {
    if (plan.cost() < best.cost())
      best = plan;
  };
  if (std::optional<LaneShuffle> rows = planRows(sources))
    consider(*rows);
  if (std::all_of(sources.begin(), sources.end(),
                  [&](unsigned source) { return source == sources[0]; })) {
    LaneShuffle plan;
    plan.kind = LaneShuffle::Kind::ReadLane;
    plan.lane = sources[0];
    consider(plan);
  }
  if (std::optional<uint32_t> offset = asSwizzle(sources)) {
    LaneShuffle plan;
    plan.kind = LaneShuffle::Kind::Swizzle;
    plan.offset = *offset;
    consider(plan);
  }
  return best;
}
