//===- SpillToSharedMemory.cpp - Values kept in shared memory over a loop -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The result of one loop of products that is stored after another takes registers that the other
// needs. Where they are too few and shared memory has room, it waits there:
//
//     d0 = cast(c0)                            store(cast(c0), memory)
//     e0 = convert_layout d0             ->    c1 = for ...
//     c1 = for ...                             e0 = load(memory)
//     store(p, e0)                             store(p, e0)
//
// A conversion of layouts that goes through shared memory costs nothing more this way: its stores
// are made before the loop and its loads after.
//
// Before loops are pipelined, so that their buffers take what is left.
//
//===--------------------------------------------------------------------------===//

#include "analysis/RegisterPressure.h"
#include "analysis/Resources.h"
#include "analysis/WaitingValues.h"
#include "ir/ttg/query/Conversion.h"
#include "transform/pipeline/staged/InvariantOperands.h"
#include "transform/pipeline/staged/StagedTile.h"
#include "transform/pressure/Passes.h"

using namespace mlir;
using namespace tilewright;
namespace dims = layout::dims;

namespace tilewright::transform {
#define GEN_PASS_DEF_SPILLTOSHAREDMEMORY
#include "transform/pressure/Passes.h.inc"
} // namespace tilewright::transform

//===----------------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------------===//

/// Memory in which neighbouring lanes have neighbouring vectors, as wide as an access, since
/// nothing but the banks matters; null if an element is in several threads.
static ttg::MemDescType planOwnMemory(RankedTensorType type, const target::Target &target) {
  const unsigned vectorBytes = target.shared.maxAccessBits / 8;
  const layout::LinearLayout map = ttg::toLinearLayout(type);
  const unsigned elementBytes = tt::getStorageBits(type.getElementType()) / 8;
  SmallVector<uint64_t> registers, bases;
  llvm::copy_if(map.bases(dims::Register), std::back_inserter(registers),
                [](uint64_t basis) { return basis != 0; });
  const size_t inVector =
      std::min<size_t>(llvm::Log2_32(std::max(vectorBytes / elementBytes, 1u)), registers.size());
  llvm::append_range(bases, ArrayRef(registers).take_front(inVector));
  llvm::append_range(bases, map.bases(dims::Lane));
  llvm::append_range(bases, ArrayRef(registers).drop_front(inVector));
  llvm::append_range(bases, map.bases(dims::Warp));
  layout::SharedLinear shared;
  for (uint64_t basis : bases) {
    std::vector<unsigned> &values = shared.offsets.emplace_back();
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      values.push_back(static_cast<unsigned>(map.outValue(basis, layout::Dim::tensor(dim))));
  }
  if ((1ll << bases.size()) != type.getNumElements() || !layout::verify(shared, type.getRank()) ||
      !layout::verifyShape(shared, type.getShape()))
    return {};
  return ttg::MemDescType::get(
      type.getShape(), type.getElementType(),
      ttg::SharedLinearEncodingAttr::get(type.getContext(), type.getRank(), shared),
      ttg::SharedMemorySpaceAttr::get(type.getContext()), /*mutableMemory=*/true);
}

namespace {

/// A value in shared memory while a loop runs.
class SpilledValue {
public:
  /// Plans it; isPossible() says whether there is such memory.
  SpilledValue(Value value, scf::ForOp loop, const target::Target &target)
      : value(value), source(value), loop(loop),
        firstUse(transform::findFirstUseBehind(value, loop)) {
    const auto type = cast<RankedTensorType>(value.getType());
    if (auto convert = value.getDefiningOp<ttg::ConvertLayoutOp>())
      if ((memory = transform::planTileMemory(convert.getSrc().getType(), ttg::toLinearLayout(type),
                                              target))) {
        source = convert.getSrc();
        return;
      }
    memory = planOwnMemory(type, target);
  }

  bool isPossible() const { return memory != nullptr; }
  unsigned getRegisters() const { return transform::getDistinctRegisters(value.getType()); }
  /// Whether there is room for it beside the tiles that the loop loads, and beside what ops need
  /// until the value is loaded again.
  bool fits(const target::Target &target);
  void spill();

private:
  Value value, source;
  scf::ForOp loop;
  Operation *firstUse;
  ttg::MemDescType memory;
};

} // namespace

bool SpilledValue::fits(const target::Target &target) {
  // In the loop, beside its tiles.
  uint64_t inLoop = memory.getAllocBytes();
  llvm::SmallPtrSet<Operation *, 8> replaced;
  for (transform::StagedTile &tile : transform::findStagedTiles(loop, target)) {
    inLoop += tile.memory.getAllocBytes();
    for (transform::ConvertedUse &use : tile.uses)
      replaced.insert(use.convert);
  }
  if (inLoop > transform::getFreeSharedBytes(loop, target, replaced))
    return false;
  // After it, beside what ops there need until the value is loaded again.
  uint64_t scratch = 0;
  plan::PlanCache &plans = ttg::getPlanCache(loop);
  for (Operation &op : llvm::make_range(std::next(loop->getIterator()), firstUse->getIterator()))
    op.walk([&](ttg::ScratchUser user) {
      scratch = std::max<uint64_t>(scratch, user.getScratch(plans).bytes);
    });
  loop->walk([&](ttg::ScratchUser user) { replaced.insert(user); });
  return memory.getAllocBytes() + scratch <= transform::getFreeSharedBytes(loop, target, replaced);
}

void SpilledValue::spill() {
  const Location loc = value.getLoc();
  OpBuilder builder(loop);
  builder.setInsertionPointAfterValue(value);
  Value alloc = ttg::LocalAllocOp::create(builder, loc, memory);
  ttg::LocalStoreOp::create(builder, loc, source, alloc);
  builder.setInsertionPoint(firstUse);
  Value loaded = ttg::LocalLoadOp::create(builder, loc, value.getType(), alloc, Value());
  ttg::LocalDeallocOp::create(builder, loc, alloc);
  value.replaceUsesWithIf(loaded, [&](OpOperand &use) {
    return loop->isBeforeInBlock(loop->getBlock()->findAncestorOpInBlock(*use.getOwner()));
  });
  if (Operation *op = value.getDefiningOp(); isOpTriviallyDead(op))
    op->erase();
}

//===----------------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------------===//

static void spillAround(scf::ForOp loop, const target::Target &target, unsigned maxRegisters) {
  const SmallVector<Value> waiting = transform::findWaitingValues(loop);
  if (waiting.empty())
    return;
  unsigned registers =
      transform::countLoopRegisters(loop, target) + transform::countWaitingRegisters(loop);
  for (transform::StagedTile &tile : transform::findStagedTiles(loop, target))
    registers += transform::getDistinctRegisters(tile.load.getType());
  for (Value value : waiting) {
    if (registers <= maxRegisters)
      return;
    SpilledValue spilled(value, loop, target);
    if (!spilled.isPossible() || !spilled.fits(target))
      continue;
    registers -= spilled.getRegisters();
    spilled.spill();
  }
}

namespace {

struct SpillToSharedMemory : transform::impl::SpillToSharedMemoryBase<SpillToSharedMemory> {
  using SpillToSharedMemoryBase::SpillToSharedMemoryBase;

  void runOnOperation() override {
    const target::Target *target = ttg::getTarget(getOperation());
    if (!target)
      return;
    const unsigned registers =
        maxRegisters ? unsigned(maxRegisters) : target->execution.maxRegistersPerThread;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop.getBody()->getOps<tt::DotOp>().empty())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      spillAround(loop, *target, registers);
  }
};

} // namespace
