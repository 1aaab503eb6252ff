//===- BlockTransferPlan.cpp - Plans of block messages that load and store ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/block2d/BlockFallback.h"

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::plan::block2d;
using layout::LinearLayout;

namespace {

/// Which rows the message steps over.
void setRows(const BlockMessageRequest &request, const LayoutParts &parts, const BlockTile &tile,
             BlockMessagePlan &plan) {
  if (tile.rows) {
    plan.rowDim = tile.rows->dim;
    plan.rowShift = tile.rows->shift;
    // Shifts of a tile in halves count halves.
    if (plan.unitsPerElement == 2 && plan.foldsRows())
      --plan.rowShift;
    return;
  }
  // A single row; any other dimension serves for its place.
  for (unsigned d = 0; d < parts.dims.size(); ++d)
    if (request.rowDim ? d == *request.rowDim : d != parts.contiguous)
      plan.rowDim = d;
}

/// Which registers the tile's slots are. Gives the bases of the places of the messages that the
/// other registers need.
layout::F2Vectors setSlots(const LayoutParts &parts, const BlockTile &tile,
                           BlockMessagePlan &plan) {
  // A register's basis is the sum of tile bits, its slot, and a rest, its message.
  auto laneBits = static_cast<unsigned>(parts.lanes.size());
  unsigned slotBits = static_cast<unsigned>(tile.bits.size()) - laneBits;
  uint64_t mask = tile.mask();
  layout::F2Basis rests;
  layout::F2Vectors messages, slots;
  for (uint64_t basis : parts.registers)
    if (rests.insert(basis & ~mask, uint64_t(1) << messages.size()).vector)
      messages.push_back(basis & ~mask);
  for (uint64_t basis : parts.registers) {
    uint64_t slot = 0;
    for (unsigned i = 0; i < tile.bits.size(); ++i)
      if (basis & tile.bits[i])
        slot |= uint64_t(1) << (i < tile.firstLane ? i : i - laneBits);
    slots.push_back(slot | rests.reduce(basis & ~mask).tag << slotBits);
  }
  plan.slots = LinearLayout::fromPacked(
      {{layout::dims::Register, static_cast<unsigned>(slots.size())}},
      {{slotDim(), slotBits}, {messageDim(), static_cast<unsigned>(messages.size())}}, slots);
  plan.registers = plan.slots.pseudoInvert();
  return messages;
}

/// Fills the plan for a tile that serves the layout. `parts` and `tile` may be those of the
/// request's elements in halves.
void finish(const BlockMessageRequest &request, const LayoutParts &parts, const BlockTile &tile,
            BlockMessagePlan &plan) {
  plan.message = tile.message;
  plan.idleWarps = parts.idleWarps;
  plan.idleBlocks = parts.idleBlocks;
  setRows(request, parts, tile, plan);
  layout::F2Vectors messages = setSlots(parts, tile, plan);

  // Messages start at whole elements: the lowest bit of a tile in halves is which half.
  unsigned half = parts.dims[parts.contiguous].shift;
  auto layoutBasesOf = [&](std::span<const uint64_t> bases, uint64_t idle) {
    layout::F2Vectors result;
    for (size_t i = 0; i < bases.size(); ++i) {
      uint64_t basis = idle >> i & 1 ? 0 : bases[i];
      if (plan.unitsPerElement == 2)
        basis = (basis & ((uint64_t(1) << half) - 1)) | basis >> (half + 1) << half;
      result.push_back(basis);
    }
    return result;
  };
  plan.origin =
      originMap(request, layoutBasesOf(messages, 0), layoutBasesOf(parts.warps, parts.idleWarps),
                layoutBasesOf(parts.blocks, parts.idleBlocks));
}

/// The request for halves of 64-bit elements: one more register bit and one more bit of the
/// contiguous coordinate, the lowest of each.
BlockMessageRequest inHalves(const BlockMessageRequest &request) {
  FixedVector<layout::Dim, LinearLayout::MaxDims> order;
  for (const layout::SizedDim &out : request.layout.outs())
    order.push_back(out.dim);
  BlockMessageRequest halves = request;
  halves.layout =
      (LinearLayout::identity1D(2, layout::dims::Register, order[request.contiguousDim]) *
       request.layout)
          .transposeOuts(order);
  halves.elementBits = 32;
  halves.wordBits = 0;
  if (!halves.maskConstancy.empty() && !(halves.maskConstancy[request.contiguousDim] >> 63))
    halves.maskConstancy[request.contiguousDim] *= 2;
  return halves;
}

} // namespace

void plan::block2d::planTransfers(const BlockMessageRequest &request, BlockMessagePlan &plan) {
  LayoutParts parts(request);
  if (lanesForbid(parts, plan))
    return;

  bool isLoad = request.access == BlockAccess::Load;
  bool alongRows = parts.lanes[0] & parts.unitsOf(parts.contiguous);
  TileSearch search(parts, request, request.elementBits);
  // The order matters only for what is told of a layout that none of them serves.
  if (isLoad && !alongRows)
    search.transpose();
  search.plain();
  if (isLoad)
    search.vnni();
  if (isLoad && alongRows)
    search.transpose();

  // Elements of 64 bits are transposed by 8 rows at a time, their halves by up to 32.
  if (isLoad && request.elementBits == 64) {
    BlockMessageRequest halves = inHalves(request);
    LayoutParts halfParts(halves);
    TileSearch halfSearch(halfParts, halves, 32);
    halfSearch.transpose();
    if (halfSearch.found() &&
        (!search.found() || halfSearch.messageBits() < search.messageBits())) {
      plan.unitsPerElement = 2;
      return finish(request, halfParts, halfSearch.tile(), plan);
    }
  }
  if (search.found())
    return finish(request, parts, search.tile(), plan);
  plan.obstacle = MessageRejection::Shape;
  plan.fallback = explain(search.obstacle(), parts, request);
}
