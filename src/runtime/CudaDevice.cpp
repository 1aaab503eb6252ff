//===- CudaDevice.cpp - NVIDIA GPUs as devices --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/CudaDriver.h"
#include "tilewright/Runtime.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::runtime;

namespace {

/// What a block may use without asking for more.
constexpr int plainSharedBytes = 48 * 1024;

class CudaKernel : public Kernel {
public:
  CudaKernel(KernelMetadata metadata, const cuda::Driver &driver, cuda::Context *context,
             cuda::Module *module)
      : Kernel(std::move(metadata)), driver(driver), context(context), module(module) {}
  ~CudaKernel() override {
    driver.contextSetCurrent(context);
    driver.moduleUnload(module);
  }

  const cuda::Driver &driver;
  cuda::Context *context;
  cuda::Module *module;
  cuda::Function *function = nullptr;
};

class CudaDevice : public Device {
public:
  CudaDevice(const cuda::Driver &driver, cuda::DeviceId device, cuda::Context *context,
             std::string deviceName)
      : driver(driver), device(device), context(context), deviceName(std::move(deviceName)) {}
  ~CudaDevice() override { driver.primaryContextRelease(device); }

  std::string name() const override { return deviceName; }

  Expected<DevicePointer> allocate(size_t bytes, std::string_view label) override {
    DevicePointer pointer;
    // The driver refuses an allocation of nothing.
    if (Expected<void> done =
            use([&] { return driver.memoryAllocate(&pointer.address, std::max<size_t>(bytes, 1)); },
                "allocating " + std::to_string(bytes) + " bytes for '" + std::string(label) + "'");
        !done)
      return done.error();
    return pointer;
  }

  Expected<void> free(DevicePointer pointer) override {
    return use([&] { return driver.memoryFree(pointer.address); }, "freeing memory");
  }

  Expected<void> copyIn(DevicePointer to, const void *from, size_t bytes) override {
    if (bytes == 0)
      return {};
    return use([&] { return driver.copyToDevice(to.address, from, bytes); },
               "copying to the device");
  }

  Expected<void> copyOut(void *to, DevicePointer from, size_t bytes) override {
    if (bytes == 0)
      return {};
    return use([&] { return driver.copyToHost(to, from.address, bytes); },
               "copying from the device");
  }

  Expected<std::unique_ptr<Kernel>> load(const CompiledKernel &kernel) override;

protected:
  Expected<void> launchPacked(Kernel &kernel, Grid grid,
                              std::span<const uint64_t> parameters) override {
    if (Expected<void> queued = enqueue(kernel, grid, parameters); !queued)
      return queued;
    return use([&] { return driver.contextSynchronize(); }, running(kernel));
  }

  Expected<double> timePacked(Kernel &kernel, Grid grid,
                              std::span<const uint64_t> parameters) override;

private:
  /// Calls the driver with this device's context; a failure is an error that says what
  /// was being done.
  template <typename Call> Expected<void> use(Call call, const std::string &what) {
    cuda::Result result = driver.contextSetCurrent(context);
    if (result == 0)
      result = call();
    if (result == 0)
      return {};
    return makeError(what + " failed on " + deviceName + ": " + driver.describe(result));
  }

  static std::string running(const Kernel &kernel) {
    return "running '" + kernel.metadata().name + "'";
  }

  Expected<void> enqueue(Kernel &kernel, Grid grid, std::span<const uint64_t> parameters) {
    // The driver takes as many bytes from each address as the parameter's type has.
    std::vector<void *> addresses;
    for (const uint64_t &parameter : parameters)
      addresses.push_back(const_cast<uint64_t *>(&parameter));
    const KernelMetadata &metadata = kernel.metadata();
    return use(
        [&] {
          return driver.launchKernel(static_cast<CudaKernel &>(kernel).function, grid.x, grid.y,
                                     grid.z, metadata.threadsPerBlock(), 1, 1,
                                     metadata.dynamicSharedBytes(), nullptr, addresses.data(),
                                     nullptr);
        },
        running(kernel));
  }

  const cuda::Driver &driver;
  cuda::DeviceId device;
  cuda::Context *context;
  std::string deviceName;
};

} // namespace

