//===- Measurement.cpp - One configuration after the other on a device --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tune/Measurement.h"
#include "frontend/syntax/PythonRepr.h"
#include "support/Median.h"
#include "tune/CompareArrays.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::tune;
using runtime::ArgumentValue;
using runtime::HostArray;

namespace {

/// The arguments that are passed, in order.
std::vector<const KernelArgument *> passedArguments(const KernelMetadata &metadata) {
  std::vector<const KernelArgument *> passed;
  for (const KernelArgument &argument : metadata.arguments)
    if (argument.isPassed())
      passed.push_back(&argument);
  return passed;
}

/// The difference of the first array that has one, as an error.
std::optional<Diagnostic> compareResults(const KernelMetadata &metadata,
                                         std::span<const ArgumentValue> values,
                                         std::span<const ArgumentValue> expected,
                                         std::optional<double> tolerance) {
  const std::vector<const KernelArgument *> passed = passedArguments(metadata);
  for (auto [argument, value, first] : llvm::zip(passed, values, expected)) {
    auto *array = std::get_if<HostArray>(&value), *right = std::get_if<HostArray>(&first);
    if (!array || !right)
      continue;
    auto difference =
        findDifference(*array, *right, tolerance.value_or(defaultTolerance(array->type)));
    if (difference)
      return makeError(llvm::formatv("{0}[{1}] is {2}, where the first configuration gave {3}",
                                     argument->name, difference->index,
                                     frontend::reprOfFloat(difference->value),
                                     frontend::reprOfFloat(difference->expected))
                           .str(),
                       "a kernel whose results depend on the configuration so much is faulty, or "
                       "needs a larger --tolerance");
  }
  return std::nullopt;
}

} // namespace

static Trial skipped() { return {Trial::Outcome::Skipped, 0, std::nullopt}; }

Trial tune::failed(Diagnostic error) { return {Trial::Outcome::Failed, 0, std::move(error)}; }

Expected<void> Measurement::open() {
  // A GPU's context is made anew only after the last one that held it is gone.
  device.reset();
  auto opened = openDevice();
  if (!opened)
    return opened.error();
  device = std::move(*opened);
  return {};
}

Trial Measurement::launch(const CompiledKernel &compiled, runtime::Grid grid, bool isMeasured) {
  auto kernel = device->load(compiled);
  if (!kernel)
    return failed(kernel.error());
  std::vector<ArgumentValue> values(arguments.begin(), arguments.end());
  if (auto done = runtime::run(*device, **kernel, grid, values); !done) {
    broken = true;
    return failed(done.error());
  }
  if (!expected)
    expected = std::move(values);
  else if (auto error = compareResults(compiled.metadata, values, *expected, options.tolerance))
    return {Trial::Outcome::WrongResult, 0, std::move(error)};
  if (!isMeasured)
    return skipped();

  auto first = runtime::measure(*device, **kernel, grid, arguments, /*warmup=*/1, /*repeats=*/1,
                                runtime::Caches::Cleared);
  if (!first) {
    broken = true;
    return failed(first.error());
  }
  int repeats = std::clamp(int(options.milliseconds / std::max(first->front(), 1e-6)), 1,
                           std::max(options.repeats, 1));
  auto durations = runtime::measure(*device, **kernel, grid, arguments, /*warmup=*/0, repeats,
                                    runtime::Caches::Cleared);
  if (!durations) {
    broken = true;
    return failed(durations.error());
  }
  return {Trial::Outcome::Measured, medianOf(std::move(*durations)), std::nullopt};
}

Trial Measurement::run(size_t index, const CompileResult &result,
                       const Expected<runtime::Grid> &grid) {
  broken = false;
  const bool isMeasured = !options.only || options.only->contains(index);
  if (!isMeasured && expected)
    return skipped();
  if (!result) {
    auto error = llvm::find_if(result.diagnostics, [](const Diagnostic &diagnostic) {
      return diagnostic.severity == Severity::Error;
    });
    return failed(error == result.diagnostics.end() ? makeError("it does not compile") : *error);
  }
  if (!grid)
    return failed(grid.error());
  return launch(result.compilation->kernel, *grid, isMeasured);
}
