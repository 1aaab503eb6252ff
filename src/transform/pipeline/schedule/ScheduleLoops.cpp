//===- ScheduleLoops.cpp - A stage and a cluster for every op of a loop -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The loop is read as a problem (LoopProblem.h), which a solver solves; the solution is noted at
// the ops.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/OpKinds.h"
#include "transform/pipeline/Passes.h"
#include "transform/pipeline/schedule/ExactScheduler.h"
#include "transform/pipeline/schedule/ListScheduler.h"
#include "transform/pipeline/schedule/LoopProblem.h"
#include "transform/pipeline/schedule/LoopSchedule.h"
#include "transform/pipeline/schedule/ScheduleText.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

namespace tilewright::transform {
#define GEN_PASS_DEF_TESTPRINTSCHEDULES
#define GEN_PASS_DEF_TRITONGPUSCHEDULELOOPS
#include "transform/pipeline/Passes.h.inc"
} // namespace tilewright::transform

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

namespace {

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

/// Nodes of the search that an exact schedule is worth.
constexpr unsigned maxNodes = 20000;

/// The best solution of `problem` that is known: of the exact solver, where it has found one in
/// time with a shorter interval than the list's.
std::optional<ScheduleSolution> solve(const ScheduleProblem &problem, bool isExact) {
  std::optional<ScheduleSolution> listed = solveByList(problem);
  if (!isExact || !listed)
    return listed;
  const ScheduleFigures known = measure(problem, *listed);
  const ExactResult exact =
      solveExactly(problem, static_cast<unsigned>(std::ceil(known.interval)), maxNodes);
  if (!exact.schedule)
    return listed;
  ScheduleSolution found = exact.schedule->getSolution();
  const bool isBetter = measure(problem, found).interval < known.interval;
  return isBetter && verify(problem, found) ? found : listed;
}

SmallVector<scf::ForOp> findLoops(ModuleOp module) {
  SmallVector<scf::ForOp> loops;
  module.walk([&](scf::ForOp loop) {
    if (llvm::any_of(*loop.getBody(),
                     [](Operation &op) { return op.hasAttr(ttg::latencyAttrName); }))
      loops.push_back(loop);
  });
  return loops;
}

struct ScheduleLoopsPass : transform::impl::TritonGPUScheduleLoopsBase<ScheduleLoopsPass> {
  using TritonGPUScheduleLoopsBase::TritonGPUScheduleLoopsBase;

  void runOnOperation() override {
    // The list asks for no cycles.
    const target::Target *target = isExact ? ttg::getTarget(getOperation()) : nullptr;
    for (scf::ForOp loop : findLoops(getOperation())) {
      const ScheduleProblem problem = getProblem(loop, target);
      for (Operation &op : *loop.getBody())
        op.removeAttr(ttg::latencyAttrName);
      if (!canBeginEarly(problem))
        continue;
      const std::optional<ScheduleSolution> solution = solve(problem, isExact);
      if (!solution)
        continue;
      LoopSchedule::of(loop, *solution).write(loop);
      if (!separateResults(loop))
        LoopSchedule::erase(loop);
    }
  }
};

struct TestPrintSchedulesPass : transform::impl::TestPrintSchedulesBase<TestPrintSchedulesPass> {
  void runOnOperation() override {
    for (scf::ForOp loop : findLoops(getOperation()))
      printSchedules(getProblem(loop, ttg::getTarget(getOperation())));
  }

  static void printSchedules(const ScheduleProblem &problem) {
    llvm::outs() << printProblem(problem);
    const std::optional<ScheduleSolution> listed =
        canBeginEarly(problem) ? solveByList(problem) : std::nullopt;
    if (!listed) {
      llvm::outs() << "no schedule\n";
      return;
    }
    print("list", problem, *listed);
    const unsigned most = std::ceil(measure(problem, *listed).interval);
    const ExactResult exact = solveExactly(problem, most, maxNodes);
    const StringRef name = exact.isProven ? "exact" : "found";
    if (exact.schedule)
      print(name, problem, exact.schedule->getSolution());
    else
      llvm::outs() << name << ": none\n";
  }

  static void print(StringRef solver, const ScheduleProblem &problem,
                    const ScheduleSolution &solution) {
    const ScheduleFigures figures = measure(problem, solution);
    llvm::outs() << solver << ": interval " << llvm::format("%.1f", figures.interval) << ", length "
                 << figures.length << ", stages " << figures.stages << ", buffers "
                 << figures.buffers << '\n'
                 << printSolution(solution);
  }
};

} // namespace
