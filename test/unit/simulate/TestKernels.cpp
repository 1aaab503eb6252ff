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

CompiledKernel simulate::test::makeKernelFor(const std::string &target, int threadsPerWarp,
                                             const std::string &arguments, const std::string &text,
                                             int numWarps) {
  CompiledKernel kernel;
  kernel.metadata.name = "k";
  kernel.metadata.target = target;
  kernel.metadata.numWarps = numWarps;
  kernel.metadata.threadsPerWarp = threadsPerWarp;
  kernel.metadata.arguments = parseArguments(arguments);
  kernel.llir = text + debugInfo;
  return kernel;
}

const simulate::test::LaneKernel simulate::test::amdLanes = {
    "hip:gfx1201", 32,
    "target triple = \"amdgcn-amd-amdhsa\"\n"
    "declare i32 @llvm.amdgcn.workitem.id.x()\n",
    "define amdgpu_kernel void @k", "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n"};

simulate::test::LaneKernel simulate::test::intelLanes(int lanes) {
  return {"xpu:pvc", lanes,
          "target triple = \"spirv64-unknown-unknown\"\n"
          "declare spir_func i64 @_Z12get_local_idj(i32)\n",
          "define spir_kernel void @k",
          "  %id = call spir_func i64 @_Z12get_local_idj(i32 0)\n"
          "  %t = trunc i64 %id to i32\n"};
}

CompiledKernel simulate::test::LaneKernel::make(const std::string &declarations,
                                                const std::string &body, int results) const {
  std::string text =
      head + declarations + "\n" + define + "(ptr addrspace(1) %out) {\n" + threadNumber + body;
  for (int i = 0; i < results; ++i) {
    std::string number = std::to_string(i);
    text += "\n  %index" + number + " = add i32 %t, " + std::to_string(i * lanes) + "\n  %place" +
            number + " = getelementptr i32, ptr addrspace(1) %out, i32 %index" + number +
            "\n  store i32 %r" + number + ", ptr addrspace(1) %place" + number + ", align 4";
  }
  return makeKernelFor(target, lanes, "out: *i32", text + "\n  ret void\n}\n");
}

runtime::HostArray simulate::test::LaneKernel::run(const std::string &declarations,
                                                   const std::string &body, int results) const {
  std::vector<runtime::ArgumentValue> arguments = {
      runtime::HostArray(runtime::ElementType::Int32, {results * lanes})};
  Expected<void> done = Launcher().run(make(declarations, body, results), arguments);
  EXPECT_TRUE(done) << render(done.error()) << body;
  return std::get<runtime::HostArray>(arguments[0]);
}

std::string simulate::test::LaneKernel::error(const std::string &declarations,
                                              const std::string &body) const {
  return errorOf(make(declarations, body, 1),
                 {runtime::HostArray(runtime::ElementType::Int32, {lanes})});
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
