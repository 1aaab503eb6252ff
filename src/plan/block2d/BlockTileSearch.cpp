//===- BlockTileSearch.cpp - Search for the best block message of a layout ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/block2d/BlockTileSearch.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::plan;
using namespace tilewright::plan::block2d;

LayoutBases TileSearch::basesOf(const LayoutParts &parts) {
  LayoutBases bases;
  bases.lanes = F2Vectors(parts.lanes);
  for (unsigned dim = 0; dim < parts.dims.size(); ++dim)
    for (unsigned bit = 0; bit < parts.dims[dim].bits; ++bit)
      if (parts.isFree(parts.unit(dim, bit)))
        bases.registers.push_back(parts.unit(dim, bit));
  return bases;
}

bool TileSearch::holdsInner(BlockForm form, unsigned messageBits) {
  for (unsigned i = 0; i < innerBits(messageBits); ++i)
    if (uint64_t bit = parts.contiguousUnit(i); !holds(bit)) {
      note({.kind = TileObstacle::Kind::Held,
            .progress = 1,
            .form = form,
            .message = {.access = request.access, .elementBits = messageBits},
            .bit = bit ? bit : TileObstacle::BeyondTensor});
      return false;
    }
  return true;
}

/// The lanes go along a row first. `maxBits`: of the message's elements.
void TileSearch::alongRows(BlockForm form, unsigned maxBits) {
  for (unsigned bits = elementBits; bits <= maxBits; bits *= 2) {
    if (!holdsInner(form, bits))
      return;
    unsigned inner = innerBits(bits);
    for (unsigned width = 0; (bits << width) / 8 <= request.limits.maxRowBytes; ++width) {
      if (width) {
        // One column bit more: the next lane, or one more slot.
        uint64_t bit = parts.contiguousUnit(inner + width - 1);
        if (width <= laneBits ? parts.lanes[width - 1] != bit : !holds(bit))
          break;
      }
      if ((bits << width) / 8 < request.limits.minRowBytes)
        continue;
      Sizes sizes{form, bits, width, packedRowBits(form, bits), 0};
      if (width < laneBits)
        rowsOfLane(sizes, width);
      else
        anyRows(sizes);
    }
  }
}

void TileSearch::transpose() {
  for (unsigned bits = std::max(elementBits, 32u); bits <= 64; bits *= 2) {
    if (!holdsInner(BlockForm::Transpose, bits))
      return;
    unsigned maxWidth =
        bits == 32 ? request.limits.maxTransposeWidth32 : request.limits.maxTransposeWidth64;
    for (unsigned width = 0; width <= log2Of(maxWidth); ++width) {
      if (width && !covers(parts.contiguousUnit(innerBits(bits) + width - 1)))
        break;
      rowsOfLane({BlockForm::Transpose, bits, width, 0, 0}, 0);
    }
  }
}

/// Rows as lane bit `lane` wants them, which moves the first row bit that is not packed.
void TileSearch::rowsOfLane(const Sizes &sizes, unsigned lane) {
  unsigned packedRows = packedRowBits(sizes.form, sizes.elementBits);
  auto bit = static_cast<unsigned>(std::countr_zero(parts.lanes[lane]));
  unsigned dim = parts.dimOf(bit), shift = bit - parts.dims[dim].shift;
  bool folds = dim == parts.contiguous;
  const bool isOther = request.rowDim && dim != *request.rowDim;
  if (isOther || shift < packedRows || (folds && shift - packedRows < firstFold()))
    return note({.kind = TileObstacle::Kind::Lane,
                 .progress = lane,
                 .form = sizes.form,
                 .message = messageOf(sizes),
                 .bit = lane});
  if (folds && !request.foldRows)
    return note({.kind = TileObstacle::Kind::Fold,
                 .progress = lane,
                 .form = sizes.form,
                 .message = messageOf(sizes)});
  grow(sizes, BlockRows{dim, shift - packedRows});
}

/// The lanes leave the rows open: each run of row bits that the registers hold is tried from
/// its beginning on, and one that begins where register bit 0 does.
void TileSearch::anyRows(const Sizes &sizes) {
  if (!packedRowBits(sizes.form, sizes.elementBits))
    grow(sizes, std::nullopt);
  for (unsigned d = static_cast<unsigned>(parts.dims.size()); d-- > 0;) {
    unsigned first = 0;
    if (request.rowDim && d != *request.rowDim)
      continue;
    if (d == parts.contiguous) {
      if (!request.foldRows)
        continue;
      first = firstFold();
    }
    for (unsigned shift = first; shift < parts.dims[d].bits; ++shift) {
      uint64_t bit = parts.unit(d, shift);
      bool begins = holds(bit) && (shift == first || !holds(parts.unit(d, shift - 1)));
      bool isWanted = holds(bit) && !parts.registers.empty() && parts.registers[0] == bit;
      if (begins || isWanted)
        grow(sizes, BlockRows{d, shift});
    }
  }
}

