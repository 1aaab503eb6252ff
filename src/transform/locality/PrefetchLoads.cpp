//===- PrefetchLoads.cpp - Loads issued an iteration ahead --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A loop that loads a little and computes much with it waits at the beginning of every
// iteration. So four iterations run at once, and before their arithmetic, on what has been
// loaded already, everything that the next four need is loaded:
//
//     x = load(lower)                     masked: lower < upper
//     for i in [lower, upper):
//       next = i if i is the last, else i + step
//       y = load(next)
//       compute(x)
//       x = y
//
// The last iteration loads once more what it has. That needs no mask, which would keep the
// back end from joining neighbouring loads, and touches no address that the loop does not.
//
// Addresses may depend on the induction variable, on what is invariant, and on values that
// the loop carries and computes from such alone, as pointers that are incremented. For the next
// iteration these are what the loop yields.
//
//===--------------------------------------------------------------------------===//

#include "analysis/RegisterPressure.h"
#include "analysis/Resources.h"
#include "analysis/TripCount.h"
#include "ir/ttg/Attributes.h"
#include "target/RegisterModel.h"
#include "target/Target.h"
#include "transform/locality/DataMovement.h"
#include "transform/locality/Passes.h"
#include "transform/tile/Unroll.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;

namespace tilewright::transform {
#define GEN_PASS_DEF_PREFETCHLOADS
#include "transform/locality/Passes.h.inc"
} // namespace tilewright::transform

namespace {

/// A loop, its loads, and what their addresses are computed from.
class PrefetchableLoop {
public:
  PrefetchableLoop(scf::ForOp loop, const target::Target &target) : loop(loop), target(target) {}

  /// Whether loads of later iterations may be made before the arithmetic of earlier ones.
  bool analyse();
  /// Whether there is much to compute on little data.
  bool isComputeBound();
  /// Whether a thread, which may have `perThread` registers, has those that it needs if it loads
  /// `factor` iterations ahead, and the warp for what all lanes have in common. Each element may
  /// have an address, which is counted as one register: many are constants apart.
  bool hasRegisters(unsigned factor, unsigned perThread);
  void prefetch();

private:
  bool collectAddresses();
  void createNext(OpBuilder &builder, IRMapping &next);
  void cloneSlice(OpBuilder &builder, IRMapping &mapping, Value guard);
  /// The registers that the loads of an iteration fill, of threads and of warps.
  std::pair<unsigned, unsigned> getLoadedRegisters(bool warpsHaveRegisters);

  scf::ForOp loop;
  const target::Target &target;
  SmallVector<tt::LoadOp> loads;
  /// The loads and the ops that they need, for this iteration and the next, in program order.
  SmallVector<Operation *> slice;
  /// Numbers of the carried values among what they need.
  llvm::SetVector<unsigned> carried;
};

} // namespace

bool PrefetchableLoop::analyse() {
  if (!isa<IntegerType>(loop.getInductionVar().getType()))
    return false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto load = dyn_cast<tt::LoadOp>(op)) {
      if (hasEffect<MemoryEffects::Write>(load))
        return false;
      loads.push_back(load);
    } else if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op) ||
               transform::synchronises(&op)) {
      return false;
    }
  }
  return !loads.empty() && collectAddresses();
}

bool PrefetchableLoop::collectAddresses() {
  llvm::SmallPtrSet<Operation *, 32> found;
  SmallVector<Value> needed;
  for (tt::LoadOp load : loads) {
    found.insert(load);
    llvm::append_range(needed, load->getOperands());
  }
  while (!needed.empty()) {
    Value value = needed.pop_back_val();
    if (value.getParentBlock() != loop.getBody() || value == loop.getInductionVar())
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      unsigned number = argument.getArgNumber() - loop.getNumInductionVars();
      if (carried.insert(number))
        needed.push_back(loop.getYieldedValues()[number]);
      continue;
    }
    // The address of the first iteration is computed even if the loop does not run.
    Operation *op = value.getDefiningOp();
    if (!isPure(op))
      return false;
    if (found.insert(op).second)
      llvm::append_range(needed, op->getOperands());
  }
  for (Operation &op : *loop.getBody())
    if (found.contains(&op))
      slice.push_back(&op);
  return true;
}

