//===- CollectivePlans.cpp - Plans of reductions, scans and gathers of ops ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/collective/CollectivePlans.h"

#include "lower/collective/WarpValues.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;

LinearLayout lower::layoutOf(Value tensor) {
  return ttg::toLinearLayout(cast<RankedTensorType>(tensor.getType()));
}

layout::Dim lower::axisOf(const LinearLayout &layout, unsigned axis) {
  return layout.outs()[axis].dim;
}

/// log2 of the elements of the widest of these types that one access takes.
static unsigned getMaxVectorBits(ArrayRef<Type> elements, const target::ExchangeModel &memory) {
  unsigned elementBits = 8;
  for (Type element : elements)
    elementBits = std::max(elementBits, tt::getStorageBits(element));
  return llvm::Log2_32(std::max(1u, memory.maxAccessBits / elementBits));
}

//===--------------------------------------------------------------------------===//
// Reductions
//===--------------------------------------------------------------------------===//

const plan::ReductionPlan &lower::planReduction(tt::ReduceOp op, plan::PlanCache &plans) {
  const LinearLayout layout = layoutOf(op.getSrcs()[0]);
  return plans.reduction(layout, axisOf(layout, op.getAxis()),
                         getMaxVectorBits(op.getElementTypes(), plans.memory()));
}

ttg::Scratch lower::getReduceScratch(tt::ReduceOp op, plan::PlanCache &plans) {
  const plan::ReductionPlan &plan = planReduction(op, plans);
  if (plan.axisWarps == 1)
    return {};
  return {getExchangeBytes(plan.exchange, op.getElementTypes()), /*hasBlockBarrier=*/true};
}

//===--------------------------------------------------------------------------===//
// Scans
//===--------------------------------------------------------------------------===//

static const plan::ScanPlan &planScan(tt::ScanOp op, plan::PlanCache &plans) {
  const LinearLayout layout = layoutOf(op.getSrcs()[0]);
  return plans.scan(layout, axisOf(layout, op.getAxis()), op.getReverse(),
                    getMaxVectorBits(op.getElementTypes(), plans.memory()));
}

ScanSteps::ScanSteps(tt::ScanOp op, plan::PlanCache &plans) : plan(planScan(op, plans)) {
  const LinearLayout layout = layoutOf(op.getSrcs()[0]);
  const SmallVector<Type> elements = op.getElementTypes();
  use.hasBlockBarrier = false;
  auto take = [&](uint64_t bytes) {
    uint64_t begin = use.bytes;
    use.bytes = llvm::alignTo(begin + bytes, sharedMemoryAlignment);
    return begin;
  };
  auto convert = [&](std::vector<Conversion> &conversions, const LinearLayout &from,
                     const LinearLayout &to) {
    for (Type element : elements) {
      const Result<plan::ConversionPlan> &conversion =
          plans.conversion(from, to, tt::getStorageBits(element));
      conversions.push_back({conversion, take(conversion ? conversion->scratchBytes() : 0)});
      use.hasBlockBarrier |= conversion && conversion->scratchBytes() &&
                             conversion->shared.barrier == plan::Barrier::Block;
    }
  };
  if (plan.converted)
    convert(before, layout, *plan.converted);
  for (const plan::ScanSegment &segment : plan.segments) {
    const bool exchanges = segment.kind == plan::ScanSegment::Kind::Warps;
    segmentScratch.push_back(take(exchanges ? getExchangeBytes(segment.exchange, elements) : 0));
    use.hasBlockBarrier |= exchanges;
  }
  if (plan.converted)
    convert(after, *plan.converted, layout);
}

ttg::Scratch lower::getScanScratch(tt::ScanOp op, plan::PlanCache &plans) {
  return ScanSteps(op, plans).use;
}

//===--------------------------------------------------------------------------===//
// Gathers and histograms
//===--------------------------------------------------------------------------===//

const plan::GatherPlan &lower::planGather(tt::GatherOp op, plan::PlanCache &plans) {
  const LinearLayout src = layoutOf(op.getSrc());
  return plans.gather(src, layoutOf(op.getResult()), axisOf(src, op.getAxis()),
                      getMaxVectorBits(op.getSrc().getType().getElementType(), plans.memory()));
}

ttg::Scratch lower::getGatherScratch(tt::GatherOp op, plan::PlanCache &plans) {
  return {planGather(op, plans).elements *
              tt::getStorageBits(op.getSrc().getType().getElementType()) / 8,
          /*hasBlockBarrier=*/true};
}

ttg::Scratch lower::getHistogramScratch(tt::HistogramOp op, plan::PlanCache &) {
  const uint64_t bins = op.getResult().getType().getNumElements();
  return {(bins + 1) * sizeof(uint32_t), /*hasBlockBarrier=*/true};
}
