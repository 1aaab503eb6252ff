//===- LoopSchedules.h - Stages and clusters of loops ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_LOOPSCHEDULES_H
#define TILEWRIGHT_REPORT_LOOPSCHEDULES_H

#include "report/LinkedText.h"

namespace tilewright::report {

/// An op of a loop's body in the order of the pipelined loop.
struct ScheduledOp {
  std::string op, name;
  unsigned stage = 0, cluster = 0;
  bool isLoad = false, isProduct = false;
  llvm::SmallVector<unsigned, 1> places;
};

struct ScheduledLoop {
  llvm::SmallVector<unsigned, 1> places;
  unsigned stages = 1;
  std::vector<ScheduledOp> ops;
};

/// The loops of `module` that have a schedule (transform/pipeline/schedule/LoopSchedule.h), in the
/// order of the text.
std::vector<ScheduledLoop> collectSchedules(mlir::ModuleOp module, Places &places);

/// [{"places", "stages", "ops": [{"op", "name", "stage", "cluster", "load", "product", "places"}]}]
llvm::json::Array toJson(const std::vector<ScheduledLoop> &loops);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_LOOPSCHEDULES_H