/// Whether all lanes of a warp have the same elements.
static bool isUniform(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor || llvm::all_of(ttg::toLinearLayout(tensor).bases(layout::dims::Lane),
                                 [](uint64_t basis) { return basis == 0; });
}

std::pair<unsigned, unsigned> PrefetchableLoop::getLoadedRegisters(bool warpsHaveRegisters) {
  unsigned ofThread = 0, ofWarp = 0;
  for (tt::LoadOp load : loads) {
    bool isOfWarp = warpsHaveRegisters && isUniform(load.getType());
    (isOfWarp ? ofWarp : ofThread) += transform::getDistinctRegisters(load.getType());
  }
  return {ofThread, ofWarp};
}

/// The elements of a tensor; 1 for a scalar.
static uint64_t countElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getNumElements() : 1;
}

bool PrefetchableLoop::isComputeBound() {
  unsigned ofThread = 0, loaded = 0;
  uint64_t ofBlock = 0, bits = 0;
  for (tt::LoadOp load : loads) {
    loaded += transform::getDistinctElements(load.getType());
    bits += countElements(load.getType()) * tt::getStorageBits(getElementTypeOrSelf(load));
  }
  for (Operation &op : *loop.getBody()) {
    if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, math::FmaOp>(op))
      continue;
    ofThread += transform::getDistinctElements(op.getResult(0).getType());
    ofBlock += countElements(op.getResult(0).getType());
  }
  return ofThread >= target.loops.minFlopsPerLoad * loaded &&
         ofBlock * 8 >= target.loops.minFlopsPerByte * bits;
}

/// Carried addresses, of which each element may have its own.
static unsigned countPointerRegisters(scf::ForOp loop) {
  unsigned registers = 0;
  for (Type type : loop.getResultTypes())
    if (isa<tt::PointerType>(tt::getElementTypeOrSelf(type)))
      registers += transform::getDistinctRegisters(type);
  return registers;
}

bool PrefetchableLoop::hasRegisters(unsigned factor, unsigned perThread) {
  const unsigned perWarp = target.execution.warpUnit.registers;
  const unsigned uncounted = target.registers->uncounted;
  auto [ofThread, ofWarp] = getLoadedRegisters(perWarp != 0);
  const unsigned underWay = 2 * factor + 1;
  const transform::LoopRegisters threads = {.base = uncounted,
                                            .carried = transform::countCarriedRegisters(loop),
                                            .addresses = countPointerRegisters(loop),
                                            .loads = underWay * ofThread};
  const transform::LoopRegisters warps = {.base = uncounted, .loads = underWay * ofWarp};
  return threads.total() <= perThread && (ofWarp == 0 || warps.total() <= perWarp);
}

/// `condition`, a scalar, in the shape of a mask for values of `type`.
static Value splatCondition(OpBuilder &builder, Value condition, Type type) {
  if (!isa<RankedTensorType>(type))
    return condition;
  return tt::SplatOp::create(builder, condition.getLoc(), tt::getMaskType(type), condition);
}

/// Clones the slice at `builder`; loads get `guard`, if there is one, as a mask.
void PrefetchableLoop::cloneSlice(OpBuilder &builder, IRMapping &mapping, Value guard) {
  for (Operation *op : slice) {
    Operation *clone = builder.clone(*op, mapping);
    auto load = dyn_cast<tt::LoadOp>(clone);
    if (!load || !guard)
      continue;
    builder.setInsertionPoint(load);
    Value mask = splatCondition(builder, guard, load.getPtr().getType());
    if (Value own = load.getMask())
      mask = arith::AndIOp::create(builder, load.getLoc(), own, mask);
    load.getMaskMutable().assign(mask);
    builder.setInsertionPointAfter(load);
  }
}

