//===- GatherPlan.cpp - Plans of gathers along an axis ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Coordinates are packed as the source has them. What a thread wants is a sum over the bits of
// its index, of its number and of the result's register; so is where that is, if each summand
// lies somewhere in the warp. For a bit of the warp's number, its source is what it wants less
// what the same warp has anyway.
//
//===--------------------------------------------------------------------------===//

#include "plan/collective/GatherPlan.h"

#include <algorithm>

namespace tilewright::plan {

namespace {

/// Shuffles and selects grow with the registers that may be meant, accesses to memory do not.
constexpr size_t maxCandidateBits = 3;

/// Solves for locations of the source within a warp.
class Sources {
public:
  explicit Sources(const AxisView &view) : view(view) {
    for (unsigned bit = 0; bit < view.registerBits; ++bit)
      registers.insert(view.coordinatesOf(unit(bit)), unit(bit));
    for (unsigned bit = 0; bit < view.registerBits + view.laneBits; ++bit)
      warp.insert(view.coordinatesOf(unit(bit)), unit(bit));
  }

  /// The location that has these coordinates: in the lane `lane` (a location) if that is possible.
  std::optional<uint64_t> find(uint64_t coordinates, uint64_t lane = 0) const {
    F2Basis::Reduced rest = registers.reduce(coordinates ^ view.coordinatesOf(lane));
    if (!rest.vector)
      return rest.tag ^ lane;
    rest = warp.reduce(coordinates);
    return rest.vector ? std::nullopt : std::optional(rest.tag);
  }

private:
  const AxisView &view;
  F2Basis registers, warp;
};

/// Where the elements lie, bit by bit, as locations of the source; nothing if not in the warp.
struct SourceMap {
  F2Vectors ofIndex, ofThread, ofRegister;
};

std::optional<SourceMap> locateSources(const AxisView &src, const AxisView &result) {
  const Sources sources(src);
  SourceMap map;
  bool found = true;
  auto add = [&](F2Vectors &locations, std::optional<uint64_t> location) {
    found &= location.has_value();
    locations.push_back(location.value_or(0));
  };
  for (unsigned bit = 0; bit < src.axisBits; ++bit)
    add(map.ofIndex, sources.find(src.alongAxis(unit(bit))));
  for (unsigned bit = 0; bit < result.threadBits(); ++bit) {
    const uint64_t wanted = result.others[result.registerBits + bit];
    const uint64_t same = unit(src.registerBits + bit);
    add(map.ofThread, bit < result.laneBits ? sources.find(wanted, same)
                                            : sources.find(wanted ^ src.coordinatesOf(same)));
  }
  for (unsigned bit = 0; bit < result.registerBits; ++bit)
    add(map.ofRegister, sources.find(result.others[bit]));
  return found ? std::optional(map) : std::nullopt;
}

void planWithinWarp(const AxisView &src, const AxisView &result, const SourceMap &locations,
                    GatherPlan &plan) {
  // Candidates: what the index and the thread may add to the register.
  F2Basis registers;
  F2Vectors generators;
  auto choose = [&](const F2Vectors &of) {
    for (uint64_t location : of)
      if (registers.insert(src.registerPart(location), unit(generators.size())).vector)
        generators.push_back(src.registerPart(location));
  };
  choose(locations.ofIndex);
  choose(locations.ofThread);
  auto fill = [&](const F2Vectors &of, std::vector<uint64_t> &lanes,
                  std::vector<uint64_t> &choices) {
    for (uint64_t location : of) {
      lanes.push_back(src.lanePart(location));
      choices.push_back(registers.reduce(src.registerPart(location)).tag);
    }
  };
  fill(locations.ofIndex, plan.lane.ofIndex, plan.choice.ofIndex);
  fill(locations.ofThread, plan.lane.ofThread, plan.choice.ofThread);
  for (uint64_t c = 0; c < unit(generators.size()); ++c)
    plan.candidates.push_back(static_cast<unsigned>(sumOf(generators, c)));
  for (uint64_t r = 0; r < unit(result.registerBits); ++r) {
    uint64_t location = sumOf(locations.ofRegister, r);
    plan.lane.ofRegister.push_back(src.lanePart(location));
    plan.choice.ofRegister.push_back(0);
    plan.baseRegister.push_back(static_cast<unsigned>(src.registerPart(location)));
  }

  auto isZero = [](uint64_t lanes) { return lanes == 0; };
  bool ownLane = std::ranges::all_of(plan.lane.ofIndex, isZero) &&
                 std::ranges::all_of(plan.lane.ofRegister, isZero);
  for (unsigned bit = 0; bit < result.threadBits(); ++bit)
    ownLane &= plan.lane.ofThread[bit] == (bit < result.laneBits ? unit(bit) : 0);
  plan.kind = ownLane ? GatherPlan::Kind::Registers : GatherPlan::Kind::Shuffles;
}

// Memory is arranged by the source: as many of a thread's registers as one access takes, then
// lanes side by side, then the rest. Stores have no bank conflicts; those of loads depend on
// the indices.
void planThroughMemory(const AxisView &src, const AxisView &result, unsigned maxVectorBits,
                       GatherPlan &plan) {
  plan.kind = GatherPlan::Kind::SharedMemory;
  F2Basis offsets;
  unsigned bits = 0;
  const uint64_t copies = src.freeBits();
  // Gives the bits of locations from `begin` on that are no copies the next bits of the offset.
  auto choose = [&](unsigned begin, unsigned end, unsigned most) {
    unsigned bit = begin;
    for (unsigned taken = 0; bit < end && taken < most; ++bit)
      if (!(copies >> bit & 1)) {
        offsets.insert(src.coordinatesOf(unit(bit)), unit(bits++));
        ++taken;
      }
    return bit;
  };
  const unsigned lanes = src.registerBits, warps = lanes + src.laneBits;
  const unsigned vectorEnd = choose(0, lanes, maxVectorBits);
  const unsigned vectorBits = bits;
  choose(lanes, warps, src.laneBits);
  choose(vectorEnd, lanes, src.registerBits);
  choose(warps, src.locationBits(), src.warpBits);
  plan.elements = unit(bits);
  auto offsetOf = [&](uint64_t coordinates) { return offsets.reduce(coordinates).tag; };

  // Copies have the offsets of what they copy; they do not store.
  for (unsigned bit = 0; bit < src.threadBits(); ++bit) {
    const uint64_t location = unit(src.registerBits + bit);
    const bool isFree = copies & location;
    plan.storeBases.push_back(isFree ? 0 : offsetOf(src.coordinatesOf(location)));
    if (isFree)
      plan.storing.terms.push_back({src.parityOf(unit(bit)), false});
  }
  for (uint64_t r = 0; r < unit(src.registerBits); ++r) {
    if (r & copies)
      continue;
    uint64_t offset = offsetOf(src.coordinatesOf(r));
    if (!(offset & (unit(vectorBits) - 1)))
      plan.stores.push_back({{}, offset});
  }
  for (GatherPlan::Store &store : plan.stores)
    store.registers.resize(unit(vectorBits));
  for (uint64_t r = 0; r < unit(src.registerBits); ++r) {
    if (r & copies)
      continue;
    uint64_t offset = offsetOf(src.coordinatesOf(r)), within = offset & (unit(vectorBits) - 1);
    for (GatherPlan::Store &store : plan.stores)
      if (store.offset == (offset ^ within))
        store.registers[within] = static_cast<unsigned>(r);
  }

  for (unsigned bit = 0; bit < src.axisBits; ++bit)
    plan.offset.ofIndex.push_back(offsetOf(src.alongAxis(unit(bit))));
  for (unsigned bit = 0; bit < result.threadBits(); ++bit)
    plan.offset.ofThread.push_back(offsetOf(result.others[result.registerBits + bit]));
  for (uint64_t r = 0; r < unit(result.registerBits); ++r)
    plan.offset.ofRegister.push_back(offsetOf(result.othersOf(r)));
}

/// The layout's other coordinates packed as `src` packs them, which has another size along the
/// axis: `axis` is as large as there.
LinearLayout withAxisOf(const LinearLayout &layout, const LinearLayout &src, Dim axis) {
  return layout.resizeOut(axis, src.outSize(axis));
}

} // namespace

GatherPlan planGather(const LinearLayout &src, const LinearLayout &result, Dim axis,
                      unsigned maxVectorBits) {
  // The result's own coordinates along the axis do not matter: only the packing does.
  const AxisView from(src, axis), to(withAxisOf(result, src, axis), axis);
  GatherPlan plan;
  std::optional<SourceMap> locations = locateSources(from, to);
  if (locations) {
    planWithinWarp(from, to, *locations, plan);
    if (plan.candidates.size() <= unit(maxCandidateBits))
      return plan;
    plan = {};
  }
  planThroughMemory(from, to, maxVectorBits, plan);
  return plan;
}

} // namespace tilewright::plan
