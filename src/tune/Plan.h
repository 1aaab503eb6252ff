//===- Plan.h - What is to be measured, as a file -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A plan leaves nothing to be looked up or chosen: another process, or another machine, measures
// any part of its configurations, and gets what one process would get that measures all of them. As
// JSON (docs/tuning.md has the format) it is written by `tilewright tune --plan` and by the Python
// package.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TUNE_PLAN_H
#define TILEWRIGHT_TUNE_PLAN_H

#include "tilewright/Tuner.h"
#include "tune/TuningStore.h"

namespace tilewright::tune {

struct Plan {
  /// One configuration.
  struct Entry {
    /// The text that tells it from the others: Configuration::text.
    std::string text;
    CompileOptions options;
    /// An error if there is none for it, which is its trial's.
    Expected<runtime::Grid> grid;
  };

  Source source;
  /// The files that the source imports, by their paths: their texts, and nothing for those that are
  /// not there.
  std::map<std::string, std::optional<std::string>> files;
  std::vector<Entry> entries;
  /// Such as "sim" or "cuda": `--device`.
  std::string device;
  /// The text of `--arg` for each argument, by its name.
  std::map<std::string, std::string> arguments;
  /// `repeats`, `secondsAtMost` and `tolerance` count.
  MeasureOptions measure;
  /// The key of the results; without the device's name, which the machine has.
  TuningKey key;

  std::vector<std::string> texts() const;
  /// Reads the plan's files, and from the disk those of which it says nothing.
  FileReader reader() const;
};

/// The plan as JSON.
std::string toJson(const Plan &plan);

/// Reads a plan; `file` is its name in errors: no JSON, something missing, or of the wrong kind.
Expected<Plan> readPlan(std::string_view text, const std::string &file);

} // namespace tilewright::tune

#endif // TILEWRIGHT_TUNE_PLAN_H
