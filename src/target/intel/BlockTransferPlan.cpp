//===- BlockTransferPlan.cpp - Block messages that load and store ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
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
// largest.
//
//===--------------------------------------------------------------------------===//

#include "target/intel/BlockPlanning.h"

#include <algorithm>
#include <compare>

using namespace tilewright;
using namespace tilewright::target;
using namespace tilewright::target::intel;
using layout::LinearLayout;

namespace {

unsigned log2Of(unsigned powerOfTwo) { return static_cast<unsigned>(std::countr_zero(powerOfTwo)); }

enum class Form { Plain, Vnni, Transpose };

/// The rows of a surface: every 2^shift-th along a dimension.
struct Rows {
  unsigned dim;
  unsigned shift;
};

/// What a message covers, in the order of its count, and which part of it are lanes.
struct Tile {
  BlockMessage message;
  layout::FixedVector<uint64_t, 32> bits;
  unsigned firstLane = 0;
  std::optional<Rows> rows;

  uint64_t mask() const {
    uint64_t mask = 0;
    for (uint64_t bit : bits)
      mask |= bit;
    return mask;
  }
};

/// What decides between tiles, the most important first; less is better.
struct Score {
  unsigned messageBits = ~0u;
  /// 0: slots are the words that the registers' user wants; 1: they contain them; 2: not.
  unsigned wordMismatch = 0;
  bool folds = false;
  unsigned rowShift = 0;
  Form form = Form::Plain;
  unsigned width = 0;

  auto operator<=>(const Score &) const = default;
};

/// Why a tile was not possible.
struct Obstacle {
  enum class Kind { None, Held, Lane, Message, Spirv, Fold };
  Kind kind = Kind::None;
  /// Lanes that the tile had right.
  unsigned progress = 0;
  Form form = Form::Plain;
  BlockMessage message;
  /// Held: the bit that is not free. Lane: the number of the lane bit.
  uint64_t bit = 0;
};

class Search {
public:
  Search(const Places &places, const BlockMessageRequest &request, unsigned elementBits)
      : places(places), request(request), elementBits(elementBits),
        laneBits(static_cast<unsigned>(places.lanes.size())) {}

  void plain();
  void vnni();
  void transpose();

  bool found() const { return best.messageBits != ~0u; }
  const Tile &tile() const { return bestTile; }
  unsigned messageBits() const { return best.messageBits; }
  const Obstacle &obstacle() const { return deepest; }

private:
  /// The sizes of a tile as exponents.
  struct Sizes {
    Form form;
    unsigned elementBits, width, height, blocks;
  };

  bool holds(uint64_t bit) const { return places.isFree(bit); }
  bool covers(uint64_t bit) const { return (bit & places.laneSupport) || holds(bit); }
  /// Bits of the contiguous coordinate below that of the message's element.
  unsigned innerBits(unsigned messageBits) const { return log2Of(messageBits / elementBits); }
  bool holdsInner(Form form, unsigned messageBits);

  void rowsOfLane(Sizes sizes, unsigned lane, unsigned packedRows);
  void anyRows(Sizes sizes, unsigned packedRows);
  void grow(Sizes sizes, std::optional<Rows> rows);
  void attempt(const Sizes &sizes, const std::optional<Rows> &rows);
  unsigned wordMismatch(const Tile &tile) const;
  /// The least bit of the contiguous coordinate at which rows that are its pieces may begin.
  unsigned firstFold() const { return log2Of(request.limits.minSurfaceBytes * 8 / elementBits); }

  BlockMessage messageOf(const Sizes &sizes) const {
    return {.access = request.access,
            .elementBits = sizes.elementBits,
            .width = 1u << sizes.width,
            .height = 1u << sizes.height,
            .blocks = 1u << sizes.blocks,
            .transpose = sizes.form == Form::Transpose,
            .vnni = sizes.form == Form::Vnni};
  }
  void note(const Obstacle &obstacle) {
    if (deepest.kind == Obstacle::Kind::None || obstacle.progress > deepest.progress)
      deepest = obstacle;
  }

