//===- ReportCommand.cpp - The command tilewright report ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/LaunchFlags.h"
#include "report/Page.h"
#include "report/Report.h"
#include "runtime/Files.h"

#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

static cl::opt<std::string> output("o", cl::value_desc("FILE.html"),
                                   cl::desc("The page (default: the kernel's name with .html)"),
                                   cl::sub(reportCommand));
static cl::opt<bool> wantsJson("json",
                               cl::desc("Print the report as JSON instead of writing a page"),
                               cl::sub(reportCommand));

/// Runs the kernel in the simulator and adds what that counts. Errors: the arguments do not fit, or
/// the kernel is faulty, which is a finding as well.
static Expected<void> addRun(report::Report &report) {
  const CompiledKernel &compiled = report.result.compilation->kernel;
  auto grid = LaunchFlags::grid();
  if (!grid)
    return grid.error();
  auto values = LaunchFlags::arguments(compiled.metadata);
  if (!values)
    return values.error();
  simulate::SimulatorOptions options;
  options.count = true;
  auto simulator = simulate::createSimulator(options);
  auto kernel = simulator->load(compiled);
  if (!kernel)
    return kernel.error();
  auto done = runtime::run(*simulator, **kernel, *grid, *values);
  report::addSimulation(report, simulator->report());
  if (!done)
    report::addFault(report, done.error());
  return done;
}

int cli::runReportCommand() {
  auto source = readSource(CompileFlags::file());
  if (!source)
    return report(source.error());
  report::Report described = report::describeCompilation(*source, CompileFlags::options());
  if (int code = report(described.result); code || !described.result)
    return 1;
  int code = 0;
  if (LaunchFlags::hasGrid())
    if (auto done = addRun(described); !done)
      code = report(done.error());
  if (wantsJson) {
    llvm::outs() << llvm::json::Value(std::move(described.document)) << '\n';
    return code;
  }
  const std::string path =
      output.empty() ? described.result.compilation->kernel.metadata.name + ".html" : output;
  std::vector<llvm::json::Object> reports;
  reports.push_back(std::move(described.document));
  if (auto written = runtime::writeFile(path, report::renderPage(std::move(reports))); !written)
    return report(written.error());
  return code;
}
