//===- ScheduleLoops.cpp - A stage and a cluster for every op of a loop -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// From the latencies of some ops:
//
//   distance(op) = latency(op) + the largest distance of its users in the iteration
//   stage(op)    = largest distance of all - distance(op)
//
// for those ops and what is computed from them. Later stages come first in the body: a value is
// used in the iteration before the one of the next is made. What such ops need is computed in
// their stage and cluster. What they need of the iteration before, as a pointer that is moved on,
// is computed one stage later and one cluster before, so right before it is used and not an
// iteration early. All else is in the last stage, as early as its operands are, but for branches
// that nothing waits for: they come last.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/OpKinds.h"
#include "transform/pipeline/Passes.h"
#include "transform/pipeline/schedule/LoopSchedule.h"
#include "transform/pipeline/schedule/MemoryOrder.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONGPUSCHEDULELOOPS
#include "transform/pipeline/Passes.h.inc"
} // namespace tilewright::transform

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

namespace {

class Scheduler {
public:
  explicit Scheduler(scf::ForOp loop) : loop(loop), memory(loop) {
    for (Operation &op : loop.getBody()->without_terminator())
      if (auto latency = op.getAttrOfType<IntegerAttr>(ttg::latencyAttrName)) {
        latencies[&op] = latency.getInt();
        op.removeAttr(ttg::latencyAttrName);
      }
  }

  /// The schedule, if the loop has one of more than one stage.
  std::optional<LoopSchedule> run() {
    for (auto [op, latency] : latencies)
      maxStage = std::max(maxStage, findDistance(op));
    if (maxStage == 0 || needsOrderedAccesses())
      return std::nullopt;
    placeDownstream();
    // What an early stage needs is not left to a later one.
    for (unsigned stage = 0; stage <= maxStage; ++stage)
      placeNeeds(stage);
    placeRest();
    if (!schedule.isRight(loop))
      return std::nullopt;
    return std::move(schedule);
  }

private:
  /// Iterations from the beginning of `op` to that of the last op that is computed from it.
  unsigned findDistance(Operation *op) {
    auto [entry, isNew] = distances.try_emplace(op, 0);
    if (!isNew)
      return entry->second;
    unsigned distance = 0;
    for (Operation *user : op->getUsers()) {
      Operation *ancestor = loop.getBody()->findAncestorOpInBlock(*user);
      if (ancestor && ancestor != loop.getBody()->getTerminator())
        distance = std::max(distance, findDistance(ancestor));
    }
    return distances[op] = distance + latencies.lookup(op);
  }

  /// Whether an op with a latency needs, of any iteration, an access that keeps its order with
  /// others: it would have to begin as early.
  bool needsOrderedAccesses() {
    llvm::SetVector<Operation *> needed;
    for (auto [op, latency] : latencies)
      needed.insert(op);
    for (size_t i = 0; i < needed.size(); ++i)
      forEachDependence(loop, needed[i], [&](Operation *def, bool) { needed.insert(def); });
    return llvm::any_of(needed, [&](Operation *op) { return memory.isKept(op); });
  }

  /// The ops with latencies and those after them, by distance.
  void placeDownstream() {
    for (unsigned stage = 0; stage <= maxStage; ++stage)
      clusterOfStage.push_back(0);
    for (unsigned stage = maxStage + 1; stage-- > 0;)
      clusterOfStage[stage] = schedule.appendCluster();
    for (auto [op, distance] : distances)
      schedule.set(op, {maxStage - distance, clusterOfStage[maxStage - distance]});
  }

  /// What `op` needs of its own iteration.
  void placeOperands(Operation *op) {
    const Slot slot = schedule.get(op);
    forEachDependence(loop, op, [&](Operation *def, bool isCarried) {
      if (!isCarried && schedule.setIfAbsent(def, slot))
        placeOperands(def);
    });
  }

  Cluster getClusterBefore(Cluster cluster) {
    auto [entry, isNew] = clusterBefore.try_emplace(cluster);
    if (isNew)
      entry->second = schedule.insertClusterBefore(cluster);
    return entry->second;
  }

