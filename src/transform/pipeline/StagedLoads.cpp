//===- StagedLoads.cpp - Loads through registers to shared memory -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/StagedLoads.h"

#include "analysis/RegisterPressure.h"
#include "ir/ttg/MatrixUnits.h"
#include "tilewright/layout/ConversionPlan.h"
#include "transform/pipeline/AsyncLoads.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;
using layout::LinearLayout;
namespace dims = layout::dims;

/// Registers for addresses, masks and counters.
static constexpr unsigned reservedRegisters = 36;

bool transform::loadsThroughRegisters(const target::Target &target) {
  return !target.products().empty() &&
         target::copiesBetween(target.copies(), target::Space::Global, target::Space::Shared)
             .empty();
}

static RankedTensorType typeOf(Type type) { return cast<RankedTensorType>(type); }

static bool isOperandOfUnit(Type type) {
  return isa_and_nonnull<ttg::DotOperandEncodingAttr>(cast<RankedTensorType>(type).getEncoding());
}

namespace {
/// A load of a tile that operands of matrix units are, and nothing else.
struct StagedLoad {
  tt::LoadOp load;
  SmallVector<ConvertedUse> uses;
  /// Of the tile in shared memory.
  ttg::SharedLayoutEncoding encoding;
};
} // namespace

/// The layout of shared memory in which a conversion of the whole tile from `source` to `operand`
/// goes through it. Null if it goes another way.
static ttg::SharedLayoutEncoding planMemory(tt::LoadOp load, const LinearLayout &operand,
                                            const target::Target &target) {
  const RankedTensorType type = typeOf(load.getType());
  target::ExchangeModel memory = target.sharedMemory();
  memory.preferredScratchBytes = memory.maxBytes;
  const LinearLayout source = ttg::toLinearLayout(type);
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
  return ttg::SharedLinearEncodingAttr::get(type.getContext(), type.getRank(), shared);
}

/// `load` as such a load of the body of a loop; nothing if it is none.
static std::optional<StagedLoad> findStagedLoad(tt::LoadOp load, const target::Target &target) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  if (!type || !tt::getLayoutEncoding(type) || load.getIsVolatile() || load->use_empty())
    return std::nullopt;
  StagedLoad staged = {load, {}, {}};
  auto add = [&](Operation *user, tt::TransOp trans) {
    auto convert = dyn_cast<ttg::ConvertLayoutOp>(user);
    if (!convert || user->getBlock() != load->getBlock() || !isOperandOfUnit(convert.getType()))
      return false;
    staged.uses.push_back({trans, convert});
    return true;
  };
  for (Operation *user : load->getUsers()) {
    auto trans = dyn_cast<tt::TransOp>(user);
    if (!trans ? !add(user, {}) : !llvm::all_of(trans->getUsers(), [&](Operation *next) {
          return add(next, trans);
        }))
      return std::nullopt;
  }
  staged.encoding = planMemory(load, staged.uses.front().getMap(), target);
  if (!staged.encoding)
    return std::nullopt;
  return staged;
}

/// Whether `loop` has shared memory left for the tiles of `loads`, instead of what their
/// conversions need.
static bool fitsInMemory(ArrayRef<StagedLoad> loads, scf::ForOp loop,
                         const target::Target &target) {
  llvm::SmallPtrSet<Operation *, 8> replaced;
  uint64_t bytes = 0;
  for (const StagedLoad &staged : loads) {
    bytes += getTileBytes(staged.load);
    for (const ConvertedUse &use : staged.uses)
      replaced.insert(use.convert);
  }
  return bytes <= getFreeSharedBytes(loop, target, replaced);
}

//===----------------------------------------------------------------------------===//
// Which loads begin early
//===----------------------------------------------------------------------------===//

