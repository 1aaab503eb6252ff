//===- BlockPrefetchPlan.cpp - Block messages that prefetch ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A prefetch gives nothing to lanes: all that matters is what the warps of a block touch
// together. Cut the tensor into tiles of a message's size, aligned to it. Clearing the bits
// within a tile is linear, so the tiles that the layout touches are the image of its bases
// under that map, and there are 2^rank of them, whatever the layout is. Each warp keeps its
// own where warps touch different tiles; the others are dealt out to the warps that would
// have repeated them, and then to further messages.
//
//===--------------------------------------------------------------------------===//

#include "target/intel/BlockPlanning.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::target::intel;

namespace {

struct Tile {
  std::optional<unsigned> rowDim;
  unsigned rowShift = 0;
  unsigned heightBits = 0;
  uint64_t mask = 0;
};

} // namespace

void intel::planPrefetches(const BlockMessageRequest &request, BlockMessagePlan &plan) {
  const BlockMessageLimits &limits = request.limits;
  Places places(request);
  plan.idleWarps = plan.idleBlocks = 0;

  // Elements of 32 bits: any row of at least 4 bytes is made of them.
  constexpr unsigned MessageBits = 32;
  unsigned maxRowBytes =
      std::min(limits.maxPrefetchRowBytes, limits.maxPrefetchWidth * MessageBits / 8);
  unsigned minRowBytes = std::max(limits.minRowBytes, MessageBits / 8);
  // The SPIR-V instructions have 8 columns or 16.
  if (request.spirvFormsOnly) {
    minRowBytes = 8 * MessageBits / 8;
    maxRowBytes = std::min(maxRowBytes, 16 * MessageBits / 8);
  }
  unsigned elementBytes = request.elementBits / 8;
  auto bitsOf = [&](unsigned bytes) {
    return bytes > elementBytes ? log2Of(bytes / elementBytes) : 0;
  };
  unsigned columnBits = 0;
  while (columnBits < bitsOf(maxRowBytes)) {
    uint64_t unit = places.contiguousUnit(columnBits);
    bool isOfTensor = unit && (unit & places.sameMask);
    if (!isOfTensor && columnBits >= bitsOf(minRowBytes))
      break;
    if (unit && !isOfTensor) {
      plan.obstacle = BlockObstacle::Mask;
      plan.fallback = "the mask may change along " + places.nameOf(places.contiguous) + " within " +
                      std::to_string(minRowBytes) + " bytes; a message has one mask";
      return;
    }
    ++columnBits;
  }
  uint64_t columns = 0;
  for (unsigned i = 0; i < columnBits; ++i)
    columns |= places.contiguousUnit(i);

  auto touched = [&](const Tile &tile) {
    layout::F2Span tiles;
    for (std::span<const uint64_t> bases : {places.registers, places.lanes, places.warps})
      for (uint64_t basis : bases)
        tiles.insert(basis & ~tile.mask);
    return tiles.rank();
  };

  // The rows that leave the fewest tiles; of those, the fewest rows.
  Tile best;
  best.mask = columns;
  unsigned fewest = touched(best);
  unsigned maxHeight = log2Of(limits.maxPrefetchHeight);
  for (auto d = static_cast<unsigned>(places.dims.size()); d-- > 0;) {
    unsigned first = 0;
    if (d == places.contiguous) {
      if (!request.foldRows)
        continue;
      first = std::max(columnBits, bitsOf(limits.minSurfaceBytes));
    }
    for (unsigned shift = first; shift < places.dims[d].bits; ++shift) {
      Tile tile{.rowDim = d, .rowShift = shift, .heightBits = 0, .mask = columns};
      while (tile.heightBits < maxHeight &&
             (places.unit(d, shift + tile.heightBits) & places.sameMask))
        tile.mask |= places.unit(d, shift + tile.heightBits++);
      if (unsigned count = touched(tile); count < fewest) {
        fewest = count;
        best = tile;
      } else if (count == fewest && tile.heightBits < best.heightBits) {
        best = tile;
      }
    }
  }
  for (unsigned d = 0; d < places.dims.size() && !best.heightBits; ++d)
    if (d != places.contiguous)
      best.rowDim = d;

  plan.rowDim = best.rowDim;
  plan.rowShift = best.rowShift;
  plan.message = {.access = BlockAccess::Prefetch,
                  .elementBits = MessageBits,
                  .width = std::max(1u, (elementBytes << columnBits) * 8 / MessageBits),
                  .height = 1u << best.heightBits};

  layout::F2Span dealt;
  layout::F2Vectors warps, blocks, messages;
  uint64_t spare = 0;
  for (size_t i = 0; i < places.warps.size(); ++i) {
    uint64_t tile = places.warps[i] & ~best.mask;
    bool isOwn = dealt.insert(tile).vector != 0;
    warps.push_back(isOwn ? tile : 0);
    spare |= uint64_t(!isOwn) << i;
  }
  for (std::span<const uint64_t> bases : {places.registers, places.lanes})
    for (uint64_t basis : bases) {
      uint64_t tile = basis & ~best.mask;
      if (!dealt.insert(tile).vector)
        continue;
      if (spare) {
        warps[log2Of(spare & -spare)] = tile;
        spare &= spare - 1;
      } else {
        messages.push_back(tile);
      }
    }
  // A block has caches of its own, so it prefetches what it needs though others do, too.
  for (uint64_t basis : places.blocks)
    blocks.push_back(basis & ~best.mask);
  plan.idleWarps = spare;
  plan.origin = originMap(request, messages, warps, blocks);
}
