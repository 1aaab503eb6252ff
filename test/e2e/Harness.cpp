//===- Harness.cpp - Compile, simulate, compare -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include "tilewright/Simulator.h"

using namespace tilewright;
using namespace tilewright::test;

std::string test::exampleSource(const std::string &name) {
  auto source = readSource(std::string(TILEWRIGHT_EXAMPLES) + "/" + name);
  EXPECT_TRUE(source) << render(source.error());
  return source ? source->text : std::string();
}

std::vector<ArgumentValue> test::runOnSimulator(const Launch &launch) {
  // One compiler for all tests: that it can be used again and again is tested by the way.
  static Compiler compiler;
  CompileOptions options;
  options.kernel = launch.kernel;
  options.signature = launch.signature;
  options.target = launch.target;
  options.numWarps = launch.numWarps;
  CompileResult result = compiler.compile({"test.py", launch.source}, options);
  for (const Diagnostic &diagnostic : result.diagnostics)
    ADD_FAILURE() << render(diagnostic);
  std::vector<ArgumentValue> arguments = launch.arguments;
  if (!result)
    return arguments;
  auto device = simulate::createSimulator();
  auto kernel = device->load(result.compilation->kernel);
  if (!kernel) {
    ADD_FAILURE() << render(kernel.error());
    return arguments;
  }
  if (auto done = runtime::run(*device, **kernel, launch.grid, arguments); !done)
    ADD_FAILURE() << render(done.error());
  return arguments;
}