Expected<std::unique_ptr<Kernel>> CudaDevice::load(const CompiledKernel &compiled) {
  const KernelMetadata &metadata = compiled.metadata;
  std::string what = "loading '" + metadata.name + "'";
  if (nativeCodeSuffix(metadata.target) != ".ptx")
    return makeError("the kernel '" + metadata.name + "' was compiled for " + metadata.target +
                         " and cannot run on " + deviceName,
                     "compile it for a cuda target");
  if (compiled.nativeCode.empty())
    return makeError("there is no PTX for the kernel '" + metadata.name + "'");

  std::string log(16384, '\0');
  int options[] = {cuda::jitErrorLog, cuda::jitErrorLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  cuda::Module *module = nullptr;
  if (Expected<void> done = use(
          [&] {
            return driver.moduleLoad(&module, compiled.nativeCode.c_str(), 2, options, values);
          },
          what);
      !done) {
    Diagnostic error = done.error();
    log.resize(std::min(log.find('\0'), log.size()));
    while (!log.empty() && log.back() == '\n')
      log.pop_back();
    if (!log.empty())
      error.message += "\n" + log;
    error.remedy = "the kernel was compiled for " + metadata.target;
    return error;
  }
  auto kernel = std::make_unique<CudaKernel>(metadata, driver, context, module);
  if (Expected<void> done = use(
          [&] {
            return driver.moduleGetFunction(&kernel->function, module, metadata.name.c_str());
          },
          what);
      !done)
    return done.error();

  if (metadata.sharedBytes > plainSharedBytes) {
    int most = 0;
    if (Expected<void> done = use(
            [&] {
              return driver.deviceGetAttribute(&most, cuda::deviceSharedPerBlockOptIn, device);
            },
            what);
        !done)
      return done.error();
    if (metadata.sharedBytes > most)
      return makeError("the kernel '" + metadata.name + "' needs " +
                           std::to_string(metadata.sharedBytes) + " bytes of shared memory, " +
                           deviceName + " has " + std::to_string(most),
                       "use smaller tiles or fewer stages");
    if (Expected<void> done = use(
            [&] {
              return driver.functionSetAttribute(kernel->function, cuda::functionMaxDynamicShared,
                                                 metadata.sharedBytes);
            },
            what);
        !done)
      return done.error();
  }
  return std::unique_ptr<Kernel>(std::move(kernel));
}

Expected<double> CudaDevice::timePacked(Kernel &kernel, Grid grid,
                                        std::span<const uint64_t> parameters) {
  cuda::Event *events[2] = {};
  float milliseconds = 0;
  auto measure = [&]() -> Expected<void> {
    for (cuda::Event *&event : events)
      if (Expected<void> done = use([&] { return driver.eventCreate(&event, 0); }, "timing"); !done)
        return done;
    if (Expected<void> done = use([&] { return driver.eventRecord(events[0], nullptr); }, "timing");
        !done)
      return done;
    if (Expected<void> done = enqueue(kernel, grid, parameters); !done)
      return done;
    if (Expected<void> done = use([&] { return driver.eventRecord(events[1], nullptr); }, "timing");
        !done)
      return done;
    if (Expected<void> done =
            use([&] { return driver.eventSynchronize(events[1]); }, running(kernel));
        !done)
      return done;
    return use([&] { return driver.eventElapsedTime(&milliseconds, events[0], events[1]); },
               "timing");
  };
  Expected<void> measured = measure();
  for (cuda::Event *event : events)
    if (event)
      driver.eventDestroy(event);
  if (!measured)
    return measured.error();
  return static_cast<double>(milliseconds);
}

Expected<std::unique_ptr<Device>> runtime::createCudaDevice(int ordinal) {
  Expected<const cuda::Driver *> opened = cuda::openDriver();
  if (!opened)
    return opened.error();
  const cuda::Driver &driver = **opened;
  int count = 0;
  if (cuda::Result result = driver.deviceGetCount(&count); result != 0)
    return makeError("the CUDA driver does not list its devices: " + driver.describe(result));
  if (ordinal < 0 || ordinal >= count)
    return makeError("there is no CUDA device " + std::to_string(ordinal) + ": the driver has " +
                         std::to_string(count),
                     "run the kernel with --device sim, or name another device");
  cuda::DeviceId device = 0;
  cuda::Context *context = nullptr;
  char name[256] = "CUDA device";
  cuda::Result result = driver.deviceGet(&device, ordinal);
  if (result == 0)
    result = driver.deviceGetName(name, sizeof name, device);
  if (result == 0)
    result = driver.primaryContextRetain(&context, device);
  if (result != 0)
    return makeError("the CUDA device " + std::to_string(ordinal) +
                     " cannot be used: " + driver.describe(result));
  return std::unique_ptr<Device>(std::make_unique<CudaDevice>(driver, device, context, name));
}
