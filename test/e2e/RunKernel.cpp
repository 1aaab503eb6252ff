//===- RunKernel.cpp - A compiled kernel on the simulator ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "RunKernel.h"

#include "tilewright/Simulator.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <format>
#include <fstream>

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::runtime;

/// The folder of this run, made for it; empty if runs are not kept.
static std::filesystem::path folderOfRun() {
  const char *kept = std::getenv("TILEWRIGHT_E2E_KEEP");
  if (!kept || !*kept)
    return {};
  static unsigned count = 0;
  const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::format("{}.{}.{:04}", test->test_suite_name(), test->name(), count++);
  std::ranges::replace(name, '/', '_');
  std::filesystem::path folder = std::filesystem::path(kept) / name;
  std::filesystem::create_directories(folder);
  return folder;
}

static Expected<void> keepArrays(const std::filesystem::path &folder, const KernelMetadata &kernel,
                                 std::span<const ArgumentValue> arguments,
                                 std::string_view suffix) {
  auto value = arguments.begin();
  for (const KernelArgument &argument : kernel.arguments) {
    if (!argument.isPassed())
      continue;
    if (const auto *array = std::get_if<HostArray>(&*value++))
      if (auto done = writeNpy(folder / std::format("{}{}", argument.name, suffix), *array); !done)
        return done;
  }
  return {};
}

/// The launch, in JSON.
static std::string describeRun(const KernelMetadata &kernel, Grid grid,
                               std::span<const ArgumentValue> arguments) {
  std::string arrays, scalars;
  auto value = arguments.begin();
  for (const KernelArgument &argument : kernel.arguments) {
    if (!argument.isPassed())
      continue;
    std::string &list = std::holds_alternative<HostArray>(*value) ? arrays : scalars;
    list += std::format("{}\"{}\"", list.empty() ? "" : ", ", argument.name);
    if (const auto *integer = std::get_if<int64_t>(&*value))
      list += std::format(": {}", *integer);
    else if (const auto *number = std::get_if<double>(&*value))
      list += std::format(": {:.17g}", *number);
    ++value;
  }
  return std::format(
      "{{\"kernel\": \"{}\", \"grid\": [{}, {}, {}], \"out\": [{}], \"scalars\": {{{}}}}}\n",
      kernel.name, grid.x, grid.y, grid.z, arrays, scalars);
}

Expected<void> test::runKernel(const CompiledKernel &compiled, Grid grid,
                               std::span<ArgumentValue> arguments) {
  auto device = simulate::createSimulator();
  auto kernel = device->load(compiled);
  if (!kernel)
    return std::unexpected(kernel.error());
  std::filesystem::path folder = folderOfRun();
  if (!folder.empty())
    if (auto done = keepArrays(folder, compiled.metadata, arguments, ".npy"); !done)
      return done;
  if (auto done = runtime::run(*device, **kernel, grid, arguments); !done || folder.empty())
    return done;
  if (auto done = writeCompiledKernel(folder, compiled); !done)
    return done;
  std::ofstream(folder / "case.json") << describeRun(compiled.metadata, grid, arguments);
  return keepArrays(folder, compiled.metadata, arguments, ".expected.npy");
}
