//===- Findings.h - What makes a kernel slow, with its place --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_REPORT_FINDINGS_H
#define TILEWRIGHT_REPORT_FINDINGS_H

#include "report/Finding.h"
#include "report/TileFacts.h"
#include "tilewright/Diagnostic.h"
#include "tilewright/SimulatorReport.h"

namespace tilewright::report {

/// What the IR of tiles and the diagnostics tell. `asksForStages`: whether the options let
/// iterations of loops overlap.
std::vector<Finding> findInFacts(const TileFacts &facts, const Places &places,
                                 const target::Target &target, bool asksForStages);
std::vector<Finding> findInDiagnostics(const std::vector<Diagnostic> &diagnostics);
/// What a simulated run has counted by line of the source.
std::vector<Finding> findInSimulation(const simulate::Report &counts);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_FINDINGS_H
