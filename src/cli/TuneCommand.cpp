//===- TuneCommand.cpp - The command tilewright tune --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/LaunchFlags.h"
#include "cli/Output.h"
#include "tilewright/Cache.h"
#include "tilewright/CompileSession.h"
#include "tilewright/Tuner.h"
#include "tune/TuningStore.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
using tune::Configuration;
using tune::Trial;
namespace cl = llvm::cl;

static cl::list<std::string>
    configTexts("config", cl::value_desc("LIST"),
                cl::desc("Configurations, such as \"BLOCK=[64, 128], num_warps=[4, 8]\": all "
                         "combinations of the lists. May be repeated; without it, those of the "
                         "kernel's @triton.autotune"),
                cl::sub(tuneCommand));
static cl::list<std::string>
    keyNames("key", cl::value_desc("NAME"),
             cl::desc("An argument on whose value the choice depends (default: those of the "
                      "kernel's @triton.autotune, else all)"),
             cl::sub(tuneCommand));
static cl::opt<std::string>
    gridText("grid", cl::value_desc("X[,Y[,Z]]"), cl::init("1"),
             cl::desc("Programs along each axis: numbers, or expressions in the names of constants "
                      "and arguments, such as \"cdiv(n, BLOCK)\" (default 1)"),
             cl::sub(tuneCommand));
static cl::opt<int> repeat("repeat", cl::value_desc("N"), cl::init(50),
                           cl::desc("Launches of each configuration that count (default 50)"),
                           cl::sub(tuneCommand));
static cl::opt<unsigned> threads("threads", cl::value_desc("N"), cl::init(0),
                                 cl::desc("How many configurations are compiled at once (default: "
                                          "one for each core)"),
                                 cl::sub(tuneCommand));
static cl::opt<double> tolerance("tolerance", cl::value_desc("T"),
                                 cl::desc("By how much results may differ from the first "
                                          "configuration's, relative to the largest element "
                                          "(default: by the element type)"),
                                 cl::sub(tuneCommand));
static cl::opt<double> timeout("timeout", cl::value_desc("SECONDS"), cl::init(60),
                               cl::desc("How long a configuration may take in all (default 60)"),
                               cl::sub(tuneCommand));
static cl::opt<bool> again("again", cl::desc("Measure also where a result has been kept"),
                           cl::sub(tuneCommand));
