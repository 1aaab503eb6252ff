//===- ExactScheduler.cpp - The shortest interval by branch and bound ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/pipeline/schedule/ExactScheduler.h"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace tilewright;
using namespace tilewright::transform;

//===----------------------------------------------------------------------------===//
// Differences of times
//===----------------------------------------------------------------------------===//

namespace {

using Times = std::vector<int64_t>;

/// Least times under constraints `time(to) >= time(from) + gap`, from 0 to `last`.
class DifferenceConstraints {
public:
  DifferenceConstraints(size_t ops, int64_t last) : last(last), least(ops, 0), edges(ops) {}

  /// Whether there still are such times.
  bool add(unsigned from, unsigned to, int64_t gap) {
    edges[from].push_back({to, gap});
    return raise(to, least[from] + gap);
  }
  bool addLeast(unsigned op, int64_t time) { return raise(op, time); }
  /// time(op) <= `time`, which is no less than its least one.
  bool addMost(unsigned op, int64_t time) {
    most.push_back({op, time});
    return isWithin(op, least[op]);
  }
  const Times &get() const { return least; }

private:
  struct Edge {
    unsigned to;
    int64_t gap;
  };

  bool isWithin(unsigned op, int64_t time) const {
    return time <= last && std::none_of(most.begin(), most.end(), [&](const auto &limit) {
             return limit.first == op && time > limit.second;
           });
  }

  /// Has all that comes after `op` be as late as it has to, if `op` is at `time`. A circle that can
  /// never be satisfied raises times beyond the last one.
  bool raise(unsigned op, int64_t time) {
    if (time <= least[op])
      return true;
    if (!isWithin(op, time))
      return false;
    least[op] = time;
    std::vector<unsigned> open = {op};
    while (!open.empty()) {
      const unsigned from = open.back();
      open.pop_back();
      for (const Edge &edge : edges[from]) {
        const int64_t earliest = least[from] + edge.gap;
        if (earliest <= least[edge.to])
          continue;
        if (!isWithin(edge.to, earliest))
          return false;
        least[edge.to] = earliest;
        open.push_back(edge.to);
      }
    }
    return true;
  }

  int64_t last;
  Times least;
  std::vector<std::vector<Edge>> edges;
  std::vector<std::pair<unsigned, int64_t>> most;
};

//===----------------------------------------------------------------------------===//
// The search for one interval
//===----------------------------------------------------------------------------===//

class IntervalSearch {
public:
  /// Counts the nodes that it looks at down in `nodes`, to 0.
  IntervalSearch(const ScheduleProblem &problem, int64_t interval, int64_t stages, unsigned &nodes)
      : problem(problem), interval(interval), stages(stages), nodes(nodes) {}

  /// The times of the least length; nothing if there are none, or none was found.
  std::optional<Times> run() {
    DifferenceConstraints root(problem.ops.size(), stages * interval - 1);
    for (unsigned op = 0; op < problem.ops.size(); ++op)
      if (problem.ops[op].early)
        earlyOps.push_back(op);
    bool isPossible = true;
    for (const ScheduleDependence &each : problem.dependences)
      isPossible &= root.add(each.from, each.to,
                             int64_t(problem.getDelay(each)) - int64_t(each.distance) * interval);
    if (isPossible)
      chooseStage(root, 0);
    return std::move(best);
  }

private:
  int64_t getLength(const Times &times) const {
    int64_t length = 0;
    for (unsigned op = 0; op < times.size(); ++op)
      length = std::max(length, times[op] + problem.ops[op].latency);
    return length;
  }

  /// Whether it is worth to go on from a node.
  bool enter(const DifferenceConstraints &constraints) {
    if (nodes == 0)
      return false;
    --nodes;
    return !best || getLength(constraints.get()) < bestLength;
  }

  /// Says in which stage the early op number `number` is, and goes on with those after it.
  void chooseStage(const DifferenceConstraints &constraints, size_t number) {
    if (number == earlyOps.size())
      return separate(constraints);
    const unsigned op = earlyOps[number];
    for (int64_t stage = constraints.get()[op] / interval; stage < stages; ++stage) {
      if (!enter(constraints))
        return;
      DifferenceConstraints next = constraints;
      if (next.addLeast(op, stage * interval) && next.addMost(op, (stage + 1) * interval - 1) &&
          addUsers(next, op, stage))
        chooseStage(next, number + 1);
    }
  }

