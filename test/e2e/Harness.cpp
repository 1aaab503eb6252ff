//===- Harness.cpp - Compile, simulate, compare -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include "RunKernel.h"
#include "target/Target.h"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

using namespace tilewright;
using namespace tilewright::test;

// Tests of threads compile in several.
static std::atomic<unsigned> runs = 0;

void test::noteRun() { ++runs; }

namespace {
/// Fails tests that have compared nothing.
class RunListener : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo &) override { runs = 0; }
  void OnTestEnd(const testing::TestInfo &test) override {
    if (!runs && test.result()->Passed())
      ADD_FAILURE() << test.test_suite_name() << "." << test.name()
                    << " has run no kernel and compiled none: it has compared nothing";
  }
};

[[maybe_unused]] const bool isListening = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new RunListener);
  return true;
}();
} // namespace

std::string test::exampleSource(const std::string &name) {
  auto source = readSource(std::string(TILEWRIGHT_EXAMPLES) + "/" + name);
  EXPECT_TRUE(source) << render(source.error());
  return source ? source->text : std::string();
}

const std::string &test::defaultTarget() {
  static const std::string target = [] {
    const char *named = std::getenv("TILEWRIGHT_E2E_TARGET");
    return std::string(named && *named ? named : "cuda:90");
  }();
  return target;
}

int test::lanesOfDefaultTarget() {
  CompileOptions options = optionsFor(defaultTarget());
  const target::Target *target = target::Target::find(*options.target);
  EXPECT_TRUE(target) << defaultTarget();
  return options.threadsPerWarp.value_or(target ? target->execution.threadsPerWarp : 32);
}

std::vector<float> test::randomWholeNumbers(size_t count, unsigned seed, double low, double high) {
  auto values = randomValues<float>(count, seed, low, high);
  for (float &value : values)
    value = std::round(value);
  return values;
}

bool test::isChosen(unsigned index, unsigned part) {
  return defaultTarget() == "cuda:90" || index % part == 0;
}

std::vector<std::string> test::onlyForNvidia(std::vector<std::string> targets) {
  return defaultTarget().starts_with("cuda:") ? targets : std::vector<std::string>{defaultTarget()};
}

CompileOptions test::optionsFor(const std::string &target) {
  CompileOptions options;
  size_t slash = target.find('/');
  options.target = target.substr(0, slash);
  if (slash != std::string::npos)
    options.threadsPerWarp = std::stoi(target.substr(slash + 1));
  return options;
}

std::string test::nameOfTarget(const testing::TestParamInfo<const char *> &info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](char c) { return c == ':' || c == '/'; }, '_');
  return name;
}

std::vector<ArgumentValue> test::runOnSimulator(const Launch &launch) {
  // One compiler for all tests: that it can be used again and again is tested by the way.
  static Compiler compiler;
  CompileOptions options = optionsFor(launch.target);
  options.kernel = launch.kernel;
  options.signature = launch.signature;
  options.numWarps = launch.numWarps;
  if (launch.numStages)
    options.numStages = launch.numStages;
  options.launch = launch.options;
  noteRun();
  CompileResult result = compiler.compile({"test.py", launch.source}, options);
  // Thrown: what tests do with results is not done with arrays that no kernel has written.
  auto fail = [&](const std::string &what) {
    throw std::runtime_error(what + "for " + launch.target + ", " +
                             std::to_string(launch.numWarps) + " warps, " + launch.signature +
                             ":\n" + launch.source);
  };
  std::string complaints;
  for (const Diagnostic &diagnostic : result.diagnostics)
    complaints += render(diagnostic);
  // What a test does on purpose may be warned of.
  bool warned = std::ranges::all_of(result.diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.severity == Severity::Warning;
  });
  if (!warned || !result)
    fail(complaints);
  std::vector<ArgumentValue> arguments = launch.arguments;
  if (auto done = runKernel(result.compilation->kernel, launch.grid, arguments); !done)
    fail(render(done.error()));
  return arguments;
}
