//===- PassHistory.h - The IR after each pass -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_PASSHISTORY_H
#define TILEWRIGHT_REPORT_PASSHISTORY_H

#include "compiler/Observer.h"
#include "report/LineDiff.h"
#include "report/LinkedText.h"

namespace tilewright::report {

/// What one pass left.
struct PassRecord {
  std::string name, flag;
  /// Which of the compilation's texts it was on the way to.
  compiler::Stage stage = compiler::Stage::Source;
  /// Empty if the pass changed nothing.
  std::vector<Hunk> hunks;
  /// The module after the pass; empty if it changed nothing.
  LinkedText after;
};

/// The passes of one compilation, in order; the first entry is the source's IR.
class PassHistory {
public:
  explicit PassHistory(Places &places) : places(places) {}

  void add(mlir::ModuleOp module, const compiler::PassName &pass, compiler::Stage stage);
  const std::vector<PassRecord> &all() const { return records; }

  /// [{"name", "flag", "stage", "hunks": [[old, count, new, count], ..], "text", "links"}, ..];
  /// the last three only where something changed. Lines count from 1.
  llvm::json::Array json() const;

private:
  Places &places;
  std::vector<PassRecord> records;
  /// The text after the last pass that changed something.
  std::string current;
};

/// "source", "ttir", "ttgir" or "llvm".
llvm::StringRef nameOf(compiler::Stage stage);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_PASSHISTORY_H
