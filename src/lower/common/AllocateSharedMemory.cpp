//===- AllocateSharedMemory.cpp - Where scratch memory lies -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Scratch memory is alive within its op only, so all ops could have the same bytes. But then
// each would have to wait until all threads are done with the one before. Therefore ops take
// consecutive bytes as long as that costs little, and begin again at 0 then: most find that
// a barrier has passed since the last use of their bytes.
//
//===--------------------------------------------------------------------------===//

#include "lower/Passes.h"
#include "lower/common/InsertBarriers.h"
#include "lower/common/SharedMemory.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// Registers of a thread that does anything.
constexpr uint64_t fewestRegisters = 32;

/// Bytes beyond the largest scratch that may be spent to avoid barriers, in blocks of `threads`
/// threads. A multiprocessor has registers for so many threads at most, and its memory is cut
/// among their blocks: half of a block's share costs no block, and leaves the rest to the cache.
uint64_t getSpareBytes(const target::Target &target, unsigned threads) {
  const uint64_t mostThreads = target.registersPerMultiprocessor / fewestRegisters;
  return uint64_t(target.maxSharedBytes) * threads / mostThreads / 2;
}

/// An op with scratch memory.
struct Scratch {
  Operation *op;
  ScratchUse use;
  uint64_t offset = 0;
};

struct AllocateSharedMemoryPass : PassWrapper<AllocateSharedMemoryPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AllocateSharedMemoryPass)

  StringRef getArgument() const override { return "allocate-shared-memory"; }
  StringRef getDescription() const override {
    return "Place the scratch memory of ops and put barriers between uses of the same bytes";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ttg::TritonGPUDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    StringRef targetName = ttg::getTargetName(module);
    const target::Target *target = target::Target::find(targetName);
    if (!target) {
      module.emitError() << "there is no target \"" << targetName
                         << "\", which the module names in " << ttg::targetAttrName;
      return signalPassFailure();
    }
    std::vector<Scratch> scratches;
    if (failed(collect(module, *target, scratches)))
      return signalPassFailure();
    const unsigned threads = ttg::getNumWarps(module) * ttg::getThreadsPerWarp(module);
    const uint64_t total =
        place(scratches, target->maxSharedBytes, getSpareBytes(*target, threads));
    if (total > target->maxSharedBytes) {
      reportTooMuch(scratches, *target);
      return signalPassFailure();
    }
    OpBuilder builder(&getContext());
    module->setAttr(ttg::sharedBytesAttrName, builder.getI32IntegerAttr(total));
    llvm::DenseMap<Operation *, SharedAccessRange> ranges;
    for (const Scratch &scratch : scratches) {
      scratch.op->setAttr(ttg::allocationOffsetAttrName, builder.getI32IntegerAttr(scratch.offset));
      ranges[scratch.op] = {scratch.offset, scratch.offset + scratch.use.bytes,
                            scratch.use.hasBlockBarrier};
    }
    for (auto func : module.getOps<tt::FuncOp>())
      insertBarriers(func, [&](Operation *op) -> SharedAccessRange {
        // What a called function uses is not looked at closely: it may be all there is.
        if (isa<tt::CallOp>(op))
          return {0, total, /*hasBlockBarrier=*/false};
        return ranges.lookup(op);
      });
  }

private:
  static LogicalResult collect(ModuleOp module, const target::Target &target,
                               std::vector<Scratch> &scratches) {
    const layout::SharedMemory memory = target.sharedMemory();
    WalkResult walked = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<scf::SCFDialect>(op->getDialect())) {
        op->emitOpError("must be lowered by convert-scf-to-cf before shared memory is allocated");
        return WalkResult::interrupt();
      }
      if (ScratchUse use = getScratchUse(op, memory); use.bytes)
        scratches.push_back({op, use});
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }

  /// Sets the offsets and returns the bytes in use. A scratch larger than the target's memory
  /// is placed at 0.
  static uint64_t place(std::vector<Scratch> &scratches, uint64_t limit, uint64_t spare) {
    uint64_t largest = 0;
    for (const Scratch &scratch : scratches)
      largest = std::max(largest, scratch.use.bytes);
    const uint64_t budget = std::max(largest, std::min(largest + spare, limit));
    uint64_t next = 0, total = 0;
    for (Scratch &scratch : scratches) {
      if (next + scratch.use.bytes > budget)
        next = 0;
      scratch.offset = next;
      total = std::max(total, next + scratch.use.bytes);
      next = llvm::alignTo(next + scratch.use.bytes, sharedMemoryAlignment);
    }
    return total;
  }

  static void reportTooMuch(ArrayRef<Scratch> scratches, const target::Target &target) {
    const Scratch *largest = &scratches[0];
    for (const Scratch &scratch : scratches)
      if (scratch.use.bytes > largest->use.bytes)
        largest = &scratch;
    auto error = largest->op->emitOpError()
                 << "needs " << largest->use.bytes << " bytes of shared memory, but a block has "
                 << target.maxSharedBytes << " at most on " << StringRef(target.name);
    error.attachNote() << "use a smaller tile, so that less has to pass between threads";
  }
};

} // namespace

std::unique_ptr<Pass> lower::createAllocateSharedMemoryPass() {
  return std::make_unique<AllocateSharedMemoryPass>();
}
