//===- CudaDevice.cpp - NVIDIA GPUs as devices --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/cuda/CudaKernel.h"
#include "runtime/launch/LaunchGrid.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::runtime;

namespace {

class CudaKernel : public Kernel {
public:
  CudaKernel(KernelMetadata metadata, std::unique_ptr<cuda::LoadedKernel> loaded)
      : Kernel(std::move(metadata)), loaded(std::move(loaded)) {}

  const std::unique_ptr<cuda::LoadedKernel> loaded;
};

class CudaDevice : public Device {
public:
  explicit CudaDevice(std::shared_ptr<const cuda::DeviceContext> context)
      : context(std::move(context)), driver(this->context->getDriver()) {}

  ~CudaDevice() override {
    if (cacheFiller.address)
      (void)free(cacheFiller).operator bool();
  }

  std::string name() const override { return context->getName(); }

  Expected<DevicePointer> allocate(size_t bytes, std::string_view label) override {
    DevicePointer pointer;
    // The driver refuses an allocation of nothing.
    if (Expected<void> done = context->use(
            [&] { return driver.memoryAllocate(&pointer.address, std::max<size_t>(bytes, 1)); },
            "allocating " + std::to_string(bytes) + " bytes for '" + std::string(label) + "'");
        !done)
      return done.error();
    return pointer;
  }

  Expected<void> free(DevicePointer pointer) override {
    return context->use([&] { return driver.memoryFree(pointer.address); }, "freeing memory");
  }

  Expected<void> copyIn(DevicePointer to, const void *from, size_t bytes) override {
    if (bytes == 0)
      return {};
    return context->use([&] { return driver.copyToDevice(to.address, from, bytes); },
                        "copying to the device");
  }

  Expected<void> copyOut(void *to, DevicePointer from, size_t bytes) override {
    if (bytes == 0)
      return {};
    return context->use([&] { return driver.copyToHost(to, from.address, bytes); },
                        "copying from the device");
  }

  Expected<std::unique_ptr<Kernel>> load(const CompiledKernel &kernel) override {
    auto loaded = cuda::LoadedKernel::load(context, kernel.metadata, kernel.nativeCode);
    if (!loaded)
      return loaded.error();
    return std::unique_ptr<Kernel>(
        std::make_unique<CudaKernel>(kernel.metadata, std::move(*loaded)));
  }

  Expected<uint32_t> countConcurrentPrograms(Kernel &kernel) override {
    Expected<int> count = static_cast<CudaKernel &>(kernel).loaded->countConcurrentPrograms();
    if (!count)
      return count.error();
    return static_cast<uint32_t>(*count);
  }

protected:
  Expected<void> launchPacked(Kernel &kernel, Grid grid,
                              std::span<const uint64_t> parameters) override {
    if (Expected<void> queued = enqueue(kernel, grid, parameters); !queued)
      return queued;
    return context->use([&] { return driver.contextSynchronize(); }, running(kernel));
  }

  Expected<void> clearCaches() override;

  Expected<double> timePacked(Kernel &kernel, Grid grid,
                              std::span<const uint64_t> parameters) override;

private:
  static std::string running(const Kernel &kernel) {
    return "running '" + kernel.metadata().name + "'";
  }

  Expected<void> enqueue(Kernel &kernel, Grid grid, std::span<const uint64_t> parameters) {
    Expected<LaunchGrid> launch = gridFor(kernel.metadata(), grid);
    if (!launch)
      return launch.error();
    return static_cast<CudaKernel &>(kernel).loaded->enqueue(*launch, parameters,
                                                             /*stream=*/nullptr);
  }

  const std::shared_ptr<const cuda::DeviceContext> context;
  const cuda::Driver &driver;
  /// Twice as large as the last level of the caches; null before they are first cleared.
  DevicePointer cacheFiller;
  size_t cacheFillerBytes = 0;
};

} // namespace

Expected<void> CudaDevice::clearCaches() {
  if (!cacheFiller.address) {
    Expected<int> bytes = context->getAttribute(cuda::deviceL2CacheBytes);
    if (!bytes)
      return bytes.error();
    cacheFillerBytes = 2 * static_cast<size_t>(*bytes);
    Expected<DevicePointer> filler = allocate(cacheFillerBytes, "what fills the caches");
    if (!filler)
      return filler.error();
    cacheFiller = *filler;
  }
  return context->use([&] { return driver.memorySet8(cacheFiller.address, 0, cacheFillerBytes); },
                      "clearing the caches");
}

Expected<double> CudaDevice::timePacked(Kernel &kernel, Grid grid,
                                        std::span<const uint64_t> parameters) {
  cuda::Event *events[2] = {};
  float milliseconds = 0;
  auto timing = [&](auto call) { return context->use(call, "timing"); };
  auto measure = [&]() -> Expected<void> {
    for (cuda::Event *&event : events)
      if (Expected<void> done = timing([&] { return driver.eventCreate(&event, 0); }); !done)
        return done;
    if (Expected<void> done = timing([&] { return driver.eventRecord(events[0], nullptr); }); !done)
      return done;
    if (Expected<void> done = enqueue(kernel, grid, parameters); !done)
      return done;
    if (Expected<void> done = timing([&] { return driver.eventRecord(events[1], nullptr); }); !done)
      return done;
    if (Expected<void> done =
            context->use([&] { return driver.eventSynchronize(events[1]); }, running(kernel));
        !done)
      return done;
    return timing([&] { return driver.eventElapsedTime(&milliseconds, events[0], events[1]); });
  };
  Expected<void> measured = measure();
  for (cuda::Event *event : events)
    if (event)
      (void)timing([&] { return driver.eventDestroy(event); }).operator bool();
  if (!measured)
    return measured.error();
  return static_cast<double>(milliseconds);
}

Expected<std::unique_ptr<Device>> runtime::createCudaDevice(int ordinal) {
  auto context = cuda::DeviceContext::open(ordinal);
  if (!context)
    return context.error();
  return std::unique_ptr<Device>(std::make_unique<CudaDevice>(std::move(*context)));
}
