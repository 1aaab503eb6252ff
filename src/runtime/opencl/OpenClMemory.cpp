//===- OpenClMemory.cpp - Device addresses of OpenCL --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/opencl/OpenClMemory.h"

using namespace tilewright;
using namespace tilewright::runtime::opencl;

Memory::~Memory() = default;

namespace {

/// The functions of cl_intel_unified_shared_memory.
struct UnifiedFunctions {
  void *(*allocate)(Context *, DeviceId *, const intptr_t *properties, size_t bytes,
                    uint32_t alignment, Status *);
  Status (*free)(Context *, void *);
  Status (*enqueueCopy)(Queue *, Bool blocking, void *to, const void *from, size_t bytes,
                        uint32_t waitCount, Event *const *waitFor, Event **event);
  Status (*setKernelArgument)(KernelId *, uint32_t index, const void *);
};

class UnifiedMemory final : public Memory {
public:
  UnifiedMemory(const Driver &driver, const UnifiedFunctions &functions, DeviceId *device,
                Context *context, Queue *queue)
      : driver(driver), functions(functions), device(device), context(context), queue(queue) {}

  void *allocate(size_t bytes, Status &status) override {
    return functions.allocate(context, device, nullptr, bytes, /*alignment=*/0, &status);
  }
  Status free(void *pointer) override { return functions.free(context, pointer); }
  Status copy(void *to, const void *from, size_t bytes) override {
    return functions.enqueueCopy(queue, isBlocking, to, from, bytes, 0, nullptr, nullptr);
  }
  Status setArgument(KernelId *kernel, uint32_t index, const void *pointer) override {
    return functions.setKernelArgument(kernel, index, pointer);
  }
  Status allowAccess(KernelId *kernel, std::span<void *const>) override {
    const Bool allowed = 1;
    return driver.setKernelExecInfo(kernel, kernelIndirectDevice, sizeof allowed, &allowed);
  }

private:
  const Driver &driver;
  UnifiedFunctions functions;
  DeviceId *device;
  Context *context;
  Queue *queue;
};

class SharedVirtualMemory final : public Memory {
public:
  SharedVirtualMemory(const Driver &driver, Context *context, Queue *queue)
      : driver(driver), context(context), queue(queue) {}

  void *allocate(size_t bytes, Status &status) override {
    void *pointer = driver.svmAllocate(context, memoryReadWrite, bytes, /*alignment=*/0);
    status = pointer ? 0 : allocationFailure;
    return pointer;
  }
  Status free(void *pointer) override {
    driver.svmFree(context, pointer);
    return 0;
  }
  Status copy(void *to, const void *from, size_t bytes) override {
    return driver.enqueueSvmCopy(queue, isBlocking, to, from, bytes, 0, nullptr, nullptr);
  }
  Status setArgument(KernelId *kernel, uint32_t index, const void *pointer) override {
    return driver.setKernelArgumentSvm(kernel, index, pointer);
  }
  Status allowAccess(KernelId *kernel, std::span<void *const> allocated) override {
    if (allocated.empty())
      return 0;
    return driver.setKernelExecInfo(kernel, kernelSvmPointers, allocated.size_bytes(),
                                    allocated.data());
  }

private:
  const Driver &driver;
  Context *context;
  Queue *queue;
};

} // namespace

std::unique_ptr<Memory> tilewright::runtime::opencl::createMemory(const Driver &driver,
                                                                  const DeviceInfo &device,
                                                                  Context *context, Queue *queue) {
  if (device.hasExtension("cl_intel_unified_shared_memory") && driver.setKernelExecInfo) {
    UnifiedFunctions functions;
    bool hasAll = true;
    auto find = [&]<typename Function>(Function *&function, const char *name) {
      function = reinterpret_cast<Function *>(driver.getExtensionFunction(device.platform, name));
      hasAll = hasAll && function;
    };
    find(functions.allocate, "clDeviceMemAllocINTEL");
    find(functions.free, "clMemBlockingFreeINTEL");
    find(functions.enqueueCopy, "clEnqueueMemcpyINTEL");
    find(functions.setKernelArgument, "clSetKernelArgMemPointerINTEL");
    if (hasAll)
      return std::make_unique<UnifiedMemory>(driver, functions, device.id, context, queue);
  }
  if (device.hasSharedVirtualMemory)
    return std::make_unique<SharedVirtualMemory>(driver, context, queue);
  return nullptr;
}
