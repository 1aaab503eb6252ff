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

/// The lanes of the largest wave, and those that ds_swizzle exchanges words among.
constexpr unsigned maxWaveLanes = 64;
constexpr unsigned halfLanes = 32;

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

std::optional<uint32_t> asDpp(const RowPattern &pattern, const LaneMoves &moves) {
  if (std::optional<uint32_t> control = asGroups(pattern, 4, 2))
    return dpp::quadPerm | *control;
  for (unsigned n = 1; n < rowLanes && moves.hasRowPatterns; ++n)
    if (matches(pattern, [&](unsigned column) { return column ^ n; }))
      return dpp::rowXmask | n;
  for (unsigned n = 1; n < rowLanes; ++n)
    if (matches(pattern, [&](unsigned column) { return (column - n) % rowLanes; }))
      return dpp::rowRotateRight | n;
  for (unsigned n = 0; n < rowLanes && moves.hasRowShare; ++n)
    if (matches(pattern, [&](unsigned) { return n; }))
      return dpp::rowShare | n;
  if (matches(pattern, [](unsigned column) { return column ^ 15; }))
    return dpp::rowMirror;
  if (matches(pattern, [](unsigned column) { return column ^ 7; }))
    return dpp::rowHalfMirror;
  return std::nullopt;
}

/// The four-bit selectors of a permlane; columns that are free stay.
uint64_t getSelectors(const RowPattern &pattern) {
  uint64_t selectors = 0;
  for (unsigned column = 0; column < rowLanes; ++column)
    selectors |= uint64_t(pattern[column] < 0 ? column : pattern[column]) << 4 * column;
  return selectors;
}

/// Nothing if no instruction of `moves` has the pattern.
std::optional<RowShuffle> planRow(const RowPattern &pattern, const LaneMoves &moves) {
  if (matches(pattern, [](unsigned column) { return column; }))
    return RowShuffle{};
  if (std::optional<uint32_t> control = asDpp(pattern, moves))
    return RowShuffle{RowShuffle::Kind::Dpp, *control};
  if (moves.hasRowPatterns)
    if (std::optional<uint32_t> control = asGroups(pattern, 8, 3))
      return RowShuffle{RowShuffle::Kind::Dpp8, *control};
  if (moves.hasPermlane)
    return RowShuffle{RowShuffle::Kind::Permlane, 0, getSelectors(pattern)};
  return std::nullopt;
}

/// All banks of a row, and all rows of a wave.
constexpr unsigned allBanks = 0xf, allRows = 0xf;

/// Adds what `row` wants to `all`; false if the two want different things.
bool merge(RowPattern &all, const RowPattern &row) {
  for (unsigned column = 0; column < rowLanes; ++column)
    if (row[column] >= 0 && !require(all, column, static_cast<unsigned>(row[column])))
      return false;
  return true;
}

/// Rows that take from themselves in two patterns, as one instruction for some rows and a DPP
/// instruction for the others.
bool planTwoRows(std::span<const RowPattern> own, const LaneMoves &moves, LaneShuffle &plan) {
  unsigned best = ~0u;
  const unsigned everyRow = (1u << own.size()) - 1;
  for (unsigned seconds = everyRow - 1; seconds > 0; --seconds) {
    std::array<RowPattern, 2> patterns;
    for (RowPattern &pattern : patterns)
      pattern.fill(-1);
    bool areAlike = true;
    for (size_t row = 0; row < own.size(); ++row)
      areAlike &= merge(patterns[seconds >> row & 1], own[row]);
    if (!areAlike)
      continue;
    const std::optional<RowShuffle> first = planRow(patterns[0], moves);
    const std::optional<uint32_t> control = asDpp(patterns[1], moves);
    if (!first || !control || costOf(*first) >= best)
      continue;
    best = costOf(*first);
    plan.own = first;
    plan.second = RowShuffle{RowShuffle::Kind::Dpp, *control};
    plan.secondRows = seconds;
    plan.secondBanks = allBanks;
  }
  return plan.second.has_value();
}

