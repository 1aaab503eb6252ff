//===- StagedTile.cpp - Tiles on their way to matrix units --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/staged/StagedTile.h"

#include "analysis/Resources.h"
#include "ir/ttg/query/TransposingLoads.h"
#include "tilewright/layout/ConversionPlan.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;
using layout::LinearLayout;
namespace dims = layout::dims;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static bool isOperandOfUnit(Type type) {
  return isa_and_nonnull<ttg::DotOperandEncodingAttr>(cast<RankedTensorType>(type).getEncoding());
}

/// Where threads have a tile that is loaded in the layout of `type`, if it is stored as it is
/// loaded and `operand` is made of it: elsewhere than where it was loaded if the load may transpose
/// what lies across `operand`.
static LinearLayout getStoredMap(RankedTensorType type, const LinearLayout &operand,
                                 const target::Target &target) {
  const LinearLayout loaded = ttg::toLinearLayout(type);
  const target::CopyAtom *atom =
      ttg::findTransposingLoad(target, tt::getElementBits(type.getElementType()));
  Attribute transposed = atom ? ttg::getTransposedLayout(type, *atom) : Attribute();
  if (!transposed)
    return loaded;
  const LinearLayout map = ttg::toLinearLayout(
      RankedTensorType::get(type.getShape(), type.getElementType(), transposed));
  return ttg::beginAlike(map, dims::Register, operand, dims::Register, /*bits=*/3) ? map : loaded;
}

ttg::MemDescType transform::planTileMemory(RankedTensorType type, const LinearLayout &operand,
                                           const target::Target &target) {
  target::ExchangeModel memory = target.sharedMemory();
  memory.preferredScratchBytes = memory.maxBytes;
  const LinearLayout source = getStoredMap(type, operand, target);
  const Result<plan::ConversionPlan> plan =
      plan::planConversion(source, operand, tt::getStorageBits(type.getElementType()), memory);
  if (!plan || plan->kind != plan::ConversionPlan::Kind::SharedMemory ||
      plan->shared.repetitions.size() != 1)
    return {};
  const LinearLayout threads = source.removeZeroBasesAlong(dims::Register).dropIn(dims::Block);
  const LinearLayout map = plan->shared.storeMap.pseudoInvert().compose(threads);
  layout::SharedLinear shared;
  for (uint64_t basis : map.bases(dims::Offset)) {
    std::vector<unsigned> &values = shared.offsets.emplace_back();
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      values.push_back(static_cast<unsigned>(map.outValue(basis, layout::Dim::tensor(dim))));
  }
  if (!layout::verify(shared, type.getRank()) || !layout::verifyShape(shared, type.getShape()))
    return {};
  auto encoding = ttg::SharedLinearEncodingAttr::get(type.getContext(), type.getRank(), shared);
  auto space = ttg::SharedMemorySpaceAttr::get(type.getContext());
  return ttg::MemDescType::get(type.getShape(), type.getElementType(), encoding, space,
                               /*mutableMemory=*/true);
}

/// The uses of `tile` as operands; nothing if it has others.
static std::optional<SmallVector<ConvertedUse>> findUses(Value tile) {
  SmallVector<ConvertedUse> uses;
  auto add = [&](Operation *user, tt::TransOp trans) {
    auto convert = dyn_cast<ttg::ConvertLayoutOp>(user);
    if (!convert || user->getBlock() != tile.getParentBlock() ||
        !isOperandOfUnit(convert.getType()))
      return false;
    uses.push_back({trans, convert});
    return true;
  };
  for (Operation *user : tile.getUsers()) {
    auto trans = dyn_cast<tt::TransOp>(user);
    if (!trans ? !add(user, {}) : !llvm::all_of(trans->getUsers(), [&](Operation *next) {
          return add(next, trans);
        }))
      return std::nullopt;
  }
  return uses;
}

