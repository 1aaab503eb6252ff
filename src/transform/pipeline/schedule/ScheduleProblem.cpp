//===- ScheduleProblem.cpp - Which op of a loop begins when -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/ScheduleProblem.h"

#include <algorithm>
#include <numeric>

using namespace tilewright;
using namespace tilewright::transform;

const char *transform::getName(MachineUnit unit) {
  static constexpr std::array<const char *, numMachineUnits> names = {"issue", "matrix", "copy",
                                                                      "special", "shared"};
  return names[static_cast<unsigned>(unit)];
}

static std::string describe(const ScheduleProblem &problem, unsigned op) {
  return "op " + std::to_string(op) + " (" + problem.ops[op].name + ")";
}

Result<void> transform::check(const ScheduleProblem &problem) {
  unsigned last = 0;
  for (const ScheduleDependence &each : problem.dependences) {
    if (std::max(each.from, each.to) >= problem.ops.size())
      return Failure("a dependence is of op " + std::to_string(std::max(each.from, each.to)) +
                     ", and there are " + std::to_string(problem.ops.size()));
    if (each.to < last)
      return Failure("the dependences of " + describe(problem, each.to) +
                     " do not stand together, by the order of ops");
    if (each.distance == 0 && each.from >= each.to)
      return Failure(describe(problem, each.to) + " depends on " + describe(problem, each.from) +
                     " of its iteration, which does not come before it");
    last = each.to;
  }
  return {};
}

std::vector<unsigned> ScheduleProblem::getDistances() const {
  std::vector<unsigned> distances(ops.size(), 0);
  // Dependences go by `to`: from the last one on, all that comes after an op has its distance.
  std::vector<unsigned> ofUsers(ops.size(), 0);
  for (size_t op = ops.size(), next = dependences.size(); op-- > 0;) {
    distances[op] = ofUsers[op] + ops[op].early;
    for (; next > 0 && dependences[next - 1].to == op; --next) {
      const ScheduleDependence &each = dependences[next - 1];
      if (each.distance == 0 && !each.isOfMemory)
        ofUsers[each.from] = std::max(ofUsers[each.from], distances[op]);
    }
  }
  return distances;
}

unsigned ScheduleProblem::countStages() const {
  unsigned most = 0;
  for (unsigned distance : getDistances())
    most = std::max(most, distance);
  return most + 1;
}

bool transform::canBeginEarly(const ScheduleProblem &problem) {
  std::vector<bool> isNeeded(problem.ops.size()), isOrdered(problem.ops.size());
  for (unsigned op = 0; op < problem.ops.size(); ++op)
    isNeeded[op] = problem.ops[op].early != 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const ScheduleDependence &each : problem.dependences) {
      if (each.isOfMemory)
        isOrdered[each.from] = isOrdered[each.to] = true;
      else if (isNeeded[each.to] && !isNeeded[each.from])
        isNeeded[each.from] = changed = true;
    }
  }
  for (unsigned op = 0; op < problem.ops.size(); ++op)
    if (isNeeded[op] && isOrdered[op])
      return false;
  return problem.countStages() > 1;
}

std::vector<unsigned> transform::getOrder(const ScheduleSolution &solution) {
  std::vector<unsigned> order(solution.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return std::pair(solution[a].cluster, a) < std::pair(solution[b].cluster, b);
  });
  return order;
}

Result<void> transform::verify(const ScheduleProblem &problem, const ScheduleSolution &solution) {
  if (solution.size() != problem.ops.size())
    return Failure("there are " + std::to_string(solution.size()) + " slots for " +
                   std::to_string(problem.ops.size()) + " ops");
  std::vector<unsigned> places(solution.size());
  for (unsigned place = 0; unsigned op : getOrder(solution))
    places[op] = place++;
  for (const ScheduleDependence &each : problem.dependences) {
    const unsigned latest = solution[each.to].stage + each.distance;
    const unsigned stage = solution[each.from].stage;
    if (stage < latest || (stage == latest && places[each.from] < places[each.to]))
      continue;
    return Failure(
        describe(problem, each.to) + " comes before " + describe(problem, each.from) +
        (each.distance ? " of an iteration before" : "") +
        (each.isOfMemory ? ", which accesses the same memory" : ", whose value it uses"));
  }
  return {};
}

//===----------------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------------===//

namespace {
/// Plays the pipelined loop through, for as many iterations as it takes to run evenly.
class LoopPlayer {
public:
  LoopPlayer(const ScheduleProblem &problem, const ScheduleSolution &solution, unsigned stages)
      : problem(problem), solution(solution), order(getOrder(solution)),
        iterations(4 * stages + window),
        begins(problem.ops.size(), std::vector<int64_t>(iterations)) {}

  void play() {
    std::vector<int64_t> ends;
    for (unsigned body = 0; body < iterations; ++body) {
      for (unsigned op : order)
        if (body >= solution[op].stage)
          begin(op, body - solution[op].stage);
      ends.push_back(now);
    }
    const unsigned settled = iterations - 1 - window;
    interval = double(ends.back() - ends[settled]) / window;
    for (unsigned op : order) {
      first = std::min(first, begins[op][settled]);
      last = std::max(last, begins[op][settled] + problem.ops[op].latency);
    }
  }

  double interval = 0;
  /// Of an iteration in the middle.
  int64_t first = INT64_MAX, last = 0;

private:
  /// Iterations that are averaged over: what recurs every 2 to 6 of them counts in full.
  static constexpr unsigned window = 60;

  void begin(unsigned op, unsigned iteration) {
    int64_t time = now;
    for (const ScheduleDependence &each : problem.dependences)
      if (each.to == op && iteration >= each.distance)
        time =
            std::max(time, begins[each.from][iteration - each.distance] + problem.getDelay(each));
    for (unsigned unit = 0; unit < numMachineUnits; ++unit)
      if (problem.ops[op].cycles[unit])
        time = std::max(time, freeFrom[unit]);
    for (unsigned unit = 0; unit < numMachineUnits; ++unit)
      if (problem.ops[op].cycles[unit])
        freeFrom[unit] = time + problem.ops[op].cycles[unit];
    begins[op][iteration] = now = time;
  }

  const ScheduleProblem &problem;
  const ScheduleSolution &solution;
  std::vector<unsigned> order;
  unsigned iterations;
  /// By op and iteration of the source.
  std::vector<std::vector<int64_t>> begins;
  std::array<int64_t, numMachineUnits> freeFrom = {};
  /// When the op before has begun.
  int64_t now = 0;
};
} // namespace

ScheduleFigures transform::measure(const ScheduleProblem &problem,
                                   const ScheduleSolution &solution) {
  ScheduleFigures figures;
  for (const ScheduleSlot &slot : solution)
    figures.stages = std::max(figures.stages, slot.stage + 1);
  std::vector<unsigned> lastUse(solution.size(), 0);
  for (unsigned op = 0; op < solution.size(); ++op)
    lastUse[op] = solution[op].stage;
  for (const ScheduleDependence &each : problem.dependences)
    if (each.distance == 0 && !each.isOfMemory)
      lastUse[each.from] = std::max(lastUse[each.from], solution[each.to].stage);
  for (unsigned op = 0; op < solution.size(); ++op)
    if (problem.ops[op].early)
      figures.buffers += lastUse[op] - solution[op].stage + 1;
  if (solution.empty())
    return figures;
  LoopPlayer player(problem, solution, figures.stages);
  player.play();
  figures.interval = player.interval;
  figures.length = player.last - player.first;
  return figures;
}
