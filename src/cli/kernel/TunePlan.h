//===- TunePlan.h - What the flags of `tilewright tune` say ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_KERNEL_TUNEPLAN_H
#define TILEWRIGHT_CLI_KERNEL_TUNEPLAN_H

#include "tilewright/Cache.h"
#include "tune/Plan.h"

namespace tilewright::cli {

/// A plan and those of its configurations that have been compiled.
struct PlannedTuning {
  tune::Plan plan;
  /// The user's cache; null without one.
  std::shared_ptr<Cache> cache;
  /// One for each configuration; nothing for those that were not compiled.
  std::vector<std::optional<CompileResult>> kernels;
};

/// The plan of FILE and the flags: FILE is a source, or a plan. A source's configurations are
/// compiled up to the first one that can be, which says what the arguments are. Errors: whatever is
/// wrong with one or the other.
Expected<PlannedTuning> planTuning();

/// Compiles some of the configurations, at most `threads` at once, that have not been compiled;
/// `onCompiled` is called after each.
void compile(PlannedTuning &tuning, const std::set<size_t> &which, unsigned threads,
             const std::function<void()> &onCompiled);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_KERNEL_TUNEPLAN_H