  /// What the ops of `stage` need of their own iteration and, but for those of the last stage, of
  /// the iteration before.
  void placeNeeds(unsigned stage) {
    auto opsOfStage = [&] {
      SmallVector<Operation *> ops;
      for (Operation &op : loop.getBody()->without_terminator())
        if (const Slot *slot = schedule.find(&op); slot && slot->stage == stage)
          ops.push_back(&op);
      return ops;
    };
    for (Operation *op : opsOfStage())
      placeOperands(op);
    for (bool changed = stage != maxStage; changed;) {
      changed = false;
      for (Operation *op : opsOfStage()) {
        const Slot user = schedule.get(op);
        forEachDependence(loop, op, [&](Operation *def, bool isCarried) {
          if (!isCarried || schedule.find(def))
            return;
          schedule.set(def,
                       ttg::isLoad(def) ? user : Slot{stage + 1, getClusterBefore(user.cluster)});
          placeOperands(def);
          changed = true;
        });
      }
    }
  }

  /// What is left, and in the last stage what uses values that are moved on late.
  void placeRest() {
    for (Operation &op : loop.getBody()->without_terminator()) {
      const Slot *known = schedule.find(&op);
      Slot slot = known ? *known : Slot{maxStage, clusterOfStage[maxStage]};
      if (slot.stage == maxStage)
        forEachDependence(loop, &op, [&](Operation *def, bool isCarried) {
          const Slot *needed = schedule.find(def);
          if (!isCarried && needed && needed->stage == maxStage &&
              schedule.isBefore(slot.cluster, needed->cluster))
            slot.cluster = needed->cluster;
        });
      schedule.set(&op, slot);
      keepOrder(&op);
    }
    placeBranchesLast();
  }

  /// Has `op` stand no earlier than what accesses the same memory before it.
  void keepOrder(Operation *op) {
    const Slot slot = schedule.get(op);
    for (Operation &other : llvm::make_range(loop.getBody()->begin(), op->getIterator()))
      if (memory.isKept(&other, op) && schedule.get(&other).stage == slot.stage &&
          schedule.isBefore(schedule.get(op).cluster, schedule.get(&other).cluster))
        schedule.set(op, schedule.get(&other));
  }

  /// Whether an op after `branch` accesses the same memory.
  bool isOrderedAfter(Operation *branch) {
    return llvm::any_of(llvm::make_range(std::next(branch->getIterator()), loop.getBody()->end()),
                        [&](Operation &op) { return memory.isKept(branch, &op); });
  }

  /// A branch of the last stage that nothing in the iteration waits for, as one that stores the
  /// tile of a flattened loop, comes last: what begins in this iteration is under way meanwhile.
  /// What an earlier stage of the next iteration needs stays in front of that stage.
  void placeBranchesLast() {
    llvm::SmallPtrSet<Operation *, 4> waitedFor;
    for (Operation &op : loop.getBody()->without_terminator())
      forEachDependence(loop, &op, [&](Operation *def, bool isCarried) {
        if (!isCarried || schedule.get(&op).stage < maxStage)
          waitedFor.insert(def);
      });
    for (auto branch : loop.getBody()->getOps<scf::IfOp>()) {
      if (!waitedFor.contains(branch) && schedule.get(branch).stage == maxStage &&
          !isOrderedAfter(branch))
        schedule.set(branch, {maxStage, schedule.appendCluster()});
    }
  }

  scf::ForOp loop;
  MemoryOrder memory;
  LoopSchedule schedule;
  unsigned maxStage = 0;
  /// In the order of the program, so that schedules are the same every time.
  llvm::MapVector<Operation *, unsigned> latencies;
  /// Of the ops with latencies and those after them.
  llvm::MapVector<Operation *, unsigned> distances;
  SmallVector<Cluster> clusterOfStage;
  /// The clusters of what is moved on right before others use it.
  std::map<Cluster, Cluster> clusterBefore;
};

/// Ops in the body of a loop that can be computed once more, and the carried values that they use.
struct Slice {
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<unsigned> carried;
};

} // namespace

