//===- Tuner.h - Which configuration of a kernel is the quickest ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Tuning in three steps, each of which may be had alone: the configurations that there are, all of
// them compiled at once, and each measured by itself on the device.
//
//   auto tuning = readAutotune(source, base);
//   auto options = specialize(base, tuning->configurations);
//   std::vector<CompileResult> kernels = session.compileAll(*options);
//   auto result = measure(openDevice, kernels, arguments, gridOf, {});
//   use(kernels[*result->best]);
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TUNER_H
#define TILEWRIGHT_TUNER_H

#include "tilewright/Compiler.h"
#include "tilewright/Runtime.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::tune {

/// One way to compile a kernel: values of constexpr parameters, as a signature writes them
/// ("128", "True", "'ieee'"), and options. What is not set is as the caller's options have it. An
/// option may also be a parameter of the kernel: its value is that parameter's as well.
struct Configuration {
  std::vector<std::pair<std::string, std::string>> constants;
  std::optional<int> numWarps, numStages, numCtas;
  LaunchOptions launch = {};

  /// The option with one of Triton's names, such as "num_warps" or "maxnreg"; null if there is
  /// none.
  std::optional<int> *findOption(std::string_view name);
  /// Those that are set, by their names.
  std::vector<std::pair<std::string, int>> options() const;
  /// "BLOCK=128, num_warps=4": unique among configurations that differ.
  std::string text() const;
  bool operator==(const Configuration &) const = default;
};

/// The contents of `@triton.autotune` before a kernel.
struct Autotune {
  std::vector<Configuration> configurations;
  /// The parameters whose values a result holds for.
  std::vector<std::string> key;
};

/// Reads the decorator of the kernel `options.kernel`, without Python: as what runs while compiling
/// (docs/frontend.md, "Constexpr functions"), for the target and with the import paths of the
/// options. No configurations if there is no such kernel, or it has no such decorator. Errors: a
/// syntax error, configurations that only a running program knows; all with their place.
Expected<Autotune> readAutotune(const Source &source, const CompileOptions &options);

/// Reads "BLOCK=[64, 128], num_warps=[4, 8], num_stages=3": all combinations of the lists'
/// elements, the last name's changing fastest.
Expected<std::vector<Configuration>> parseConfigurations(const std::string &text);

/// The options of each configuration: where an entry of `base.signature` is the name of one of its
/// constants or options, its value stands in its place. Error: a constant that the signature does
/// not name. Options of Triton's that change nothing are left out; `warnings` gets one for each
/// that asks for something.
Expected<std::vector<CompileOptions>> specialize(const CompileOptions &base,
                                                 std::span<const Configuration> configurations,
                                                 std::vector<Diagnostic> *warnings = nullptr);

/// The grid of a configuration: a number or up to three of them, "cdiv(n, BLOCK), heads", of the
/// configuration's constants, its options (num_warps, ..) where they are set, and the numbers among
/// the arguments by their names.
Expected<runtime::Grid> evaluateGrid(const std::string &text, const Configuration &configuration,
                                     const std::map<std::string, int64_t> &numbers);

/// How the measurement of one configuration ended.
struct Trial {
  enum class Outcome {
    Measured,
    /// It does not compile, needs more than the device has, or its launch failed.
    Failed,
    /// Its results are not those of the first configuration that ran.
    WrongResult,
    /// It was not to be measured (MeasureOptions::only).
    Skipped,
  };
  Outcome outcome = Outcome::Failed;
  /// The median of the launches.
  double milliseconds = 0;
  /// The reason of the other outcomes.
  std::optional<Diagnostic> error;

  bool isMeasured() const { return outcome == Outcome::Measured; }
};

struct TuningResult {
  /// One for each configuration, in their order.
  std::vector<Trial> trials;
  /// The quickest of those that are right; nothing if none is.
  std::optional<size_t> best;
};

struct MeasureOptions {
  /// Launches that count, at most; a configuration whose first launch takes longer than
  /// `milliseconds` / `repeats` gets fewer, but one.
  int repeats = 50;
  double milliseconds = 200;
  /// By how much an element may differ from the first configuration's, relative to the largest
  /// magnitude of the array. Nothing: as far as the type's precision and another order of a sum
  /// go; integers are to be equal.
  std::optional<double> tolerance;
  /// How long a configuration may take in all before `measureIsolated` gives it up.
  double secondsAtMost = 60;
  /// The configurations that are measured; nothing: all of them. The others are skipped, but for
  /// those in front, of which each runs until one gives the results to compare with: so a part is
  /// measured as it is among all.
  std::optional<std::set<size_t>> only;
  /// Called after each configuration with its index, before the next one begins.
  std::function<void(size_t index, const Trial &trial)> onTrial;
};

/// Opens the device. It is called again after a launch that failed, which may have left the device
/// unusable.
using OpenDevice = std::function<Expected<std::unique_ptr<runtime::Device>>()>;

/// The grid of the configuration with this index.
using GridOf = std::function<Expected<runtime::Grid>(size_t index)>;

/// Measures the kernels one after the other, each on fresh copies of `arguments`, with the device's
/// caches cleared before every launch. Whatever is wrong with one of them is said in its trial; an
/// error is that the device cannot be opened. A launch with an illegal address leaves the CUDA
/// driver unusable for the process that made it; see `measureIsolated`.
Expected<TuningResult> measure(const OpenDevice &openDevice, std::span<const CompileResult> kernels,
                               std::span<const runtime::ArgumentValue> arguments,
                               const GridOf &gridOf, const MeasureOptions &options);

/// The same in child processes, so that no launch can harm those that follow, nor this process: a
/// child measures until a launch fails or takes too long, and another one goes on after it.
///
/// To be called by programs that have not used the device yet, with no other threads: children are
/// forked.
Expected<TuningResult> measureIsolated(const OpenDevice &openDevice,
                                       std::span<const CompileResult> kernels,
                                       std::span<const runtime::ArgumentValue> arguments,
                                       const GridOf &gridOf, const MeasureOptions &options);

/// The name of a device, found out in a child process.
Expected<std::string> nameOfDevice(const OpenDevice &openDevice);

} // namespace tilewright::tune

#endif // TILEWRIGHT_TUNER_H
