//===- ScheduleProblem.h - Which op of a loop begins when -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The schedule of a loop as a problem, apart from the IR that it was read from and from who solves
// it. The problem is data: ops in the order of the source, the units of the machine that they keep
// busy, and dependences. A solution gives each op a slot:
//
//     stage     the op of stage s works on iteration i - s of the source in iteration i
//     cluster   its place in the body: clusters by number, ops of one cluster in the source's order
//
// A dependence of distance d says that `to` of iteration i + d comes after `from` of iteration i.
// A solution is right if in the order of the pipelined loop it does. With stages s and t of the
// two: s < t + d, or s = t + d and `from` comes first in the body.
//
// Figures come from a model of one stream of instructions: an op begins when the one before it in
// the body has begun, what it needs is there, and its units are free. Cycles are those of
// target/Costs.h.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_SCHEDULEPROBLEM_H
#define TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_SCHEDULEPROBLEM_H

#include "tilewright/support/Result.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tilewright::transform {

/// What one op at a time keeps busy.
enum class MachineUnit : uint8_t {
  Issue,   ///< The slots in which warps issue instructions.
  Matrix,  ///< The units that multiply tiles.
  Copy,    ///< What brings tiles from global memory: loads, and engines that copy.
  Special, ///< The units of functions such as exp.
  Shared,  ///< The port of shared memory.
};
inline constexpr unsigned numMachineUnits = 5;
/// "issue", "matrix", "copy", "special", "shared".
const char *getName(MachineUnit unit);

struct ScheduleOp {
  /// A word for people: the op's name.
  std::string name;
  /// Whether it loads a tile, and whether it is a branch of the body.
  bool isLoad = false, isBranch = false;
  /// Stages that it is to begin before the first use of its value in the iteration.
  unsigned early = 0;
  /// Cycles from its beginning until its value is there; of a product, until another one can add to
  /// its sum. The unit adds up in the order of issue, or instruction by instruction, so that the
  /// other one begins before the last sum is there.
  unsigned latency = 0;
  unsigned sumLatency = 0;
  /// Cycles for which it keeps each unit busy.
  std::array<unsigned, numMachineUnits> cycles = {};

  unsigned cyclesOf(MachineUnit unit) const { return cycles[static_cast<unsigned>(unit)]; }
  friend bool operator==(const ScheduleOp &, const ScheduleOp &) = default;
};

struct ScheduleDependence {
  /// By their numbers in the source's order.
  unsigned from = 0, to = 0;
  /// Iterations that lie between the two: 0 or more.
  unsigned distance = 0;
  /// `to` accesses memory that `from` accesses; otherwise it uses its value.
  bool isOfMemory = false;
  /// Both are products, and all that `to` does with the value of `from` is to add to it.
  bool isSum = false;

  friend bool operator==(const ScheduleDependence &, const ScheduleDependence &) = default;
};

struct ScheduleProblem {
  std::vector<ScheduleOp> ops;
  /// By `to`; those of one op in the order in which it uses the values.
  std::vector<ScheduleDependence> dependences;

  /// For each op, the stages from its beginning to that of the last op that is computed from it in
  /// the iteration, if each `early` is kept: 0 for ops that nothing early comes after.
  std::vector<unsigned> getDistances() const;
  /// The cycles from the beginning of one op to that of the other which `each` asks for.
  unsigned getDelay(const ScheduleDependence &each) const {
    const ScheduleOp &from = ops[each.from];
    return each.isOfMemory ? 0 : each.isSum ? from.sumLatency : from.latency;
  }
  /// The stages that there are buffers for: one more than the largest distance.
  unsigned countStages() const;
};

/// Whether `problem` is one: dependences are between ops that there are, by `to`; those of distance
/// 0 lead onwards in the source.
Result<void> check(const ScheduleProblem &problem);

/// Whether an op can begin a stage early, and no such op needs, of any iteration, an access of
/// memory that others of the loop keep their order with: it would have to come as early.
bool canBeginEarly(const ScheduleProblem &problem);

struct ScheduleSlot {
  unsigned stage = 0;
  unsigned cluster = 0;

  friend bool operator==(const ScheduleSlot &, const ScheduleSlot &) = default;
};

/// A slot for each op.
using ScheduleSolution = std::vector<ScheduleSlot>;

/// The ops in the order of the body.
std::vector<unsigned> getOrder(const ScheduleSolution &solution);

/// Whether each op comes after those that it depends on; the first that does not is named.
Result<void> verify(const ScheduleProblem &problem, const ScheduleSolution &solution);

struct ScheduleFigures {
  /// Cycles from one iteration to the next, in the long run.
  double interval = 0;
  /// Cycles of one iteration of the source, from the beginning of its first op to when its last
  /// value is there.
  unsigned length = 0;
  unsigned stages = 1;
  /// Tiles of early ops that there are at once: for each, the stages up to the last use of its
  /// value in the iteration, and the one that is used.
  unsigned buffers = 0;
};

/// The figures of `solution`, which is right.
ScheduleFigures measure(const ScheduleProblem &problem, const ScheduleSolution &solution);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_SCHEDULE_SCHEDULEPROBLEM_H
