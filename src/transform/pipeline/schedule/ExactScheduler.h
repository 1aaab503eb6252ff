//===- ExactScheduler.h - The shortest interval by branch and bound -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Modulo scheduling. An iteration of the source begins every I cycles, and op i of it t(i) cycles
// later. With S stages, for all of 0 <= t(i) < S I:
//
//     t(to) + distance I >= t(from) + latency(from)     values; memory without the latency
//     [t(i), t(i) + cycles) and [t(j), t(j) + cycles)   for each unit that both keep busy: disjoint
//                                                       modulo I
//     t(user) / I >= t(op) / I + early(op)              for users in the iteration
//
// The first line has differences of two times alone. So have the others, once it is said in which
// stage an early op is, and of two ops on a unit, how many intervals lie between them:
//
//     k I + cycles(i) <= t(j) - t(i) <= (k + 1) I - cycles(j)
//
// The search branches over those and nothing else; the least times that the differences allow are
// the longest paths. They bound the length of an iteration from below, and where no two ops meet on
// a unit they are a schedule. Rau, "Iterative modulo scheduling" (1996), has the terms;
// Eichenberger and Davidson, "Efficient formulation for optimal modulo schedulers" (PLDI 1997), the
// formulation.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_EXACTSCHEDULER_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_EXACTSCHEDULER_H

#include "transform/pipeline/schedule/ScheduleProblem.h"

#include <optional>

namespace tilewright::transform {

/// The times of one iteration's ops, and the cycles from one iteration to the next.
struct ModuloSchedule {
  unsigned interval = 0;
  std::vector<unsigned> times;

  /// Cycles from the beginning of stage 0 until the last value is there.
  unsigned getLength(const ScheduleProblem &problem) const;
  /// Stages, and clusters by the order of times in the interval.
  ScheduleSolution getSolution() const;
};

struct ExactResult {
  /// The schedule of the least interval, and of those the one of the least length, in as many
  /// stages as `problem` has buffers for. Nothing if there is none, or none was found in time.
  std::optional<ModuloSchedule> schedule;
  /// Whether the search came to its end: without, a better one may exist.
  bool isProven = false;
};

/// Looks at up to `maxNodes` nodes of the search, for intervals up to `maxInterval` cycles.
ExactResult solveExactly(const ScheduleProblem &problem, unsigned maxInterval, unsigned maxNodes);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_EXACTSCHEDULER_H