/// A pattern of all rows by one DPP instruction for some banks and one for the others.
bool planTwoBanks(const RowPattern &all, const LaneMoves &moves, LaneShuffle &plan) {
  constexpr unsigned bankLanes = 4;
  auto ofBanks = [&](unsigned banks) {
    RowPattern pattern = all;
    for (unsigned column = 0; column < rowLanes; ++column)
      if (!(banks >> column / bankLanes & 1))
        pattern[column] = -1;
    return asDpp(pattern, moves);
  };
  // The first bank is always one of the first instruction.
  for (unsigned seconds = 2; seconds < allBanks; seconds += 2) {
    const std::optional<uint32_t> first = ofBanks(allBanks ^ seconds), second = ofBanks(seconds);
    if (!first || !second)
      continue;
    plan.own = RowShuffle{RowShuffle::Kind::Dpp, *first};
    plan.second = RowShuffle{RowShuffle::Kind::Dpp, *second};
    plan.secondRows = allRows;
    plan.secondBanks = seconds;
    return true;
  }
  return false;
}

/// Rows that take from themselves: by one instruction if they are alike.
bool planOwnRows(std::span<const RowPattern> own, const LaneMoves &moves, LaneShuffle &plan) {
  RowPattern all = own[0];
  bool areAlike = true;
  for (const RowPattern &row : own.subspan(1))
    areAlike &= merge(all, row);
  if (!areAlike)
    return planTwoRows(own, moves, plan);
  if (!isFree(all))
    plan.own = planRow(all, moves);
  return isFree(all) || plan.own || planTwoBanks(all, moves, plan);
}

std::optional<LaneShuffle> planRows(std::span<const unsigned> sources, const LaneMoves &moves) {
  LaneShuffle plan;
  plan.kind = LaneShuffle::Kind::Rows;
  const size_t rows = sources.size() / rowLanes;
  std::array<RowPattern, maxWaveLanes / rowLanes> own;
  RowPattern other;
  for (RowPattern &row : own)
    row.fill(-1);
  other.fill(-1);
  for (unsigned lane = 0; lane < sources.size(); ++lane) {
    const unsigned column = columnOf(lane), from = columnOf(sources[lane]);
    if (rowOf(sources[lane]) == rowOf(lane)) {
      own[rowOf(lane)][column] = static_cast<int>(from);
    } else {
      if (rows != 2 || !moves.hasPermlane || !require(other, column, from))
        return std::nullopt;
      plan.otherLanes |= uint32_t(1) << lane;
    }
  }
  plan.otherSelectors = getSelectors(other);
  if (!planOwnRows(std::span(own).first(rows), moves, plan))
    return std::nullopt;
  return plan;
}

/// The offset of ds_swizzle that makes each bit of the source 0, 1, the lane's or the lane's
/// inverted, in each half of 32 lanes.
std::optional<uint32_t> asSwizzle(std::span<const unsigned> sources) {
  const unsigned atZero = sources[0], atOnes = sources[halfLanes - 1];
  const unsigned keep = atZero ^ atOnes, invert = atZero;
  for (unsigned lane = 0; lane < sources.size(); ++lane) {
    const unsigned inHalf = ((lane % halfLanes) & keep) ^ invert;
    if (sources[lane] != (lane / halfLanes * halfLanes | inHalf) || inHalf >= halfLanes)
      return std::nullopt;
  }
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

LaneShuffle tilewright::target::amd::planLaneShuffle(std::span<const unsigned> sources,
                                                     const LaneMoves &moves) {
  LaneShuffle best;
  if (sources.size() != halfLanes && sources.size() != maxWaveLanes)
    return best;
  auto consider = [&](const LaneShuffle &plan) {
    if (plan.cost() < best.cost())
      best = plan;
  };
  if (std::optional<LaneShuffle> rows = planRows(sources, moves))
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
