//===- RunKernel.cpp - Launch of a compiled kernel ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "RunKernel.h"

#include "Harness.h"
#include "SpirvValidation.h"
#include "tilewright/Simulator.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::runtime;

/// The simulator, or what the environment names.
static Expected<std::unique_ptr<Device>> openDevice() {
  const char *named = std::getenv("TILEWRIGHT_E2E_DEVICE");
  const std::string name = named && *named ? named : "sim";
  if (name == "sim") {
    const char *completion = std::getenv("TILEWRIGHT_E2E_ASYNC");
    simulate::SimulatorOptions options;
    if (completion && std::string_view(completion) == "early")
      options.asyncCompletion = simulate::AsyncCompletion::Early;
    options.globalOrder = std::getenv("TILEWRIGHT_E2E_ORDER") != nullptr;
    return std::unique_ptr<Device>(simulate::createSimulator(options));
  }
  if (name == "opencl")
    return createOpenClDevice();
  return makeError("TILEWRIGHT_E2E_DEVICE names no device: " + name);
}

/// The folder of this run, made for it; empty if runs are not kept.
static std::filesystem::path folderOfRun() {
  const char *kept = std::getenv("TILEWRIGHT_E2E_KEEP");
  if (!kept || !*kept)
    return {};
  static unsigned count = 0;
  const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name =
      std::string(test->test_suite_name()) + "." + test->name() + "." + std::to_string(count++);
  std::ranges::replace(name, '/', '_');
  std::filesystem::path folder = std::filesystem::path(kept) / name;
  std::filesystem::create_directories(folder);
  return folder;
}

static Expected<void> keepArrays(const std::filesystem::path &folder, const KernelMetadata &kernel,
                                 std::span<const ArgumentValue> arguments,
                                 const std::string &suffix) {
  auto value = arguments.begin();
  for (const KernelArgument &argument : kernel.arguments) {
    if (!argument.isPassed())
      continue;
    if (const auto *array = std::get_if<HostArray>(&*value++))
      if (auto done = writeNpy(folder / (argument.name + suffix), *array); !done)
        return done;
  }
  return {};
}

/// The launch, in JSON.
static std::string describeRun(const KernelMetadata &kernel, Grid grid,
                               std::span<const ArgumentValue> arguments) {
  std::ostringstream arrays, scalars;
  scalars << std::setprecision(17);
  auto value = arguments.begin();
  for (const KernelArgument &argument : kernel.arguments) {
    if (!argument.isPassed())
      continue;
    std::ostringstream &list = std::holds_alternative<HostArray>(*value) ? arrays : scalars;
    list << (list.tellp() > 0 ? ", " : "") << '"' << argument.name << '"';
    if (const auto *integer = std::get_if<int64_t>(&*value))
      list << ": " << *integer;
    else if (const auto *number = std::get_if<double>(&*value))
      list << ": " << *number;
    ++value;
  }
  return "{\"kernel\": \"" + kernel.name + "\", \"grid\": [" + std::to_string(grid.x) + ", " +
         std::to_string(grid.y) + ", " + std::to_string(grid.z) + "], \"out\": [" + arrays.str() +
         "], \"scalars\": {" + scalars.str() + "}}\n";
}

Expected<void> test::runKernel(const CompiledKernel &compiled, Grid grid,
                               std::span<ArgumentValue> arguments) {
  if (compiled.metadata.target.starts_with("xpu:"))
    if (const std::string faults = findSpirvFaults(compiled.nativeCode); !faults.empty())
      return makeError("the SPIR-V module of '" + compiled.metadata.name + "' for " +
                       compiled.metadata.target + " is not valid: " + faults);
  auto device = openDevice();
  if (!device)
    return device.error();
  auto kernel = (*device)->load(compiled);
  if (!kernel)
    return kernel.error();
  std::filesystem::path folder = folderOfRun();
  if (!folder.empty())
    if (auto done = keepArrays(folder, compiled.metadata, arguments, ".npy"); !done)
      return done;
  test::noteRun();
  if (auto done = runtime::run(**device, **kernel, grid, arguments); !done || folder.empty())
    return done;
  if (auto done = writeCompiledKernel(folder, compiled); !done)
    return done;
  std::ofstream(folder / "case.json") << describeRun(compiled.metadata, grid, arguments);
  return keepArrays(folder, compiled.metadata, arguments, ".expected.npy");
}
