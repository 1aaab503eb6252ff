//===- ReorderInstructions.cpp - Order of loads and of cheap values -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Later stages schedule instructions themselves, but not across the barriers that a
// reduction or a conversion brings. So a load after one is moved before it, with the
// arithmetic of its address: it is under way while the threads wait. Then a walk from the
// end of each block moves ops down to their first use where the registers that their
// results take are more than those that they free; loads from shared memory follow. Last, the
// buffers of pipelined loops begin as late and end as soon as they can.
//
//===--------------------------------------------------------------------------===//

#include "analysis/RegisterEstimate.h"
#include "analysis/RegisterPressure.h"
#include "target/Target.h"
#include "transform/locality/DataMovement.h"
#include "transform/locality/Passes.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONGPUREORDERINSTRUCTIONS
#include "transform/locality/Passes.h.inc"
} // namespace tilewright::transform

/// The registers that the kernels of `module` are expected to leave to a thread.
static unsigned countFreeRegisters(ModuleOp module, const target::Target &target) {
  const unsigned limit =
      target.registersForWarps(ttg::getTotalNumWarps(module), ttg::getThreadsPerWarp(module));
  unsigned taken = 0;
  for (auto kernel : module.getOps<tt::FuncOp>())
    taken = std::max(taken, transform::estimateMostRegisters(kernel, target));
  return limit - std::min(limit, taken);
}

/// 32-bit registers a thread that loads may keep busy across a synchronising op: a share of those
/// that it has on a busy multiprocessor; of a block of more warps than those, whose threads have
/// fewer, no more than its kernel leaves. Where no target is known, as on those with the fewest.
static unsigned getHoistBudget(ModuleOp module) {
  constexpr unsigned fewest = 64;
  const target::Target *target = ttg::getTarget(module);
  if (!target)
    return fewest;
  const unsigned busyWarps = target->multiprocessor.busyWarps;
  const unsigned share = target->registersForWarps(busyWarps, target->execution.threadsPerWarp) *
                         target->shares.waitingLoads / 100;
  return unsigned(ttg::getTotalNumWarps(module)) > busyWarps
             ? std::min(share, countFreeRegisters(module, *target))
             : share;
}

/// Whether `op` may stand at any place where its operands are known.
static bool isMovable(Operation *op) {
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() && isPure(op);
}

/// Gives up its results without an instruction: the same registers under another shape.
static bool isView(Operation *op) {
  return isa<tt::SplatOp, tt::UnsplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp,
             tt::ReshapeOp, tt::JoinOp, tt::SplitOp, tt::CatOp>(op);
}

//===--------------------------------------------------------------------------===//
// Loads up
//===--------------------------------------------------------------------------===//

/// Collects what stands between `barrier` and `load` and must move along with it, in program
/// order; whether all of it can.
static bool collectAddress(tt::LoadOp load, Operation *barrier, SmallVectorImpl<Operation *> &ops) {
  llvm::SmallSetVector<Operation *, 16> needed;
  needed.insert(load);
  for (size_t i = 0; i < needed.size(); ++i) {
    for (Value operand : needed[i]->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || producer->getBlock() != barrier->getBlock() ||
          producer->isBeforeInBlock(barrier))
        continue;
      if (producer == barrier || !isMovable(producer) || transform::synchronises(producer))
        return false;
      needed.insert(producer);
    }
  }
  ops = needed.takeVector();
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return true;
}

/// Moves the loads of a block before the ops that synchronise, as far as the memory is the
/// same there. Those before one op take at most `maxRegisters` registers of a thread.
static void hoistLoads(Block &block, unsigned maxRegisters) {
  Operation *barrier = nullptr;
  unsigned budget = maxRegisters;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto load = dyn_cast<tt::LoadOp>(op); load && !hasEffect<MemoryEffects::Write>(load)) {
      unsigned registers = transform::getRegisterCount(load.getType());
      SmallVector<Operation *> ops;
      if (!barrier || registers > budget || !collectAddress(load, barrier, ops))
        continue;
      budget -= registers;
      for (Operation *moved : ops)
        moved->moveBefore(barrier);
    } else if (transform::synchronises(&op)) {
      if (!barrier)
        barrier = &op;
    } else if (!isMemoryEffectFree(&op) ||
               (op.getNumRegions() != 0 && !isa<tt::ReduceOp, tt::ScanOp>(op))) {
      // Memory may change here. Loops and branches are not crossed either: what is loaded
      // before one takes registers all through it.
      barrier = nullptr;
      budget = maxRegisters;
    }
  }
}

//===--------------------------------------------------------------------------===//
// Values down
//===--------------------------------------------------------------------------===//

/// The first op of `block` that uses a result of `op`, perhaps in a region of it; null where
/// there is none or a use is in another block.
static Operation *getFirstUser(Operation *op, Block *block) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    if (!inBlock)
      return nullptr;
    if (!first || inBlock->isBeforeInBlock(first))
      first = inBlock;
  }
  return first;
}