/// Registers of `operand` of `dot`, in `loop`, while a step of K is multiplied: those of the step
/// if it comes from shared memory, all if it is computed or stays.
static unsigned getOperandRegisters(tt::DotOp dot, Value operand, scf::ForOp loop,
                                    const target::Target &target) {
  const unsigned registers = getDistinctRegisters(operand.getType());
  const std::optional<ttg::MmaTypes> types = ttg::getMmaTypes(dot);
  if (loop.isDefinedOutsideOfLoop(operand) || !types ||
      !isa_and_nonnull<ttg::ConvertLayoutOp>(operand.getDefiningOp()))
    return registers;
  unsigned kOfStep = 0;
  for (const target::MmaAtom &atom : target.products())
    if (ttg::isWarpProduct(atom, *types))
      kOfStep = std::max(kOfStep, atom.k);
  const unsigned k = typeOf(dot.getA().getType()).getShape().back();
  return registers * std::min(k, kOfStep) / k;
}

/// Registers of a thread for `dot` beside what `loop` carries.
static unsigned getRegistersOfProduct(tt::DotOp dot, scf::ForOp loop,
                                      const target::Target &target) {
  // A sum that begins anew.
  const bool isCarried = isa<BlockArgument>(dot.getC());
  return getOperandRegisters(dot, dot.getA(), loop, target) +
         getOperandRegisters(dot, dot.getB(), loop, target) +
         (isCarried ? 0 : getDistinctRegisters(dot.getType()));
}

SmallVector<tt::LoadOp> transform::findEarlyLoads(scf::ForOp loop, const target::Target &target) {
  std::multimap<uint64_t, StagedLoad> loads;
  for (tt::LoadOp load : loop.getBody()->getOps<tt::LoadOp>())
    if (std::optional<StagedLoad> staged = findStagedLoad(load, target))
      loads.emplace(getTileBytes(load), std::move(*staged));
  unsigned used = reservedRegisters, step = 0;
  for (tt::DotOp dot : loop.getBody()->getOps<tt::DotOp>())
    step = std::max(step, getRegistersOfProduct(dot, loop, target));
  // Addresses are a few and constants.
  for (Type type : loop.getResultTypes())
    if (!isa<tt::PointerType>(tt::getElementTypeOrSelf(type)))
      used += getDistinctRegisters(type);
  used += step;
  const unsigned most = target.execution.maxRegistersPerThread;
  SmallVector<StagedLoad> early;
  for (auto &[bytes, staged] : loads) {
    used += getDistinctRegisters(staged.load.getType());
    if (used > most)
      break;
    early.push_back(std::move(staged));
  }
  while (!early.empty() && !fitsInMemory(early, loop, target))
    early.pop_back();
  return llvm::map_to_vector(early, [](const StagedLoad &staged) { return staged.load; });
}

//===----------------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------------===//

/// The type of the memory of a tile.
static ttg::MemDescType getMemoryType(const StagedLoad &staged) {
  const RankedTensorType type = typeOf(tt::LoadOp(staged.load).getType());
  auto space = ttg::SharedMemorySpaceAttr::get(type.getContext());
  return ttg::MemDescType::get(type.getShape(), type.getElementType(), staged.encoding, space,
                               /*mutableMemory=*/true);
}

/// Replaces the uses of what has been loaded by loads from `memory`. `place` is called with each op
/// that has been made, and the one for which it has been.
static void loadFromMemory(StagedLoad &staged, Value memory,
                           llvm::function_ref<void(Operation *made, Operation *for_)> place) {
  for (ConvertedUse &use : staged.uses) {
    // Right before they are wanted: no loads of other tiles come between.
    Operation *first = use.convert;
    if (use.convert->hasOneUse() && use.convert->user_begin()->getBlock() == first->getBlock())
      first = *use.convert->user_begin();
    OpBuilder builder(first);
    const Location loc = staged.load.getLoc();
    Value view = memory;
    if (use.trans) {
      view = ttg::MemDescTransOp::create(builder, loc, memory, use.trans.getOrder());
      place(view.getDefiningOp(), use.convert);
    }
    auto loaded = ttg::LocalLoadOp::create(builder, loc, use.convert.getType(), view, Value());
    place(loaded, use.convert);
    use.convert.getResult().replaceAllUsesWith(loaded);
  }
}

