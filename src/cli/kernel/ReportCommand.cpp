//===- ReportCommand.cpp - The command tilewright report ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/FlagText.h"
#include "cli/kernel/LaunchFlags.h"
#include "cli/kernel/ReportPage.h"
#include "runtime/files/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;
namespace json = llvm::json;

static cl::opt<std::string> output("o", cl::value_desc("FILE.html"),
                                   cl::desc("The page (default: the kernel's name with .html)"),
                                   cl::sub(reportCommand));
static cl::opt<bool> wantsJson("json",
                               cl::desc("Print the report as JSON instead of writing a page"),
                               cl::sub(reportCommand));
static cl::opt<bool> wantsTrace("trace",
                                cl::desc("Show what each warp does over time in the run that "
                                         "--grid asks for, too"),
                                cl::sub(reportCommand));
static cl::opt<std::string>
    against("against", cl::value_desc("FLAGS|FILE"),
            cl::desc("Compare with what these flags give instead (\"--num-warps 8\"), with another "
                     "source or IR, or with a report that --json has printed"),
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
  options.trace = wantsTrace;
  auto simulator = simulate::createSimulator(options);
  auto kernel = simulator->load(compiled);
  if (!kernel)
    return kernel.error();
  auto done = runtime::run(*simulator, **kernel, *grid, *values);
  report::addSimulation(report, simulator->report());
  if (wantsTrace)
    report::addTrace(report, simulator->trace());
  if (!done)
    report::addFault(report, done.error());
  return done;
}

//===--------------------------------------------------------------------------===//
// The other side of a comparison
//===--------------------------------------------------------------------------===//

static Expected<json::Object> readReport(const std::string &path) {
  auto text = runtime::readFile(path);
  if (!text)
    return text.error();
  llvm::Expected<json::Value> parsed = json::parse(*text);
  const json::Object *object = parsed ? parsed->getAsObject() : nullptr;
  if (!object || object->getInteger("format") != report::formatNumber) {
    if (!parsed)
      llvm::consumeError(parsed.takeError());
    return makeFileError(path, "this is no report of this version",
                         "make it with `tilewright report FILE --json`");
  }
  return *object;
}

/// What --against names, as a report. Errors of its compilation are reported, and give nothing.
static Expected<std::optional<json::Object>> describeOther(const Source &source) {
  if (llvm::StringRef(against).ends_with(".json")) {
    auto read = readReport(against);
    if (!read)
      return read.error();
    return std::optional(std::move(*read));
  }
  CompileOptions options = CompileFlags::options();
  Expected<Source> other = source;
  if (llvm::StringRef(against).starts_with("-")) {
    if (auto applied = applyFlags(against, options); !applied)
      return applied.error();
  } else {
    other = readSource(against);
    if (!other)
      return other.error();
    // IR says its types itself.
    if (other->language != SourceLanguage::Python)
      options.signature.clear();
  }
  report::Report described = report::describeCompilation(*other, options);
  if (cli::report(described.result) || !described.result)
    return std::optional<json::Object>();
  return std::optional(std::move(described.document));
}

//===--------------------------------------------------------------------------===//
// A folder of kernels
//===--------------------------------------------------------------------------===//

/// The TTGIR of the kernels that `tilewright compile -o` has written to a folder, by their names.
static Expected<std::vector<std::string>> findKernels(const std::string &folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error))
    if (llvm::sys::path::extension(at->path()) == ".ttgir")
      paths.push_back(at->path());
  if (error)
    return makeFileError(folder, "cannot read the folder: " + error.message());
  if (paths.empty())
    return makeFileError(folder, "no kernel is in the folder",
                         "`tilewright compile -o` writes NAME.ttgir to it");
  llvm::sort(paths);
  return paths;
}

/// One page of all kernels of a folder; with --json a report a line.
static int runFolder(const std::string &folder) {
  auto paths = findKernels(folder);
  if (!paths)
    return cli::report(paths.error());
  std::vector<json::Object> reports;
  for (const std::string &path : *paths) {
    auto source = readSource(path);
    if (!source)
      return cli::report(source.error());
    report::Report described = report::describeCompilation(*source, CompileFlags::options());
    if (int code = cli::report(described.result); code || !described.result)
      return 1;
    described.document["title"] = llvm::sys::path::stem(path).str();
    reports.push_back(std::move(described.document));
  }
  if (wantsJson) {
    for (json::Object &document : reports)
      llvm::outs() << json::Value(std::move(document)) << '\n';
    return 0;
  }
  const std::string name = llvm::sys::path::filename(llvm::StringRef(folder).rtrim('/')).str();
  if (auto written = writePage(output.empty() ? name + ".html" : output, std::move(reports));
      !written)
    return cli::report(written.error());
  return 0;
}

//===--------------------------------------------------------------------------===//
// The command
//===--------------------------------------------------------------------------===//

static Expected<void> write(std::vector<json::Object> reports, const std::string &kernel) {
  if (!wantsJson)
    return writePage(output.empty() ? kernel + ".html" : output, std::move(reports));
  json::Object document = std::move(reports[0]);
  if (reports.size() > 1)
    document["against"] = std::move(reports[1]);
  llvm::outs() << json::Value(std::move(document)) << '\n';
  return {};
}

int cli::runReportCommand() {
  if (llvm::sys::fs::is_directory(CompileFlags::file()))
    return runFolder(CompileFlags::file());
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
  std::vector<json::Object> reports;
  reports.push_back(std::move(described.document));
  if (!against.empty()) {
    auto other = describeOther(*source);
    if (!other)
      return report(other.error());
    if (!*other)
      return 1;
    (**other)["title"] = against.getValue();
    (**other).erase("against");
    reports.push_back(std::move(**other));
  }
  const std::string &name = described.result.compilation->kernel.metadata.name;
  if (auto written = write(std::move(reports), name); !written)
    return report(written.error());
  return code;
}
