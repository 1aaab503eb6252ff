//===- BlockPrefetchPlan.cpp - Plans of block messages that prefetch ----------===//
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

#include "plan/block2d/BlockPlanning.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::plan::block2d;

namespace {

/// Any row of at least 4 bytes is made of these.
constexpr unsigned MessageBits = 32;

/// What one message covers, as bits of packed coordinates.
struct Tile {
  std::optional<unsigned> rowDim = std::nullopt;
  unsigned rowShift = 0;
  unsigned heightBits = 0;
  uint64_t mask = 0;
};

class PrefetchPlanner {
public:
  explicit PrefetchPlanner(const BlockMessageRequest &request)
      : request(request), limits(request.limits), parts(request) {}

  void fill(BlockMessagePlan &plan);

private:
  /// log2 of the tensor's elements in this number of bytes.
  unsigned bitsOf(unsigned bytes) const {
    unsigned elementBytes = request.elementBits / 8;
    return bytes > elementBytes ? log2Of(bytes / elementBytes) : 0;
  }
  bool chooseColumns(BlockMessagePlan &plan);
  /// log2 of the tiles that a block touches.
  unsigned touchedBits(const Tile &tile) const;
  Tile chooseRows() const;
  void dealOut(const Tile &tile, BlockMessagePlan &plan) const;

  const BlockMessageRequest &request;
  const BlockMessageLimits &limits;
  LayoutParts parts;
  /// log2 of the elements in a tile's row, and their bits.
  unsigned columnBits = 0;
  uint64_t columns = 0;
};

/// The longest rows that stay within the tensor and within one value of the mask. Where not even
/// the shortest do, the plan says so.
bool PrefetchPlanner::chooseColumns(BlockMessagePlan &plan) {
  unsigned maxRowBytes =
      std::min(limits.maxPrefetchRowBytes, limits.maxPrefetchWidth * MessageBits / 8);
  unsigned minRowBytes = std::max(limits.minRowBytes, MessageBits / 8);
  // The SPIR-V instructions have 8 columns or 16.
  if (request.spirvFormsOnly) {
    minRowBytes = 8 * MessageBits / 8;
    maxRowBytes = std::min(maxRowBytes, 16 * MessageBits / 8);
  }
  for (; columnBits < bitsOf(maxRowBytes); ++columnBits) {
    uint64_t unit = parts.contiguousUnit(columnBits);
    bool isOfTensor = unit && (unit & parts.sameMask);
    if (!isOfTensor && columnBits >= bitsOf(minRowBytes))
      break;
    if (unit && !isOfTensor) {
      plan.obstacle = MessageRejection::Mask;
      plan.fallback = "the mask may change along " + parts.nameOf(parts.contiguous) + " within " +
                      std::to_string(minRowBytes) + " bytes; a message has one mask";
      return false;
    }
    columns |= unit;
  }
  return true;
}

unsigned PrefetchPlanner::touchedBits(const Tile &tile) const {
  layout::F2Basis tiles;
  for (std::span<const uint64_t> bases : {parts.registers, parts.lanes, parts.warps})
    for (uint64_t basis : bases)
      tiles.insert(basis & ~tile.mask);
  return tiles.rank();
}

/// The rows that leave the fewest tiles; of those, the fewest rows.
Tile PrefetchPlanner::chooseRows() const {
  Tile best{.mask = columns};
  unsigned fewest = touchedBits(best);
  unsigned maxHeight = log2Of(limits.maxPrefetchHeight);
  for (auto d = static_cast<unsigned>(parts.dims.size()); d-- > 0;) {
    bool folds = d == parts.contiguous;
    if ((folds && !request.foldRows) || (request.rowDim && d != *request.rowDim))
      continue;
    unsigned first = folds ? std::max(columnBits, bitsOf(limits.minSurfaceBytes)) : 0;
    for (unsigned shift = first; shift < parts.dims[d].bits; ++shift) {
      Tile tile{.rowDim = d, .rowShift = shift, .heightBits = 0, .mask = columns};
      while (tile.heightBits < maxHeight &&
             (parts.unit(d, shift + tile.heightBits) & parts.sameMask))
        tile.mask |= parts.unit(d, shift + tile.heightBits++);
      unsigned count = touchedBits(tile);
      if (count < fewest || (count == fewest && tile.heightBits < best.heightBits))
        best = tile;
      fewest = std::min(fewest, count);
    }
  }
  // A single row; any other dimension serves for its place.
  for (unsigned d = 0; d < parts.dims.size() && !best.heightBits; ++d)
    if (request.rowDim ? d == *request.rowDim : d != parts.contiguous)
      best.rowDim = d;
  return best;
}

/// Gives each tile that a block touches to a warp, or to one more message of all of them.
void PrefetchPlanner::dealOut(const Tile &tile, BlockMessagePlan &plan) const {
  layout::F2Basis dealt;
  layout::F2Vectors warps, blocks, messages;
  uint64_t spare = 0;
  for (size_t i = 0; i < parts.warps.size(); ++i) {
    uint64_t start = parts.warps[i] & ~tile.mask;
    bool isOwn = dealt.insert(start).vector != 0;
    warps.push_back(isOwn ? start : 0);
    spare |= uint64_t(!isOwn) << i;
  }
  for (std::span<const uint64_t> bases : {parts.registers, parts.lanes})
    for (uint64_t basis : bases) {
      uint64_t start = basis & ~tile.mask;
      if (!dealt.insert(start).vector)
        continue;
      if (spare) {
        warps[log2Of(spare)] = start;
        spare &= spare - 1;
      } else {
        messages.push_back(start);
      }
    }
  // A block has caches of its own, so it prefetches what it needs though others do, too.
  for (uint64_t basis : parts.blocks)
    blocks.push_back(basis & ~tile.mask);
  plan.idleWarps = spare;
  plan.origin = originMap(request, messages, warps, blocks);
}

void PrefetchPlanner::fill(BlockMessagePlan &plan) {
  if (!chooseColumns(plan))
    return;
  Tile tile = chooseRows();
  plan.rowDim = tile.rowDim;
  plan.rowShift = tile.rowShift;
  plan.message = {.access = BlockAccess::Prefetch,
                  .elementBits = MessageBits,
                  .width = std::max(1u, (request.elementBits << columnBits) / MessageBits),
                  .height = 1u << tile.heightBits};
  dealOut(tile, plan);
}

} // namespace

void plan::block2d::planPrefetches(const BlockMessageRequest &request, BlockMessagePlan &plan) {
  PrefetchPlanner(request).fill(plan);
}
