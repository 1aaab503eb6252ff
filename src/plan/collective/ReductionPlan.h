//===- ReductionPlan.h - Plans of reductions ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The locations whose elements belong to one result differ by the kernel K of the map from
// locations to the coordinates in the other dimensions; those that are copies of one another by the
// kernel C of the whole layout, which lies in K. A reduction combines each location with what lies
// in the *directions* k1, k2, ...: vectors of K that are a basis of it modulo C, so that every
// element counts once. Each step combines with what the step before has left at the location in
// the next direction. Directions within the thread come first, then those within the warp:
//
//   1. Each thread combines its registers. One value for each of its coordinates in the other
//      dimensions is left: a *partial*.
//   2. Lanes exchange partials, direction by direction; then all of them have the warp's
//      result. A direction may lead to another partial of the other lane.
//   3. Where K leads to other warps, partials go through scratch memory (WarpExchange.h): every
//      thread combines what all warps stored, or lane w of each warp takes what warp w stored and
//      the lanes combine it as in 2. No further barrier is needed.
//
// All threads that have one result end up with equal values, bit for bit: they combine the same
// values in the same grouping.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_COLLECTIVE_REDUCTIONPLAN_H
#define TILEWRIGHT_PLAN_COLLECTIVE_REDUCTIONPLAN_H

#include "plan/Namespaces.h"
#include "plan/collective/WarpExchange.h"
#include "target/Costs.h"

#include <optional>

namespace tilewright::plan {

struct ReductionPlan {
  /// For each partial the registers it combines, the first that of the partial; copies are
  /// left out.
  std::vector<std::vector<unsigned>> registers;

  /// A step within the warp: partial p is combined with partial p ^ partialXor of the lane that
  /// differs in the bits of laneXor.
  struct LaneStep {
    uint32_t laneXor;
    unsigned partialXor;
  };
  std::vector<LaneStep> laneSteps;
  /// The lane steps combine partial p of all lanes of the warp, for every p.
  bool wholeWarps = false;

  /// How many warps have values of one result; 1: nothing is exchanged.
  unsigned axisWarps = 1;
  WarpExchange exchange;
};

/// The reduction of a tensor in `layout` along `axis`; accesses to scratch memory take at most
/// 2^maxVectorBits elements.
ReductionPlan planReduction(const LinearLayout &layout, Dim axis, unsigned maxVectorBits);

/// The work of combining two items: values of an item, and instructions of a lane.
struct CombineWork {
  unsigned operands = 1;
  unsigned instructions = 1;
};

/// Whether step 3 of `plan` is cheaper by lanes, warps of `lanes` lanes of which each of
/// `partitions` partitions of a multiprocessor runs its part. Each thread for itself loads and
/// combines as many values as there are warps; lanes load one, and shuffle it log2 of that times.
bool combinesWarpsByLanes(const ReductionPlan &plan, const CombineWork &work, unsigned lanes,
                          unsigned partitions, const target::Costs &costs);

/// For each register of a result in layout `result` the partial that has it. `result` has the
/// outputs of `layout` in their order, without `axis`, under any names. Nothing if some thread has
/// not all of its results in `result` among its own partials.
std::optional<std::vector<unsigned>> partialsOfResult(const ReductionPlan &plan,
                                                      const LinearLayout &layout, Dim axis,
                                                      const LinearLayout &result);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_COLLECTIVE_REDUCTIONPLAN_H
