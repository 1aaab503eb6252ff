//===- AssignLatencies.cpp - Which loads begin how early ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Loads have levels: 0 for what products (or threads that wait for each other) use, 1 for what the
// addresses of level 0 are computed from, and so on. A loop of S stages hides S - 1 iterations of
// latency; n levels share them, (S - 1) / n each.
//
// Copies are in flight into buffers of shared memory: for a latency of l iterations l + 1 tiles, so
// that the copy of one iteration writes what the iteration before has read, and one barrier an
// iteration is enough. As many stages are taken as there is memory for. Where the source leaves
// their number open, a search decides (StageChoice.h).
//
// Products have latencies, too, where the target's atoms complete later than they are issued: one
// whose result no op of its iteration reads may run on into the next iteration. Others are left
// open: a branch may take over the ops that read.
//
//===--------------------------------------------------------------------------===//

#include "analysis/RegisterEstimate.h"
#include "analysis/Resources.h"
#include "ir/ttg/query/OpKinds.h"
#include "transform/locality/DataMovement.h"
#include "transform/pipeline/Passes.h"
#include "transform/pipeline/Strategy.h"
#include "transform/pipeline/copies/AsyncLoads.h"
#include "transform/pipeline/schedule/LoopProblem.h"
#include "transform/pipeline/schedule/LoopSchedule.h"
#include "transform/pipeline/schedule/MemoryOrder.h"
#include "transform/pipeline/schedule/StageChoice.h"
#include "transform/pipeline/staged/StagedLoads.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace tilewright::transform {
#define GEN_PASS_DEF_TRITONGPUASSIGNLATENCIES
#include "transform/pipeline/Passes.h.inc"
} // namespace tilewright::transform

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

namespace {

/// The loads of a loop by their levels; each has one.
using LoadLevels = llvm::MapVector<Operation *, unsigned>;

/// Finds loads going backwards from users.
class LevelSearch {
public:
  explicit LevelSearch(scf::ForOp loop) : loop(loop) {}

  /// Follows `value`, which is used at `level`, to the loads that it is computed from.
  void follow(Value value, unsigned level) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || !visited.insert({op, level}).second)
      return;
    if (ttg::isLoad(op)) {
      auto [entry, isNew] = levels.insert({op, level});
      if (!isNew && entry->second != level)
        ambiguous.insert(op);
      ++level;
    }
    forEachDependence(loop, op, [&](Operation *def, bool isCarried) {
      if (!isCarried)
        for (Value result : def->getResults())
          follow(result, level);
    });
  }

  /// Those that were met at one level only.
  LoadLevels getLevels() const {
    LoadLevels result;
    for (auto [load, level] : levels)
      if (!ambiguous.contains(load))
        result.insert({load, level});
    return result;
  }

private:
  scf::ForOp loop;
  llvm::DenseSet<std::pair<Operation *, unsigned>> visited;
  LoadLevels levels;
  llvm::SmallPtrSet<Operation *, 4> ambiguous;
};

} // namespace

/// Whether iterations of `loop` can overlap: it is innermost, nothing in it orders iterations for
/// all threads, and it carries values from one iteration to the next and no further.
static bool canOverlap(scf::ForOp loop) {
  if (loop.getUnsignedCmp() || !isa<IntegerType>(loop.getInductionVar().getType()))
    return false;
  const bool isPlain = !loop.getBody()
                            ->walk([](Operation *op) {
                              return WalkResult(failure(
                                  isa<LoopLikeOpInterface, ttg::BarrierOp, ttg::WarpSpecializeOp,
                                      tt::CallOp, tt::PrintOp, tt::AssertOp>(op)));
                            })
                            .wasInterrupted();
  return isPlain && llvm::all_of(loop.getYieldedValues(), [&](Value value) {
           return value.getDefiningOp() && value.getDefiningOp()->getBlock() == loop.getBody();
         });
}

