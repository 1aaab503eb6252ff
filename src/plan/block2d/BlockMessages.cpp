//===- BlockMessages.cpp - Plans of 2D block messages for a layout ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What all accesses have in common: the checks of a request and the layout taken apart. The
// plans are in BlockTransferPlan.cpp and BlockPrefetchPlan.cpp, surfaces in BlockSurface.cpp.
//
//===--------------------------------------------------------------------------===//

#include "plan/block2d/BlockMessages.h"
#include "plan/block2d/BlockPlanning.h"

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::plan::block2d;
using layout::Dim;
using layout::LinearLayout;
using layout::SizedDim;

Dim plan::block2d::messageDim() {
  static const Dim dim = Dim::get("message");
  return dim;
}

Dim plan::block2d::slotDim() {
  static const Dim dim = Dim::get("slot");
  return dim;
}

//===----------------------------------------------------------------------------===//
// The layout taken apart
//===----------------------------------------------------------------------------===//

LayoutParts::LayoutParts(const BlockMessageRequest &request)
    : contiguous(request.contiguousDim), request(&request) {
  const LinearLayout &layout = request.layout;
  for (const SizedDim &out : layout.outs())
    dims.push_back({layout.outShift(out.dim), out.bits});
  registers = layout.bases(layout::dims::Register);
  lanes = layout.bases(layout::dims::Lane);
  warps = layout.bases(layout::dims::Warp);
  blocks = layout.bases(layout::dims::Block);

  for (uint64_t basis : registers)
    registerSpan.insert(basis);
  for (uint64_t basis : lanes)
    laneSupport |= basis;

  // A store is done once for each element: warps that only repeat others are idle.
  bool isStore = request.access == BlockAccess::Store;
  layout::F2Basis held = registerSpan;
  if (isStore)
    for (uint64_t basis : lanes)
      held.insert(basis);
  auto addLocations = [&](std::span<const uint64_t> bases, uint64_t &idle) {
    for (size_t i = 0; i < bases.size(); ++i) {
      if (isStore && !held.insert(bases[i]).vector)
        idle |= uint64_t(1) << i;
      else
        locationSupport |= bases[i];
    }
  };
  addLocations(warps, idleWarps);
  addLocations(blocks, idleBlocks);

  if (!request.maskConstancy.empty()) {
    sameMask = 0;
    for (unsigned d = 0; d < dims.size(); ++d)
      for (unsigned bit = 0; bit < dims[d].bits; ++bit)
        if (request.maskConstancy[d] >> bit > 1)
          sameMask |= unit(d, bit);
  }
}

unsigned LayoutParts::dimOf(unsigned packedBit) const {
  for (unsigned d = 0; d < dims.size(); ++d)
    if (packedBit >= dims[d].shift && packedBit < dims[d].shift + dims[d].bits)
      return d;
  return 0;
}

std::string LayoutParts::nameOf(unsigned dim) const {
  return std::string(request->layout.outs()[dim].dim.name());
}

LinearLayout plan::block2d::originMap(const BlockMessageRequest &request,
                                      std::span<const uint64_t> messages,
                                      std::span<const uint64_t> warps,
                                      std::span<const uint64_t> blocks) {
  layout::F2Vectors bases(messages);
  for (uint64_t basis : warps)
    bases.push_back(basis);
  for (uint64_t basis : blocks)
    bases.push_back(basis);
  auto bits = [](std::span<const uint64_t> list) { return static_cast<unsigned>(list.size()); };
  return LinearLayout::fromPacked({SizedDim{messageDim(), bits(messages)},
                                   SizedDim{layout::dims::Warp, bits(warps)},
                                   SizedDim{layout::dims::Block, bits(blocks)}},
                                  LinearLayout::DimList(request.layout.outs()), bases);
}

//===----------------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------------===//

