//===- ReportPage.cpp - Pages of reports that commands write ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/kernel/ReportPage.h"

#include "report/Page.h"
#include "runtime/files/Files.h"

using namespace tilewright;
using namespace tilewright::cli;

Expected<void> cli::writePage(const std::string &path, std::vector<llvm::json::Object> reports) {
  return runtime::writeFile(path, report::renderPage(std::move(reports)));
}

Expected<void> cli::writeRunPage(const std::string &path, const Source &source,
                                 const CompileOptions &options, const simulate::Report &counts,
                                 const Diagnostic *fault) {
  report::Report described = report::describeCompilation(source, options);
  if (!described.result)
    return described.result.diagnostics.front();
  report::addSimulation(described, counts);
  if (fault)
    report::addFault(described, *fault);
  std::vector<llvm::json::Object> reports;
  reports.push_back(std::move(described.document));
  return writePage(path, std::move(reports));
}
