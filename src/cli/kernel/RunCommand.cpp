//===- RunCommand.cpp - The command tilewright run ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/Output.h"
#include "cli/kernel/LaunchFlags.h"
#include "cli/kernel/ReportPage.h"
#include "runtime/files/Files.h"
#include "support/Median.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

static cl::list<std::string> saveTexts("save", cl::value_desc("NAME=FILE.npy"),
                                       cl::desc("Write an array after the run"),
                                       cl::sub(runCommand));
static cl::opt<std::string> reportFile("report", cl::ValueOptional, cl::value_desc("FILE.html"),
                                       cl::desc("Print what the simulator counted; with a file, "
                                                "write the page of `tilewright report` instead"),
                                       cl::sub(runCommand));
static bool wantsReport() { return reportFile.getNumOccurrences() > 0; }
enum class ReportFormat : uint8_t { Text, Json };
static cl::opt<ReportFormat>
    reportFormat("format", cl::desc("The form of what --report prints (default text)"),
                 cl::values(clEnumValN(ReportFormat::Text, "text", "for people"),
                            clEnumValN(ReportFormat::Json, "json", "one object, on one line")),
                 cl::init(ReportFormat::Text), cl::sub(runCommand));
static cl::opt<simulate::AsyncCompletion> asyncCompletion(
    "async", cl::desc("When the data of asynchronous copies moves in the simulator (default late)"),
    cl::values(clEnumValN(simulate::AsyncCompletion::Late, "late", "as late as a wait allows"),
               clEnumValN(simulate::AsyncCompletion::Early, "early", "at once")),
    cl::init(simulate::AsyncCompletion::Late), cl::sub(runCommand));
static cl::opt<bool> globalOrder(
    "order",
    cl::desc("Have the simulator check that accesses to global memory are ordered, within programs "
             "and between them, and that what is loaded has been written"),
    cl::sub(runCommand));
static cl::opt<std::string> traceFile("trace", cl::value_desc("FILE.json"),
                                      cl::desc("Write what each warp does in the simulator as a "
                                               "trace that Perfetto opens (ui.perfetto.dev)"),
                                      cl::sub(runCommand));
static cl::opt<unsigned> repeat("repeat", cl::value_desc("N"), cl::init(0),
                                cl::desc("Then launch N times more and print the median time"),
                                cl::sub(runCommand));

