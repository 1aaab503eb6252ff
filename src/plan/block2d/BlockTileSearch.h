//===- BlockTileSearch.h - Search for the best block message of a layout -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Internal to the planner.
//
// Write X0, X1, ... for the bits of the contiguous coordinate and R0, R1, ... for those of
// the row number. A message whose elements hold 2^k of the tensor's counts them, with the
// lowest bit on the left, as
//
//   plain       X0 .. X(k-1) | X(k) .. X(k+w-1) | R0 .. R(h-1) | X(k+w) .. X(k+w+v-1)
//   vnni        X0 .. X(k-1) | R0 .. R(g-1) | X(k) .. X(k+w-1) | R(g) .. R(h-1) | X(k+w) ..
//   transpose   X0 .. X(k-1) | R0 .. R(h-1) | X(k) .. X(k+w-1)
//
// for width 2^w, height 2^h, 2^v blocks, and 2^g rows in 32 bits. The lanes are the t bits
// from the first that is not within a slot on; the others are slots. So the lane bases
// of a layout determine nearly everything: the search takes those sizes that begin like the
// lanes, lets the rest grow as far as the registers and the limits go, and keeps the
// largest. Whether the layout has a message's elements is asked of `fit` (shared/Fit.h), as of
// every other copy.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_BLOCK2D_BLOCKTILESEARCH_H
#define TILEWRIGHT_PLAN_BLOCK2D_BLOCKTILESEARCH_H

#include "plan/Namespaces.h"
#include "plan/block2d/BlockPlanning.h"
#include "plan/shared/Fit.h"

#include <compare>
#include <optional>

namespace tilewright::plan::block2d {

enum class BlockForm { Plain, Vnni, Transpose };

/// The rows of a surface: every 2^shift-th along a dimension.
struct BlockRows {
  unsigned dim;
  unsigned shift;
};

/// The elements that a message covers, in the order of its count, and the part that are lanes.
struct BlockTile {
  BlockMessage message;
  FixedVector<uint64_t, 32> bits;
  unsigned firstLane = 0;
  std::optional<BlockRows> rows;

  uint64_t mask() const {
    uint64_t mask = 0;
    for (uint64_t bit : bits)
      mask |= bit;
    return mask;
  }
};

/// The criteria for choosing a tile, the most important first; less is better.
struct TileScore {
  unsigned messageBits = ~0u;
  /// 0: slots are the words that the registers' user wants; 1: they contain them; 2: not.
  unsigned wordMismatch = 0;
  bool folds = false;
  unsigned rowShift = 0;
  BlockForm form = BlockForm::Plain;
  unsigned width = 0;

  auto operator<=>(const TileScore &) const = default;
};

/// Why a tile was not possible: the registers do not hold what it gives a lane, a lane moves
/// otherwise, the message is against the limits, it has no SPIR-V form, or its rows would
/// have to be pieces of the contiguous dimension.
struct TileObstacle {
  enum class Kind { None, Held, Lane, Message, Spirv, Fold };
  Kind kind = Kind::None;
  /// Lanes that the tile had right.
  unsigned progress = 0;
  BlockForm form = BlockForm::Plain;
  BlockMessage message;
  /// Held: the packed coordinate bit that the registers do not hold. Lane: the number of
  /// the lane bit that moves otherwise.
  uint64_t bit = 0;
  /// The bit that is held if it is none of the tensor's.
  static constexpr uint64_t BeyondTensor = uint64_t(1) << 63;
};

/// Each of the three searches adds its candidates; the best of all stays.
class TileSearch {
public:
  /// `elementBits`: of what the layout's registers are. All arguments outlive the search.
  TileSearch(const LayoutParts &parts, const BlockMessageRequest &request, unsigned elementBits)
      : parts(parts), request(request), elementBits(elementBits),
        laneBits(static_cast<unsigned>(parts.lanes.size())), bases(basesOf(parts)), side(bases) {}
  TileSearch(const TileSearch &) = delete;

  void plain() { alongRows(BlockForm::Plain, 64); }
  void vnni() { alongRows(BlockForm::Vnni, 16); }
  void transpose();

  bool found() const { return best.messageBits != ~0u; }
  const BlockTile &tile() const { return bestTile; }
  unsigned messageBits() const { return best.messageBits; }
  const TileObstacle &obstacle() const { return deepest; }

private:
  /// The sizes of a tile as exponents.
  struct Sizes {
    BlockForm form;
    unsigned elementBits, width, height, blocks;
  };

  /// The lanes, and of the registers those that the slots of a message may move.
  static LayoutBases basesOf(const LayoutParts &parts);
  bool holds(uint64_t bit) const { return parts.isFree(bit); }
  bool covers(uint64_t bit) const { return (bit & parts.laneSupport) || holds(bit); }
  /// Bits of the contiguous coordinate below that of the message's element.
  unsigned innerBits(unsigned messageBits) const { return log2Of(messageBits / elementBits); }
  bool holdsInner(BlockForm form, unsigned messageBits);

  /// Row bits that are packed into a slot; a message has at least this height.
  static unsigned packedRowBits(BlockForm form, unsigned messageBits) {
    return form == BlockForm::Vnni ? log2Of(32 / messageBits) : 0;
  }

  void alongRows(BlockForm form, unsigned maxBits);
  void rowsOfLane(const Sizes &sizes, unsigned lane);
  void anyRows(const Sizes &sizes);
  void grow(Sizes sizes, std::optional<BlockRows> rows);
  void attempt(const Sizes &sizes, const std::optional<BlockRows> &rows);
  /// The tile of these sizes, its bits in the order of the message's count.
  BlockTile tileOf(const Sizes &sizes, const std::optional<BlockRows> &rows) const;
  /// Which slot or lane each of its elements is: the rest of the copy is free.
  AccessForm formOf(const BlockTile &tile) const;
  /// Why it does not serve the layout; of kind None if it does.
  TileObstacle obstacleTo(const BlockTile &tile, BlockForm form) const;
  unsigned wordMismatch(const BlockTile &tile) const;
  /// The least bit of the contiguous coordinate at which rows that are its pieces may begin.
  unsigned firstFold() const { return log2Of(request.limits.minSurfaceBytes * 8 / elementBits); }

  BlockMessage messageOf(const Sizes &sizes) const {
    return {.access = request.access,
            .elementBits = sizes.elementBits,
            .width = 1u << sizes.width,
            .height = 1u << sizes.height,
            .blocks = 1u << sizes.blocks,
            .transpose = sizes.form == BlockForm::Transpose,
            .vnni = sizes.form == BlockForm::Vnni};
  }
  void note(const TileObstacle &obstacle) {
    if (deepest.kind == TileObstacle::Kind::None || obstacle.progress > deepest.progress)
      deepest = obstacle;
  }

  const LayoutParts &parts;
  const BlockMessageRequest &request;
  unsigned elementBits;
  unsigned laneBits;
  const LayoutBases bases;
  const FitSide side;
  BlockTile bestTile;
  TileScore best;
  TileObstacle deepest;
};

} // namespace tilewright::plan::block2d

#endif // TILEWRIGHT_PLAN_BLOCK2D_BLOCKTILESEARCH_H