/// `value`, or what has the same registers: seen through views of one value as one value.
static Value lookThroughViews(Value value) {
  while (value.hasOneUse()) {
    Operation *op = value.getDefiningOp();
    if (!op || !isView(op) || op->getNumOperands() != 1 || op->getNumResults() != 1)
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// The registers that are free after `op`: those of operands of this block that have no other
/// use.
static unsigned getFreedRegisters(Operation *op) {
  unsigned freed = 0;
  for (Value operand : op->getOperands()) {
    operand = lookThroughViews(operand);
    if (operand.hasOneUse() && operand.getParentBlock() == op->getBlock() && isa<OpResult>(operand))
      freed += transform::getRegisterCount(operand.getType());
  }
  return freed;
}

static bool isWorthSinking(Operation *op) {
  if (isView(op))
    return true;
  unsigned taken = 0;
  for (Type type : op->getResultTypes())
    taken += transform::getRegisterCount(type);
  return taken > getFreedRegisters(op);
}

/// Whether `op` is a product of a loop that carries its sum, and it does not move down to `user`:
/// - If shared memory is stored to in between, its operands are loaded before that, and would be in
///   registers while threads wait for each other.
/// - If its sum fills so much of a thread's registers (ResourceShares::largeSum) and nothing is
///   waited for in between, operands that are loaded there would be in registers beside its own
///   (tritongpu-prefetch has them one step ahead, not two).
static bool staysInPlace(Operation *op, Operation *user) {
  auto dot = dyn_cast<tt::DotOp>(op);
  if (!dot || !isa<BlockArgument>(dot.getC()))
    return false;
  bool isWaitedFor = false;
  for (Operation *next = op; next != user; next = next->getNextNode()) {
    if (isa<ttg::LocalStoreOp>(next))
      return true;
    isWaitedFor |= isa<ttg::AsyncWaitOp>(next);
  }
  const target::Target *target = ttg::getTarget(op);
  return !isWaitedFor && target &&
         100 * transform::getRegisterCount(dot.getType()) >=
             target->shares.largeSum * target->execution.maxRegistersPerThread;
}

/// Moves ops of a block down to their first uses.
static void sinkToUses(Block &block) {
  // The ops before the same use keep their order: the next one goes before the last, and
  // before those that the last one uses.
  llvm::DenseMap<Operation *, Operation *> placed;
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    // Constants cost nothing until they are used, wherever they stand.
    if (!isMovable(&op) || op.hasTrait<OpTrait::ConstantLike>() || op.use_empty())
      continue;
    Operation *user = getFirstUser(&op, &block);
    if (!user)
      continue;
    if (staysInPlace(&op, user))
      continue;
    Operation *before = user;
    while (Operation *earlier = placed.lookup(before))
      before = earlier;
    if (before == op.getNextNode() || isWorthSinking(&op)) {
      op.moveBefore(before);
      placed[user] = &op;
    }
  }
}

/// Whether nothing between `load` and `user`, of the same block, may write what it reads.
static bool mayLoadRightBefore(ttg::LocalLoadOp load, Operation *user) {
  for (Operation *op = load->getNextNode(); op != user; op = op->getNextNode())
    if (!isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op))
      return false;
  return true;
}

/// Moves loads from shared memory after what their first uses need besides: it is computed with
/// the registers that they take. Those that belong to copies stay where the copies are waited for.
static void sinkLocalLoads(Block &block) {
  for (auto load : llvm::to_vector(block.getOps<ttg::LocalLoadOp>()))
    if (!load.getToken())
      if (Operation *user = getFirstUser(load, &block); user && mayLoadRightBefore(load, user))
        load->moveBefore(user);
}

//===--------------------------------------------------------------------------===//
// Begins of buffers down, ends up
//===--------------------------------------------------------------------------===//

/// Begins buffers, which nothing has been stored to yet, after ops that exchange data by way of
/// shared memory: what is converted before a pipelined loop.
static void sinkBeginsOfBuffers(Block &block) {
  for (auto alloc : llvm::to_vector(block.getOps<ttg::LocalAllocOp>()))
    if (!alloc.getSrc())
      if (Operation *user = getFirstUser(alloc, &block))
        alloc->moveBefore(user);
}

/// Moves `op` up past what has no effects and does not give it its operands.
static void hoistPastPure(Operation *op) {
  Operation *before = op->getPrevNode();
  while (before && isMemoryEffectFree(before) &&
         llvm::none_of(op->getOperands(),
                       [&](Value operand) { return operand.getDefiningOp() == before; })) {
    op->moveBefore(before);
    before = op->getPrevNode();
  }
}

/// Ends buffers before ops that exchange data by way of shared memory, which then need not be
/// beside them: what is converted after a pipelined loop.
static void hoistEndsOfBuffers(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto wait = dyn_cast<ttg::AsyncWaitOp>(op);
    if (isa<ttg::LocalDeallocOp>(op) || (wait && wait.getAsyncToken().empty() && !wait.getNum()))
      hoistPastPure(&op);
  }
}

namespace {

struct ReorderInstructions
    : transform::impl::TritonGPUReorderInstructionsBase<ReorderInstructions> {
  void runOnOperation() override {
    const unsigned hoistBudget = getHoistBudget(getOperation());
    getOperation().walk([hoistBudget](Block *block) {
      // The combining functions of reductions and the like are a few ops on scalars.
      if (isa_and_nonnull<tt::FuncOp, scf::ForOp, scf::IfOp, scf::WhileOp>(block->getParentOp())) {
        hoistLoads(*block, hoistBudget);
        sinkToUses(*block);
        sinkLocalLoads(*block);
        sinkBeginsOfBuffers(*block);
        hoistEndsOfBuffers(*block);
      }
    });
  }
};

} // namespace
