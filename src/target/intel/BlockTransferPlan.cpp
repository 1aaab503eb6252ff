//===- BlockTransferPlan.cpp - Block messages that load and store ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "target/intel/BlockFallback.h"

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::target::intel;
using layout::LinearLayout;

namespace {

/// Which registers the tile's slots are, and where the messages are that the others need.
/// `places` and `tile` may be those of the request's elements in halves.
void finish(const BlockMessageRequest &request, const Places &places, const BlockTile &tile,
            BlockMessagePlan &plan) {
  bool inHalves = plan.unitsPerElement == 2;
  plan.message = tile.message;
  if (tile.rows) {
    plan.rowDim = tile.rows->dim;
    plan.rowShift = tile.rows->shift;
    if (inHalves && plan.foldsRows())
      --plan.rowShift;
  } else {
    // A single row; any other dimension serves for its place.
    for (unsigned d = 0; d < places.dims.size(); ++d)
      if (d != places.contiguous)
        plan.rowDim = d;
  }
  plan.idleWarps = places.idleWarps;
  plan.idleBlocks = places.idleBlocks;

  // A register's basis is the sum of tile bits, its slot, and a rest, its message.
  auto laneBits = static_cast<unsigned>(places.lanes.size());
  unsigned slotBits = static_cast<unsigned>(tile.bits.size()) - laneBits;
  uint64_t mask = tile.mask();
  layout::F2Span rests;
  layout::F2Vectors messages, slots;
  for (uint64_t basis : places.registers)
    if (rests.insert(basis & ~mask, uint64_t(1) << messages.size()).vector)
      messages.push_back(basis & ~mask);
  for (uint64_t basis : places.registers) {
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

  // Messages start at whole elements: the lowest bit of a tile in halves is which half.
  unsigned half = places.dims[places.contiguous].shift;
  auto placesOf = [&](std::span<const uint64_t> bases, uint64_t idle) {
    layout::F2Vectors result;
    for (size_t i = 0; i < bases.size(); ++i) {
      uint64_t basis = idle >> i & 1 ? 0 : bases[i];
      if (inHalves)
        basis = (basis & ((uint64_t(1) << half) - 1)) | basis >> (half + 1) << half;
      result.push_back(basis);
    }
    return result;
  };
  messages = placesOf(messages, 0);
  layout::F2Vectors warps = placesOf(places.warps, places.idleWarps);
  layout::F2Vectors blocks = placesOf(places.blocks, places.idleBlocks);
  plan.origin = originMap(request, messages, warps, blocks);
}

/// The request for halves of 64-bit elements: one more register bit and one more bit of the
/// contiguous coordinate, the lowest of each.
BlockMessageRequest inHalves(const BlockMessageRequest &request) {
  layout::FixedVector<layout::Dim, LinearLayout::MaxDims> order;
  for (const layout::SizedDim &out : request.layout.outs())
    order.push_back(out.dim);
  BlockMessageRequest halves = request;
  halves.layout =
      (LinearLayout::identity1D(2, layout::dims::Register, order[request.contiguousDim]) *
       request.layout)
          .transposeOuts(std::span<const layout::Dim>(order.data(), order.size()));
  halves.elementBits = 32;
  halves.wordBits = 0;
  if (!halves.maskConstancy.empty() && !(halves.maskConstancy[request.contiguousDim] >> 63))
    halves.maskConstancy[request.contiguousDim] *= 2;
  return halves;
}

} // namespace

void intel::planTransfers(const BlockMessageRequest &request, BlockMessagePlan &plan) {
  Places places(request);
  if (lanesForbid(places, plan))
    return;

  bool isLoad = request.access == BlockAccess::Load;
  bool alongRows = places.lanes[0] & places.unitsOf(places.contiguous);
  TileSearch search(places, request, request.elementBits);
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
    Places halfPlaces(halves);
    TileSearch halfSearch(halfPlaces, halves, 32);
    halfSearch.transpose();
    if (halfSearch.found() &&
        (!search.found() || halfSearch.messageBits() < search.messageBits())) {
      plan.unitsPerElement = 2;
      return finish(request, halfPlaces, halfSearch.tile(), plan);
    }
  }
  if (search.found())
    return finish(request, places, search.tile(), plan);
  plan.obstacle = BlockObstacle::Shape;
  plan.fallback = explain(search.obstacle(), places, request);
}
