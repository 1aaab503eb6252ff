//===- TestKernels.cpp - Kernels written by hand ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestKernels.h"

#include <sstream>

using namespace tilewright;
using namespace tilewright::simulate;

std::vector<KernelArgument> simulate::test::parseArguments(const std::string &text) {
  std::vector<KernelArgument> arguments;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    size_t begin = part.find_first_not_of(' ');
    size_t colon = part.find(": ");
    KernelArgument argument;
    argument.name = part.substr(begin, colon - begin);
    argument.type = part.substr(colon + 2);
    arguments.push_back(argument);
  }
  return arguments;
}

CompiledKernel simulate::test::makeKernel(const std::string &arguments, const std::string &text,
                                          int numWarps, int sharedBytes) {
  CompiledKernel kernel;
  kernel.metadata.name = "k";
  kernel.metadata.target = "cuda:90";
  kernel.metadata.numWarps = numWarps;
  kernel.metadata.sharedBytes = sharedBytes;
  kernel.metadata.arguments = parseArguments(arguments);
  kernel.llir = std::string(moduleHead) + text + debugInfo;
  return kernel;
}

Expected<void> simulate::test::Launcher::run(const CompiledKernel &kernel,
                                             std::vector<runtime::ArgumentValue> &arguments,
                                             runtime::Grid grid) {
  Expected<std::unique_ptr<runtime::Kernel>> loaded = simulator->load(kernel);
  if (!loaded)
    return loaded.error();
  return runtime::run(*simulator, **loaded, grid, arguments);
}

std::string simulate::test::errorOf(const CompiledKernel &kernel,
                                    std::vector<runtime::ArgumentValue> arguments,
                                    SimulatorOptions options, runtime::Grid grid) {
  Expected<void> done = Launcher(options).run(kernel, arguments, grid);
  return done ? "no error" : render(done.error());
}