static cl::opt<std::string> output("o", cl::value_desc("DIR"),
                                   cl::desc("Write the quickest kernel's files to DIR"),
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

/// What --config and the source say.
Expected<tune::Autotune> readConfigurations(const Source &source) {
  auto found = tune::readAutotune(source, CompileFlags::options().kernel);
  tune::Autotune autotune;
  if (found)
    autotune.key = found->key;
  if (configTexts.empty()) {
    if (!found)
      return found.error();
    autotune.configurations = found->configurations;
  }
  for (const std::string &text : configTexts) {
    auto parsed = tune::parseConfigurations(text);
    if (!parsed)
      return parsed.error();
    autotune.configurations.insert(autotune.configurations.end(), parsed->begin(), parsed->end());
  }
  if (autotune.configurations.empty())
    return makeFileError(source.name, "there are no configurations to choose from",
                         "give them with --config \"BLOCK=[64, 128], num_warps=[4, 8]\", or put "
                         "@triton.autotune before the kernel");
  if (!keyNames.empty())
    autotune.key.assign(keyNames.begin(), keyNames.end());
  return autotune;
}

/// The numbers among the arguments, by their names.
std::map<std::string, int64_t> numbersOf(const KernelMetadata &metadata,
                                         llvm::ArrayRef<runtime::ArgumentValue> values) {
  std::map<std::string, int64_t> numbers;
  size_t index = 0;
  for (const KernelArgument &argument : metadata.arguments)
    if (argument.isPassed()) {
      if (auto *number = std::get_if<int64_t>(&values[index]))
        numbers[argument.name] = *number;
      ++index;
    }
  return numbers;
}

/// An argument's value as part of a key: a number, or an array's shape.
std::string textOf(const runtime::ArgumentValue &value) {
  if (auto *integer = std::get_if<int64_t>(&value))
    return std::to_string(*integer);
  if (auto *number = std::get_if<double>(&value))
    return llvm::formatv("{0:e17}", *number).str();
  const auto &array = std::get<runtime::HostArray>(value);
  return llvm::join(llvm::map_range(array.shape, [](int64_t n) { return std::to_string(n); }), "x");
}

/// What the result holds for. Errors: a key that is no argument's name.
Expected<tune::TuningKey> makeKey(const Source &source, const tune::Autotune &autotune,
                                  const Compilation &compilation, const std::string &device,
                                  llvm::ArrayRef<runtime::ArgumentValue> values) {
  const KernelMetadata &metadata = compilation.kernel.metadata;
  tune::TuningKey key{metadata.name, device, metadata.target, {}};
  key.parts.push_back({"compiler", Cache::compilerIdentity()});
  key.parts.push_back({"source", source.text});
  for (const InputFile &input : compilation.inputs)
    key.parts.push_back({"file " + input.path, input.sha256.value_or("none")});
  for (const InputVariable &variable : compilation.inputVariables)
    key.parts.push_back({"variable " + variable.name, variable.value.value_or("not set")});
  const CompileOptions options = CompileFlags::options();
  key.parts.push_back({"signature", options.signature});
  key.parts.push_back({"grid", gridText});
  for (const Configuration &configuration : autotune.configurations)
    key.parts.push_back({"configuration", configuration.text()});
  std::vector<std::string> names;
  size_t index = 0;
  for (const KernelArgument &argument : metadata.arguments) {
    names.push_back(argument.name);
    if (!argument.isPassed())
      continue;
    if (autotune.key.empty() || llvm::is_contained(autotune.key, argument.name))
      key.parts.push_back({argument.name, textOf(values[index])});
    ++index;
  }
  for (const std::string &name : autotune.key)
    if (!llvm::is_contained(names, name))
      return makeError("the key '" + name + "' is no argument of '" + metadata.name + "'",
                       "its arguments are " + llvm::join(names, ", "));
  return key;
}

void print(llvm::ArrayRef<Configuration> configurations, const tune::TuningResult &result,
           const std::string &device, bool isKept) {
  size_t width = 13;
  for (const Configuration &configuration : configurations)
    width = std::max(width, configuration.text().size());
  llvm::raw_ostream &os = llvm::outs();
  auto column = [&](llvm::StringRef text) { os << text << std::string(width - text.size(), ' '); };
  column("configuration");
  os << "          ms  of the best\n";
  for (auto [index, configuration] : llvm::enumerate(configurations)) {
    const Trial &trial = result.trials[index];
    column(configuration.text());
    if (trial.isMeasured())
      os << llvm::formatv("{0,12:f4}{1,13:f2}\n", trial.milliseconds,
                          trial.milliseconds / result.trials[*result.best].milliseconds);
    else
      os << (trial.outcome == Trial::Outcome::Failed ? "  failed: " : "  wrong result: ")
         << trial.error->message << '\n';
  }
  if (result.best)
    os << "best on " << device << ": " << configurations[*result.best].text()
       << (isKept ? " (kept from an earlier run; --again measures anew)" : "") << '\n';
}

Expected<void> tuneKernel() {
  auto source = readSource(CompileFlags::file());
  if (!source)
    return source.error();
  auto autotune = readConfigurations(*source);
  if (!autotune)
    return autotune.error();
  const std::vector<Configuration> &configurations = autotune->configurations;
  auto specialized = tune::specialize(CompileFlags::options(), configurations);
  if (!specialized)
    return specialized.error();

  ProgressBar bar(configurations.size());
  CompileSession session(*source);
  size_t compiled = 0;
  bar.show("compiling", 0);
  std::vector<CompileResult> kernels =
      session.compileAll(*specialized, threads, [&](size_t) { bar.show("compiling", ++compiled); });
  bar.clear();
  auto first = llvm::find_if(kernels, [](const CompileResult &result) { return bool(result); });
  if (first == kernels.end()) {
    report(kernels.front().diagnostics);
    return makeFileError(
        source->name, "none of the " + std::to_string(kernels.size()) + " configurations compiles",
        "above is what the first one, " + configurations.front().text() + ", lacks");
  }
  const KernelMetadata &metadata = first->compilation->kernel.metadata;
  auto values = LaunchFlags::arguments(metadata);
  if (!values)
    return values.error();
  auto openDevice = [&] { return LaunchFlags::openDevice(metadata); };
  auto deviceName = tune::nameOfDevice(openDevice);
  if (!deviceName)
    return deviceName.error();

  auto key = makeKey(*source, *autotune, *first->compilation, *deviceName, *values);
  if (!key)
    return key.error();
  const std::map<std::string, int64_t> numbers = numbersOf(metadata, *values);
  auto gridOf = [&](size_t index) {
    return tune::evaluateGrid(gridText, configurations[index], numbers);
  };
  // An expression that is wrong in all of them is the user's error and no configuration's.
  if (auto grid = gridOf(first - kernels.begin()); !grid)
    return grid.error();

  auto folder = CacheOptions::fromEnvironment();
  if (!folder)
    return folder.error();
  const tune::TuningStore store(folder->directory + "/tuning");
  std::vector<std::string> texts;
  for (const Configuration &configuration : configurations)
    texts.push_back(configuration.text());
  std::optional<tune::TuningResult> result;
  if (!again)
    result = store.find(*key, texts);
  const bool isKept = result.has_value();
  if (!isKept) {
    tune::MeasureOptions options;
    options.repeats = repeat;
    options.secondsAtMost = timeout;
    if (tolerance.getNumOccurrences())
      options.tolerance = tolerance;
    std::optional<double> best;
    options.onTrial = [&](size_t index, const Trial &trial) {
      if (trial.isMeasured() && (!best || trial.milliseconds < *best))
        best = trial.milliseconds;
      bar.show("measuring", index + 1,
               best ? llvm::formatv(", best {0:f4} ms", *best).str() : std::string());
    };
    bar.show("measuring", 0);
    auto measured = tune::measureIsolated(openDevice, kernels, *values, gridOf, options);
    bar.clear();
    if (!measured)
      return measured.error();
    result = std::move(*measured);
    if (auto saved = store.save(*key, texts, *result); !saved) {
      Diagnostic warning = saved.error();
      warning.severity = Severity::Warning;
      report(warning);
    }
  }
  print(configurations, *result, *deviceName, isKept);
  if (!result->best)
    return makeFileError(source->name, "no configuration gave a result",
                         "the lines above say why, for each");
  if (!output.empty())
    return writeCompilation(output, *kernels[*result->best].compilation);
  return {};
}

} // namespace

int cli::runTuneCommand() {
  if (repeat < 1)
    return report(makeError("--repeat takes a positive number, got " + std::to_string(repeat)));
  if (!(timeout > 0))
    return report(makeError("--timeout takes a number of seconds above 0"));
  if (auto done = tuneKernel(); !done)
    return report(done.error());
  return 0;
}
