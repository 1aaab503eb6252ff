//===- ListScheduler.cpp - Stages by latencies, clusters by stages ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/ListScheduler.h"
#include "transform/pipeline/schedule/ClusterOrder.h"

#include <map>

using namespace tilewright;
using namespace tilewright::transform;

namespace {

class ListScheduler {
public:
  explicit ListScheduler(const ScheduleProblem &problem)
      : problem(problem), distances(problem.getDistances()), maxStage(problem.countStages() - 1),
        slots(problem.ops.size()), needs(problem.ops.size()) {
    for (const ScheduleDependence &each : problem.dependences)
      needs[each.to].push_back(each);
  }

  std::optional<ScheduleSolution> run() {
    placeDownstream();
    // What an early stage needs is not left to a later one.
    for (unsigned stage = 0; stage <= maxStage; ++stage)
      placeNeeds(stage);
    placeRest();
    placeBranchesLast();
    ScheduleSolution solution = getSolution();
    if (!verify(problem, solution))
      return std::nullopt;
    return solution;
  }

private:
  struct Slot {
    unsigned stage;
    Cluster cluster;
  };

  /// Calls `see` with the dependences of `op` by values.
  template <typename See> void forEachValue(unsigned op, See see) {
    for (const ScheduleDependence &each : needs[op])
      if (!each.isOfMemory)
        see(each);
  }

  bool setIfAbsent(unsigned op, Slot slot) {
    if (slots[op])
      return false;
    slots[op] = slot;
    return true;
  }

  /// The early ops and those after them, by distance.
  void placeDownstream() {
    for (unsigned stage = 0; stage <= maxStage; ++stage)
      clusterOfStage.push_back(0);
    for (unsigned stage = maxStage + 1; stage-- > 0;)
      clusterOfStage[stage] = clusters.append();
    for (unsigned op = 0; op < slots.size(); ++op) {
      bool isDownstream = problem.ops[op].early != 0;
      forEachValue(op, [&](const ScheduleDependence &each) {
        isDownstream |= each.distance == 0 && slots[each.from];
      });
      if (isDownstream)
        slots[op] = {maxStage - distances[op], clusterOfStage[maxStage - distances[op]]};
    }
  }

  /// What `op` needs of its own iteration.
  void placeOperands(unsigned op) {
    const Slot slot = *slots[op];
    forEachValue(op, [&](const ScheduleDependence &each) {
      if (each.distance == 0 && setIfAbsent(each.from, slot))
        placeOperands(each.from);
    });
  }

  Cluster getClusterBefore(Cluster cluster) {
    auto [entry, isNew] = clusterBefore.try_emplace(cluster);
    if (isNew)
      entry->second = clusters.insertBefore(cluster);
    return entry->second;
  }

  std::vector<unsigned> getOpsOf(unsigned stage) {
    std::vector<unsigned> ops;
    for (unsigned op = 0; op < slots.size(); ++op)
      if (slots[op] && slots[op]->stage == stage)
        ops.push_back(op);
    return ops;
  }

  /// What the ops of `stage` need of their own iteration and, but for those of the last stage, of
  /// the iteration before.
  void placeNeeds(unsigned stage) {
    for (unsigned op : getOpsOf(stage))
      placeOperands(op);
    for (bool changed = stage != maxStage; changed;) {
      changed = false;
      for (unsigned op : getOpsOf(stage)) {
        const Slot user = *slots[op];
        forEachValue(op, [&](const ScheduleDependence &each) {
          if (each.distance == 0 || slots[each.from])
            return;
          slots[each.from] = problem.ops[each.from].isLoad
                                 ? user
                                 : Slot{stage + 1, getClusterBefore(user.cluster)};
          placeOperands(each.from);
          changed = true;
        });
      }
    }
  }

  /// What is left, and in the last stage what uses values that are moved on late, or accesses
  /// memory after an op that does.
  void placeRest() {
    for (unsigned op = 0; op < slots.size(); ++op) {
      Slot slot = slots[op].value_or(Slot{maxStage, clusterOfStage[maxStage]});
      if (slot.stage == maxStage)
        for (const ScheduleDependence &each : needs[op]) {
          const std::optional<Slot> &needed = slots[each.from];
          if (each.distance == 0 && needed && needed->stage == maxStage &&
              clusters.isBefore(slot.cluster, needed->cluster))
            slot.cluster = needed->cluster;
        }
      slots[op] = slot;
    }
  }

  /// A branch of the last stage that nothing in the iteration waits for, as one that stores the
  /// tile of a flattened loop, comes last: what begins in this iteration is under way meanwhile.
  /// What an earlier stage of the next iteration needs stays in front of that stage.
  void placeBranchesLast() {
    std::vector<bool> isWaitedFor(slots.size(), false);
    for (const ScheduleDependence &each : problem.dependences)
      if (each.distance == 0 || slots[each.to]->stage < maxStage)
        isWaitedFor[each.from] = true;
    for (unsigned op = 0; op < slots.size(); ++op)
      if (problem.ops[op].isBranch && !isWaitedFor[op] && slots[op]->stage == maxStage)
        slots[op] = {maxStage, clusters.append()};
  }

  /// The slots, with those clusters numbered by their places that have ops.
  ScheduleSolution getSolution() {
    std::map<size_t, unsigned> numbers;
    for (const std::optional<Slot> &slot : slots)
      numbers[clusters.placeOf(slot->cluster)];
    for (unsigned number = 0; auto &[place, given] : numbers)
      given = number++;
    ScheduleSolution solution;
    for (const std::optional<Slot> &slot : slots)
      solution.push_back({slot->stage, numbers[clusters.placeOf(slot->cluster)]});
    return solution;
  }

  const ScheduleProblem &problem;
  std::vector<unsigned> distances;
  unsigned maxStage;
  ClusterOrder clusters;
  std::vector<std::optional<Slot>> slots;
  /// By op.
  std::vector<std::vector<ScheduleDependence>> needs;
  std::vector<Cluster> clusterOfStage;
  /// The clusters of what is moved on right before others use it.
  std::map<Cluster, Cluster> clusterBefore;
};

} // namespace

std::optional<ScheduleSolution> transform::solveByList(const ScheduleProblem &problem) {
  return ListScheduler(problem).run();
}