/// Tries all numbers of blocks and all heights, from that of `sizes` on, the largest first.
void TileSearch::grow(Sizes sizes, std::optional<BlockRows> rows) {
  unsigned minHeight = sizes.height, maxHeight = 0;
  if (rows)
    while (maxHeight < log2Of(request.limits.maxHeight(request.access)) &&
           covers(parts.unit(rows->dim, rows->shift + maxHeight)))
      ++maxHeight;
  unsigned maxBlocks = 0, firstBlock = innerBits(sizes.elementBits) + sizes.width;
  if (sizes.form != BlockForm::Transpose)
    while (maxBlocks < log2Of(request.limits.maxBlocks(request.access, sizes.elementBits)) &&
           covers(parts.contiguousUnit(firstBlock + maxBlocks)))
      ++maxBlocks;

  if (rows && maxHeight < std::max(minHeight, 1u)) {
    uint64_t bit = parts.unit(rows->dim, rows->shift + maxHeight);
    note({.kind = TileObstacle::Kind::Held,
          .progress = std::min(sizes.width, laneBits),
          .form = sizes.form,
          .message = messageOf(sizes),
          .bit = bit ? bit : TileObstacle::BeyondTensor});
    return;
  }
  for (unsigned height = maxHeight + 1; height-- > std::max(minHeight, rows ? 1u : 0u);)
    for (unsigned blocks = maxBlocks + 1; blocks-- > 0;) {
      sizes.height = height;
      sizes.blocks = blocks;
      attempt(sizes, rows);
    }
}

BlockTile TileSearch::tileOf(const Sizes &sizes, const std::optional<BlockRows> &rows) const {
  BlockTile tile;
  tile.message = messageOf(sizes);
  tile.rows = rows;
  unsigned inner = innerBits(sizes.elementBits);
  unsigned packed = packedRowBits(sizes.form, sizes.elementBits);
  auto columns = [&](unsigned from, unsigned to) {
    for (unsigned i = from; i < to; ++i)
      tile.bits.push_back(parts.contiguousUnit(i));
  };
  auto rowBits = [&](unsigned from, unsigned to) {
    for (unsigned i = from; i < to; ++i)
      tile.bits.push_back(parts.unit(rows->dim, rows->shift + i));
  };
  columns(0, inner);
  rowBits(0, packed);
  tile.firstLane = inner + packed;
  if (sizes.form == BlockForm::Transpose)
    rowBits(0, sizes.height);
  columns(inner, inner + sizes.width);
  if (sizes.form != BlockForm::Transpose)
    rowBits(packed, sizes.height);
  columns(inner + sizes.width, inner + sizes.width + sizes.blocks);
  return tile;
}

AccessForm TileSearch::formOf(const BlockTile &tile) const {
  AccessForm form;
  form.laneBits = laneBits;
  for (unsigned i = 0; i < tile.bits.size(); ++i) {
    const bool isLane = i >= tile.firstLane && i < tile.firstLane + laneBits;
    const unsigned bit = isLane ? i - tile.firstLane : form.registerBits++;
    form.contiguous.push_back({isLane, static_cast<uint8_t>(bit)});
  }
  return form;
}

TileObstacle TileSearch::obstacleTo(const BlockTile &tile, BlockForm form) const {
  TileObstacle obstacle{.form = form, .message = tile.message};
  const MemoryBits count{{tile.bits.data(), tile.bits.size()}};
  Misfit misfit;
  const bool fits = fit(side, formOf(tile), count, &misfit).has_value();
  // A tile of fewer elements than lanes fits in those that it has.
  const auto lanes = static_cast<unsigned>(tile.bits.size()) - tile.firstLane;
  obstacle.progress = std::min(fits ? laneBits : misfit.lanes, lanes);
  if (obstacle.progress < laneBits) {
    obstacle.kind = TileObstacle::Kind::Lane;
    obstacle.bit = obstacle.progress;
    return obstacle;
  }
  if (!fits) {
    obstacle.kind = TileObstacle::Kind::Held;
    obstacle.bit = *misfit.element;
    return obstacle;
  }
  // Blocks that do not fill whole registers leave lanes without an element.
  bool leavesGaps = tile.message.blocks > 1 &&
                    tile.message.bytes() / tile.message.blocks < request.limits.registerBytes;
  if (leavesGaps || !isLegalMessage(tile.message, request.limits))
    obstacle.kind = TileObstacle::Kind::Message;
  else if (request.spirvFormsOnly && !hasSpirvForm(tile.message, 1u << laneBits))
    obstacle.kind = TileObstacle::Kind::Spirv;
  return obstacle;
}

void TileSearch::attempt(const Sizes &sizes, const std::optional<BlockRows> &rows) {
  BlockTile tile = tileOf(sizes, rows);
  if (TileObstacle obstacle = obstacleTo(tile, sizes.form);
      obstacle.kind != TileObstacle::Kind::None)
    return note(obstacle);
  unsigned slotBits = static_cast<unsigned>(tile.bits.size()) - laneBits;
  TileScore score{.messageBits = parts.registerSpan.rank() - slotBits,
                  .wordMismatch = wordMismatch(tile),
                  .folds = rows && rows->dim == parts.contiguous,
                  .rowShift = rows ? rows->shift : 0,
                  .form = sizes.form,
                  .width = sizes.width};
  if (score < best) {
    best = score;
    bestTile = tile;
  }
}

unsigned TileSearch::wordMismatch(const BlockTile &tile) const {
  unsigned wanted = request.wordBits ? innerBits(request.wordBits) : 0;
  for (unsigned i = 0; i < wanted; ++i)
    if (i >= tile.firstLane || i >= parts.registers.size() || parts.registers[i] != tile.bits[i])
      return 2;
  return tile.firstLane == wanted ? 0 : 1;
}