/// Whether what `loop` loads without a product is better under way early: threads wait for each
/// other in every iteration, so that they load nothing for the next one meanwhile. Where each
/// computes by itself, others of its multiprocessor load.
static bool waitsForThreads(scf::ForOp loop) {
  return llvm::any_of(*loop.getBody(), [](Operation &op) {
    auto reduce = dyn_cast<tt::ReduceOp>(op);
    return reduce && reducesAcrossThreads(reduce);
  });
}

static bool hasWrites(scf::ForOp loop) {
  return loop.getBody()
      ->walk([](Operation *op) {
        return WalkResult(failure(hasEffect<MemoryEffects::Write>(op) && !ttg::isProduct(op)));
      })
      .wasInterrupted();
}

/// Says which products of `loop` that complete later than they are issued may run on.
static void assignProducts(scf::ForOp loop) {
  const SmallVector<Operation *> awaited = findAwaitedProducts(loop);
  for (Operation &op : *loop.getBody())
    if (ttg::isProduct(&op) && isa<ttg::SharedMemoryUser>(op) && !llvm::is_contained(awaited, &op))
      setSelfLatency(&op, 1);
}

static bool hasProducts(scf::ForOp loop) {
  return llvm::any_of(*loop.getBody(), [](Operation &op) { return ttg::isProduct(&op); });
}

/// The loads of `loop` that are worth beginning early, by their levels.
static LoadLevels findLoads(scf::ForOp loop) {
  LevelSearch search(loop);
  for (Operation &op : *loop.getBody()) {
    if (!ttg::isProduct(&op))
      continue;
    // Multiply-adds get their operands by way of memory of their own.
    auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
    if (type && isa<ttg::BlockedEncodingAttr>(type.getEncoding()) &&
        !isa<ttg::MemDescType>(op.getOperand(0).getType()))
      continue;
    search.follow(op.getOperand(0), 0);
    search.follow(op.getOperand(1), 0);
  }
  const bool isAsked = loop->hasAttr(ttg::numStagesAttrName);
  if (!isAsked && (hasProducts(loop) || !waitsForThreads(loop) || hasWrites(loop)))
    return search.getLevels();
  // All that has an effect, the terminator included.
  for (Operation &op : *loop.getBody())
    if (!ttg::isLoad(&op) && (!isPure(&op) || isa<scf::YieldOp>(op)))
      for (Value operand : op.getOperands())
        search.follow(operand, 0);
  return search.getLevels();
}

/// The facts that StageChoice asks about `loop`, whose `loads` are copied; nothing where its number
/// of stages is as the source asks. `room` bytes of shared memory are free.
static std::optional<StageNeeds> findStageNeeds(scf::ForOp loop, const LoopStrategy &strategy,
                                                uint64_t room, const target::Target &target,
                                                ArrayRef<std::pair<Operation *, unsigned>> loads) {
  if (!(strategy.waitsInIteration || strategy.isPlainSum) ||
      !llvm::all_of(loads, [](const auto &entry) {
        return isa<tt::LoadOp>(entry.first) && entry.second == 0;
      }))
    return std::nullopt;
  StageNeeds needs = {.warps = unsigned(ttg::getNumWarps(loop)),
                      .usedBytes = target.shared.maxBytes - room,
                      .waitsInIteration = strategy.waitsInIteration,
                      .sumCycles = strategy.isPlainSum ? getProductCycles(loop, target) : 0};
  for (auto [load, level] : loads) {
    needs.tileBytes += ttg::getTileBytes(load);
    needs.isNarrow |= tt::getElementBits(load->getResult(0).getType()) < 16;
  }
  needs.registers = estimateMostRegisters(loop->getParentOfType<tt::FuncOp>(), target);
  return needs;
}

