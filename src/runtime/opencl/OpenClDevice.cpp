//===- OpenClDevice.cpp - OpenCL devices --------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/launch/LaunchGrid.h"
#include "runtime/opencl/OpenClKernel.h"
#include "tilewright/Runtime.h"

#include <map>

using namespace tilewright;
using namespace tilewright::runtime;
using opencl::Status;

/// What Device::allocate promises; drivers align to 128 bytes at most where asked to.
constexpr uint64_t alignment = 256;

namespace {

class OpenClKernel : public Kernel {
public:
  OpenClKernel(KernelMetadata metadata, std::unique_ptr<opencl::LoadedKernel> loaded)
      : Kernel(std::move(metadata)), loaded(std::move(loaded)) {}

  std::unique_ptr<opencl::LoadedKernel> loaded;
};

class OpenClDevice : public Device {
public:
  OpenClDevice(const opencl::Driver &driver, opencl::DeviceInfo info)
      : driver(driver), info(std::move(info)) {}
  ~OpenClDevice() override {
    for (const auto &[address, begin] : allocations)
      memory->free(begin);
    memory.reset();
    if (queue)
      driver.releaseQueue(queue);
    if (context)
      driver.releaseContext(context);
  }

  /// To be called once, before all else.
  Expected<void> open();

  std::string name() const override { return info.name; }

  Expected<DevicePointer> allocate(size_t bytes, std::string_view label) override {
    Status status = 0;
    void *begin = memory->allocate(bytes + alignment, status);
    if (status != 0 || !begin)
      return failure("allocating " + std::to_string(bytes) + " bytes for '" + std::string(label) +
                         "'",
                     status);
    uint64_t address = reinterpret_cast<uint64_t>(begin);
    address = (address + alignment - 1) / alignment * alignment;
    allocations[address] = begin;
    return DevicePointer{address};
  }

  Expected<void> free(DevicePointer pointer) override {
    auto found = allocations.find(pointer.address);
    if (found == allocations.end())
      return makeError("freeing memory failed on " + info.name + ": nothing begins there");
    Status status = memory->free(found->second);
    allocations.erase(found);
    return check(status, "freeing memory");
  }

  Expected<void> copyIn(DevicePointer to, const void *from, size_t bytes) override {
    if (bytes == 0)
      return {};
    return check(memory->copy(reinterpret_cast<void *>(to.address), from, bytes),
                 "copying to the device");
  }

  Expected<void> copyOut(void *to, DevicePointer from, size_t bytes) override {
    if (bytes == 0)
      return {};
    return check(memory->copy(to, reinterpret_cast<const void *>(from.address), bytes),
                 "copying from the device");
  }

  Expected<std::unique_ptr<Kernel>> load(const CompiledKernel &kernel) override;

protected:
  Expected<void> launchPacked(Kernel &kernel, Grid grid,
                              std::span<const uint64_t> parameters) override {
    return enqueue(kernel, grid, parameters, nullptr);
  }

  Expected<double> timePacked(Kernel &kernel, Grid grid,
                              std::span<const uint64_t> parameters) override;

private:
  Diagnostic failure(const std::string &what, Status status) const {
    return makeError(what + " failed on " + info.name + ": " + opencl::describe(status));
  }
  Expected<void> check(Status status, const std::string &what) const {
    if (status == 0)
      return {};
    return failure(what, status);
  }

  /// Launches and waits. `event`, if not null, gets the launch's event.
  Expected<void> enqueue(Kernel &kernel, Grid grid, std::span<const uint64_t> parameters,
                         opencl::Event **event);

  const opencl::Driver &driver;
  opencl::DeviceInfo info;
  opencl::Context *context = nullptr;
  opencl::Queue *queue = nullptr;
  std::unique_ptr<opencl::Memory> memory;
  /// What the driver gave, by the address that was handed out.
  std::map<uint64_t, void *> allocations;
};

} // namespace

Expected<void> OpenClDevice::open() {
  Status status = 0;
  context = driver.createContext(nullptr, 1, &info.id, nullptr, nullptr, &status);
  if (status == 0)
    queue = driver.createQueue(context, info.id, opencl::queueProfiling, &status);
  if (status != 0)
    return makeError("the OpenCL device " + info.name +
                     " cannot be used: " + opencl::describe(status));
  memory = opencl::createMemory(driver, info, context, queue);
  if (!memory)
    return makeError(
        "the OpenCL device " + info.name +
            " has neither unified shared memory nor shared virtual memory",
        "kernels need addresses: use another device, or run the kernel on the simulator");
  return {};
}

Expected<std::unique_ptr<Kernel>> OpenClDevice::load(const CompiledKernel &compiled) {
  auto loaded =
      opencl::LoadedKernel::load(driver, info, context, compiled.metadata, compiled.nativeCode);
  if (!loaded)
    return loaded.error();
  return std::unique_ptr<Kernel>(
      std::make_unique<OpenClKernel>(compiled.metadata, std::move(*loaded)));
}

Expected<void> OpenClDevice::enqueue(Kernel &kernel, Grid grid,
                                     std::span<const uint64_t> parameters, opencl::Event **event) {
  Expected<LaunchGrid> launch = gridFor(kernel.metadata(), grid);
  if (!launch)
    return launch.error();
  opencl::LoadedKernel &loaded = *static_cast<OpenClKernel &>(kernel).loaded;
  std::vector<void *> allocated;
  for (const auto &[address, begin] : allocations)
    allocated.push_back(begin);
  if (Expected<void> done = loaded.setArguments(*memory, parameters, allocated); !done)
    return done;
  if (Expected<void> done = loaded.enqueue(queue, *launch, event); !done)
    return done;
  return check(driver.finish(queue), "running '" + kernel.metadata().name + "'");
}

Expected<double> OpenClDevice::timePacked(Kernel &kernel, Grid grid,
                                          std::span<const uint64_t> parameters) {
  opencl::Event *event = nullptr;
  Expected<void> done = enqueue(kernel, grid, parameters, &event);
  uint64_t begin = 0, end = 0;
  if (done)
    for (auto [what, nanoseconds] :
         {std::pair(opencl::profilingStart, &begin), std::pair(opencl::profilingEnd, &end)})
      if (done)
        done = check(
            driver.getEventProfilingInfo(event, what, sizeof *nanoseconds, nanoseconds, nullptr),
            "timing");
  if (event)
    driver.releaseEvent(event);
  if (!done)
    return done.error();
  return static_cast<double>(end - begin) * 1e-6;
}

Expected<std::unique_ptr<Device>> runtime::createOpenClDevice(int ordinal) {
  Expected<const opencl::Driver *> driver = opencl::openDriver();
  if (!driver)
    return driver.error();
  Expected<opencl::DeviceInfo> info = opencl::findDevice(**driver, ordinal);
  if (!info)
    return info.error();
  auto device = std::make_unique<OpenClDevice>(**driver, std::move(*info));
  if (Expected<void> done = device->open(); !done)
    return done.error();
  return std::unique_ptr<Device>(std::move(device));
}
