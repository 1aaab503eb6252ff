//===- ReportPage.h - Pages of reports that commands write ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_KERNEL_REPORTPAGE_H
#define TILEWRIGHT_CLI_KERNEL_REPORTPAGE_H

#include "report/Report.h"

namespace tilewright::cli {

/// Writes the page of one report, or of two that are compared.
Expected<void> writePage(const std::string &path, std::vector<llvm::json::Object> reports);

/// Compiles `source` once more, adds what a simulated run has counted and what it found wrong, if
/// that is not null, and writes the page.
Expected<void> writeRunPage(const std::string &path, const Source &source,
                            const CompileOptions &options, const simulate::Report &counts,
                            const Diagnostic *fault);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_KERNEL_REPORTPAGE_H
