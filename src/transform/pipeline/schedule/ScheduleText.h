//===- ScheduleText.h - Scheduling problems as text -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     op tt.load load early 2 latency 400 issue 4 copy 32
//     op tt.dot latency 128 issue 2 matrix 128
//     op scf.if branch
//     uses 0 -> 1
//     uses 1 -> 1 distance 1
//     memory 0 -> 2
//
// A line is an op, in the order of the source, or a dependence: the second one uses the value of
// the first, or accesses memory that the first accesses. A solution is one line, `stage:cluster`
// for each op:
//
//     slots 0:1 2:0 2:2
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_SCHEDULETEXT_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_SCHEDULETEXT_H

#include "transform/pipeline/schedule/ScheduleProblem.h"

#include <string_view>

namespace tilewright::transform {

/// Each line ends with a line break. Names of ops hold no space.
std::string printProblem(const ScheduleProblem &problem);
std::string printSolution(const ScheduleSolution &solution);

/// The problem that `text` states, or what is wrong with it and in which line. Empty lines are
/// passed over.
Result<ScheduleProblem> readProblem(std::string_view text);
Result<ScheduleSolution> readSolution(std::string_view text);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_SCHEDULETEXT_H
