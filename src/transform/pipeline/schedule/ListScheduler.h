//===- ListScheduler.h - Stages by latencies, clusters by stages ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// From the stages that some ops are to begin early:
//
//   distance(op) = early(op) + the largest distance of its users in the iteration
//   stage(op)    = largest distance of all - distance(op)
//
// for those ops and what is computed from them. Later stages come first in the body: a value is
// used in the iteration before the one of the next is made. What such ops need is computed in
// their stage and cluster. What they need of the iteration before, as a pointer that is moved on,
// is computed one stage later and one cluster before, so right before it is used and not an
// iteration early. All else is in the last stage, as early as its operands are, but for branches
// that nothing waits for: they come last. Accesses of the same memory keep their order there.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_LISTSCHEDULER_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_LISTSCHEDULER_H

#include "transform/pipeline/schedule/ScheduleProblem.h"

#include <optional>

namespace tilewright::transform {

/// A right solution of `problem`, in which each value is made as many stages early as its op says;
/// nothing if this order of ops has none. It is found in time linear in the stages and dependences,
/// and knows nothing of cycles.
std::optional<ScheduleSolution> solveByList(const ScheduleProblem &problem);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_LISTSCHEDULER_H
