//===- ReductionPlan.cpp - Plans of reductions --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/collective/ReductionPlan.h"

#include <algorithm>
#include <unordered_map>

namespace tilewright::plan {

namespace {

/// The directions of a reduction, sorted by how far they lead.
struct Directions {
  F2Vectors registers, lanes, warps;
};

// Going up the bits of a location, each bit that moves nothing new across the axis closes a vector
// of K made of bits before it. So the vectors come in the order wanted, and those without
// anything new along the axis are copies.
Directions findDirections(const AxisView &view) {
  Directions result;
  F2Basis across, along;
  for (size_t bit = 0; bit < view.locationBits(); ++bit) {
    F2Basis::Reduced rest = across.insert(view.others[bit], unit(bit));
    if (rest.vector || !along.insert(view.axisOf(rest.tag)).vector)
      continue;
    if (bit < view.registerBits)
      result.registers.push_back(rest.tag);
    else if (bit < view.registerBits + view.laneBits)
      result.lanes.push_back(rest.tag);
    else
      result.warps.push_back(rest.tag);
  }
  return result;
}

/// The numbers of partials: registers modulo K.
class Partials {
public:
  explicit Partials(const AxisView &view) {
    F2Basis across;
    for (size_t bit = 0; bit < view.registerBits; ++bit) {
      F2Basis::Reduced rest = across.insert(view.others[bit], unit(bit));
      numbers.push_back(rest.vector ? unit(registers.size()) : 0);
      if (rest.vector)
        registers.push_back(unit(bit));
      else // The sum of bit and of earlier ones that move the same.
        numbers.back() = sumOf(numbers, rest.tag ^ unit(bit));
    }
  }

  /// One register for each bit of a partial's number.
  F2Vectors registers;
  unsigned numberOf(uint64_t registerBits) const {
    return static_cast<unsigned>(sumOf(numbers, registerBits));
  }

private:
  F2Vectors numbers;
};

} // namespace

ReductionPlan planReduction(const LinearLayout &layout, Dim axis, unsigned maxVectorBits) {
  const AxisView view(layout, axis);
  const Directions directions = findDirections(view);
  const Partials partials(view);

  ReductionPlan plan;
  for (uint64_t k = 0; k < unit(partials.registers.size()); ++k) {
    std::vector<unsigned> &combined = plan.registers.emplace_back();
    for (uint64_t i = 0; i < unit(directions.registers.size()); ++i)
      combined.push_back(
          static_cast<unsigned>(sumOf(partials.registers, k) ^ sumOf(directions.registers, i)));
  }

  // The highest lanes first.
  F2Basis lanes;
  for (size_t i = directions.lanes.size(); i-- > 0;) {
    uint64_t direction = directions.lanes[i];
    auto lane = static_cast<uint32_t>(view.lanePart(direction));
    plan.laneSteps.push_back({lane, partials.numberOf(view.registerPart(direction))});
    lanes.insert(lane);
  }
  plan.wholeWarps = view.laneBits > 0 && lanes.rank() == view.laneBits &&
                    std::ranges::all_of(plan.laneSteps, [](const ReductionPlan::LaneStep &step) {
                      return step.partialXor == 0;
                    });

  plan.axisWarps = 1u << directions.warps.size();
  if (plan.axisWarps == 1)
    return plan;
  WarpExchangeRequest request;
  request.constant = view.copies();
  for (const F2Vectors *part : {&directions.registers, &directions.lanes, &directions.warps})
    for (uint64_t direction : *part) {
      request.directions.push_back(direction);
      if (part != &directions.warps)
        request.constant.push_back(direction);
    }
  request.exchanged = static_cast<unsigned>(directions.warps.size());
  request.partials = partials.registers;
  request.maxVectorBits = maxVectorBits;
  plan.exchange = planWarpExchange(view, request);
  return plan;
}

bool combinesWarpsByLanes(const ReductionPlan &plan, const CombineWork &work, unsigned lanes,
                          unsigned partitions, const target::Costs &costs) {
  // Loads of several warps' values say that all lanes of a warp have the same partials.
  const unsigned vector = plan.exchange.warpVector, warps = plan.axisWarps;
  if (vector == 1 || warps > lanes)
    return false;
  const unsigned steps = std::countr_zero(warps), load = costs.access + costs.transaction;
  const unsigned byThread =
      work.operands * (warps / vector) * load + (warps - 1) * work.instructions;
  const unsigned byLanes =
      work.operands * (load + steps * costs.shuffle.cycles) + steps * work.instructions;
  // The warps of a partition take turns; what one waits for its shuffles the others do not fill, as
  // all are at the same place.
  const unsigned times = plan.registers.size() * std::max(1u, warps / partitions);
  return times * byLanes + steps * costs.shuffle.latency < times * byThread;
}

std::optional<std::vector<unsigned>> partialsOfResult(const ReductionPlan &plan,
                                                      const LinearLayout &layout, Dim axis,
                                                      const LinearLayout &result) {
  const LinearLayout rest = layout.dropOut(axis);
  for (Dim part : {dims::Lane, dims::Warp})
    if (!std::ranges::equal(rest.bases(part), result.bases(part)))
      return std::nullopt;
  std::unordered_map<uint64_t, unsigned> partialAt;
  for (unsigned k = 0; k < plan.registers.size(); ++k)
    partialAt[rest.applyFlat(uint64_t(plan.registers[k][0]) << rest.inShift(dims::Register))] = k;
  std::vector<unsigned> partials;
  for (uint64_t r = 0; r < result.inSize(dims::Register); ++r) {
    auto found = partialAt.find(result.applyFlat(r << result.inShift(dims::Register)));
    if (found == partialAt.end())
      return std::nullopt;
    partials.push_back(found->second);
  }
  return partials;
}

} // namespace tilewright::plan
