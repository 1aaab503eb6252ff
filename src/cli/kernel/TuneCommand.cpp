//===- TuneCommand.cpp - The command tilewright tune --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/FileLock.h"
#include "cli/CommandLine.h"
#include "cli/Output.h"
#include "cli/kernel/LaunchFlags.h"
#include "cli/kernel/ReportPage.h"
#include "cli/kernel/TunePlan.h"
#include "runtime/files/Files.h"
#include "tune/TrialJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <thread>

using namespace tilewright;
using namespace tilewright::cli;
using tune::Trial;
using tune::TuningResult;
namespace cl = llvm::cl;

static cl::opt<unsigned> threads("threads", cl::value_desc("N"), cl::init(0),
                                 cl::desc("How many configurations are compiled at once (default: "
                                          "one for each core)"),
                                 cl::sub(tuneCommand));
static cl::opt<bool> again("again", cl::desc("Measure also where a result has been kept"),
                           cl::sub(tuneCommand));
static cl::opt<std::string> output("o", cl::value_desc("DIR"),
                                   cl::desc("Write the quickest kernel's files to DIR"),
                                   cl::sub(tuneCommand));
static cl::opt<std::string> reportFile("report", cl::value_desc("FILE.html"),
                                       cl::desc("Write a page with all times and the quickest "
                                                "kernel's stages"),
                                       cl::sub(tuneCommand));
static cl::opt<std::string> planFile("plan", cl::value_desc("FILE"),
                                     cl::desc("Measure nothing: write what is to be measured to "
                                              "FILE, which `tilewright tune FILE` measures, on "
                                              "any machine"),
                                     cl::sub(tuneCommand));
static cl::opt<std::string> onlyText("only", cl::value_desc("I,J,.."),
                                     cl::desc("With --json: measure these configurations alone, "
                                              "counted from 0"),
                                     cl::sub(tuneCommand));
static cl::opt<bool> asJson("json",
                            cl::desc("Print each configuration that was measured as a line of "
                                     "JSON, and keep nothing; with --only \"\" the device alone"),
                            cl::sub(tuneCommand));
static cl::opt<std::string> lockFile("lock", cl::value_desc("FILE"),
                                     cl::desc("Compile first, then measure while no other command "
                                              "does with the same FILE"),
                                     cl::sub(tuneCommand));

namespace {

/// A line on a terminal's standard error that tells how far things are; nothing elsewhere.
class ProgressBar {
public:
  explicit ProgressBar(size_t total) : total(total), shown(llvm::errs().is_displayed()) {}
  ~ProgressBar() { clear(); }

  void show(llvm::StringRef what, size_t done, const std::string &rest = {}) {
    if (!shown)
      return;
    constexpr size_t width = 24;
    size_t filled = total ? done * width / total : width;
    clear();
    llvm::errs() << what << " [" << std::string(filled, '#') << std::string(width - filled, '.')
                 << "] " << done << '/' << total << rest;
  }

  void clear() {
    if (shown)
      llvm::errs() << "\r\033[K";
  }

private:
  const size_t total;
  const bool shown;
};

void print(const tune::Plan &plan, const TuningResult &result, const std::string &device,
           bool isKept) {
  size_t width = 13;
  for (const tune::Plan::Entry &entry : plan.entries)
    width = std::max(width, entry.text.size());
  llvm::raw_ostream &os = llvm::outs();
  auto column = [&](llvm::StringRef text) { os << text << std::string(width - text.size(), ' '); };
  column("configuration");
  os << "          ms  of the best\n";
  for (auto [index, entry] : llvm::enumerate(plan.entries)) {
    const Trial &trial = result.trials[index];
    column(entry.text);
    if (trial.isMeasured())
      os << llvm::formatv("{0,12:f4}{1,13:f2}\n", trial.milliseconds,
                          trial.milliseconds / result.trials[*result.best].milliseconds);
    else
      os << (trial.outcome == Trial::Outcome::Failed ? "  failed: " : "  wrong result: ")
         << trial.error->message << '\n';
  }
  if (result.best)
    os << "best on " << device << ": " << plan.entries[*result.best].text
       << (isKept ? " (kept from an earlier run; --again measures anew)" : "") << '\n';
}

/// The configurations that --only names; all without it. Errors: no numbers, or too large ones.
Expected<std::set<size_t>> readOnly(size_t count) {
  std::set<size_t> only;
  if (!onlyText.getNumOccurrences()) {
    for (size_t index = 0; index < count; ++index)
      only.insert(index);
    return only;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(onlyText).split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    size_t index = 0;
    if (part.trim().getAsInteger(10, index) || index >= count)
      return makeError("--only takes numbers of configurations below " + std::to_string(count) +
                       ", got '" + part.str() + "'");
    only.insert(index);
  }
  return only;
}

/// Compiles and measures a plan on this machine.
class Tuning {
public:
  explicit Tuning(PlannedTuning planned)
      : planned(std::move(planned)), plan(this->planned.plan), bar(plan.entries.size()) {
    metadata.name = plan.key.kernel;
    metadata.target = plan.key.target;
  }

