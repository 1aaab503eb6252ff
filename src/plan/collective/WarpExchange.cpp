//===- WarpExchange.cpp - Plans of exchanging values between warps ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The offset of a location is a linear map A whose kernel is what the partials do not depend on.
// It is made by choosing vectors, independent modulo that kernel, and giving each the next bit
// of the offset. The order of the choice is the arrangement in memory: if no lanes differ, one
// lane stores and the warps' values come first, side by side, to be read in wide loads.
// Otherwise come as many partials as one access takes, then the lanes: neither stores nor
// loads have bank conflicts.
//
// The directions of the exchange have one bit each. All other vectors are chosen with no
// component along them, so that these bits are the number of the value for every location, and
// all threads that load the same values load them in the same order.
//
//===--------------------------------------------------------------------------===//

#include "plan/collective/WarpExchange.h"

#include <algorithm>
#include <span>

namespace tilewright::plan {

namespace {

/// Hands out bits of the offset.
class OffsetMap {
public:
  explicit OffsetMap(const F2Vectors &kernel) {
    for (uint64_t vector : kernel)
      chosen.insert(vector, 0);
  }

  /// Gives `vector` the next bit, if it is not determined yet.
  void choose(uint64_t vector) {
    if (chosen.insert(vector, unit(bits)).vector)
      ++bits;
  }

  uint64_t operator()(uint64_t location) const { return chosen.reduce(location).tag; }

  unsigned bits = 0;

private:
  F2Basis chosen;
};

/// How many of the first partials (of 2^most) lie side by side, aligned, in the same order in
/// all threads.
unsigned vectorOf(std::span<const uint64_t> partialBits, const ThreadMap &threads, size_t most) {
  size_t bits = 0;
  while (bits < most && partialBits[bits] == unit(bits))
    ++bits;
  auto fits = [&](uint64_t offset) { return !(offset & (unit(bits) - 1)); };
  while (!std::ranges::all_of(threads, fits) ||
         !std::ranges::all_of(partialBits.subspan(bits), fits))
    --bits;
  return 1u << bits;
}

/// Of the threads that have the same partials, if in another order, the one whose free bits are
/// zero.
ThreadCondition chooseStoring(const AxisView &view, const ThreadMap &threads,
                              std::span<const uint64_t> partialBits) {
  ThreadCondition storing;
  F2Basis stored(partialBits);
  for (unsigned bit = 0; bit < view.threadBits(); ++bit)
    if (!stored.insert(threads[bit]).vector)
      storing.terms.push_back({view.parityOf(unit(bit)), false});
  return storing;
}

} // namespace

WarpExchange planWarpExchange(const AxisView &view, const WarpExchangeRequest &request) {
  const size_t first = request.directions.size() - request.exchanged;
  F2Basis along;
  for (size_t i = 0; i < request.directions.size(); ++i)
    along.insert(view.axisOf(request.directions[i]), unit(i));
  // The vector without what it has of the directions.
  auto across = [&](uint64_t vector) {
    return vector ^ sumOf(request.directions, along.reduce(view.axisOf(vector)).tag);
  };

  OffsetMap offset(request.constant);
  auto chooseExchanged = [&] {
    for (size_t i = first; i < request.directions.size(); ++i)
      offset.choose(request.directions[i]);
  };
  auto choosePartials = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i)
      offset.choose(across(request.partials[i]));
  };
  auto chooseThreads = [&](unsigned from, unsigned to) {
    for (unsigned bit = from; bit < to; ++bit)
      offset.choose(across(unit(view.registerBits + bit)));
  };

  // Do lanes have different partials?
  const F2Basis constant(request.constant);
  bool lanesDiffer = false;
  for (unsigned bit = 0; bit < view.laneBits; ++bit)
    lanesDiffer |= !constant.contains(unit(view.registerBits + bit));
  size_t vectorBits = 0;
  if (lanesDiffer) {
    vectorBits = std::min<size_t>(request.partials.size(), request.maxVectorBits);
    choosePartials(0, vectorBits);
    chooseThreads(0, view.laneBits);
  } else {
    chooseExchanged();
  }
  choosePartials(vectorBits, request.partials.size());
  chooseThreads(view.laneBits, view.threadBits());
  chooseExchanged();

  WarpExchange plan;
  plan.elements = unit(offset.bits);
  uint64_t exchangedBits = 0;
  std::vector<uint64_t> valueBits, partialBits;
  for (size_t i = first; i < request.directions.size(); ++i) {
    valueBits.push_back(offset(request.directions[i]));
    exchangedBits |= valueBits.back();
  }
  for (unsigned bit = 0; bit < view.threadBits(); ++bit) {
    uint64_t stored = offset(unit(view.registerBits + bit));
    plan.storeBases.push_back(stored);
    plan.loadBases.push_back(stored & ~exchangedBits);
  }
  for (uint64_t partial : request.partials)
    partialBits.push_back(offset(partial));
  for (uint64_t k = 0; k < unit(partialBits.size()); ++k) {
    auto stored = static_cast<uint32_t>(sumOf(partialBits, k));
    plan.storeOffsets.push_back(stored);
    plan.loadOffsets.push_back(stored & ~static_cast<uint32_t>(exchangedBits));
  }
  for (uint64_t w = 0; w < unit(valueBits.size()); ++w)
    plan.warpOffsets.push_back(static_cast<uint32_t>(sumOf(valueBits, w)));

  if (lanesDiffer)
    plan.partialVector = vectorOf(partialBits, plan.storeBases, vectorBits);
  else
    plan.warpVector = 1u << std::min(request.exchanged, request.maxVectorBits);
  plan.storing = chooseStoring(view, plan.storeBases, partialBits);
  return plan;
}

} // namespace tilewright::plan
