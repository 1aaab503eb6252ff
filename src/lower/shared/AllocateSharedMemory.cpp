//===- AllocateSharedMemory.cpp - Allocation of shared memory -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Allocations (ttg.local_alloc) that hold something at the same time have bytes of their own;
// others share.
//
// Scratch memory is alive within its op only, so all ops could have the same bytes, those after
// the allocations that are alive there. But then each would have to wait until all threads are
// done with the one before. Therefore ops take consecutive bytes as long as that costs little,
// and begin again then: most find that a barrier has passed since the last use of their bytes.
// Ops of a partition have bytes that nobody else has, as other warps run beside it; so have the
// words by which the warps' groups tell each other what to do.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/Conversion.h"
#include "lower/core/Passes.h"
#include "lower/core/Patterns.h"
#include "lower/core/VendorLowering.h"
#include "lower/core/blocks/WarpSpecialize.h"
#include "lower/core/builder/Scratch.h"
#include "lower/space/Allocations.h"
#include "lower/space/InsertBarriers.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_ALLOCATESHAREDMEMORY
#include "lower/core/Passes.h.inc"
} // namespace tilewright::lower

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// Bytes beyond the largest scratch that may be spent to avoid barriers, in blocks of `warps`
/// warps: a share of what a block has where the multiprocessor is full of them, which costs no
/// block.
uint64_t getSpareBytes(const target::Target &target, unsigned warps) {
  const unsigned blocks = findResidency(target.multiprocessor, {.warps = warps}).blocks;
  return sharedBytesForBlocks(target.multiprocessor, blocks) * target.shares.spareShared / 100;
}

/// Where each function's memory begins, where functions do not share it: all layouts' alignments
/// that are known divide it.
constexpr uint64_t functionAlignment = 1024;

/// An op with scratch memory, or an allocation.
struct Piece {
  Operation *op;
  ttg::Scratch use;
  /// What it may begin at: where the allocations that are alive at the op end.
  uint64_t floor = 0;
  uint64_t offset = 0;

  SpaceRange range() const { return {offset, offset + use.bytes}; }
};

/// The allocations, placed.
std::vector<Piece> placeAllocations(const Allocations &allocations) {
  SmallVector<Extent> extents;
  for (Operation *op : allocations.all())
    extents.push_back(allocations.getSpace().getExtent(op));
  const std::vector<Place> places =
      placePieces(extents, allocations.findConflicts(), allocations.getSpace().bands);
  std::vector<Piece> pieces;
  for (auto [op, extent, place] : llvm::zip_equal(allocations.all(), extents, places))
    pieces.push_back({op, {extent.units, false}, /*floor=*/0, place.offset});
  return pieces;
}

/// The shared memory of one function.
class Function {
public:
  explicit Function(tt::FuncOp func)
      : func(func), allocations(func, sharedMemorySpace),
        hasLentMemory(llvm::any_of(func.getArgumentTypes(), llvm::IsaPred<ttg::MemDescType>)) {
    pieces = placeAllocations(allocations);
    scratches.insert({nullptr, {}});
    plan::PlanCache &plans = ttg::getPlanCache(func);
    lendDeadMemory(plans);
    func.walk([&](ttg::ScratchUser op) {
      if (ttg::Scratch use = op.getScratch(plans); use.bytes)
        scratches[getPartition(op)].push_back({op, use});
    });
    func.walk([&](ttg::WarpSpecializeOp op) {
      specializeOps.push_back(op);
      dispatchBytes = std::max(dispatchBytes, getDispatchBytes(op));
    });
  }

  bool hasAllocations() const { return !pieces.empty(); }