namespace {

/// That what a compiled kernel was compiled for is not asked for otherwise: it is as it is.
Expected<void> checkFlags(const KernelMetadata &metadata) {
  const CompileOptions asked = CompileFlags::options();
  auto differ = [&](const std::string &flag, const std::string &has,
                    const std::string &wanted) -> Expected<void> {
    if (has == wanted)
      return {};
    return makeFileError(CompileFlags::file(),
                         "the kernel was compiled for " + flag + " " + has + ", not " + wanted,
                         "leave " + flag + " out, or run the kernel's source");
  };
  if (asked.target)
    if (auto fine = differ("--target", metadata.target, *asked.target); !fine)
      return fine;
  if (asked.numWarps)
    if (auto fine = differ("--num-warps", std::to_string(metadata.numWarps),
                           std::to_string(*asked.numWarps));
        !fine)
      return fine;
  if (asked.numCtas)
    if (auto fine =
            differ("--num-ctas", std::to_string(metadata.numCtas), std::to_string(*asked.numCtas));
        !fine)
      return fine;
  if (asked.threadsPerWarp)
    return differ("--threads-per-warp", std::to_string(metadata.threadsPerWarp),
                  std::to_string(*asked.threadsPerWarp));
  return {};
}

/// A compiled kernel (FILE.json), or what the compiler makes of a source. Nothing after an error,
/// which has been reported then.
std::optional<CompiledKernel> loadOrCompile() {
  llvm::StringRef file = CompileFlags::file();
  if (file.ends_with(".json")) {
    llvm::StringRef folder = llvm::sys::path::parent_path(file);
    auto kernel =
        readCompiledKernel(folder.empty() ? "." : folder.str(), llvm::sys::path::stem(file).str());
    if (!kernel) {
      cli::report(kernel.error());
      return std::nullopt;
    }
    if (Expected<void> fine = checkFlags(kernel->metadata); !fine) {
      cli::report(fine.error());
      return std::nullopt;
    }
    return std::move(*kernel);
  }
  auto source = readSource(file.str());
  if (!source) {
    cli::report(source.error());
    return std::nullopt;
  }
  Compiler compiler(openCache());
  CompileResult result = compiler.compile(*source, CompileFlags::options());
  cli::report(result);
  if (!result)
    return std::nullopt;
  if (CompileFlags::wantsTimes())
    llvm::outs() << timesAsJson({result.compilation->times}, result.compilation->kernel.metadata,
                                CompileFlags::options().numStages)
                 << '\n';
  return std::move(result.compilation->kernel);
}

/// The lines that --report and --repeat ask for.
Expected<void> printMeasurements(runtime::Device &device, runtime::Kernel &kernel,
                                 runtime::Grid grid,
                                 const std::vector<runtime::ArgumentValue> &values) {
  if (auto *simulator = dynamic_cast<simulate::Simulator *>(&device);
      simulator && wantsReport() && reportFile.empty())
    llvm::outs() << (reportFormat == ReportFormat::Json
                         ? simulate::toJson(simulator->report()) + '\n'
                         : simulate::render(simulator->report()));
  if (repeat == 0)
    return {};
  auto durations = runtime::measure(device, kernel, grid, values, 0, repeat);
  if (!durations)
    return durations.error();
  llvm::outs() << llvm::formatv("median of {0} launches: {1:f4} ms\n", durations->size(),
                                medianOf(*durations));
  return {};
}

/// Writes the page that --report names, of a run that was counted. Errors: there is no source to
/// show, or nothing was counted.
Expected<void> writeReportFile(runtime::Device &device, const Expected<void> &done) {
  auto *simulator = dynamic_cast<simulate::Simulator *>(&device);
  if (!simulator || llvm::StringRef(CompileFlags::file()).ends_with(".json"))
    return makeError("--report=" + reportFile + " needs the kernel's source and the simulator",
                     "run the source with --device sim, or use `tilewright report`");
  auto source = readSource(CompileFlags::file());
  if (!source)
    return source.error();
  return writeRunPage(reportFile, *source, CompileFlags::options(), simulator->report(),
                      done ? nullptr : &done.error());
}

/// Writes the trace that --trace names. Errors: the device is no simulator.
Expected<void> writeTrace(runtime::Device &device) {
  auto *simulator = dynamic_cast<simulate::Simulator *>(&device);
  if (!simulator)
    return makeError("--trace is of the simulator", "run with --device sim");
  return runtime::writeFile(traceFile, simulate::toTraceJson(simulator->trace()));
}

Expected<void> runKernel(const CompiledKernel &compiled) {
  auto grid = LaunchFlags::grid();
  if (!grid)
    return grid.error();
  const KernelMetadata &metadata = compiled.metadata;
  auto saves = splitAssignments(saveTexts, "--save", metadata);
  if (!saves)
    return saves.error();

  auto values = LaunchFlags::arguments(metadata);
  if (!values)
    return values.error();
  std::map<std::string, size_t> indexOf;
  for (const KernelArgument &argument : metadata.arguments)
    if (argument.isPassed())
      indexOf.insert({argument.name, indexOf.size()});
  for (const auto &[name, path] : *saves) {
    if (path.empty())
      return makeError("--save " + name + " names no file", "write NAME=FILE.npy");
    if (!std::holds_alternative<runtime::HostArray>((*values)[indexOf[name]]))
      return makeError("--save " + name + ": the argument is a number, not an array",
                       "save arrays only");
  }

  simulate::SimulatorOptions options;
  options.count = wantsReport() || !traceFile.empty();
  options.trace = !traceFile.empty();
  options.asyncCompletion = asyncCompletion;
  options.globalOrder = globalOrder;
  auto device = LaunchFlags::openDevice(metadata, options);
  if (!device)
    return device.error();
  auto kernel = (*device)->load(compiled);
  if (!kernel)
    return kernel.error();
  if (LaunchFlags::isGridPersistent()) {
    auto count = (*device)->countConcurrentPrograms(**kernel);
    if (!count)
      return count.error();
    grid->x = *count;
  }
  auto done = runtime::run(**device, **kernel, *grid, *values);
  if (!traceFile.empty())
    if (auto written = writeTrace(**device); !written)
      return written;
  if (!reportFile.empty())
    if (auto written = writeReportFile(**device, done); !written)
      return written;
  if (!done)
    return done;
  for (const auto &[name, path] : *saves)
    if (auto written =
            runtime::writeNpy(path, std::get<runtime::HostArray>((*values)[indexOf[name]]));
        !written)
      return written.error();
  return printMeasurements(**device, **kernel, *grid, *values);
}

} // namespace

int cli::runRunCommand() {
  auto compiled = loadOrCompile();
  if (!compiled)
    return 1;
  if (auto done = runKernel(*compiled); !done)
    return report(done.error());
  return 0;
}
