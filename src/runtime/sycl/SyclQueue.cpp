//===- SyclQueue.cpp - What is behind a queue of SYCL ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/sycl/SyclQueue.h"

#include "runtime/launch/SharedLibrary.h"
#include "runtime/level_zero/LevelZeroDriver.h"
#include "runtime/opencl/OpenClInfo.h"

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::runtime::sycl;

namespace {

/// Member functions of sycl::queue, which take the object's address as any C function's argument.
struct Library {
  /// `backend get_backend() const`, of which the type is char.
  char (*getBackend)(const void *queue);
  /// `ur_native_handle_t getNative(int32_t &) const`, which sets whether it is a command list.
  uintptr_t (*getNative)(const void *queue, int32_t *isCommandList);
};

} // namespace

static Expected<Library> open() {
  const std::string path = loadedLibrary("libsycl.so");
  if (path.empty())
    return makeError("an array is on a SYCL device, and no library of SYCL is loaded",
                     "import PyTorch for Intel GPUs, or dpctl, before launching");
  static constexpr Symbol<Library> table[] = {
      required<&Library::getBackend>("_ZNK4sycl3_V15queue11get_backendEv"),
      required<&Library::getNative>("_ZNK4sycl3_V15queue9getNativeERi")};
  return SharedLibrary::load({.what = "SYCL library",
                              .library = "the SYCL library " + path,
                              .files = {path},
                              .misfit = "is none that is known here"},
                             table, "use PyTorch or dpctl of oneAPI 2024 or later");
}

static Expected<NativeQueue> openClQueue(void *handle) {
  Expected<const opencl::Driver *> driver = opencl::openDriver();
  if (!driver)
    return driver.error();
  auto *queue = static_cast<opencl::Queue *>(handle);
  opencl::Context *context = nullptr;
  opencl::DeviceId *device = nullptr;
  opencl::Status status = (*driver)->getQueueInfo(queue, opencl::queueContext,
                                                  sizeof(opencl::Context *), &context, nullptr);
  if (status == 0)
    status = (*driver)->getQueueInfo(queue, opencl::queueDevice, sizeof(opencl::DeviceId *),
                                     &device, nullptr);
  // SYCL hands out a reference, and keeps one of its own.
  (*driver)->releaseQueue(queue);
  if (status != 0)
    return makeError("the SYCL queue's queue of OpenCL cannot be used: " +
                     opencl::describe(status));
  return NativeQueue{Backend::OpenCl, handle, context, device};
}

static Expected<NativeQueue> levelZeroQueue(void *handle, bool isCommandList) {
  const char *remedy = "set UR_L0_USE_IMMEDIATE_COMMANDLISTS=1 before the program starts";
  if (!isCommandList)
    return makeError("the SYCL queue has a command queue of Level Zero's, which takes no single "
                     "launches",
                     remedy);
  Expected<const level_zero::Driver *> driver = level_zero::openDriver();
  if (!driver)
    return driver.error();
  auto *list = static_cast<level_zero::CommandList *>(handle);
  level_zero::Context *context = nullptr;
  level_zero::DeviceId *device = nullptr;
  uint8_t isImmediate = 0;
  level_zero::Result result = (*driver)->isListImmediate(list, &isImmediate);
  if (result == 0)
    result = (*driver)->getListContext(list, &context);
  if (result == 0)
    result = (*driver)->getListDevice(list, &device);
  if (result != 0)
    return makeError("the SYCL queue's command list cannot be used: " +
                     level_zero::describe(result));
  if (!isImmediate)
    return makeError("the SYCL queue's command list is no immediate one", remedy);
  return NativeQueue{Backend::LevelZero, handle, context, device};
}

Expected<NativeQueue> runtime::sycl::findNativeQueue(uint64_t address) {
  // Not kept when there is none: the library may be loaded later.
  static Expected<Library> library = open();
  if (!library)
    library = open();
  if (!library)
    return library.error();
  const void *queue = reinterpret_cast<const void *>(address);
  if (!queue)
    return makeError("the launch is on no SYCL queue", "pass the queue that the arrays are of");
  const char backend = library->getBackend(queue);
  if (backend != char(Backend::OpenCl) && backend != char(Backend::LevelZero))
    return makeError("the SYCL queue is one of backend " + std::to_string(backend) +
                         ", by which kernels are not launched",
                     "use a queue of Level Zero or OpenCL (ONEAPI_DEVICE_SELECTOR)");
  int32_t isCommandList = 0;
  void *handle = reinterpret_cast<void *>(library->getNative(queue, &isCommandList));
  return backend == char(Backend::OpenCl) ? openClQueue(handle)
                                          : levelZeroQueue(handle, isCommandList != 0);
}

Expected<QueueDevice> runtime::sycl::describeDevice(const NativeQueue &queue) {
  if (queue.backend == Backend::LevelZero) {
    Expected<const level_zero::Driver *> driver = level_zero::openDriver();
    if (!driver)
      return driver.error();
    auto info =
        level_zero::describeDevice(**driver, static_cast<level_zero::DeviceId *>(queue.device));
    if (!info)
      return info.error();
    return QueueDevice{info->name, info->ipVersion};
  }
  Expected<const opencl::Driver *> driver = opencl::openDriver();
  if (!driver)
    return driver.error();
  Expected<std::vector<opencl::DeviceInfo>> devices = opencl::listDevices(**driver);
  if (!devices)
    return devices.error();
  for (const opencl::DeviceInfo &info : *devices)
    if (info.id == queue.device)
      return QueueDevice{info.name, info.ipVersion};
  return makeError("the SYCL queue's device is none that OpenCL lists");
}