  const Places &places;
  const BlockMessageRequest &request;
  unsigned elementBits;
  unsigned laneBits;
  Tile bestTile;
  Score best;
  Obstacle deepest;
};

bool Search::holdsInner(Form form, unsigned messageBits) {
  for (unsigned i = 0; i < innerBits(messageBits); ++i)
    if (uint64_t bit = places.contiguousUnit(i); !holds(bit)) {
      note({.kind = Obstacle::Kind::Held,
            .progress = 1,
            .form = form,
            .message = {.access = request.access, .elementBits = messageBits},
            .bit = bit ? bit : uint64_t(1) << 63});
      return false;
    }
  return true;
}

void Search::plain() {
  for (unsigned bits = elementBits; bits <= 64; bits *= 2) {
    if (!holdsInner(Form::Plain, bits))
      return;
    unsigned inner = innerBits(bits);
    for (unsigned width = 0; (bits << width) / 8 <= request.limits.maxRowBytes; ++width) {
      if (width) {
        // One column bit more: the next lane, or one more slot.
        uint64_t bit = places.contiguousUnit(inner + width - 1);
        if (width <= laneBits ? places.lanes[width - 1] != bit : !holds(bit))
          break;
      }
      if ((bits << width) / 8 < request.limits.minRowBytes)
        continue;
      Sizes sizes{Form::Plain, bits, width, 0, 0};
      if (width < laneBits)
        rowsOfLane(sizes, width, 0);
      else
        anyRows(sizes, 0);
    }
  }
}

void Search::vnni() {
  for (unsigned bits = elementBits; bits <= 16; bits *= 2) {
    if (!holdsInner(Form::Vnni, bits))
      return;
    unsigned inner = innerBits(bits), packed = log2Of(32 / bits);
    for (unsigned width = 0; (bits << width) / 8 <= request.limits.maxRowBytes; ++width) {
      if (width) {
        uint64_t bit = places.contiguousUnit(inner + width - 1);
        if (width <= laneBits ? places.lanes[width - 1] != bit : !holds(bit))
          break;
      }
      if ((bits << width) / 8 < request.limits.minRowBytes)
        continue;
      Sizes sizes{Form::Vnni, bits, width, packed, 0};
      if (width < laneBits)
        rowsOfLane(sizes, width, packed);
      else
        anyRows(sizes, packed);
    }
  }
}

void Search::transpose() {
  for (unsigned bits = std::max(elementBits, 32u); bits <= 64; bits *= 2) {
    if (!holdsInner(Form::Transpose, bits))
      return;
    unsigned maxWidth =
        bits == 32 ? request.limits.maxTransposeWidth32 : request.limits.maxTransposeWidth64;
    for (unsigned width = 0; width <= log2Of(maxWidth); ++width) {
      if (width && !covers(places.contiguousUnit(innerBits(bits) + width - 1)))
        break;
      rowsOfLane({Form::Transpose, bits, width, 0, 0}, 0, 0);
    }
  }
}

/// Rows as lane bit `lane` wants them, which is the message's row bit `packedRows`.
void Search::rowsOfLane(Sizes sizes, unsigned lane, unsigned packedRows) {
  auto bit = static_cast<unsigned>(std::countr_zero(places.lanes[lane]));
  unsigned dim = places.dimOf(bit), shift = bit - places.dims[dim].shift;
  bool folds = dim == places.contiguous;
  if (shift < packedRows || (folds && shift - packedRows < firstFold()))
    return note({.kind = Obstacle::Kind::Lane,
                 .progress = lane,
                 .form = sizes.form,
                 .message = messageOf(sizes),
                 .bit = lane});
  if (folds && !request.foldRows)
    return note({.kind = Obstacle::Kind::Fold,
                 .progress = lane,
                 .form = sizes.form,
                 .message = messageOf(sizes)});
  grow(sizes, Rows{dim, shift - packedRows});
}

/// The lanes leave the rows open: each run of row bits that the registers hold is tried from
/// its beginning on, and one that begins where register bit 0 does.
void Search::anyRows(Sizes sizes, unsigned packedRows) {
  if (packedRows == 0)
    grow(sizes, std::nullopt);
  for (unsigned d = static_cast<unsigned>(places.dims.size()); d-- > 0;) {
    unsigned first = 0;
    if (d == places.contiguous) {
      if (!request.foldRows)
        continue;
      first = firstFold();
    }
    for (unsigned shift = first; shift < places.dims[d].bits; ++shift) {
      uint64_t bit = places.unit(d, shift);
      bool begins = holds(bit) && (shift == first || !holds(places.unit(d, shift - 1)));
      bool isWanted = holds(bit) && !places.registers.empty() && places.registers[0] == bit;
      if (begins || isWanted)
        grow(sizes, Rows{d, shift});
    }
  }
}

/// Tries all heights and numbers of blocks, the largest first.
void Search::grow(Sizes sizes, std::optional<Rows> rows) {
  unsigned minHeight = sizes.height, maxHeight = 0;
  if (rows)
    while (maxHeight < log2Of(request.limits.maxHeight(request.access)) &&
           covers(places.unit(rows->dim, rows->shift + maxHeight)))
      ++maxHeight;
  unsigned maxBlocks = 0, firstBlock = innerBits(sizes.elementBits) + sizes.width;
  if (sizes.form != Form::Transpose)
    while (maxBlocks < log2Of(request.limits.maxBlocks(request.access, sizes.elementBits)) &&
           covers(places.contiguousUnit(firstBlock + maxBlocks)))
      ++maxBlocks;

  if (rows && maxHeight < std::max(minHeight, 1u)) {
    uint64_t bit = places.unit(rows->dim, rows->shift + maxHeight);
    note({.kind = Obstacle::Kind::Held,
          .progress = std::min(sizes.width, laneBits),
          .form = sizes.form,
          .message = messageOf(sizes),
          .bit = bit ? bit : uint64_t(1) << 63});
    return;
  }
  for (unsigned height = maxHeight + 1; height-- > std::max(minHeight, rows ? 1u : 0u);)
    for (unsigned blocks = maxBlocks + 1; blocks-- > 0;) {
      sizes.height = height;
      sizes.blocks = blocks;
      attempt(sizes, rows);
    }
}

void Search::attempt(const Sizes &sizes, const std::optional<Rows> &rows) {
  Tile tile;
  tile.message = messageOf(sizes);
  tile.rows = rows;
  unsigned inner = innerBits(sizes.elementBits);
  unsigned packed = sizes.form == Form::Vnni ? log2Of(32 / sizes.elementBits) : 0;
  auto columns = [&](unsigned from, unsigned to) {
    for (unsigned i = from; i < to; ++i)
      tile.bits.push_back(places.contiguousUnit(i));
  };
  auto rowBits = [&](unsigned from, unsigned to) {
    for (unsigned i = from; i < to; ++i)
      tile.bits.push_back(places.unit(rows->dim, rows->shift + i));
  };
  columns(0, inner);
  rowBits(0, packed);
  tile.firstLane = inner + packed;
  if (sizes.form == Form::Transpose)
    rowBits(0, sizes.height);
  columns(inner, inner + sizes.width);
  if (sizes.form != Form::Transpose)
    rowBits(packed, sizes.height);
  columns(inner + sizes.width, inner + sizes.width + sizes.blocks);

  Obstacle obstacle{.form = sizes.form, .message = tile.message};
  unsigned lane = 0;
  while (lane < laneBits && tile.firstLane + lane < tile.bits.size() &&
         tile.bits[tile.firstLane + lane] == places.lanes[lane])
    ++lane;
  obstacle.progress = lane;
  if (lane < laneBits) {
    obstacle.kind = Obstacle::Kind::Lane;
    obstacle.bit = lane;
    return note(obstacle);
  }
  for (unsigned i = 0; i < tile.bits.size(); ++i)
    if ((i < tile.firstLane || i >= tile.firstLane + laneBits) && !holds(tile.bits[i])) {
      obstacle.kind = Obstacle::Kind::Held;
      obstacle.bit = tile.bits[i];
      return note(obstacle);
    }
  // Blocks that do not fill whole registers leave lanes without an element.
  bool leavesGaps = tile.message.blocks > 1 &&
                    tile.message.bytes() / tile.message.blocks < request.limits.registerBytes;
  if (leavesGaps || !isLegalMessage(tile.message, request.limits)) {
    obstacle.kind = Obstacle::Kind::Message;
    return note(obstacle);
  }
  if (request.spirvFormsOnly && !hasSpirvForm(tile.message, 1u << laneBits)) {
    obstacle.kind = Obstacle::Kind::Spirv;
    return note(obstacle);
  }

  Score score{.messageBits =
                  places.registerSpan.rank() - (static_cast<unsigned>(tile.bits.size()) - laneBits),
              .wordMismatch = wordMismatch(tile),
              .folds = rows && rows->dim == places.contiguous,
              .rowShift = rows ? rows->shift : 0,
              .form = sizes.form,
              .width = sizes.width};
  if (score < best) {
    best = score;
    bestTile = tile;
  }
}

unsigned Search::wordMismatch(const Tile &tile) const {
  unsigned wanted = request.wordBits ? innerBits(request.wordBits) : 0;
  for (unsigned i = 0; i < wanted; ++i)
    if (i >= tile.firstLane || i >= places.registers.size() || places.registers[i] != tile.bits[i])
      return 2;
  return tile.firstLane == wanted ? 0 : 1;
}

//===----------------------------------------------------------------------------===//
// What stands in the way
//===----------------------------------------------------------------------------===//

class Explainer {
public:
  Explainer(const Places &places, const BlockMessageRequest &request)
      : places(places), request(request) {}

