//===- ProxyFences.cpp - Fences before asynchronous units read ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/ProxyFences.h"

#include "ir/ttng/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using llvm::BitVector;

namespace {

/// Whether units read shared memory for `op`.
bool readsAsynchronously(Operation *op) {
  return isa<ttng::WarpGroupDotOp, ttng::TCGen5MMAOp, ttng::TCGen5MMAScaledOp, ttng::TMEMCopyOp,
             ttng::AsyncTMACopyLocalToGlobalOp, ttng::AsyncTMAReduceOp, ttng::AsyncTMAScatterOp>(
      op);
}

class FenceInsertion {
public:
  FenceInsertion(tt::FuncOp func, const Allocations &allocations)
      : func(func), allocations(allocations) {
    func.walk([&](Operation *op) {
      if (BitVector written = writtenBy(op); written.any()) {
        numberOf[op] = writes.size();
        writes.push_back({op, std::move(written)});
      }
    });
    needsFence.resize(writes.size());
  }

  void run() {
    if (!func.walk([](Operation *op) { return WalkResult(failure(readsAsynchronously(op))); })
             .wasInterrupted())
      return;
    do {
      changed = false;
      follow(func.getBody(), BitVector(writes.size()));
    } while (changed);
    llvm::SetVector<Operation *> places;
    for (unsigned number : needsFence.set_bits())
      places.insert(findPlace(writes[number].op));
    // Nothing is known of memory that is a caller's.
    places.insert_range(readsOfLent);
    for (Operation *op : places) {
      OpBuilder builder(op);
      ttng::FenceAsyncSharedOp::create(builder, op->getLoc(), /*bCluster=*/false);
    }
  }

private:
  /// The writes of threads, when they are complete.
  struct Write {
    Operation *op;
    BitVector allocations;
  };

  /// Whether `op` needs no fence for what is complete at `write`.
  static bool seesWrite(Operation *op, Operation *write) {
    return isa<ttng::WarpGroupDotOp>(op) && waitsForCopies(write);
  }

  static bool waitsForCopies(Operation *op) {
    const ttg::AsyncRole role = cast<ttg::SharedMemoryUser>(op).getAsyncRole();
    return role.queue == ttg::AsyncQueue::CopyGroups && role.waits;
  }

  BitVector writtenBy(Operation *op) const {
    BitVector written;
    auto user = dyn_cast<ttg::SharedMemoryUser>(op);
    if (!user)
      return written;
    const ttg::AsyncRole role = user.getAsyncRole();
    if (role.queue == ttg::AsyncQueue::CopyGroups)
      return role.waits ? allocations.completedAt(op).writes : written;
    if (role.queue != ttg::AsyncQueue::None)
      return written;
    for (const ttg::ViewAccess &access : allocations.getSpace().getAccesses(op))
      if (access.isWrite)
        written |= allocations.of(access.view);
    return written;
  }

  void mark(unsigned write) {
    changed |= !needsFence.test(write);
    needsFence.set(write);
  }

  /// Goes through the blocks of `region`, with the writes at its entry that no fence follows yet;
  /// returns those at its end.
  BitVector follow(Region &region, const BitVector &entry) {
    enter(&region.front(), entry);
    BitVector atEnd(writes.size());
    for (Block &block : region) {
      auto found = atEntry.find(&block);
      if (found == atEntry.end())
        continue;
      BitVector open = found->second;
      for (Operation &op : block)
        pass(&op, open);
      for (Block *successor : block.getSuccessors())
        enter(successor, open);
      if (block.getNumSuccessors() == 0)
        atEnd |= open;
    }
    return atEnd;
  }

  void enter(Block *block, const BitVector &open) {
    BitVector &entry = atEntry.try_emplace(block, writes.size()).first->second;
    changed |= open.test(entry);
    entry |= open;
  }

  void pass(Operation *op, BitVector &open) {
    if (isa<ttng::FenceAsyncSharedOp>(op))
      open.reset();
    if (auto specialize = dyn_cast<ttg::WarpSpecializeOp>(op)) {
      // The others may read whatever has been written.
      for (unsigned write : open.set_bits())
        mark(write);
      for (Region &partition : specialize.getPartitionRegions())
        follow(partition, BitVector(writes.size()));
      open = follow(specialize.getDefaultRegion(), BitVector(writes.size()));
    }
    if (readsAsynchronously(op)) {
      for (const ttg::ViewAccess &access : allocations.getSpace().getAccesses(op)) {
        if (access.isWrite)
          continue;
        const BitVector read = allocations.of(access.view);
        if (read.none())
          readsOfLent.insert(op);
        for (unsigned write : open.set_bits())
          if (writes[write].allocations.anyCommon(read) && !seesWrite(op, writes[write].op))
            mark(write);
      }
    }
    if (auto write = numberOf.find(op); write != numberOf.end())
      open.set(write->second);
    // A fence will follow these.
    open.reset(needsFence);
  }

  /// Where the fence after a write stands. A fence waits for all that its thread has written and
  /// copied so far, so after a wait for copies it comes at once, before the next ones begin.
  /// Otherwise at the last place in the block up to which nobody can have learnt of the write: then
  /// one fence does for several.
  static Operation *findPlace(Operation *write) {
    Operation *op = write->getNextNode();
    if (waitsForCopies(write))
      return op;
    while (!op->hasTrait<OpTrait::IsTerminator>() && op->getNumRegions() == 0 &&
           !readsAsynchronously(op) && !isa<ttg::BarrierOp, CallOpInterface>(op) &&
           !isa<ttng::TritonNvidiaGPUDialect>(op->getDialect()) &&
           !isa<ttg::AsyncCopyGlobalToLocalOp>(op))
      op = op->getNextNode();
    return op;
  }

  tt::FuncOp func;
  const Allocations &allocations;
  std::vector<Write> writes;
  llvm::DenseMap<Operation *, unsigned> numberOf;
  /// The writes that no fence follows on some path, where a block begins.
  llvm::DenseMap<Block *, BitVector> atEntry;
  BitVector needsFence;
  llvm::SetVector<Operation *> readsOfLent;
  bool changed = false;
};

} // namespace

void lower::nvidia::insertProxyFences(tt::FuncOp func, const Allocations &allocations) {
  FenceInsertion(func, allocations).run();
}