  /// Has the users of `op`, which is in stage `stage`, stand as many stages later as it is early.
  bool addUsers(DifferenceConstraints &constraints, unsigned op, int64_t stage) {
    return std::all_of(problem.dependences.begin(), problem.dependences.end(),
                       [&](const ScheduleDependence &each) {
                         return each.from != op || each.isOfMemory || each.distance != 0 ||
                                constraints.addLeast(each.to,
                                                     (stage + problem.ops[op].early) * interval);
                       });
  }

  /// Two ops that keep a unit busy at once, and their cycles of it.
  struct Conflict {
    unsigned a, b;
    int64_t ofA, ofB;
  };

  std::optional<Conflict> findConflict(const Times &times) const {
    for (unsigned unit = 0; unit < numMachineUnits; ++unit)
      for (unsigned b = 0; b < times.size(); ++b)
        for (unsigned a = 0; a < b; ++a) {
          const int64_t ofA = problem.ops[a].cycles[unit], ofB = problem.ops[b].cycles[unit];
          if (ofA == 0 || ofB == 0)
            continue;
          // Cycles from a's beginning to the next one of b.
          const int64_t after = ((times[b] - times[a]) % interval + interval) % interval;
          if (after < ofA || after + ofB > interval)
            return Conflict{a, b, ofA, ofB};
        }
    return std::nullopt;
  }

  /// Separates two ops that meet on a unit, until none do.
  void separate(const DifferenceConstraints &constraints) {
    if (!enter(constraints))
      return;
    const Times &times = constraints.get();
    const std::optional<Conflict> conflict = findConflict(times);
    if (!conflict) {
      best = times;
      bestLength = getLength(times);
      return;
    }
    // Those intervals first that are the nearest.
    std::vector<int64_t> between(2 * stages);
    std::iota(between.begin(), between.end(), -stages);
    const int64_t now = (times[conflict->b] - times[conflict->a]) / interval;
    std::sort(between.begin(), between.end(), [&](int64_t left, int64_t right) {
      return std::pair(std::abs(left - now), left) < std::pair(std::abs(right - now), right);
    });
    for (int64_t k : between) {
      DifferenceConstraints next = constraints;
      if (next.add(conflict->a, conflict->b, k * interval + conflict->ofA) &&
          next.add(conflict->b, conflict->a, conflict->ofB - (k + 1) * interval))
        separate(next);
    }
  }

  const ScheduleProblem &problem;
  int64_t interval, stages;
  unsigned &nodes;
  std::vector<unsigned> earlyOps;
  std::optional<Times> best;
  int64_t bestLength = 0;
};

} // namespace

//===----------------------------------------------------------------------------===//
// The least interval
//===----------------------------------------------------------------------------===//

/// The cycles for which the busiest unit is busy in an iteration.
static unsigned getLeastInterval(const ScheduleProblem &problem) {
  unsigned least = 1;
  for (unsigned unit = 0; unit < numMachineUnits; ++unit) {
    unsigned cycles = 0;
    for (const ScheduleOp &op : problem.ops)
      cycles += op.cycles[unit];
    least = std::max(least, cycles);
  }
  return least;
}

ExactResult transform::solveExactly(const ScheduleProblem &problem, unsigned maxInterval,
                                    unsigned maxNodes) {
  const unsigned stages = problem.countStages();
  unsigned nodes = maxNodes;
  for (unsigned interval = getLeastInterval(problem); interval <= maxInterval && nodes;
       ++interval) {
    std::optional<Times> times = IntervalSearch(problem, interval, stages, nodes).run();
    if (times)
      return {ModuloSchedule{interval, {times->begin(), times->end()}}, nodes != 0};
  }
  return {std::nullopt, nodes != 0};
}

unsigned ModuloSchedule::getLength(const ScheduleProblem &problem) const {
  unsigned length = 0;
  for (unsigned op = 0; op < times.size(); ++op)
    length = std::max(length, times[op] + problem.ops[op].latency);
  return length;
}

ScheduleSolution ModuloSchedule::getSolution() const {
  ScheduleSolution solution(times.size());
  for (unsigned op = 0; op < times.size(); ++op)
    solution[op].stage = times[op] / interval;
  // Ops of one time: those of later stages first, which may be what others of the next iteration
  // wait for, and then in the order of the source.
  std::vector<unsigned> order(times.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return std::tuple(times[a] % interval, solution[b].stage, a) <
           std::tuple(times[b] % interval, solution[a].stage, b);
  });
  for (size_t place = 1; place < order.size(); ++place)
    solution[order[place]].cluster =
        solution[order[place - 1]].cluster + (order[place] < order[place - 1]);
  return solution;
}