  /// Whether no message at all can serve these lanes; then the plan says why.
  bool lanesForbid(BlockMessagePlan &plan) const;
  std::string explain(const Obstacle &obstacle) const;

private:
  /// "dim1 by 4" for a bit; "dim0 by 1 and dim1 by 4" for several.
  std::string movement(uint64_t bits) const {
    std::string text;
    for (unsigned d = 0; d < places.dims.size(); ++d)
      if (uint64_t value =
              bits >> places.dims[d].shift & ((uint64_t(1) << places.dims[d].bits) - 1))
        text += (text.empty() ? "" : " and ") + places.nameOf(d) + " by " + std::to_string(value);
    return text;
  }
  static std::string nameOf(const Obstacle &obstacle) {
    std::string text = obstacle.form == Form::Transpose ? "a transposed "
                       : obstacle.form == Form::Vnni    ? "a packed "
                                                        : "a ";
    return text + std::string(accessName(obstacle.message.access)) + " of " +
           std::to_string(obstacle.message.elementBits) + "-bit elements";
  }

  const Places &places;
  const BlockMessageRequest &request;
};

bool Explainer::lanesForbid(BlockMessagePlan &plan) const {
  auto forbid = [&](BlockObstacle obstacle, std::string text) {
    plan.obstacle = obstacle;
    plan.fallback = std::move(text);
    return true;
  };
  auto laneText = [](size_t lane) { return "lane bit " + std::to_string(lane); };
  for (size_t i = 0; i < places.lanes.size(); ++i) {
    uint64_t basis = places.lanes[i];
    if (!basis)
      return forbid(BlockObstacle::LaneCopy,
                    laneText(i) + " moves nothing; a message has an element for each lane");
    if (!std::has_single_bit(basis))
      return forbid(BlockObstacle::LaneSum,
                    laneText(i) + " moves " + movement(basis) +
                        "; a lane bit of a message moves one coordinate by a power of two");
    for (size_t j = 0; j < i; ++j)
      if (places.lanes[j] == basis)
        return forbid(BlockObstacle::LaneTwice, laneText(i) + " moves the same as " + laneText(j) +
                                                    "; a message has an element for each lane");
  }
  auto movesLanes = [&](std::span<const uint64_t> bases, uint64_t idle, const char *what) {
    for (size_t i = 0; i < bases.size(); ++i)
      if (uint64_t both = bases[i] & places.laneSupport; both && !(idle >> i & 1))
        return forbid(BlockObstacle::LaneMoved,
                      std::string(what) + " bit " + std::to_string(i) + " moves " +
                          movement(both & -both) +
                          ", as a lane bit does; the lanes of a message do not change places");
    return false;
  };
  if (movesLanes(places.registers, 0, "register") ||
      movesLanes(places.warps, places.idleWarps, "warp") ||
      movesLanes(places.blocks, places.idleBlocks, "block"))
    return true;
  for (size_t i = 0; i < places.lanes.size(); ++i)
    if (!(places.lanes[i] & places.sameMask))
      return forbid(BlockObstacle::Mask,
                    laneText(i) + " moves " + movement(places.lanes[i]) +
                        ", and the mask may change in between; a message has one mask");
  return false;
}

std::string Explainer::explain(const Obstacle &obstacle) const {
  bool alongRows = places.lanes[0] & places.unitsOf(places.contiguous);
  if (request.access == BlockAccess::Store && !alongRows)
    return "lane bit 0 moves " + movement(places.lanes[0]) + ", but " +
           places.nameOf(places.contiguous) + " is contiguous in memory; only loads transpose";
  // Between a slot of 64 bits and the pitch of a surface there is no such step.
  uint64_t stepBits =
      (places.lanes[0] >> places.dims[places.contiguous].shift) * request.elementBits;
  if (alongRows && stepBits > 64 && stepBits / 8 < request.limits.minSurfaceBytes)
    return "lane bit 0 moves " + movement(places.lanes[0]) + ", " + std::to_string(stepBits / 8) +
           " bytes; an element of a message has at most 8, a row at least " +
           std::to_string(request.limits.minSurfaceBytes);
  switch (obstacle.kind) {
  case Obstacle::Kind::None:
    break;
  case Obstacle::Kind::Held: {
    std::string text = nameOf(obstacle) + " gives a lane elements that differ in ";
    if (obstacle.bit >> 63)
      return text + places.nameOf(places.contiguous) + " beyond the tensor's size";
    text += movement(obstacle.bit);
    if (obstacle.bit & places.laneSupport)
      return text + ", which are in different lanes";
    if (obstacle.bit & places.placeSupport)
      return text + ", which are in different warps or blocks";
    if (!(obstacle.bit & places.sameMask))
      return text + ", and the mask may change in between";
    return text + ", which the lane's registers do not hold";
  }
  case Obstacle::Kind::Lane:
    return "lane bit " + std::to_string(obstacle.bit) + " moves " +
           movement(places.lanes[obstacle.bit]) + ", which is not the next column or row of " +
           nameOf(obstacle);
  case Obstacle::Kind::Message: {
    std::string broken = verifyMessage(obstacle.message, request.limits);
    return broken.empty() ? obstacle.message.toString() + ": a block does not fill a register"
                          : broken;
  }
  case Obstacle::Kind::Spirv:
    return "there is no SPIR-V instruction for " + obstacle.message.toString();
  case Obstacle::Kind::Fold:
    return "the lanes go on along " + places.nameOf(places.contiguous) + " after a row of " +
           std::to_string(obstacle.message.rowBytes()) +
           " bytes, and rows that are pieces of it are not allowed here";
  }
  return "no message begins with these lanes";
}

//===----------------------------------------------------------------------------===//
// The plan of a tile
//===----------------------------------------------------------------------------===//

/// Which registers the tile's slots are, and where the messages are that the others need.
/// `places` and `tile` may be those of the request's elements in halves.
void finish(const BlockMessageRequest &request, const Places &places, const Tile &tile,
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
      {{slotDim(), slotBits}, {messageDim(), static_cast<unsigned>(messages.size())}},
      {slots.data(), slots.size()});
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
  messages = placesOf({messages.data(), messages.size()}, 0);
  layout::F2Vectors warps = placesOf(places.warps, places.idleWarps);
  layout::F2Vectors blocks = placesOf(places.blocks, places.idleBlocks);
  plan.origin = originMap(request, {messages.data(), messages.size()}, {warps.data(), warps.size()},
                          {blocks.data(), blocks.size()});
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
  if (!halves.maskConstancy.empty())
    halves.maskConstancy[request.contiguousDim] *= 2;
  return halves;
}

} // namespace

void intel::planTransfers(const BlockMessageRequest &request, BlockMessagePlan &plan) {
  Places places(request);
  Explainer explainer(places, request);
  if (explainer.lanesForbid(plan))
    return;

  bool isLoad = request.access == BlockAccess::Load;
  bool alongRows = places.lanes[0] & places.unitsOf(places.contiguous);
  Search search(places, request, request.elementBits);
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
    Search halfSearch(halfPlaces, halves, 32);
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
  plan.fallback = explainer.explain(search.obstacle());
}
