//===- LoopSchedules.h - Stages and clusters of loops ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_LOOPSCHEDULES_H
#define TILEWRIGHT_REPORT_LOOPSCHEDULES_H

#include "report/LinkedText.h"
#include "transform/pipeline/schedule/ScheduleProblem.h"

namespace tilewright::report {

/// An op of a loop's body in the order of the pipelined loop.
struct ScheduledOp {
  std::string op, name;
  unsigned stage = 0, cluster = 0;
  bool isLoad = false, isProduct = false;
  llvm::SmallVector<unsigned, 1> places;
  /// The whole tile's: bytes that a load brings, operations of a product (a multiply-add is two).
  uint64_t bytes = 0, flops = 0;
  /// Cycles of one warp for which it keeps each unit busy (target/Costs.h).
  std::array<unsigned, transform::numMachineUnits> cycles = {};
};

/// A loop's schedule, and its cost by the model of ScheduleProblem.h.
struct ScheduledLoop {
  llvm::SmallVector<unsigned, 1> places;
  unsigned stages = 1;
  std::vector<ScheduledOp> ops;
  transform::ScheduleFigures figures;

  /// Cycles of an iteration for which a warp keeps `unit` busy.
  unsigned cyclesOf(transform::MachineUnit unit) const;
};

/// The loops of `module` that have a schedule (transform/pipeline/schedule/LoopSchedule.h), in the
/// order of the text.
std::vector<ScheduledLoop> collectSchedules(mlir::ModuleOp module, Places &places);

/// [{"places", "stages", "interval", "length", "units": [{"name", "cycles"}], "ops": [{"op",
/// "name", "stage", "cluster", "load", "product", "places", "bytes", "flops", "cycles"}]}]
llvm::json::Array toJson(const std::vector<ScheduledLoop> &loops);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_LOOPSCHEDULES_H
