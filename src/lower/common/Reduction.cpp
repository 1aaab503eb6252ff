//===- Reduction.cpp - How a reduction is carried out -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/common/Reduction.h"

#include "lower/common/SharedMemory.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;

namespace {

/// Which bits of one part of a place (its register, lane or warp number) do what.
struct BitKinds {
  SmallVector<unsigned> axis, others;
};

/// The place's bits, sorted. `axisMask` has the bits of the packed coordinates that belong to
/// the axis; `free` the bits of the place that are copies. False if a bit does both.
bool sortBits(const LinearLayout &layout, layout::Dim part, uint64_t axisMask, uint64_t free,
              BitKinds &kinds) {
  for (auto [bit, basis] : llvm::enumerate(layout.bases(part))) {
    if (free >> (layout.inShift(part) + bit) & 1)
      continue;
    bool alongAxis = basis & axisMask, alongOthers = basis & ~axisMask;
    if (alongAxis && alongOthers)
      return false;
    (alongAxis ? kinds.axis : kinds.others).push_back(bit);
  }
  return true;
}

/// The number whose bits are those of `index`, put to the places `bits`.
unsigned deposit(unsigned index, ArrayRef<unsigned> bits) {
  unsigned result = 0;
  for (auto [k, bit] : llvm::enumerate(bits))
    result |= (index >> k & 1) << bit;
  return result;
}

/// Hands out bits of the scratch's offsets, lowest first.
struct OffsetBits {
  unsigned next = 0;
  uint32_t take() { return uint32_t(1) << next++; }
};

} // namespace

std::optional<ReductionPlan> lower::planReduction(tt::ReduceOp op, unsigned maxAccessBits) {
  auto type = cast<RankedTensorType>(op.getSrcs()[0].getType());
  const LinearLayout layout = ttg::toLinearLayout(type);
  const unsigned axis = op.getAxisAttr().getInt();
  const layout::Dim axisDim = layout.outs()[axis].dim;
  const uint64_t axisMask = layout.outMask(axisDim), free = layout.freeMask();
  BitKinds registers, lanes, warps;
  if (!sortBits(layout, layout::dims::Register, axisMask, free, registers) ||
      !sortBits(layout, layout::dims::Lane, axisMask, free, lanes) ||
      !sortBits(layout, layout::dims::Warp, axisMask, free, warps))
    return std::nullopt;

  ReductionPlan plan;
  const unsigned partials = 1u << registers.others.size();
  for (unsigned k = 0; k < partials; ++k) {
    std::vector<unsigned> &combined = plan.registers.emplace_back();
    for (unsigned i = 0; i < 1u << registers.axis.size(); ++i)
      combined.push_back(deposit(k, registers.others) | deposit(i, registers.axis));
  }

  // The results' registers by their coordinates, which are those of the operand without
  // the axis.
  plan.partialOfResult = {0};
  if (auto resultType = dyn_cast<RankedTensorType>(op.getResultTypes()[0])) {
    const LinearLayout result = ttg::toLinearLayout(resultType), rest = layout.dropOut(axisDim);
    llvm::DenseMap<uint64_t, unsigned> partialAt;
    for (unsigned k = 0; k < partials; ++k)
      partialAt[rest.applyFlat(uint64_t(plan.registers[k][0])
                               << rest.inShift(layout::dims::Register))] = k;
    plan.partialOfResult.clear();
    for (uint64_t r = 0; r < result.inSize(layout::dims::Register); ++r) {
      auto found = partialAt.find(result.applyFlat(r << result.inShift(layout::dims::Register)));
      if (found == partialAt.end())
        return std::nullopt;
      plan.partialOfResult.push_back(found->second);
    }
  }

  for (unsigned bit : lanes.axis)
    plan.axisLanes |= 1u << bit;
  plan.axisWarps = 1u << warps.axis.size();
  if (plan.axisWarps == 1)
    return plan;

  unsigned elementBits = 8;
  for (Type element : op.getElementTypes())
    elementBits = std::max(elementBits, tt::getStorageBits(element));
  const unsigned maxVectorBits = llvm::Log2_32(std::max(1u, maxAccessBits / elementBits));

  // Offsets, lowest bits first. Where all lanes work along the axis, one of them stores: then
  // the warps' values are neighbours, so that loads are wide. Otherwise lanes are
  // neighbours, behind as many partials as one access takes: no bank conflicts.
  OffsetBits offsets;
  const unsigned laneBits = layout.inBits(layout::dims::Lane);
  const unsigned threadBits = laneBits + layout.inBits(layout::dims::Warp);
  plan.storeBases.assign(threadBits, 0);
  SmallVector<uint32_t> warpAxisBits, partialBits;
  auto takeAxisWarps = [&] {
    for (unsigned bit : warps.axis) {
      plan.storeBases[laneBits + bit] = offsets.take();
      warpAxisBits.push_back(plan.storeBases[laneBits + bit]);
    }
  };
  auto takePartials = [&](unsigned end) {
    while (partialBits.size() < end)
      partialBits.push_back(offsets.take());
  };
  const unsigned partialBitCount = registers.others.size();
  if (lanes.others.empty()) {
    plan.warpVector = 1u << std::min<unsigned>(warps.axis.size(), maxVectorBits);
    takeAxisWarps();
  } else {
    const unsigned vectorBits = std::min(partialBitCount, maxVectorBits);
    plan.partialVector = 1u << vectorBits;
    takePartials(vectorBits);
    for (unsigned bit : lanes.others)
      plan.storeBases[bit] = offsets.take();
  }
  takePartials(partialBitCount);
  for (unsigned bit : warps.others)
    plan.storeBases[laneBits + bit] = offsets.take();
  if (warpAxisBits.empty())
    takeAxisWarps();

  plan.loadBases = plan.storeBases;
  for (unsigned bit : warps.axis)
    plan.loadBases[laneBits + bit] = 0;
  auto sum = [](unsigned index, ArrayRef<uint32_t> bits) {
    uint32_t result = 0;
    for (auto [k, bit] : llvm::enumerate(bits))
      if (index >> k & 1)
        result |= bit;
    return result;
  };
  for (unsigned k = 0; k < partials; ++k)
    plan.partialOffsets.push_back(sum(k, partialBits));
  for (unsigned w = 0; w < plan.axisWarps; ++w)
    plan.warpOffsets.push_back(sum(w, warpAxisBits));
  for (unsigned bit = 0; bit < threadBits; ++bit)
    if (!plan.storeBases[bit])
      plan.copyThreads |= 1u << bit;

  const uint64_t elements = uint64_t(1) << offsets.next;
  for (Type element : op.getElementTypes()) {
    plan.operandOffsets.push_back(plan.scratchBytes);
    plan.scratchBytes +=
        llvm::alignTo(elements * tt::getStorageBits(element) / 8, sharedMemoryAlignment);
  }
  return plan;
}
