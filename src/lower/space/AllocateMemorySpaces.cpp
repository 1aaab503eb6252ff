//===- AllocateMemorySpaces.cpp - Memories besides shared memory --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Shared memory holds the scratch of ops as well, and has a pass of its own
// (shared/AllocateSharedMemory.cpp); in other memories there is what the program allocates alone.
//
//===--------------------------------------------------------------------------===//

#include "ir/tw/Dialect.h"
#include "lower/core/Passes.h"
#include "lower/core/VendorLowering.h"
#include "lower/space/Allocations.h"
#include "lower/space/InsertBarriers.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_ALLOCATEMEMORYSPACES
#include "lower/core/Passes.h.inc"
} // namespace tilewright::lower

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// The pieces that a kernel has in one memory.
class SpaceOfKernel {
public:
  SpaceOfKernel(tt::FuncOp func, const MemorySpace &space)
      : func(func), space(space), allocations(func, space) {
    for (Operation *op : allocations.all())
      extents.push_back(space.getExtent(op));
    places = placePieces(extents, allocations.findConflicts(), space.bands);
    for (unsigned number = 0; number < places.size(); ++number)
      units = std::max(units, places[number].offset + extents[number].units);
  }

  /// Reports what cannot be placed.
  LogicalResult verify(const target::Target &target) {
    for (Operation *op : allocations.all())
      if (op->getParentOp() != func.getOperation()) {
        auto error = op->emitOpError()
                     << "makes " << space.name << " in the region of "
                     << op->getParentOp()->getName() << ", where other warps do not see it";
        error.attachNote() << "make it before, and pass it in";
        return error;
      }
    const uint64_t most = space.getMaxUnits(target);
    if (units <= most)
      return success();
    const unsigned largest = findLargest();
    auto error = allocations.all()[largest]->emitOpError()
                 << "needs " << extents[largest].units << " " << space.unit << " of " << space.name;
    if (extents[largest].units <= most)
      error << " beside others that hold something at the same time";
    error << ", but a block has " << most << " at most on " << StringRef(target.name);
    error.attachNote() << "use a smaller tile, or fewer buffers of it";
    return error;
  }

  void finish() {
    auto insert = [&](Region &region) {
      insertBarriers(region, space, [&](Operation *op) { return describe(op); });
    };
    insert(func.getBody());
    func.walk([&](ttg::WarpSpecializeOp op) {
      insert(op.getDefaultRegion());
      llvm::for_each(op.getPartitionRegions(), insert);
    });
    const uint64_t given = space.roundUp(units);
    OpBuilder builder(func.getContext());
    func->getParentOp()->setAttr(space.sizeAttrName, builder.getI32IntegerAttr(given));
    space.reserve(func, allocations, places, given);
  }

private:
  unsigned findLargest() const {
    unsigned largest = 0;
    for (unsigned number = 0; number < extents.size(); ++number)
      if (extents[number].units > extents[largest].units)
        largest = number;
    return largest;
  }

  SpaceRange all() const { return {0, units, {}, 0, space.bands}; }

  SmallVector<SpaceRange, 2> rangesOf(Value view) const {
    const llvm::BitVector numbers = allocations.of(view);
    if (numbers.none())
      return {all()};
    SmallVector<SpaceRange, 2> ranges;
    for (unsigned number : numbers.set_bits()) {
      const Place place = places[number];
      ranges.push_back({place.offset,
                        place.offset + extents[number].units,
                        {},
                        place.band,
                        place.band + extents[number].bands});
    }
    if (ranges.size() == 1)
      ranges.front().turn = findBufferTurn(view);
    return ranges;
  }

  SpaceUse describe(Operation *op) const {
    SpaceUse use;
    if (isa<CallOpInterface>(op)) {
      use.loads = use.stores = {all()};
      return use;
    }
    if (isa<ttg::WarpSpecializeOp>(op)) {
      use.hasBlockBarrier = true;
      return use;
    }
    auto user = dyn_cast<ttg::SharedMemoryUser>(op);
    if (!user)
      return use;
    const ttg::AsyncRole role = user.getAsyncRole();
    use.isAsync = role.issues;
    // All threads are done with their accesses before one of them says so.
    if (role.commits && role.queue == ttg::AsyncQueue::Barriers && !handsOverCopies(op)) {
      use.stores = {all()};
      use.isAsync = true;
    }
    for (const ttg::ViewAccess &access : space.getAccesses(op))
      (access.isWrite ? use.stores : use.loads).append(rangesOf(access.view));
    return use;
  }

  tt::FuncOp func;
  const MemorySpace &space;
  Allocations allocations;
  SmallVector<Extent> extents;
  std::vector<Place> places;
  uint64_t units = 0;
};

struct AllocateMemorySpacesPass : lower::impl::AllocateMemorySpacesBase<AllocateMemorySpacesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    const target::Target *target = ttg::getTarget(module);
    const VendorLowering *vendor = findVendorLowering(module);
    // Later passes report a target that is not known.
    if (!target || !vendor)
      return;
    for (const MemorySpace *space : vendor->getMemorySpaces(*target))
      if (failed(allocate(module, *space, *target)))
        return signalPassFailure();
  }

private:
  static LogicalResult allocate(ModuleOp module, const MemorySpace &space,
                                const target::Target &target) {
    module->removeAttr(space.sizeAttrName);
    tt::FuncOp kernel;
    for (auto func : module.getOps<tt::FuncOp>()) {
      Operation *made = findAllocation(func, space);
      if (!made)
        continue;
      if (kernel || !func.isPublic()) {
        auto error = made->emitOpError() << "makes " << space.name
                                         << " in a function that is not the module's only kernel";
        error.attachNote() << "have the function inlined, or pass the memory in";
        return error;
      }
      kernel = func;
    }
    if (!kernel)
      return success();
    SpaceOfKernel memory(kernel, space);
    if (failed(memory.verify(target)))
      return failure();
    memory.finish();
    return success();
  }

  static Operation *findAllocation(tt::FuncOp func, const MemorySpace &space) {
    Operation *found = nullptr;
    func.walk([&](Operation *op) {
      if (!space.getAllocated(op))
        return WalkResult::advance();
      found = op;
      return WalkResult::interrupt();
    });
    return found;
  }
};

} // namespace

std::unique_ptr<Pass> lower::createAllocateMemorySpacesPass() {
  return std::make_unique<AllocateMemorySpacesPass>();
}