  /// Sets the offsets, from `base` on, and returns where the bytes in use end. Where they are
  /// more than `limit` they are set all the same.
  uint64_t place(uint64_t base, uint64_t limit, uint64_t spare) {
    uint64_t end = base;
    for (Piece &piece : pieces) {
      piece.offset += base;
      end = std::max(end, piece.range().end);
    }
    // Those of the default group lie among the allocations, and those of partitions after them.
    for (auto &[partition, pieces] : scratches)
      end = placeScratches(pieces, partition ? end : base, end, limit, spare);
    if (specializeOps.empty())
      return end;
    dispatchOffset = llvm::alignTo(end, sharedMemoryAlignment);
    return dispatchOffset + dispatchBytes;
  }

  /// Notes the offsets on the ops, and inserts barriers and the fences of `vendor`, which may be
  /// null. `total`: the bytes of the module.
  void finish(uint64_t total, const target::Target &target, const VendorLowering *vendor) {
    OpBuilder builder(func.getContext());
    auto note = [&](Operation *op, uint64_t offset) {
      op->setAttr(ttg::allocationOffsetAttrName, builder.getI32IntegerAttr(offset));
    };
    forEachPiece([&](const Piece &piece) {
      note(piece.op, piece.offset);
      pieceOf[piece.op] = &piece;
    });
    for (ttg::WarpSpecializeOp op : specializeOps)
      note(op, dispatchOffset);
    if (vendor)
      vendor->insertFences(target, func, allocations);

    auto insert = [&](Region &region) {
      insertBarriers(region, sharedMemorySpace, [&](Operation *op) { return describe(op, total); });
    };
    insert(func.getBody());
    for (ttg::WarpSpecializeOp op : specializeOps) {
      insert(op.getDefaultRegion());
      llvm::for_each(op.getPartitionRegions(), insert);
    }
  }

  /// The largest piece; null if there is none.
  const Piece *largest() const {
    const Piece *result = nullptr;
    forEachPiece([&](const Piece &piece) {
      if (!result || piece.use.bytes > result->use.bytes)
        result = &piece;
    });
    return result;
  }

private:
  /// Lets conversions that go in several rounds, each of which waits for all warps, use the memory
  /// of allocations that are not alive there, as that of a loop's buffers after the loop.
  void lendDeadMemory(plan::PlanCache &plans) {
    uint64_t end = 0;
    for (const Piece &piece : pieces)
      end = std::max(end, piece.range().end);
    func.walk([&](ttg::ConvertLayoutOp op) {
      op->removeAttr(ttg::scratchRoomAttrName);
      const uint64_t floor = getFloor(op, 0);
      if (getPartition(op) || end <= floor + plans.memory().preferredScratchBytes)
        return;
      const Result<plan::ConversionPlan> &plan = ttg::planConversion(op, plans);
      if (plan && plan->shared.repetitions.size() > 1)
        op->setAttr(ttg::scratchRoomAttrName,
                    OpBuilder(op).getI64IntegerAttr(llvm::bit_floor(end - floor)));
    });
  }

  /// Where the allocations that are alive at `op` end; `base` if there are none.
  uint64_t getFloor(Operation *op, uint64_t base) const {
    uint64_t floor = base;
    for (unsigned number : allocations.aliveAt(op).set_bits())
      floor = std::max(floor, llvm::alignTo(pieces[number].range().end, sharedMemoryAlignment));
    return floor;
  }

  /// The partition that `op` stands in; null if there is none.
  static Region *getPartition(Operation *op) {
    Region *region = op->getParentRegion();
    while (region && !isa<ttg::WarpSpecializePartitionsOp>(region->getParentOp()))
      region = region->getParentRegion();
    return region;
  }

  void forEachPiece(llvm::function_ref<void(const Piece &)> see) const {
    llvm::for_each(pieces, see);
    for (const auto &[partition, list] : scratches)
      llvm::for_each(list, see);
  }