/// What the value that `loop` yields as number `number` is computed from; nothing if that is not
/// pure.
static std::optional<Slice> findSlice(scf::ForOp loop, unsigned number) {
  Slice slice;
  llvm::SmallPtrSet<Operation *, 8> found;
  SmallVector<unsigned> open = {number};
  slice.carried.insert(number);
  while (!open.empty()) {
    SmallVector<Operation *> ops = {loop.getYieldedValues()[open.pop_back_val()].getDefiningOp()};
    while (!ops.empty()) {
      Operation *op = ops.pop_back_val();
      if (!isPure(op) || op->getNumRegions() != 0)
        return std::nullopt;
      if (!found.insert(op).second)
        continue;
      for (Value operand : op->getOperands()) {
        auto argument = dyn_cast<BlockArgument>(operand);
        if (argument && argument.getOwner() == loop.getBody()) {
          const unsigned index = argument.getArgNumber();
          if (index >= loop.getNumInductionVars() &&
              slice.carried.insert(index - loop.getNumInductionVars()))
            open.push_back(index - loop.getNumInductionVars());
        } else if (Operation *def = operand.getDefiningOp();
                   def && def->getBlock() == loop.getBody()) {
          ops.push_back(def);
        }
      }
    }
  }
  for (Operation &op : *loop.getBody())
    if (found.contains(&op))
      slice.ops.insert(&op);
  return slice;
}

static int64_t getLastCluster(scf::ForOp loop) {
  int64_t last = 0;
  for (Operation &op : loop.getBody()->without_terminator())
    last = std::max(last, op.getAttrOfType<IntegerAttr>(ttg::clusterAttrName).getInt());
  return last;
}

/// Computes results of `loop` that are used after it once more, in the last stage: what an earlier
/// stage has made after the last iteration is of iterations that there are not. Returns the loop
/// with them, or nothing if that cannot be.
static std::optional<scf::ForOp> separateResults(scf::ForOp loop) {
  LoopSchedule schedule = *LoopSchedule::read(loop);
  const unsigned maxStage = schedule.getMaxStage();
  const unsigned results = loop.getNumResults();
  for (unsigned number = 0; number < results; ++number) {
    if (loop.getResult(number).use_empty() ||
        schedule.get(loop.getYieldedValues()[number].getDefiningOp()).stage == maxStage)
      continue;
    std::optional<Slice> slice = findSlice(loop, number);
    if (!slice)
      return std::nullopt;
    SmallVector<Value> initial;
    for (unsigned carried : slice->carried)
      initial.push_back(loop.getInitArgs()[carried]);
    const unsigned place = llvm::find(slice->carried, number) - slice->carried.begin();
    const unsigned before = loop.getNumResults();
    IRRewriter rewriter(loop.getContext());
    IntegerAttr stage = rewriter.getI32IntegerAttr(maxStage);
    // Nothing but what it yields needs it: it comes last.
    IntegerAttr cluster = rewriter.getI32IntegerAttr(getLastCluster(loop));
    auto grown = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
          IRMapping mapping;
          for (auto [carried, argument] : llvm::zip_equal(slice->carried, arguments))
            mapping.map(loop.getRegionIterArg(carried), argument);
          for (Operation *op : slice->ops) {
            Operation *clone = builder.clone(*op, mapping);
            clone->setAttr(ttg::stageAttrName, stage);
            clone->setAttr(ttg::clusterAttrName, cluster);
          }
          SmallVector<Value> yielded;
          for (unsigned carried : slice->carried)
            yielded.push_back(mapping.lookup(loop.getYieldedValues()[carried]));
          return yielded;
        }));
    grown.getResult(number).replaceAllUsesWith(grown.getResult(before + place));
    loop = grown;
  }
  return loop;
}

namespace {

struct ScheduleLoopsPass : transform::impl::TritonGPUScheduleLoopsBase<ScheduleLoopsPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (llvm::any_of(*loop.getBody(),
                       [](Operation &op) { return op.hasAttr(ttg::latencyAttrName); }))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      std::optional<LoopSchedule> schedule = Scheduler(loop).run();
      if (!schedule)
        continue;
      schedule->write(loop);
      if (!separateResults(loop))
        LoopSchedule::erase(loop);
    }
  }
};

} // namespace
