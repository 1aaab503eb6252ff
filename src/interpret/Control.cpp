//===- Control.cpp - Loops, branches, calls, groups of warps --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "interpret/Machine.h"

#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttng/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;

static Data dataOf(Machine &machine, ValueRange values) {
  Data data;
  for (Value value : values)
    data.push_back(machine.get(value));
  return data;
}

static void setResults(Machine &machine, Operation *op, ArrayRef<Datum> data) {
  for (auto [result, datum] : llvm::zip(op->getResults(), data))
    machine.set(result, datum);
}

static void runFor(Machine &machine, scf::ForOp loop) {
  int64_t at = machine.integer(loop.getLowerBound(), loop);
  const int64_t end = machine.integer(loop.getUpperBound(), loop),
                step = machine.integer(loop.getStep(), loop);
  if (step == 0)
    return machine.fault(loop, "the step of a loop is zero");
  const Type type = loop.getInductionVar().getType();
  const bool isUnsigned = loop.getUnsignedCmp();
  auto isInside = [&] {
    return isUnsigned ? lowBits(static_cast<uint64_t>(at), widthOf(type)) <
                            lowBits(static_cast<uint64_t>(end), widthOf(type))
                      : at < end;
  };
  Data carried = dataOf(machine, loop.getInitArgs());
  while (isInside() && !machine.hasStopped()) {
    carried.insert(carried.begin(), Datum(makeScalar(type, static_cast<uint64_t>(at))));
    carried = machine.runRegion(loop.getRegion(), carried);
    if (llvm::AddOverflow(at, step, at))
      break;
  }
  setResults(machine, loop, carried);
}

static void runIf(Machine &machine, scf::IfOp branch) {
  const bool taken = machine.truth(branch.getCondition(), branch);
  Region &region = taken ? branch.getThenRegion() : branch.getElseRegion();
  setResults(machine, branch, machine.runRegion(region, {}));
}

static void runWhile(Machine &machine, scf::WhileOp loop) {
  Data carried = dataOf(machine, loop.getInits());
  while (!machine.hasStopped()) {
    Data state = machine.runRegion(loop.getBefore(), carried);
    if (machine.hasStopped())
      return;
    const bool goesOn = machine.truth(loop.getConditionOp().getCondition(), loop);
    // The condition is the first operand of the terminator.
    state.erase(state.begin());
    if (!goesOn)
      return setResults(machine, loop, state);
    carried = machine.runRegion(loop.getAfter(), state);
  }
}

static void runRegionOnce(Machine &machine, scf::ExecuteRegionOp op) {
  setResults(machine, op, machine.runRegion(op.getRegion(), {}));
}

static void runSwitch(Machine &machine, scf::IndexSwitchOp op) {
  const int64_t chosen = machine.integer(op.getArg(), op);
  for (auto [value, region] : llvm::zip(op.getCases(), op.getCaseRegions()))
    if (value == chosen)
      return setResults(machine, op, machine.runRegion(region, {}));
  setResults(machine, op, machine.runRegion(op.getDefaultRegion(), {}));
}

static void runCall(Machine &machine, tt::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<tt::FuncOp>(call, call.getCalleeAttr());
  if (!callee || callee.isExternal())
    return machine.refuse(call, "of a function without a body");
  if (callee->isProperAncestor(call))
    return machine.refuse(call, "of a function by itself");
  setResults(machine, call,
             machine.runRegion(callee.getBody(), dataOf(machine, call.getOperands())));
}

/// A region whose effects a predicate allows.
static void runMasked(Machine &machine, ttg::MaskOp op) {
  if (machine.truth(op.getPred(), op))
    return setResults(machine, op, machine.runRegion(op.getRegion(), {}));
  for (Value result : op.getResults())
    machine.set(result, std::monostate());
}

static void predicateStage(Machine &machine, ttg::PredicateStageOp op) {
  const int64_t at = machine.integer(op.getIv(), op), end = machine.integer(op.getUb(), op),
                step = machine.integer(op.getStep(), op);
  const int64_t ahead = static_cast<int64_t>(op.getMaxStage()) - op.getStage();
  machine.set(op.getResult(), makeScalar(op.getType(), at < end - ahead * step));
}

static void specialize(Machine &machine, ttg::WarpSpecializeOp op) {
  setResults(machine, op,
             machine.runGroups(op.getDefaultRegion(), op.getPartitionRegions(),
                               dataOf(machine, op.getExplicitCaptures()), op));
}

static void programId(Machine &machine, tt::GetProgramIdOp op) {
  machine.set(op.getResult(),
              makeScalar(op.getType(), machine.programId[static_cast<unsigned>(op.getAxis())]));
}

static void programCount(Machine &machine, tt::GetNumProgramsOp op) {
  machine.set(op.getResult(),
              makeScalar(op.getType(), machine.launch.grid[static_cast<unsigned>(op.getAxis())]));
}

static void check(Machine &machine, tt::AssertOp op) {
  const TensorPtr condition = machine.tensor(op.getCondition());
  for (size_t i = 0; i < condition->size(); ++i)
    if (!condition->isUndefined(i) && !(condition->bits[i] & 1))
      return machine.fault(op, "an assertion does not hold: " + op.getMessage().str());
}

static void doNothing(Machine &, Operation *) {}

void interpret::addControl(Handlers &handlers) {
  handlers.add<scf::ForOp>(runFor);
  handlers.add<scf::IfOp>(runIf);
  handlers.add<scf::WhileOp>(runWhile);
  handlers.add<scf::ExecuteRegionOp>(runRegionOnce);
  handlers.add<scf::IndexSwitchOp>(runSwitch);
  handlers.add<tt::CallOp>(runCall);
  handlers.add<ttg::MaskOp>(runMasked);
  handlers.add<ttg::PredicateStageOp>(predicateStage);
  handlers.add<ttg::WarpSpecializeOp>(specialize);
  handlers.add<tt::GetProgramIdOp>(programId);
  handlers.add<tt::GetNumProgramsOp>(programCount);
  handlers.add<tt::AssertOp>(check);
  // Threads that wait for one another, and orders of memory, are finer than a tile.
  handlers.addAll<tt::PrintOp, tt::GridDependencyWaitOp, tt::GridDependencyLaunchOp, ttg::BarrierOp,
                  ttng::FenceAsyncSharedOp, ttng::FenceMBarrierInitReleaseClusterOp>(doNothing);
}
