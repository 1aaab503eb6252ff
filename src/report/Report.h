//===- Report.h - All that is known of a compilation ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A report is one JSON document, of which the page (Page.h) is a view. docs/report.md describes its
// members. Lines and columns count from 1.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_REPORT_H
#define TILEWRIGHT_REPORT_REPORT_H

#include "report/Finding.h"
#include "report/Places.h"
#include "tilewright/Compiler.h"
#include "tilewright/SimulatorTrace.h"

#include "llvm/Support/JSON.h"

namespace tilewright::report {

/// The number of the documents' form: it grows with every change that readers have to know of.
constexpr int formatNumber = 1;

struct Report {
  llvm::json::Object document;
  /// The compiled kernel; what its diagnostics say is in the document, too.
  CompileResult result;
  /// The places that the document's numbers mean.
  Places places;
  /// What the member "findings" says.
  std::vector<Finding> findings;
};

/// Compiles `source` and describes all stages of the compilation. Where there is an error,
/// `result` has it and the document is empty. Files that the source imports are read by `reader`;
/// from the disk if it is empty.
Report describeCompilation(const Source &source, const CompileOptions &options,
                           FileReader reader = {});

/// Adds what a simulated run has counted: the member "simulation", and its findings.
void addSimulation(Report &report, const simulate::Report &counts);

/// Adds what warps did over time: the member "trace".
void addTrace(Report &report, const simulate::Trace &trace);

/// A configuration that was measured: what tells it from others, milliseconds, or why there are
/// none.
struct MeasuredConfiguration {
  std::string text;
  std::optional<double> milliseconds;
  std::string error;
};

/// Adds the configurations of a tuning on `device`: the member "tuning".
void addTuning(Report &report, const std::string &device,
               const std::vector<MeasuredConfiguration> &configurations);

/// Adds what the simulator found wrong as a finding.
void addFault(Report &report, const Diagnostic &fault);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_REPORT_H
