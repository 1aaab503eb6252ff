//===- TunePlan.cpp - What the flags of `tilewright tune` say -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/kernel/TunePlan.h"
#include "cli/CommandLine.h"
#include "cli/kernel/LaunchFlags.h"
#include "runtime/files/Files.h"
#include "tilewright/CompileSession.h"
#include "tune/OptionsJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <filesystem>

using namespace tilewright;
using namespace tilewright::cli;
using tune::Configuration;
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
static cl::opt<double> tolerance("tolerance", cl::value_desc("T"),
                                 cl::desc("By how much results may differ from the first "
                                          "configuration's, relative to the largest element "
                                          "(default: by the element type)"),
                                 cl::sub(tuneCommand));
static cl::opt<double> timeout("timeout", cl::value_desc("SECONDS"), cl::init(60),
                               cl::desc("How long a configuration may take in all (default 60)"),
                               cl::sub(tuneCommand));
namespace {

/// What --config and the source say.
Expected<tune::Autotune> readConfigurations(const Source &source) {
  auto found = tune::readAutotune(source, CompileFlags::options());
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

/// What the result holds for, but for the device. Errors: a key that is no argument's name.
Expected<tune::TuningKey> makeKey(const Source &source, const tune::Autotune &autotune,
                                  const Compilation &compilation,
                                  llvm::ArrayRef<runtime::ArgumentValue> values) {
  const KernelMetadata &metadata = compilation.kernel.metadata;
  tune::TuningKey key{metadata.name, /*device=*/"", metadata.target, {}};
  key.parts.push_back({"compiler", Cache::compilerIdentity()});
  key.parts.push_back({"source", source.text});
  for (const InputFile &input : compilation.inputs)
    key.parts.push_back({"file " + input.path, input.sha256.value_or("none")});
  for (const InputVariable &variable : compilation.inputVariables)
    key.parts.push_back({"variable " + variable.name, variable.value.value_or("not set")});
  key.parts.push_back({"options", tune::textOf(CompileFlags::options())});
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

/// The texts of the files that a compilation has read.
std::map<std::string, std::optional<std::string>> filesOf(const Compilation &compilation) {
  std::map<std::string, std::optional<std::string>> files;
  for (const InputFile &input : compilation.inputs) {
    auto text = runtime::readFile(input.path);
    files[input.path] = input.sha256 && text ? std::optional(std::move(*text)) : std::nullopt;
  }
  return files;
}

/// The same with the names of files as they are from everywhere.
Assignments withAbsolutePaths(Assignments texts, const std::filesystem::path &folder) {
  for (auto &[name, text] : texts)
    if (llvm::StringRef(text).starts_with("@"))
      text = "@" + (folder / text.substr(1)).lexically_normal().string();
  return texts;
}

Expected<PlannedTuning> planSource(const Source &source) {
  auto autotune = readConfigurations(source);
  if (!autotune)
    return autotune.error();
  std::vector<Diagnostic> warnings;
  auto specialized = tune::specialize(CompileFlags::options(), autotune->configurations, &warnings);
  if (!specialized)
    return specialized.error();
  report(warnings);

  PlannedTuning tuning;
  tuning.cache = openCache();
  tuning.kernels.resize(specialized->size());
  CompileSession session(source, /*reader=*/{}, tuning.cache);
  size_t first = 0;
  while (first < specialized->size() &&
         !*(tuning.kernels[first] = session.compile((*specialized)[first])))
    ++first;
  if (first == specialized->size()) {
    report(tuning.kernels.front()->diagnostics);
    return makeFileError(
        source.name, "none of the " + std::to_string(first) + " configurations compiles",
        "above is what the first one, " + autotune->configurations.front().text() + ", lacks");
  }
  const Compilation &compilation = *tuning.kernels[first]->compilation;
  const KernelMetadata &metadata = compilation.kernel.metadata;
  auto texts = LaunchFlags::argumentTexts(metadata);
  if (!texts)
    return texts.error();
  auto values = parseArguments(metadata, *texts);
  if (!values)
    return values.error();
  auto key = makeKey(source, *autotune, compilation, *values);
  if (!key)
    return key.error();

  tune::Plan &plan = tuning.plan;
  plan.source = source;
  plan.files = filesOf(compilation);
  plan.device = LaunchFlags::device();
  plan.arguments = withAbsolutePaths(std::move(*texts), std::filesystem::current_path());
  plan.key = std::move(*key);
  plan.measure.repeats = repeat;
  plan.measure.secondsAtMost = timeout;
  if (tolerance.getNumOccurrences())
    plan.measure.tolerance = tolerance;
  const std::map<std::string, int64_t> numbers = numbersOf(metadata, *values);
  for (auto [configuration, options] : llvm::zip(autotune->configurations, *specialized))
    plan.entries.push_back(
        {configuration.text(), options, tune::evaluateGrid(gridText, configuration, numbers)});
  // An expression that is wrong in all of them is the user's error and no configuration's.
  if (!plan.entries[first].grid)
    return plan.entries[first].grid.error();
  return tuning;
}

/// Reads a plan. Errors: flags that would say something else than the plan.
Expected<PlannedTuning> readPlanFile(const std::string &file) {
  for (const cl::Option &option : std::initializer_list<std::reference_wrapper<const cl::Option>>{
           configTexts, keyNames, gridText, repeat, tolerance, timeout})
    if (option.getNumOccurrences())
      return makeFileError(file, "the plan says itself what --" + option.ArgStr.str() + " says",
                           "leave the flag out, or make another plan");
  auto text = runtime::readFile(file);
  if (!text)
    return text.error();
  auto plan = tune::readPlan(*text, file);
  if (!plan)
    return plan.error();
  PlannedTuning tuning;
  tuning.plan = std::move(*plan);
  tuning.plan.arguments = withAbsolutePaths(std::move(tuning.plan.arguments),
                                            std::filesystem::absolute(file).parent_path());
  tuning.cache = openCache();
  tuning.kernels.resize(tuning.plan.entries.size());
  return tuning;
}

} // namespace

Expected<PlannedTuning> cli::planTuning() {
  if (repeat < 1)
    return makeError("--repeat takes a positive number, got " + std::to_string(repeat));
  if (!(timeout > 0))
    return makeError("--timeout takes a number of seconds above 0");
  if (llvm::StringRef(CompileFlags::file()).ends_with(".json"))
    return readPlanFile(CompileFlags::file());
  auto source = readSource(CompileFlags::file());
  if (!source)
    return source.error();
  return planSource(*source);
}

void cli::compile(PlannedTuning &tuning, const std::set<size_t> &which, unsigned threads,
                  const std::function<void()> &onCompiled) {
  std::vector<size_t> missing;
  std::vector<CompileOptions> options;
  for (size_t index : which)
    if (!tuning.kernels[index]) {
      missing.push_back(index);
      options.push_back(tuning.plan.entries[index].options);
    }
  CompileSession session(tuning.plan.source, tuning.plan.reader(), tuning.cache);
  std::vector<CompileResult> made =
      session.compileAll(options, threads, [&](size_t) { onCompiled(); });
  for (auto [index, result] : llvm::zip(missing, made))
    tuning.kernels[index] = std::move(result);
}
