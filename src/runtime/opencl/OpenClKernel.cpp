//===- OpenClKernel.cpp - Kernels on a device of OpenCL's ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/opencl/OpenClKernel.h"

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::runtime::opencl;

LoadedKernel::LoadedKernel(const Driver &driver, const DeviceInfo &device,
                           const KernelMetadata &described)
    : driver(driver), device(device), metadata(described), parameters(parametersOf(metadata)) {}

LoadedKernel::~LoadedKernel() {
  if (kernel)
    driver.releaseKernel(kernel);
  if (program)
    driver.releaseProgram(program);
}

std::string LoadedKernel::buildLog() const {
  size_t bytes = 0;
  std::string log;
  if (driver.getProgramBuildInfo(program, device.id, programBuildLog, 0, nullptr, &bytes) == 0) {
    log.resize(bytes);
    if (driver.getProgramBuildInfo(program, device.id, programBuildLog, bytes, log.data(),
                                   nullptr) != 0)
      log.clear();
  }
  while (!log.empty() && (log.back() == '\n' || log.back() == '\0'))
    log.pop_back();
  return log;
}

Expected<void> LoadedKernel::build(Context *context, const std::string &code) {
  std::string what = "loading '" + metadata.name + "'";
  auto buildWith = [&](const std::string &options) {
    // A program whose build has failed stays so.
    if (program)
      driver.releaseProgram(program);
    Status created = 0;
    program = device.createProgram(context, code.data(), code.size(), &created);
    if (created != 0)
      return created;
    return driver.buildProgram(program, 1, &device.id, options.c_str(), nullptr, nullptr);
  };
  Status status = buildWith(metadata.buildOptions);
  // They choose among the register files that Intel's GPUs have: others do not know them.
  if (status == invalidBuildOptions)
    status = buildWith("");
  if (status != 0) {
    Diagnostic error = failure(what, status);
    if (std::string log = program ? buildLog() : std::string(); !log.empty())
      error.message += "\n" + log;
    error.remedy = "the kernel was compiled for " + metadata.target;
    return error;
  }
  kernel = driver.createKernel(program, metadata.name.c_str(), &status);
  if (status != 0)
    return failure(what, status);
  // By its registers the kernel may allow fewer threads than the device.
  size_t threads = 0;
  status = driver.getKernelWorkGroupInfo(kernel, device.id, kernelWorkGroupSize, sizeof threads,
                                         &threads, nullptr);
  if (status != 0)
    return failure(what, status);
  if (threads < static_cast<size_t>(metadata.threadsPerBlock()))
    return makeError("the kernel '" + metadata.name + "' was compiled for work-groups of " +
                         std::to_string(metadata.threadsPerBlock()) + ", " + device.name +
                         " can run it in those of " + std::to_string(threads),
                     "use fewer warps or smaller tiles");
  return {};
}

Expected<std::unique_ptr<LoadedKernel>>
LoadedKernel::load(const Driver &driver, const DeviceInfo &device, Context *context,
                   const KernelMetadata &metadata, const std::string &code) {
  if (nativeCodeSuffix(metadata.target) != ".spv")
    return makeError("the kernel '" + metadata.name + "' was compiled for " + metadata.target +
                         " and cannot run on " + device.name,
                     "compile it for an xpu target");
  if (code.empty())
    return makeError("there is no SPIR-V for the kernel '" + metadata.name + "'");
  std::unique_ptr<LoadedKernel> kernel(new LoadedKernel(driver, device, metadata));
  if (Expected<void> fine = checkNeeds(metadata, device); !fine)
    return fine.error();
  if (Expected<void> done = kernel->build(context, code); !done)
    return done.error();
  return kernel;
}

Expected<void> LoadedKernel::setArguments(Memory &memory, std::span<const uint64_t> values,
                                          std::span<void *const> allocated) {
  uint32_t index = 0;
  for (const KernelParameter &parameter : parameters) {
    const uint64_t &value = values[index];
    Status status = parameter.isPointer()
                        ? memory.setArgument(kernel, index, reinterpret_cast<const void *>(value))
                        // The low bytes come first in a word.
                        : driver.setKernelArgument(
                              kernel, index, sizeOf(*elementTypeNamed(parameter.type)), &value);
    if (status != 0)
      return failure("passing '" + parameter.argument->name + "'", status);
    ++index;
  }
  if (Status status = memory.allowAccess(kernel, allocated); status != 0)
    return failure("giving access to memory", status);
  return {};
}

Expected<void> LoadedKernel::enqueue(Queue *queue, const LaunchGrid &grid, Event **event) {
  const size_t threads = metadata.threadsPerBlock();
  const size_t all[3] = {grid.blocks.x * threads, grid.blocks.y, grid.blocks.z},
               block[3] = {threads, 1, 1};
  if (Status status =
          driver.enqueueKernel(queue, kernel, 3, nullptr, all, block, 0, nullptr, event);
      status != 0)
    return failure("running '" + metadata.name + "'", status);
  return {};
}
