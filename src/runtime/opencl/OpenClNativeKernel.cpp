//===- OpenClNativeKernel.cpp - Launches by OpenCL ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An address is one of a context, and a queue is of one context: so a kernel is built for the
// context of the queue that it is launched on, or for one of its own where no queue is given.
//
//===--------------------------------------------------------------------------===//

#include "runtime/launch/NativeKernel.h"
#include "runtime/opencl/OpenClKernel.h"

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::runtime::opencl;

namespace {

class OpenClNativeKernel : public NativeKernel {
public:
  OpenClNativeKernel(const Driver &driver, const Place &place)
      : driver(driver), ordinal(place.device), isUnordered(place.isUnordered) {}
  ~OpenClNativeKernel() override {
    kernel.reset();
    memory.reset();
    if (ownQueue)
      driver.releaseQueue(ownQueue);
    if (context)
      driver.releaseContext(context);
  }

  /// In the context of the queue, or in one of its own.
  Expected<void> load(const KernelMetadata &metadata, const std::string &code, Queue *queue);

  bool isFor(const Place &place) const override {
    if (!place.stream)
      return ownQueue && ordinal == place.device;
    Context *other = nullptr;
    return driver.getQueueInfo(static_cast<Queue *>(place.stream), queueContext, sizeof(Context *),
                               &other, nullptr) == 0 &&
           other == context;
  }

  Expected<void> enqueue(const LaunchGrid &grid, std::span<const uint64_t> parameters,
                         void *stream) override {
    if (Expected<void> done = kernel->setArguments(*memory, parameters, {}); !done)
      return done;
    Queue *queue = stream ? static_cast<Queue *>(stream) : ownQueue;
    if (!isUnordered)
      return kernel->enqueue(queue, grid, nullptr);
    if (Expected<void> done = separate(queue); !done)
      return done;
    if (Expected<void> done = kernel->enqueue(queue, grid, nullptr); !done)
      return done;
    return separate(queue);
  }

  Expected<int> getAttribute(KernelAttribute) const override {
    return makeError("OpenCL does not tell this of kernels or devices",
                     "ask for what the kernel's description says");
  }

private:
  Expected<void> open(Queue *queue);
  /// Has what is queued from here on wait for what was before.
  Expected<void> separate(Queue *queue) const {
    const Status status = driver.enqueueBarrier(queue, 0, nullptr, nullptr);
    if (status == 0)
      return {};
    return makeError("ordering launches failed on " + info.name + ": " + describe(status));
  }

  const Driver &driver;
  int ordinal;
  bool isUnordered;
  DeviceInfo info;
  Context *context = nullptr;
  Queue *ownQueue = nullptr;
  std::unique_ptr<Memory> memory;
  std::unique_ptr<LoadedKernel> kernel;
};

} // namespace

Expected<void> OpenClNativeKernel::open(Queue *queue) {
  Status status = 0;
  if (queue) {
    DeviceId *id = nullptr;
    status = driver.getQueueInfo(queue, queueDevice, sizeof(DeviceId *), &id, nullptr);
    if (status == 0)
      status = driver.getQueueInfo(queue, queueContext, sizeof(Context *), &context, nullptr);
    if (status == 0)
      status = driver.retainContext(context);
    if (status != 0) {
      context = nullptr;
      return makeError("the stream is no command queue of OpenCL's: " + describe(status),
                       "pass a cl_command_queue");
    }
    Expected<std::vector<DeviceInfo>> devices = listDevices(driver);
    if (!devices)
      return devices.error();
    for (DeviceInfo &each : *devices)
      if (each.id == id)
        info = std::move(each);
    if (!info.createProgram)
      return makeError("the device of the command queue takes no SPIR-V");
  } else {
    Expected<DeviceInfo> found = findDevice(driver, ordinal);
    if (!found)
      return found.error();
    info = std::move(*found);
    context = driver.createContext(nullptr, 1, &info.id, nullptr, nullptr, &status);
    if (status == 0)
      ownQueue = driver.createQueue(context, info.id, /*properties=*/0, &status);
    if (status != 0)
      return makeError("the OpenCL device " + info.name + " cannot be used: " + describe(status));
  }
  if (isUnordered && !driver.enqueueBarrier)
    return makeError("the OpenCL library is too old: it lacks clEnqueueBarrierWithWaitList");
  memory = createMemory(driver, info, context, queue ? queue : ownQueue);
  if (!memory)
    return makeError("the OpenCL device " + info.name +
                         " has neither unified shared memory nor shared virtual memory",
                     "kernels need addresses: use another device");
  return {};
}

Expected<void> OpenClNativeKernel::load(const KernelMetadata &metadata, const std::string &code,
                                        Queue *queue) {
  if (Expected<void> done = open(queue); !done)
    return done;
  auto loaded = LoadedKernel::load(driver, info, context, metadata, code);
  if (!loaded)
    return loaded.error();
  kernel = std::move(*loaded);
  return {};
}

Expected<std::unique_ptr<NativeKernel>> runtime::loadOpenClKernel(const KernelMetadata &metadata,
                                                                  const std::string &code,
                                                                  const Place &place) {
  Expected<const Driver *> driver = openDriver();
  if (!driver)
    return driver.error();
  auto kernel = std::make_unique<OpenClNativeKernel>(**driver, place);
  if (Expected<void> done = kernel->load(metadata, code, static_cast<Queue *>(place.stream)); !done)
    return done.error();
  return std::unique_ptr<NativeKernel>(std::move(kernel));
}
