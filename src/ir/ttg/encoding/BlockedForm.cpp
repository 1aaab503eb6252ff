//===- BlockedForm.cpp - Recognition of blocked maps --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The encoding is guessed from the bases and compared with the map: a guess that is wrong
// costs nothing but the answer.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/encoding/Inference.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;
using layout::LinearLayout;

namespace {

/// A basis that moves along one dimension, or none.
struct Step {
  std::optional<unsigned> dim;
  uint64_t stride = 0;
};

/// The bases of a map, in the groups in which a blocked layout has them: in each group the
/// dimensions follow one another in the same order.
struct Steps {
  SmallVector<Step> tile, lanes, warps, repetitions;
};

} // namespace

/// The steps of one input; nothing where a basis moves along two dimensions.
static std::optional<SmallVector<Step>> getSteps(const LinearLayout &map, layout::Dim in) {
  SmallVector<Step> steps;
  for (uint64_t basis : map.bases(in)) {
    Step &step = steps.emplace_back();
    for (auto [dim, out] : llvm::enumerate(map.outs())) {
      uint64_t value = map.outValue(basis, out.dim);
      if (value == 0)
        continue;
      if (step.dim)
        return std::nullopt;
      step = {static_cast<unsigned>(dim), value};
    }
  }
  return steps;
}

/// Cuts the steps of the registers where they leave a thread's tile: they step over other
/// threads, or come back to a dimension.
static void cutRegisters(Steps &steps, ArrayRef<uint64_t> threadStride) {
  llvm::SmallBitVector left(threadStride.size());
  std::optional<unsigned> current;
  auto isInTile = [&](const Step &step) {
    if (!step.dim || left[*step.dim] ||
        (threadStride[*step.dim] && step.stride > threadStride[*step.dim]))
      return false;
    if (current && current != step.dim)
      left.set(*current);
    current = step.dim;
    return true;
  };
  auto *end = llvm::find_if_not(steps.tile, isInTile);
  steps.repetitions.assign(end, steps.tile.end());
  steps.tile.erase(end, steps.tile.end());
}

/// The dimensions, fastest first, such that each group moves along them in this order; those
/// that none tells apart as for row-major data. Nothing where groups disagree.
static std::optional<SmallVector<unsigned>> getOrder(unsigned rank, const Steps &steps) {
  // before[a] has b if some group moves along b first.
  SmallVector<llvm::SmallBitVector> before(rank, llvm::SmallBitVector(rank));
  for (const auto *list : {&steps.tile, &steps.lanes, &steps.warps, &steps.repetitions}) {
    llvm::SmallBitVector seen(rank);
    for (const Step &step : *list) {
      if (!step.dim || seen[*step.dim])
        continue;
      before[*step.dim] |= seen;
      seen.set(*step.dim);
    }
  }
  SmallVector<unsigned> order;
  llvm::SmallBitVector placed(rank);
  while (order.size() < rank) {
    unsigned dim = rank;
    while (dim-- > 0)
      if (!placed[dim] && !before[dim].test(placed))
        break;
    if (dim >= rank)
      return std::nullopt;
    order.push_back(dim);
    placed.set(dim);
  }
  return order;
}

BlockedEncodingAttr ttg::blockedEncodingOf(MLIRContext *context, const LinearLayout &map) {
  if (map.inBits(layout::dims::Block) != 0)
    return {};
  auto registers = getSteps(map, layout::dims::Register), lanes = getSteps(map, layout::dims::Lane),
       warps = getSteps(map, layout::dims::Warp);
  if (!registers || !lanes || !warps)
    return {};
  const unsigned rank = map.outs().size();
  SmallVector<uint64_t> threadStride(rank, 0);
  for (const auto *list : {&*lanes, &*warps})
    for (const Step &step : *list)
      if (step.dim && threadStride[*step.dim] == 0)
        threadStride[*step.dim] = step.stride;
  Steps steps{*registers, *lanes, *warps, {}};
  cutRegisters(steps, threadStride);
  std::optional<SmallVector<unsigned>> order = getOrder(rank, steps);
  if (!order)
    return {};

  // Copies are what wraps around along the slowest dimension.
  auto countAlongDims = [&](ArrayRef<Step> list) {
    SmallVector<unsigned> counts(rank, 1);
    for (const Step &step : list)
      counts[step.dim.value_or(order->back())] *= 2;
    return counts;
  };
  SmallVector<int64_t> shape;
  for (const layout::SizedDim &out : map.outs())
    shape.push_back(out.size());
  auto encoding =
      BlockedEncodingAttr::get(context, countAlongDims(steps.tile), countAlongDims(steps.lanes),
                               countAlongDims(steps.warps), *order);
  return encoding.toLinearLayout(shape) == map ? encoding : BlockedEncodingAttr();
}