  /// Sets the offsets of scratches of ops that the same warps run, from `base` on; what others have
  /// ends at `end`. Returns where the bytes in use end.
  uint64_t placeScratches(std::vector<Piece> &list, uint64_t base, uint64_t end, uint64_t limit,
                          uint64_t spare) {
    uint64_t largest = end;
    for (Piece &scratch : list) {
      scratch.floor = getFloor(scratch.op, base);
      largest = std::max(largest, scratch.floor + scratch.use.bytes);
    }
    const uint64_t budget = std::max(largest, std::min(largest + spare, limit));
    uint64_t next = base;
    for (Piece &scratch : list) {
      scratch.offset = std::max(next, scratch.floor);
      if (scratch.range().end > budget)
        scratch.offset = scratch.floor;
      end = std::max(end, scratch.range().end);
      next = llvm::alignTo(scratch.range().end, sharedMemoryAlignment);
    }
    return end;
  }

  SmallVector<SpaceRange, 2> rangesOf(const llvm::BitVector &numbers) const {
    SmallVector<SpaceRange, 2> ranges;
    for (unsigned number : numbers.set_bits())
      ranges.push_back(pieces[number].range());
    return ranges;
  }

  /// The bytes of a view that may be of the allocations `numbers`: all `total` where it may also be
  /// of a caller's, which have no numbers here.
  SmallVector<SpaceRange, 2> rangesOf(const llvm::BitVector &numbers, uint64_t total) const {
    return numbers.none() || hasLentMemory ? SmallVector<SpaceRange, 2>{{0, total}}
                                           : rangesOf(numbers);
  }

  /// Whether `op` changes what `view` is of, by its effects.
  static bool changes(Operation *op, Value view) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    if (auto interface = dyn_cast<MemoryEffectOpInterface>(op))
      interface.getEffectsOnValue(view, effects);
    return llvm::any_of(effects, [](const MemoryEffects::EffectInstance &effect) {
      return isa<MemoryEffects::Write>(effect.getEffect());
    });
  }

  SpaceUse describe(Operation *op, uint64_t total) const {
    SpaceUse use;
    // What a called function uses is not looked at closely: it may be all there is.
    if (isa<CallOpInterface>(op)) {
      use.loads = use.stores = {{0, total}};
      return use;
    }
    // All threads of the block meet where it begins and where it ends.
    if (isa<ttg::WarpSpecializeOp>(op)) {
      use.hasBlockBarrier = true;
      return use;
    }
    if (const Piece *scratch = pieceOf.lookup(op); scratch && isa<ttg::ScratchUser>(op)) {
      use.stores = {scratch->range()};
      use.hasBlockBarrier = scratch->use.hasBlockBarrier;
      use.loadsLeft = use.stores;
      if (!use.hasBlockBarrier)
        use.storesLeft = use.stores;
    }
    auto user = dyn_cast<ttg::SharedMemoryUser>(op);
    if (!user)
      return use;
    const ttg::AsyncRole role = user.getAsyncRole();
    use.isAsync = role.issues;
    // All threads are done with their accesses before one of them says so.
    if (role.commits && role.queue == ttg::AsyncQueue::Barriers && !handsOverCopies(op)) {
      use.stores = {{0, total}};
      use.isAsync = true;
      return use;
    }
    for (const ttg::ViewAccess &access : sharedMemorySpace.getAccesses(op)) {
      // What an op has allocated is nobody else's.
      SmallVector<SpaceRange, 2> ranges =
          access.view.getDefiningOp() == op
              ? SmallVector<SpaceRange, 2>{pieceOf.lookup(op)->range()}
              : rangesOf(allocations.of(access.view), total);
      if (ranges.size() == 1 && !hasLentMemory)
        ranges.front().turn = findBufferTurn(access.view);
      (access.isWrite ? use.stores : use.loads).append(ranges);
      // What changes memory but counts as a read of it has to do with a barrier's phases.
      if (!access.isWrite && changes(op, access.view))
        (role.waits ? use.waits : use.tells).append(ranges);
    }
    // A thread waits for its own accesses; those of other threads may come later. Memory that is
    // lent may be what any wait is for.
    if (role.waits && role.queue != ttg::AsyncQueue::Barriers) {
      const AccessedAllocations completed = allocations.completedAt(op);
      const bool areCopies = role.queue == ttg::AsyncQueue::CopyGroups;
      if (completed.reads.any() || (hasLentMemory && !areCopies))
        use.loadsLeft = rangesOf(completed.reads, total);
      if (completed.writes.any() || (hasLentMemory && areCopies))
        use.storesLeft = rangesOf(completed.writes, total);
    }
    return use;
  }

  tt::FuncOp func;
  Allocations allocations;
  /// Callers hand in views of what they have allocated.
  bool hasLentMemory;
  std::vector<Piece> pieces;
  /// The scratches of each partition's ops, and of those outside of all, which come first.
  llvm::MapVector<Region *, std::vector<Piece>> scratches;
  std::vector<ttg::WarpSpecializeOp> specializeOps;
  /// The words by which the default group tells the others what to do.
  uint64_t dispatchBytes = 0, dispatchOffset = 0;
  llvm::DenseMap<Operation *, const Piece *> pieceOf;
};

