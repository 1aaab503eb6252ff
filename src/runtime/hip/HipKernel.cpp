//===- HipKernel.cpp - Launches by AMD's HIP ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/hip/HipDriver.h"
#include "runtime/launch/NativeKernel.h"

using namespace tilewright;
using namespace tilewright::runtime;
using hip::Result;

namespace {

class HipKernel : public NativeKernel {
public:
  HipKernel(const hip::Driver &driver, const KernelMetadata &metadata, int device)
      : driver(driver), metadata(metadata), device(device),
        sharedBytes(static_cast<unsigned>(metadata.dynamicSharedBytes())) {}
  ~HipKernel() override {
    // What the driver thinks of this has no one left to hear it.
    if (module)
      (void)use([&] { return driver.moduleUnload(module); }, "unloading").operator bool();
  }

  Expected<void> load(const std::string &code);

  bool isFor(const Place &place) const override { return device == place.device; }

  Expected<void> enqueue(const LaunchGrid &grid, std::span<const uint64_t> parameters,
                         void *stream) override {
    const Grid &blocks = grid.blocks;
    // The driver takes as many bytes from each address as the code object says.
    std::vector<void *> addresses;
    for (const uint64_t &parameter : parameters)
      addresses.push_back(const_cast<uint64_t *>(&parameter));
    if (metadata.isCooperative)
      return use(
          [&] {
            return driver.launchCooperative(function, blocks.x, blocks.y, blocks.z,
                                            metadata.threadsPerBlock(), 1, 1, sharedBytes,
                                            static_cast<hip::Stream *>(stream), addresses.data());
          },
          "running");
    return use(
        [&] {
          return driver.launchKernel(function, blocks.x, blocks.y, blocks.z,
                                     metadata.threadsPerBlock(), 1, 1, sharedBytes,
                                     static_cast<hip::Stream *>(stream), addresses.data(), nullptr);
        },
        "running");
  }

  Expected<int> getAttribute(KernelAttribute attribute) const override;

private:
  /// Calls the driver with the thread at work on this GPU, and leaves it on the one where it was.
  template <typename Call> Expected<void> use(Call call, const char *what) const {
    int before = device;
    Result result = driver.getDevice(&before);
    if (result == 0 && before != device)
      result = driver.setDevice(device);
    if (result == 0)
      result = call();
    if (before != device)
      driver.setDevice(before);
    if (result == 0)
      return {};
    return makeError(std::string(what) + " '" + metadata.name + "' failed on " + name + ": " +
                     driver.describe(result));
  }

  const hip::Driver &driver;
  KernelMetadata metadata;
  int device;
  /// Of a launch; told to the driver each time.
  unsigned sharedBytes;
  /// The GPU's, such as "AMD Radeon RX 9070 XT".
  std::string name;
  hip::Module *module = nullptr;
  hip::Function *function = nullptr;
};

} // namespace

Expected<void> HipKernel::load(const std::string &code) {
  name = driver.nameOf(device);
  if (metadata.globalScratchBytes)
    return makeError("the kernel '" + metadata.name +
                         "' needs global memory that the launch sets aside, which HIP launches do "
                         "not give",
                     "make tensor descriptors of the kernel's arguments");
  if (metadata.isCooperative && !driver.launchCooperative)
    return makeError("the HIP runtime is too old: it lacks hipModuleLaunchCooperativeKernel, which "
                     "the kernel '" +
                         metadata.name + "' needs",
                     "install a newer ROCm, or compile without launch_cooperative_grid");
  Expected<void> done = use([&] { return driver.moduleLoadData(&module, code.data()); }, "loading");
  if (done)
    return use([&] { return driver.moduleGetFunction(&function, module, metadata.name.c_str()); },
               "loading");
  Diagnostic error = done.error();
  error.remedy = "the kernel was compiled for " + metadata.target;
  return error;
}

Expected<int> HipKernel::getAttribute(KernelAttribute attribute) const {
  int value = 0;
  auto ask = [&](int number) {
    return use([&] { return driver.functionGetAttribute(&value, number, function); },
               "asking for an attribute of");
  };
  auto multiprocessors = [&](int &count) {
    return use(
        [&] { return driver.deviceGetAttribute(&count, hip::deviceMultiprocessors, device); },
        "asking for the multiprocessors of");
  };
  Expected<void> done = [&]() -> Expected<void> {
    switch (attribute) {
    case KernelAttribute::Registers:
      return ask(hip::functionRegisters);
    case KernelAttribute::LocalBytes:
      return ask(hip::functionLocalBytes);
    case KernelAttribute::StaticSharedBytes:
      return ask(hip::functionStaticShared);
    case KernelAttribute::Multiprocessors:
      return multiprocessors(value);
    case KernelAttribute::ConcurrentPrograms: {
      int count = 0;
      if (Expected<void> counted = multiprocessors(count); !counted)
        return counted;
      Expected<void> found = use(
          [&] {
            return driver.occupancyBlocks(&value, function, metadata.threadsPerBlock(),
                                          size_t(sharedBytes));
          },
          "counting the blocks of");
      value *= count;
      return found;
    }
    }
    return makeError("there is no such attribute");
  }();
  if (!done)
    return done.error();
  return value;
}

Expected<std::unique_ptr<NativeKernel>> runtime::loadHipKernel(const KernelMetadata &metadata,
                                                               const std::string &code,
                                                               const Place &place) {
  Expected<const hip::Driver *> driver = hip::openDriver();
  if (!driver)
    return driver.error();
  int count = 0;
  if (Result result = (*driver)->getDeviceCount(&count); result != 0)
    count = 0;
  if (place.device < 0 || place.device >= count)
    return makeError("there is no HIP device " + std::to_string(place.device) +
                     ": the driver has " + std::to_string(count));
  auto kernel = std::make_unique<HipKernel>(**driver, metadata, place.device);
  if (Expected<void> done = kernel->load(code); !done)
    return done.error();
  return std::unique_ptr<NativeKernel>(std::move(kernel));
}
