//===- KernelFuzzing.cpp - Compilation and simulation of fuzzed kernels -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "KernelFuzzing.h"

#include "CodeChecks.h"
#include "tilewright/Runtime.h"
#include "tilewright/Simulator.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace tilewright;
using namespace tilewright::fuzz;

namespace {

struct NamedTarget {
  std::string_view name;
  int threadsPerWarp;
};

/// One of each generation whose code differs.
constexpr NamedTarget targets[] = {{"cuda:80", 32},     {"cuda:90", 32},     {"cuda:100", 32},
                                   {"hip:gfx1100", 32}, {"hip:gfx1150", 32}, {"hip:gfx1201", 32},
                                   {"xpu:pvc", 16},     {"xpu:pvc", 32},     {"xpu:bmg", 16},
                                   {"xpu:bmg", 32}};

/// Larger tensors make more code, but no other code.
constexpr uint64_t MaxElements = 2048;

/// Elements of the arrays that kernels get.
constexpr int64_t ArraySize = 4096;

/// A value of the argument's type; nothing for types that a launch cannot pass.
std::optional<runtime::ArgumentValue> valueFor(const KernelArgument &argument) {
  std::optional<runtime::ElementType> type = runtime::elementTypeNamed(argument.elementType());
  if (!type)
    return std::nullopt;
  if (!argument.isPointer() && !argument.isDescriptor()) {
    if (isFloat(*type))
      return 1.5;
    return int64_t(*type == runtime::ElementType::Bool ? 1 : 32);
  }
  std::vector<int64_t> shape = {ArraySize};
  if (argument.rank() > 1) {
    shape.assign(argument.rank(), 1);
    shape.front() = ArraySize / 64;
    shape.back() = 64;
  }
  runtime::HostArray array(*type, std::move(shape));
  for (int64_t i = 0; i < ArraySize; ++i)
    array.set(i, static_cast<double>(i % 61));
  return array;
}

} // namespace

TargetLine fuzz::readTargetLine(std::string_view text) {
  size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  std::string_view rest = text.substr(std::min(end + 1, text.size()));
  size_t slash = std::min(line.find('/'), line.size());
  const NamedTarget *chosen = std::ranges::find_if(targets, [&](const NamedTarget &each) {
    return each.name == line.substr(0, slash) &&
           (slash == line.size() || line.substr(slash + 1) == std::to_string(each.threadsPerWarp));
  });
  if (chosen == std::end(targets))
    chosen = &targets[std::accumulate(line.begin(), line.end(), 0u,
                                      [](unsigned sum, unsigned char c) { return sum + c; }) %
                      std::size(targets)];
  return {std::string(chosen->name), chosen->threadsPerWarp, rest};
}

bool fuzz::hasLargeTensor(std::string_view ir) {
  constexpr std::string_view start = "tensor<";
  for (size_t at = 0; (at = ir.find(start, at)) != std::string_view::npos;) {
    at += start.size();
    uint64_t elements = 1;
    for (uint64_t extent = 0; at < ir.size(); ++at) {
      if (ir[at] >= '0' && ir[at] <= '9') {
        extent = std::min<uint64_t>(extent * 10 + (ir[at] - '0'), MaxElements + 1);
        continue;
      }
      if (ir[at] != 'x')
        break;
      elements *= std::max<uint64_t>(extent, 1);
      extent = 0;
      if (elements > MaxElements)
        return true;
    }
  }
  return false;
}

void fuzz::requireError(const std::vector<Diagnostic> &diagnostics) {
  if (diagnostics.empty() || diagnostics.front().severity != Severity::Error)
    std::abort();
  for (const Diagnostic &diagnostic : diagnostics)
    if (render(diagnostic).empty())
      std::abort();
}

void fuzz::compileAndRun(const Source &source, const CompileOptions &options) {
  static Compiler compiler;
  CompileResult result = compiler.compile(source, options);
  if (!result) {
    requireError(result.diagnostics);
    return requireNoFault(result.diagnostics.front(), source);
  }
  requireValidCode(*result.compilation);

  static const std::unique_ptr<simulate::Simulator> device =
      simulate::createSimulator({.count = true, .loopIterationLimit = 20000});
  auto kernel = device->load(result.compilation->kernel);
  if (!kernel) {
    requireError({kernel.error()});
    return requireNoFault(kernel.error(), source);
  }
  std::vector<runtime::ArgumentValue> arguments;
  for (const KernelArgument &argument : (*kernel)->metadata().arguments)
    if (argument.isPassed()) {
      std::optional<runtime::ArgumentValue> value = valueFor(argument);
      if (!value)
        return;
      arguments.push_back(std::move(*value));
    }
  if (auto done = runtime::run(*device, **kernel, {2}, arguments); !done)
    requireError({done.error()});
  device->clearReport();
}
