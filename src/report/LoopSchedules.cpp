//===- LoopSchedules.cpp - Stages and clusters of loops -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/LoopSchedules.h"

#include "ir/ttg/query/OpKinds.h"
#include "transform/pipeline/schedule/LoopProblem.h"
#include "transform/pipeline/schedule/LoopSchedule.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::report;

/// The variable of the source that the op's result is; empty where it is none.
static std::string variableOf(Operation *op) {
  auto name = dyn_cast<NameLoc>(op->getLoc());
  return name ? name.getName().str() : std::string();
}

unsigned ScheduledLoop::cyclesOf(transform::MachineUnit unit) const {
  unsigned sum = 0;
  for (const ScheduledOp &op : ops)
    sum += op.cycles[static_cast<unsigned>(unit)];
  return sum;
}

static uint64_t countBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getNumElements() * tt::getElementBits(tensor) / 8 : 0;
}

static uint64_t countFlops(Operation *product) {
  auto result = dyn_cast<RankedTensorType>(product->getResult(0).getType());
  Type a = product->getOperand(0).getType();
  auto memory = dyn_cast<ttg::MemDescType>(a);
  if (!result || !(memory || isa<RankedTensorType>(a)))
    return 0;
  const ArrayRef<int64_t> shape = memory ? memory.getShape() : cast<RankedTensorType>(a).getShape();
  return 2 * shape.back() * result.getNumElements();
}

static ScheduledLoop describe(scf::ForOp loop, const transform::LoopSchedule &schedule,
                              Places &places) {
  ScheduledLoop result;
  places.collect(loop.getLoc(), result.places);
  result.stages = schedule.getMaxStage() + 1;
  const transform::ScheduleProblem problem = transform::getProblem(loop, ttg::getTarget(loop));
  if (auto solution = schedule.getSolution(loop))
    result.figures = measure(problem, *solution);
  llvm::DenseMap<Operation *, const transform::ScheduleOp *> costs;
  for (auto [op, cost] : llvm::zip(loop.getBody()->without_terminator(), problem.ops))
    costs[&op] = &cost;
  for (Operation *op : schedule.getOrder(loop)) {
    const transform::Slot slot = schedule.get(op);
    auto cluster = op->getAttrOfType<IntegerAttr>(ttg::clusterAttrName);
    ScheduledOp entry{op->getName().getStringRef().str(),
                      variableOf(op),
                      slot.stage,
                      cluster ? static_cast<unsigned>(cluster.getInt()) : slot.cluster,
                      ttg::isLoad(op),
                      ttg::isProduct(op),
                      {}};
    places.collect(op->getLoc(), entry.places);
    entry.bytes = entry.isLoad ? countBytes(op->getResult(0).getType()) : 0;
    entry.flops = entry.isProduct && op->getNumResults() ? countFlops(op) : 0;
    entry.cycles = costs.at(op)->cycles;
    result.ops.push_back(std::move(entry));
  }
  return result;
}

std::vector<ScheduledLoop> report::collectSchedules(ModuleOp module, Places &places) {
  std::vector<ScheduledLoop> loops;
  module.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (auto schedule = transform::LoopSchedule::read(loop))
      loops.push_back(describe(loop, *schedule, places));
  });
  return loops;
}

llvm::json::Array report::toJson(const std::vector<ScheduledLoop> &loops) {
  auto numbers = [](const auto &list) {
    llvm::json::Array array;
    for (unsigned number : list)
      array.push_back(number);
    return array;
  };
  llvm::json::Array result;
  for (const ScheduledLoop &loop : loops) {
    llvm::json::Array ops;
    for (const ScheduledOp &op : loop.ops)
      ops.push_back(llvm::json::Object{{"op", op.op},
                                       {"name", op.name},
                                       {"stage", op.stage},
                                       {"cluster", op.cluster},
                                       {"load", op.isLoad},
                                       {"product", op.isProduct},
                                       {"places", numbers(op.places)},
                                       {"bytes", op.bytes},
                                       {"flops", op.flops},
                                       {"cycles", numbers(op.cycles)}});
    llvm::json::Array units;
    for (unsigned unit = 0; unit < transform::numMachineUnits; ++unit)
      units.push_back(llvm::json::Object{{"name", getName(transform::MachineUnit(unit))},
                                         {"cycles", loop.cyclesOf(transform::MachineUnit(unit))}});
    result.push_back(llvm::json::Object{{"places", numbers(loop.places)},
                                        {"stages", loop.stages},
                                        {"interval", loop.figures.interval},
                                        {"length", loop.figures.length},
                                        {"units", std::move(units)},
                                        {"ops", std::move(ops)}});
  }
  return result;
}
