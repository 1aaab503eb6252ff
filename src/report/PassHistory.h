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
  /// `flag` is empty for what is no pass of MLIR's.
  std::string name, flag;
  /// Which text it was on the way to: "source", "ttir", "ttgir", "llvm" (the LLVM dialect) or
  /// "llir".
  llvm::StringRef stage;
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
  /// Adds a step of the optimisation of LLVM IR, or of its way to the code generator.
  void add(const llvm::Module &module, llvm::StringRef step);
  const std::vector<PassRecord> &all() const { return records; }

  /// [{"name", "flag", "stage", "hunks": [[old, count, new, count], ..], "text", "links"}, ..];
  /// the last three only where something changed. Lines count from 1.
  llvm::json::Array json() const;

private:
  void add(PassRecord record, LinkedText text);

  Places &places;
  std::vector<PassRecord> records;
  /// The text after the last pass that changed something.
  std::string current;
};

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_PASSHISTORY_H