  void compile(const std::set<size_t> &which) {
    size_t count = 0;
    bar.show("compiling", 0);
    cli::compile(planned, which, threads, [&] { bar.show("compiling", ++count); });
    bar.clear();
  }

  Expected<std::string> nameOfDevice() const {
    return tune::nameOfDevice([this] { return openDevice(); });
  }

  /// Measures those of the configurations; `onTrial` is called after each. The others are skipped;
  /// see MeasureOptions::only.
  Expected<TuningResult> measure(const std::set<size_t> &only,
                                 const std::function<void(size_t, const Trial &)> &onTrial) {
    std::vector<CompileResult> kernels;
    const CompileResult *first = nullptr;
    for (const auto &kernel : planned.kernels) {
      kernels.push_back(kernel.value_or(CompileResult()));
      if (!first && kernel && *kernel)
        first = &*kernel;
    }
    std::vector<runtime::ArgumentValue> values;
    if (first) {
      auto parsed = parseArguments(first->compilation->kernel.metadata, plan.arguments);
      if (!parsed)
        return parsed.error();
      values = std::move(*parsed);
    }
    tune::MeasureOptions options = plan.measure;
    options.only = only;
    options.onTrial = onTrial;
    // Nobody else on the device from here on. Where the file's system has no locks, all go ahead.
    std::optional<cache::FileLock> lock;
    if (!lockFile.empty()) {
      lock.emplace(lockFile, /*byte=*/0);
      while (lock->tryAcquire() == cache::FileLock::Attempt::Busy)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return tune::measureIsolated([this] { return openDevice(); }, kernels, values,
                                 [this](size_t index) { return plan.entries[index].grid; },
                                 options);
  }

  /// Compiles and measures all, with a bar.
  Expected<TuningResult> measureAll() {
    std::set<size_t> all;
    for (size_t index = 0; index < plan.entries.size(); ++index)
      all.insert(index);
    compile(all);
    std::optional<double> best;
    bar.show("measuring", 0);
    auto result = measure(all, [&](size_t index, const Trial &trial) {
      if (trial.isMeasured() && (!best || trial.milliseconds < *best))
        best = trial.milliseconds;
      bar.show("measuring", index + 1,
               best ? llvm::formatv(", best {0:f4} ms", *best).str() : std::string());
    });
    bar.clear();
    return result;
  }

  Expected<void> write(size_t index, const std::string &folder) {
    compile({index});
    const CompileResult &kernel = *planned.kernels[index];
    if (!kernel) {
      cli::report(kernel.diagnostics);
      return makeFileError(plan.source.name,
                           "the quickest configuration does not compile any more");
    }
    return writeCompilation(folder, *kernel.compilation);
  }

private:
  Expected<std::unique_ptr<runtime::Device>> openDevice() const {
    return openDeviceNamed(plan.device, metadata);
  }

  PlannedTuning planned;
  const tune::Plan &plan;
  /// What opening a device takes of it.
  KernelMetadata metadata;
  ProgressBar bar;
};

/// Prints a line for each configuration of --only; for the device, if that has none.
Expected<void> printTrials(PlannedTuning planned) {
  auto only = readOnly(planned.plan.entries.size());
  if (!only)
    return only.error();
  const size_t count = planned.plan.entries.size();
  Tuning tuning(std::move(planned));
  auto printLine = [](const nlohmann::ordered_json &line) {
    llvm::outs() << tune::textOf(line) << '\n';
    llvm::outs().flush();
  };
  if (only->empty()) {
    auto device = tuning.nameOfDevice();
    if (!device)
      return device.error();
    printLine({{"device", *device}, {"compiler", Cache::compilerIdentity()}});
    return {};
  }
  // Nearly always the first configuration gives the results that the others are compared with.
  // Where it fails, all in front of those that are measured may have to run.
  std::vector<std::optional<Trial>> trials(count);
  for (size_t candidates : {size_t(1), *only->begin()}) {
    std::set<size_t> wanted = *only;
    for (size_t index = 0; index < std::min(candidates, *only->begin()); ++index)
      wanted.insert(index);
    tuning.compile(wanted);
    bool hasReference = *only->begin() < candidates;
    auto result = tuning.measure(*only, [&](size_t index, const Trial &trial) {
      hasReference |= index < candidates && trial.outcome != Trial::Outcome::Failed;
      trials[index] = trial;
    });
    if (!result)
      return result.error();
    if (hasReference || candidates >= *only->begin())
      break;
  }
  for (size_t index : *only) {
    nlohmann::ordered_json line{{"index", index}};
    line.update(toJson(*trials[index]));
    printLine(line);
  }
  return {};
}

/// Writes the page that --report names: the quickest configuration, compared with the second.
Expected<void> writeReport(const tune::Plan &plan, const TuningResult &result,
                           const std::string &device) {
  std::vector<report::MeasuredConfiguration> configurations;
  for (auto [entry, trial] : llvm::zip_equal(plan.entries, result.trials)) {
    report::MeasuredConfiguration &one = configurations.emplace_back();
    one.text = entry.text;
    if (trial.isMeasured())
      one.milliseconds = trial.milliseconds;
    else if (trial.error)
      one.error = trial.error->message;
  }
  const tune::Plan::Entry &best = plan.entries[*result.best];
  report::Report described = report::describeCompilation(plan.source, best.options, plan.reader());
  if (!described.result)
    return described.result.diagnostics.front();
  report::addTuning(described, device, configurations);
  described.document["title"] = best.text;
  std::vector<llvm::json::Object> reports;
  reports.push_back(std::move(described.document));
  return writePage(reportFile, std::move(reports));
}

Expected<void> tuneKernel() {
  if (onlyText.getNumOccurrences() && !asJson)
    return makeError("--only is of use with --json", "add --json, or leave it out");
  auto planned = planTuning();
  if (!planned)
    return planned.error();
  if (!planFile.empty())
    return runtime::writeFile(planFile, toJson(planned->plan));
  if (asJson)
    return printTrials(std::move(*planned));

  const tune::Plan plan = planned->plan;
  Tuning tuning(std::move(*planned));
  auto device = tuning.nameOfDevice();
  if (!device)
    return device.error();
  tune::TuningKey key = plan.key;
  key.device = *device;
  auto folder = CacheOptions::fromEnvironment();
  if (!folder)
    return folder.error();
  const tune::TuningStore store(folder->directory + "/tuning");
  std::optional<TuningResult> result;
  if (!again)
    result = store.find(key, plan.texts());
  const bool isKept = result.has_value();
  if (!isKept) {
    auto measured = tuning.measureAll();
    if (!measured)
      return measured.error();
    result = std::move(*measured);
    if (auto saved = store.save(key, plan.texts(), *result); !saved) {
      Diagnostic warning = saved.error();
      warning.severity = Severity::Warning;
      cli::report(warning);
    }
  }
  print(plan, *result, *device, isKept);
  if (!result->best)
    return makeFileError(plan.source.name, "no configuration gave a result",
                         "the lines above say why, for each");
  if (!reportFile.empty())
    if (auto written = writeReport(plan, *result, *device); !written)
      return written;
  return output.empty() ? Expected<void>() : tuning.write(*result->best, output);
}

} // namespace

int cli::runTuneCommand() {
  if (auto done = tuneKernel(); !done)
    return report(done.error());
  return 0;
}
