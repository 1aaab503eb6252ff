//===- LoopSchedule.cpp - Stages and clusters of a loop's ops -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/LoopSchedule.h"
#include "ir/ttg/Attributes.h"
#include "transform/pipeline/schedule/LoopProblem.h"

#include "mlir/IR/Builders.h"
#include "mlir/Transforms/RegionUtils.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

void transform::forEachDependence(scf::ForOp loop, Operation *op,
                                  llvm::function_ref<void(Operation *, bool)> see) {
  auto visit = [&](Value value) {
    bool isCarried = false;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != loop.getBody() || value == loop.getInductionVar())
        return;
      isCarried = true;
      value = loop.getTiedLoopYieldedValue(argument)->get();
    }
    if (Operation *def = value.getDefiningOp(); def && def->getBlock() == loop.getBody())
      see(def, isCarried);
  };
  llvm::for_each(op->getOperands(), visit);
  visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *use) { visit(use->get()); });
}

std::optional<LoopSchedule> LoopSchedule::read(scf::ForOp loop) {
  if (!loop->hasAttr(ttg::maxStageAttrName))
    return std::nullopt;
  LoopSchedule schedule;
  std::map<int64_t, Cluster> clusterOf;
  for (Operation &op : loop.getBody()->without_terminator())
    if (auto number = op.getAttrOfType<IntegerAttr>(ttg::clusterAttrName))
      clusterOf.try_emplace(number.getInt());
  for (auto &[number, cluster] : clusterOf)
    cluster = schedule.appendCluster();
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto stage = op.getAttrOfType<IntegerAttr>(ttg::stageAttrName);
    auto cluster = op.getAttrOfType<IntegerAttr>(ttg::clusterAttrName);
    if (!stage || !cluster || stage.getInt() < 0)
      return std::nullopt;
    schedule.set(&op, {static_cast<unsigned>(stage.getInt()), clusterOf.at(cluster.getInt())});
  }
  return schedule;
}

void LoopSchedule::write(scf::ForOp loop) const {
  Builder builder(loop.getContext());
  std::map<size_t, unsigned> numbers;
  for (Operation &op : loop.getBody()->without_terminator())
    numbers.try_emplace(clusters.placeOf(get(&op).cluster));
  for (auto [number, entry] : llvm::enumerate(numbers))
    entry.second = number;
  for (Operation &op : loop.getBody()->without_terminator()) {
    const Slot slot = get(&op);
    op.setAttr(ttg::stageAttrName, builder.getI32IntegerAttr(slot.stage));
    op.setAttr(ttg::clusterAttrName,
               builder.getI32IntegerAttr(numbers.at(clusters.placeOf(slot.cluster))));
  }
  loop->setAttr(ttg::maxStageAttrName, builder.getI32IntegerAttr(getMaxStage()));
}

void LoopSchedule::erase(scf::ForOp loop) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    op.removeAttr(ttg::stageAttrName);
    op.removeAttr(ttg::clusterAttrName);
  }
  loop->removeAttr(ttg::maxStageAttrName);
}

unsigned LoopSchedule::getMaxStage() const {
  unsigned last = 0;
  for (const auto &[op, slot] : slots)
    last = std::max(last, slot.stage);
  return last;
}

const Slot *LoopSchedule::find(Operation *op) const {
  auto found = slots.find(op);
  return found == slots.end() ? nullptr : &found->second;
}

bool LoopSchedule::isEarlier(Operation *a, Operation *b) const {
  const Slot first = get(a), second = get(b);
  if (first.stage != second.stage)
    return first.stage < second.stage;
  if (first.cluster != second.cluster)
    return isBefore(first.cluster, second.cluster);
  return a->isBeforeInBlock(b);
}

std::vector<Operation *> LoopSchedule::getOrder(scf::ForOp loop) const {
  std::vector<Operation *> order;
  for (Cluster cluster : clusters.get())
    for (Operation &op : loop.getBody()->without_terminator())
      if (get(&op).cluster == cluster)
        order.push_back(&op);
  return order;
}

LoopSchedule LoopSchedule::of(scf::ForOp loop, const ScheduleSolution &solution) {
  LoopSchedule schedule;
  for (auto [op, slot] : llvm::zip_equal(loop.getBody()->without_terminator(), solution)) {
    while (schedule.clusters.get().size() <= slot.cluster)
      schedule.appendCluster();
    schedule.set(&op, {slot.stage, slot.cluster});
  }
  return schedule;
}

std::optional<ScheduleSolution> LoopSchedule::getSolution(scf::ForOp loop) const {
  ScheduleSolution solution;
  for (Operation &op : loop.getBody()->without_terminator()) {
    const Slot *slot = find(&op);
    if (!slot)
      return std::nullopt;
    solution.push_back({slot->stage, static_cast<unsigned>(clusters.placeOf(slot->cluster))});
  }
  return solution;
}

bool LoopSchedule::isRight(scf::ForOp loop) const {
  const std::optional<ScheduleSolution> solution = getSolution(loop);
  return solution && verify(getProblem(loop, /*target=*/nullptr), *solution);
}

void ForwardMoves::pull(Operation *op, Cluster cluster) {
  const Slot slot = schedule.get(op);
  if (!schedule.isBefore(cluster, slot.cluster))
    return;
  schedule.set(op, {slot.stage, cluster});
  forEachDependence(loop, op, [&](Operation *def, bool isCarried) {
    if (schedule.get(def).stage != slot.stage + isCarried)
      return;
    if (isCarried && !clusterOfCarried.contains(cluster))
      clusterOfCarried[cluster] = schedule.insertClusterBefore(cluster);
    pull(def, isCarried ? clusterOfCarried.at(cluster) : cluster);
  });
}