namespace {

Result<void> verifyRequest(const BlockMessageRequest &request) {
  auto isElementSize = [](unsigned bits) {
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
  };
  if (!request.limits.registerBytes)
    return Failure("the target has no 2D block messages");
  std::string bits = std::to_string(request.elementBits);
  if (!isElementSize(request.elementBits))
    return Failure("block messages move elements of 8, 16, 32 or 64 bits, not " + bits);
  if (request.wordBits &&
      (!isElementSize(request.wordBits) || request.wordBits < request.elementBits))
    return Failure("words of " + std::to_string(request.wordBits) +
                   " bits cannot be made of elements of " + bits);
  size_t rank = request.layout.outs().size();
  if (request.contiguousDim >= rank)
    return Failure("the contiguous dimension is number " + std::to_string(request.contiguousDim) +
                   ", the layout has " + std::to_string(rank));
  if (request.rowDim && *request.rowDim >= rank)
    return Failure("rows go along dimension number " + std::to_string(*request.rowDim) +
                   ", the layout has " + std::to_string(rank));
  if (!request.maskConstancy.empty() && request.maskConstancy.size() != rank)
    return Failure("the mask's constancy has " + std::to_string(request.maskConstancy.size()) +
                   " values for a layout of " + std::to_string(rank) + " dimensions");
  for (uint64_t constancy : request.maskConstancy)
    if (!std::has_single_bit(constancy))
      return Failure("the mask's constancy must be a power of two, not " +
                     std::to_string(constancy));
  for (const SizedDim &in : request.layout.ins())
    if (in.dim != layout::dims::Register && in.dim != layout::dims::Lane &&
        in.dim != layout::dims::Warp && in.dim != layout::dims::Block)
      return Failure("a distributed layout has inputs register, lane, warp and block, not '" +
                     std::string(in.dim.name()) + "'");
  // Halves of 64-bit elements are counted as registers of their own.
  if (request.layout.inBits(layout::dims::Register) > 16 ||
      request.layout.inBits(layout::dims::Warp) > 16 ||
      request.layout.totalInBits() >= LinearLayout::MaxBits ||
      request.layout.totalOutBits() >= LinearLayout::MaxBits)
    return Failure("the layout is too large");
  return {};
}

} // namespace

Result<BlockMessagePlan> plan::block2d::planBlockMessages(const BlockMessageRequest &request) {
  if (Result<void> valid = verifyRequest(request); !valid)
    return Failure(valid.error());

  BlockMessagePlan plan;
  plan.access = request.access;
  plan.elementBits = request.elementBits;
  plan.threadsPerWarp = static_cast<unsigned>(request.layout.inSize(layout::dims::Lane));
  plan.operandRegisters = request.operandRegisters;
  plan.contiguousDim = request.contiguousDim;
  plan.limits = request.limits;
  if (plan.threadsPerWarp != 16 && plan.threadsPerWarp != 32) {
    plan.obstacle = MessageRejection::LaneCount;
    plan.fallback = "the layout has " + std::to_string(plan.threadsPerWarp) +
                    " lanes; block messages serve sub-groups of 16 or 32";
  } else if (request.spirvFormsOnly && plan.threadsPerWarp != 16) {
    plan.obstacle = MessageRejection::LaneCount;
    plan.fallback = "the layout has " + std::to_string(plan.threadsPerWarp) +
                    " lanes; the SPIR-V instructions serve sub-groups of 16";
  } else if (request.access == BlockAccess::Prefetch) {
    planPrefetches(request, plan);
  } else {
    planTransfers(request, plan);
  }
  return plan;
}

std::vector<uint64_t> BlockMessagePlan::originOf(unsigned index, unsigned warp,
                                                 unsigned block) const {
  std::vector<uint64_t> coordinates;
  for (const auto &value : origin.apply(
           {{messageDim(), index}, {layout::dims::Warp, warp}, {layout::dims::Block, block}}))
    coordinates.push_back(value.value);
  return coordinates;
}