/// Maps the induction variable and the carried values to those of the next iteration, or of
/// this one if it is the last.
void PrefetchableLoop::createNext(OpBuilder &builder, IRMapping &next) {
  Location loc = loop.getLoc();
  Value iv = loop.getInductionVar(), step = loop.getStep();
  // What is left is positive; read as an unsigned number it cannot overflow.
  Value left = arith::SubIOp::create(builder, loc, loop.getUpperBound(), iv);
  Value goesOn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, left, step);
  Value sum = arith::AddIOp::create(builder, loc, iv, step);
  Value nextIv = arith::SelectOp::create(builder, loc, goesOn, sum, iv);

  // What the loop yields for carried values is computed first, from this iteration's.
  IRMapping current;
  SmallVector<Value> values;
  if (!carried.empty())
    for (Operation *op : slice)
      if (!isa<tt::LoadOp>(op))
        builder.clone(*op, current);
  for (unsigned number : carried) {
    Value yielded = current.lookupOrDefault(loop.getYieldedValues()[number]);
    Value argument = loop.getRegionIterArg(number);
    Value condition = splatCondition(builder, goesOn, argument.getType());
    values.push_back(arith::SelectOp::create(builder, loc, condition, yielded, argument));
  }
  next.map(iv, nextIv);
  for (auto [number, value] : llvm::zip_equal(carried, values))
    next.map(loop.getRegionIterArg(number), value);
}

void PrefetchableLoop::prefetch() {
  OpBuilder builder(loop);
  bool runs = transform::isKnownToRun(loop) == true;
  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  for (unsigned number : carried)
    first.map(loop.getRegionIterArg(number), loop.getInitArgs()[number]);
  cloneSlice(builder, first, runs ? Value() : transform::createIfRuns(builder, loop));

  builder.setInsertionPointToStart(loop.getBody());
  IRMapping next;
  createNext(builder, next);
  cloneSlice(builder, next, /*guard=*/{});

  SmallVector<Value> initial, yielded;
  for (tt::LoadOp load : loads) {
    initial.push_back(first.lookup(load.getResult()));
    yielded.push_back(next.lookup(load.getResult()));
  }
  IRRewriter rewriter(builder);
  auto grown = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return yielded; }));
  for (auto [load, value] :
       llvm::zip_equal(loads, grown.getRegionIterArgs().take_back(loads.size()))) {
    load.getResult().replaceAllUsesWith(value);
    load->erase();
  }
}

namespace {

struct PrefetchLoads : transform::impl::PrefetchLoadsBase<PrefetchLoads> {
  using PrefetchLoadsBase::PrefetchLoadsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      auto stages = loop->getAttrOfType<IntegerAttr>(ttg::numStagesAttrName);
      if ((stages ? stages.getInt() : numStages) > 1)
        loops.push_back(loop);
    });
    if (loops.empty())
      return;
    const target::Target *target = ttg::getTarget(getOperation());
    if (!target)
      return;
    // Of a thread, if a multiprocessor is to hold the block.
    const unsigned lanes = ttg::getThreadsPerWarp(getOperation());
    const unsigned perThread =
        target->registersForWarps(ttg::getTotalNumWarps(getOperation()), lanes);
    for (scf::ForOp loop : loops) {
      PrefetchableLoop candidate(loop, *target);
      if (!candidate.analyse() || !candidate.isComputeBound())
        continue;
      for (unsigned factor : {4, 2}) {
        if (!candidate.hasRegisters(factor, perThread))
          continue;
        if (!transform::unrollLoop(loop, factor))
          break;
        PrefetchableLoop unrolled(loop, *target);
        if (unrolled.analyse())
          unrolled.prefetch();
        break;
      }
    }
  }
};

} // namespace