namespace {

struct AssignLatenciesPass : transform::impl::TritonGPUAssignLatenciesBase<AssignLatenciesPass> {
  using TritonGPUAssignLatenciesBase::TritonGPUAssignLatenciesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    const target::Target *target = ttg::getTarget(module);
    if (!target)
      return;
    SmallVector<std::pair<scf::ForOp, unsigned>> loops;
    module.walk([&](scf::ForOp loop) {
      auto own = loop->getAttrOfType<IntegerAttr>(ttg::numStagesAttrName);
      const int64_t stages = own ? own.getInt() : numStages;
      if (stages > 1 && canOverlap(loop))
        loops.push_back({loop, stages});
    });
    if (loops.empty())
      return;
    AxisInfoAnalysis axes(module);
    for (auto [loop, stages] : loops) {
      const LoopStrategy strategy = decideStrategy(*target, loop);
      const unsigned assigned = strategy.pointers == LoadPath::Registers
                                    ? assignStaged(loop, *target)
                                    : assign(loop, strategy, stages, axes, *target);
      if (assigned == 1)
        continue;
      assignProducts(loop);
      loop.emitRemark() << "iterations of the loop overlap in " << assigned
                        << " stages: " << strategy.describe();
    }
  }

private:
  /// Registers hold one tile ahead, whatever the number of stages. Returns the stages.
  unsigned assignStaged(scf::ForOp loop, const target::Target &target) {
    SmallVector<tt::LoadOp> early = findEarlyLoads(loop, target);
    const MemoryOrder memory(loop);
    llvm::erase_if(early, [&](tt::LoadOp load) { return memory.isKept(load); });
    for (tt::LoadOp load : early)
      load->setAttr(ttg::latencyAttrName, Builder(&getContext()).getI32IntegerAttr(1));
    return early.empty() ? 1 : 2;
  }

  /// Returns the stages that there is shared memory for, of the `stages` that are asked for.
  unsigned assign(scf::ForOp loop, const LoopStrategy &strategy, unsigned stages,
                  const AxisInfoAnalysis &axes, const target::Target &target) {
    struct Candidate {
      Operation *load;
      unsigned level;
      uint64_t bytes;
    };
    SmallVector<Candidate> candidates;
    llvm::SmallPtrSet<Operation *, 8> replaced;
    const MemoryOrder memory(loop);
    for (auto [load, level] : findLoads(loop)) {
      // What the loop writes, it loads in its turn.
      if (memory.isKept(load))
        continue;
      auto ofPointers = dyn_cast<tt::LoadOp>(load);
      if (ofPointers ? !planAsyncLoad(ofPointers, axes, target) : !ttg::isBufferedBlock(load))
        continue;
      candidates.push_back({load, level, ttg::getTileBytes(load)});
      collectReplaced(load, replaced);
    }
    if (candidates.empty())
      return 1;
    const uint64_t room = getFreeSharedBytes(loop, target, replaced);
    if (!loop->hasAttr(ttg::numStagesAttrName) && stages == unsigned(OptionDefaults::numStages)) {
      const auto loads = llvm::map_to_vector(candidates, [](const Candidate &candidate) {
        return std::pair(candidate.load, candidate.level);
      });
      if (std::optional<StageNeeds> needs = findStageNeeds(loop, strategy, room, target, loads))
        stages = chooseStages(target, *needs, stages);
    }
    if (!loop->hasAttr(ttg::numStagesAttrName) && !hasProducts(loop)) {
      uint64_t tileBytes = 0;
      for (const Candidate &candidate : candidates)
        tileBytes += candidate.bytes;
      stages = chooseStages(target, findIssueNeeds(loop, room, tileBytes, target), stages);
    }
    Builder builder(&getContext());
    loop->setAttr(ttg::assignedStagesAttrName, builder.getI32IntegerAttr(1));
    for (; stages > 1; --stages) {
      // A level needs an iteration at least.
      unsigned levels = 1;
      for (const Candidate &candidate : candidates)
        if (candidate.level + 1 < stages)
          levels = std::max(levels, candidate.level + 1);
      const unsigned latency = (stages - 1) / levels;
      uint64_t bytes = 0;
      for (const Candidate &candidate : candidates)
        if (candidate.level < levels)
          bytes += candidate.bytes * (latency + 1);
      if (bytes > room)
        continue;
      loop->setAttr(ttg::assignedStagesAttrName, builder.getI32IntegerAttr(latency * levels + 1));
      for (const Candidate &candidate : candidates)
        if (candidate.level < levels)
          candidate.load->setAttr(ttg::latencyAttrName, builder.getI32IntegerAttr(latency));
      return latency * levels + 1;
    }
    return 1;
  }
};

} // namespace