/// `op` if it widens floats.
static tt::FpToFpOp getWidening(Operation *op) {
  auto cast = dyn_cast<tt::FpToFpOp>(op);
  return cast && !cast.getRounding() &&
                 tt::getElementBits(cast.getType()) > tt::getElementBits(cast.getSrc().getType())
             ? cast
             : tt::FpToFpOp();
}

static std::optional<StagedTile> findStagedTile(tt::LoadOp load, const target::Target &target) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  if (!type || !tt::getLayoutEncoding(type) || load.getIsVolatile() || load->use_empty())
    return std::nullopt;
  tt::FpToFpOp widened = load->hasOneUse() ? getWidening(*load->user_begin()) : tt::FpToFpOp();
  std::optional<SmallVector<ConvertedUse>> uses =
      findUses(widened ? widened.getResult() : load.getResult());
  if (!uses)
    return std::nullopt;
  ttg::MemDescType memory = planTileMemory(type, uses->front().getMap(), target);
  if (!memory)
    return std::nullopt;
  return StagedTile{load, widened, *std::move(uses), {}, memory};
}

/// `tile`, widened before it is stored; nothing if its operands are not all widened to one type.
static std::optional<StagedTile> widen(StagedTile tile, const target::Target &target) {
  Type element;
  if (tile.widened)
    element = typeOf(tile.widened).getElementType();
  else
    for (ConvertedUse &use : tile.uses) {
      Operation *user = use.convert->hasOneUse() ? *use.convert->user_begin() : nullptr;
      tt::FpToFpOp widening = user ? getWidening(user) : tt::FpToFpOp();
      if (!widening || user->getBlock() != use.convert->getBlock() ||
          (element && element != typeOf(widening).getElementType()))
        return std::nullopt;
      element = typeOf(widening).getElementType();
      tile.widenings.push_back(widening);
    }
  const auto type = cast<RankedTensorType>(tt::withElementType(typeOf(tile.load), element));
  tile.memory = planTileMemory(type, tile.uses.front().getMap(), target);
  if (!tile.memory)
    return std::nullopt;
  return tile;
}

/// The bytes of shared memory that `loop` has for `tiles`, instead of what their conversions need.
static uint64_t getRoom(scf::ForOp loop, MutableArrayRef<StagedTile> tiles,
                        const target::Target &target) {
  llvm::SmallPtrSet<Operation *, 8> replaced;
  for (StagedTile &tile : tiles)
    for (ConvertedUse &use : tile.uses)
      replaced.insert(use.convert);
  return getFreeSharedBytes(loop, target, replaced);
}

/// Widens those of `tiles` for which `room` bytes are enough.
static void widenTiles(MutableArrayRef<StagedTile> tiles, uint64_t room,
                       const target::Target &target) {
  for (StagedTile &tile : tiles) {
    std::optional<StagedTile> widened = widen(tile, target);
    if (!widened)
      continue;
    const uint64_t more = widened->memory.getAllocBytes() - tile.memory.getAllocBytes();
    if (more > room)
      continue;
    room -= more;
    tile = *std::move(widened);
  }
}

SmallVector<StagedTile> transform::findStagedTiles(scf::ForOp loop, const target::Target &target) {
  // By size, and then as they stand in the loop.
  std::multimap<uint64_t, StagedTile> bySize;
  for (tt::LoadOp load : loop.getBody()->getOps<tt::LoadOp>())
    if (std::optional<StagedTile> tile = findStagedTile(load, target))
      bySize.emplace(tile->memory.getAllocBytes(), *std::move(tile));
  SmallVector<StagedTile> tiles = llvm::to_vector(llvm::make_second_range(bySize));
  while (!tiles.empty()) {
    uint64_t bytes = 0;
    for (StagedTile &tile : tiles)
      bytes += tile.memory.getAllocBytes();
    if (const uint64_t room = getRoom(loop, tiles, target); bytes <= room) {
      widenTiles(tiles, room - bytes, target);
      break;
    }
    tiles.pop_back();
  }
  return tiles;
}
