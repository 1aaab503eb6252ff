//===- CollectivePlans.cpp - How an op's threads work together ----------------===//
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

plan::ReductionPlan lower::planReduction(tt::ReduceOp op, const target::ExchangeModel &memory) {
  const LinearLayout layout = layoutOf(op.getSrcs()[0]);
  return plan::planReduction(layout, axisOf(layout, op.getAxis()),
                             getMaxVectorBits(op.getElementTypes(), memory));
}

ScratchUse lower::getScratchUse(const plan::ReductionPlan &plan, ArrayRef<Type> elements) {
  if (plan.axisWarps == 1)
    return {};
  return {getExchangeBytes(plan.exchange, elements), /*hasBlockBarrier=*/true};
}

//===--------------------------------------------------------------------------===//
// Scans
//===--------------------------------------------------------------------------===//

ScanSteps::ScanSteps(tt::ScanOp op, const target::ExchangeModel &memory) {
  const LinearLayout layout = layoutOf(op.getSrcs()[0]);
  const SmallVector<Type> elements = op.getElementTypes();
  plan = plan::planScan(layout, axisOf(layout, op.getAxis()), op.getReverse(),
                        getMaxVectorBits(elements, memory));
  use.hasBlockBarrier = false;
  auto take = [&](uint64_t bytes) {
    uint64_t begin = use.bytes;
    use.bytes = llvm::alignTo(begin + bytes, sharedMemoryAlignment);
    return begin;
  };
  auto convert = [&](std::vector<Conversion> &conversions, const LinearLayout &from,
                     const LinearLayout &to) {
    for (Type element : elements) {
      Conversion &conversion = conversions.emplace_back();
      conversion.plan = plan::planConversion(from, to, tt::getStorageBits(element), memory);
      conversion.scratch = take(conversion.plan.scratchBytes());
      use.hasBlockBarrier |=
          conversion.plan.scratchBytes() && conversion.plan.shared.barrier == plan::Barrier::Block;
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

//===--------------------------------------------------------------------------===//
// Gathers and histograms
//===--------------------------------------------------------------------------===//

plan::GatherPlan lower::planGather(tt::GatherOp op, const target::ExchangeModel &memory) {
  const LinearLayout src = layoutOf(op.getSrc());
  return plan::planGather(src, layoutOf(op.getResult()), axisOf(src, op.getAxis()),
                          getMaxVectorBits(op.getSrc().getType().getElementType(), memory));
}

ScratchUse lower::getScratchUse(const plan::GatherPlan &plan, tt::GatherOp op) {
  return {plan.elements * tt::getStorageBits(op.getSrc().getType().getElementType()) / 8,
          /*hasBlockBarrier=*/true};
}

ScratchUse lower::getScratchUse(tt::HistogramOp op) {
  const uint64_t bins = op.getResult().getType().getNumElements();
  return {(bins + 1) * sizeof(uint32_t), /*hasBlockBarrier=*/true};
}