struct AllocateSharedMemoryPass : lower::impl::AllocateSharedMemoryBase<AllocateSharedMemoryPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerScratch(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const target::Target *target = ttg::getTarget(module);
    if (!target) {
      module.emitError() << "there is no target \"" << ttg::getTargetName(module)
                         << "\", which the module names in " << ttg::targetAttrName;
      return signalPassFailure();
    }
    if (failed(verifyControlFlow(module)))
      return signalPassFailure();
    const uint64_t spare = getSpareBytes(*target, ttg::getTotalNumWarps(module));
    std::vector<Function> functions;
    for (auto func : module.getOps<tt::FuncOp>())
      if (!func.isExternal())
        functions.emplace_back(func);
    // Scratch is not alive across calls, but allocations may be: then functions do not share.
    const bool isShared = llvm::none_of(
        functions, [](const Function &function) { return function.hasAllocations(); });
    uint64_t total = 0;
    for (Function &function : functions) {
      const uint64_t base = isShared ? 0 : llvm::alignTo(total, functionAlignment);
      total = std::max(total, function.place(base, target->shared.maxBytes, spare));
    }
    if (total > target->shared.maxBytes) {
      reportTooMuch(functions, *target);
      return signalPassFailure();
    }
    OpBuilder builder(&getContext());
    module->setAttr(ttg::sharedBytesAttrName, builder.getI32IntegerAttr(total));
    const VendorLowering *vendor = findVendorLowering(module);
    for (Function &function : functions)
      function.finish(total, *target, vendor);
  }

private:
  static LogicalResult verifyControlFlow(ModuleOp module) {
    WalkResult walked = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<scf::SCFDialect>(op->getDialect())) {
        op->emitOpError("must be lowered by convert-scf-to-cf before shared memory is allocated");
        return WalkResult::interrupt();
      }
      if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op);
          alloc && !isa<tt::FuncOp, ttg::WarpSpecializeOp, ttg::WarpSpecializePartitionsOp>(
                       op->getParentOp())) {
        op->emitOpError("cannot be placed in shared memory: it stands in the region of ")
            << op->getParentOp()->getName();
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }

  static void reportTooMuch(ArrayRef<Function> functions, const target::Target &target) {
    const Piece *largest = nullptr;
    for (const Function &function : functions)
      if (const Piece *piece = function.largest();
          piece && (!largest || piece->use.bytes > largest->use.bytes))
        largest = piece;
    auto error = largest->op->emitOpError()
                 << "needs " << largest->use.bytes << " bytes of shared memory";
    if (largest->use.bytes <= target.shared.maxBytes)
      error << " beside others that hold something at the same time";
    error << ", but a block has " << target.shared.maxBytes << " at most on "
          << StringRef(target.name);
    error.attachNote() << "use a smaller tile, so that less has to pass between threads";
  }
};

} // namespace

std::unique_ptr<Pass> lower::createAllocateSharedMemoryPass() {
  return std::make_unique<AllocateSharedMemoryPass>();
}
