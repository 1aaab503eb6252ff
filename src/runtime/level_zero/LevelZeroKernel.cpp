//===- LevelZeroKernel.cpp - Launches by Level Zero ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A stream is an immediate command list. An address is one of a context: so a kernel is made for
// the context and device of the list on which it is first launched.
//
//===--------------------------------------------------------------------------===//

#include "runtime/launch/LaunchArguments.h"
#include "runtime/launch/NativeKernel.h"
#include "runtime/level_zero/LevelZeroDriver.h"
#include "tilewright/HostArray.h"

#include <mutex>

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::runtime::level_zero;

/// As OpenCL and Level Zero spell the option for the large register file.
constexpr std::string_view openClLargeRegisterFile = "-cl-intel-256-GRF-per-thread";
constexpr char largeRegisterFile[] = "-ze-opt-large-register-file";

namespace {

class LevelZeroKernel : public NativeKernel {
public:
  LevelZeroKernel(const Driver &driver, const KernelMetadata &metadata)
      : driver(driver), metadata(metadata), parameters(parametersOf(this->metadata)) {}
  ~LevelZeroKernel() override {
    if (kernel)
      driver.destroyKernel(kernel);
    if (module)
      driver.destroyModule(module);
  }

  /// In the context and on the device of the list.
  Expected<void> load(const std::string &code, CommandList *list);

  bool isFor(const Place &place) const override {
    Context *other = nullptr;
    DeviceId *otherDevice = nullptr;
    auto *list = static_cast<CommandList *>(place.stream);
    return list && driver.getListContext(list, &other) == 0 && other == context &&
           driver.getListDevice(list, &otherDevice) == 0 && otherDevice == device;
  }

  Expected<void> enqueue(const LaunchGrid &grid, std::span<const uint64_t> words,
                         void *stream) override;

  Expected<int> getAttribute(KernelAttribute attribute) const override {
    if (attribute != KernelAttribute::LocalBytes)
      return makeError("Level Zero does not tell this of kernels or devices",
                       "ask for what the kernel's description says");
    KernelProperties properties;
    if (Result result = driver.getKernelProperties(kernel, &properties); result != 0)
      return failure("asking for an attribute of", result);
    return static_cast<int>(properties.spillBytes);
  }

private:
  Diagnostic failure(const std::string &doing, Result result) const {
    return makeError(doing + " '" + metadata.name + "' failed on " + info.name + ": " +
                     describe(result));
  }
  Expected<void> build(const std::string &code);

  const Driver &driver;
  KernelMetadata metadata;
  std::vector<KernelParameter> parameters;
  DeviceInfo info;
  Context *context = nullptr;
  DeviceId *device = nullptr;
  Module *module = nullptr;
  KernelId *kernel = nullptr;
  /// The kernel keeps its arguments until it is appended.
  std::mutex mutex;
};

} // namespace

Expected<void> LevelZeroKernel::build(const std::string &code) {
  ModuleDescription description;
  description.bytes = code.size();
  description.code = code.data();
  if (metadata.buildOptions.find(openClLargeRegisterFile) != std::string::npos)
    description.buildFlags = largeRegisterFile;
  BuildLog *log = nullptr;
  Result result = driver.createModule(context, device, &description, &module, &log);
  std::string text;
  size_t bytes = 0;
  if (result != 0 && log && driver.getBuildLog(log, &bytes, nullptr) == 0) {
    text.resize(bytes);
    if (driver.getBuildLog(log, &bytes, text.data()) != 0)
      text.clear();
  }
  if (log)
    driver.destroyBuildLog(log);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0'))
    text.pop_back();
  if (result == 0) {
    KernelDescription named;
    named.name = metadata.name.c_str();
    result = driver.createKernel(module, &named, &kernel);
  }
  if (result == 0)
    result = driver.setGroupSize(kernel, static_cast<uint32_t>(metadata.threadsPerBlock()), 1, 1);
  if (result == 0)
    result = driver.setIndirectAccess(kernel, accessesAllMemory);
  if (result == 0)
    return {};
  Diagnostic error = failure("loading", result);
  if (!text.empty())
    error.message += "\n" + text;
  error.remedy = "the kernel was compiled for " + metadata.target;
  return error;
}

Expected<void> LevelZeroKernel::load(const std::string &code, CommandList *list) {
  Result result = driver.getListContext(list, &context);
  if (result == 0)
    result = driver.getListDevice(list, &device);
  if (result != 0)
    return makeError("the stream is no command list of Level Zero's: " + describe(result),
                     "pass an immediate ze_command_list_handle_t");
  Expected<DeviceInfo> described = describeDevice(driver, device);
  if (!described)
    return described.error();
  info = std::move(*described);
  if (nativeCodeSuffix(metadata.target) != ".spv")
    return makeError("the kernel '" + metadata.name + "' was compiled for " + metadata.target +
                         " and cannot run on " + info.name,
                     "compile it for an xpu target");
  if (Expected<void> fine = checkNeeds(metadata, info); !fine)
    return fine;
  return build(code);
}

Expected<void> LevelZeroKernel::enqueue(const LaunchGrid &grid, std::span<const uint64_t> words,
                                        void *stream) {
  auto *list = static_cast<CommandList *>(stream);
  const std::lock_guard lock(mutex);
  for (uint32_t index = 0; index < parameters.size(); ++index) {
    const KernelParameter &parameter = parameters[index];
    // The low bytes come first in a word.
    const size_t bytes =
        parameter.isPointer() ? sizeof(uint64_t) : sizeOf(*elementTypeNamed(parameter.type));
    if (Result result = driver.setArgument(kernel, index, bytes, &words[index]); result != 0)
      return failure("passing '" + parameter.argument->name + "' to", result);
  }
  const GroupCount groups = {grid.blocks.x, grid.blocks.y, grid.blocks.z};
  // The list may be one that keeps no order: its owner orders commands by events of its own.
  Result result = driver.appendBarrier(list, nullptr, 0, nullptr);
  if (result == 0)
    result = driver.appendLaunch(list, kernel, &groups, nullptr, 0, nullptr);
  if (result == 0)
    result = driver.appendBarrier(list, nullptr, 0, nullptr);
  if (result != 0)
    return failure("running", result);
  return {};
}

Expected<std::unique_ptr<NativeKernel>> runtime::loadLevelZeroKernel(const KernelMetadata &metadata,
                                                                     const std::string &code,
                                                                     const Place &place) {
  Expected<const Driver *> driver = openDriver();
  if (!driver)
    return driver.error();
  auto kernel = std::make_unique<LevelZeroKernel>(**driver, metadata);
  if (Expected<void> done = kernel->load(code, static_cast<CommandList *>(place.stream)); !done)
    return done.error();
  return std::unique_ptr<NativeKernel>(std::move(kernel));
}