/// The ops that loadFromMemory has replaced.
static void eraseUses(StagedLoad &staged, llvm::function_ref<void(Operation *)> forget) {
  llvm::SetVector<Operation *> turned;
  for (ConvertedUse &use : staged.uses) {
    if (use.trans)
      turned.insert(use.trans);
    forget(use.convert);
    use.convert.erase();
  }
  for (Operation *trans : turned) {
    forget(trans);
    trans->erase();
  }
}

namespace {
class LoadStaging {
public:
  LoadStaging(scf::ForOp loop, LoopSchedule schedule, const target::Target &target)
      : result{loop, std::move(schedule), {}}, target(target) {}

  LoweredLoop run() {
    SmallVector<StagedLoad> early;
    for (tt::LoadOp load : result.loop.getBody()->getOps<tt::LoadOp>())
      if (std::optional<StagedLoad> staged = findStagedLoad(load, target))
        if (llvm::all_of(staged->uses, [&](const ConvertedUse &use) {
              return result.schedule.get(use.convert).stage > result.schedule.get(load).stage;
            }))
          early.push_back(*staged);
    if (early.empty())
      return std::move(result);
    // Early loads first, then what the later stage computes, then the stores.
    const Cluster first = result.schedule.insertClusterBefore(result.schedule.getFirstCluster());
    const Cluster last = result.schedule.appendCluster();
    for (StagedLoad &staged : early)
      stage(staged, first, last);
    return std::move(result);
  }

private:
  void stage(StagedLoad &staged, Cluster first, Cluster last) {
    const Location loc = staged.load.getLoc();
    OpBuilder builder(result.loop);
    Value memory = ttg::LocalAllocOp::create(builder, loc, getMemoryType(staged));
    result.buffers.push_back(memory);
    forward.pull(staged.load, first);
    builder.setInsertionPointAfter(staged.load);
    auto store = ttg::LocalStoreOp::create(builder, loc, staged.load.getResult(), memory);
    result.schedule.set(store, {result.schedule.get(staged.load).stage, last});
    loadFromMemory(staged, memory, [&](Operation *made, Operation *for_) {
      result.schedule.set(made, result.schedule.get(for_));
    });
    eraseUses(staged, [&](Operation *op) { result.schedule.remove(op); });
  }

  LoweredLoop result;
  ForwardMoves forward{result.loop, result.schedule};
  const target::Target &target;
};
} // namespace

LoweredLoop transform::stageLoads(scf::ForOp loop, LoopSchedule schedule,
                                  const target::Target &target) {
  return LoadStaging(loop, std::move(schedule), target).run();
}

void transform::stageLoadsInPlace(ModuleOp module, const target::Target &target) {
  SmallVector<StagedLoad> found;
  module.walk([&](tt::LoadOp load) {
    if (load->getParentOfType<scf::ForOp>())
      if (std::optional<StagedLoad> staged = findStagedLoad(load, target))
        found.push_back(*staged);
  });
  for (StagedLoad &staged : found) {
    const Location loc = staged.load.getLoc();
    auto loop = staged.load->getParentOfType<scf::ForOp>();
    if (!fitsInMemory(staged, loop, target))
      continue;
    OpBuilder builder(loop);
    Value memory = ttg::LocalAllocOp::create(builder, loc, getMemoryType(staged));
    builder.setInsertionPointAfter(loop);
    ttg::LocalDeallocOp::create(builder, loc, memory);
    builder.setInsertionPointAfter(staged.load);
    ttg::LocalStoreOp::create(builder, loc, staged.load.getResult(), memory);
    loadFromMemory(staged, memory, [](Operation *, Operation *) {});
    eraseUses(staged, [](Operation *) {});
  }
}
