//===- CudaDriver.cpp - The CUDA driver, loaded at run time -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/cuda/CudaDriver.h"

#include "runtime/launch/SharedLibrary.h"

using namespace tilewright;
using namespace tilewright::runtime::cuda;

std::string Driver::describe(Result result) const {
  const char *text = nullptr;
  if (getErrorString(result, &text) != 0 || !text)
    text = "unknown error";
  return std::string(text) + " (status " + std::to_string(result) + ")";
}

static constexpr runtime::Symbol<Driver> table[] = {
    // Names with a number are those of the current version of a function.
    runtime::required<&Driver::init>("cuInit"),
    runtime::required<&Driver::getErrorString>("cuGetErrorString"),
    runtime::required<&Driver::deviceGetCount>("cuDeviceGetCount"),
    runtime::required<&Driver::deviceGet>("cuDeviceGet"),
    runtime::required<&Driver::deviceGetName>("cuDeviceGetName"),
    runtime::required<&Driver::deviceGetAttribute>("cuDeviceGetAttribute"),
    runtime::required<&Driver::primaryContextRetain>("cuDevicePrimaryCtxRetain"),
    runtime::required<&Driver::primaryContextRelease>("cuDevicePrimaryCtxRelease_v2"),
    runtime::required<&Driver::contextGetCurrent>("cuCtxGetCurrent"),
    runtime::required<&Driver::contextPush>("cuCtxPushCurrent_v2"),
    runtime::required<&Driver::contextPop>("cuCtxPopCurrent_v2"),
    runtime::required<&Driver::contextSynchronize>("cuCtxSynchronize"),
    runtime::required<&Driver::memoryAllocate>("cuMemAlloc_v2"),
    runtime::required<&Driver::memoryFree>("cuMemFree_v2"),
    runtime::required<&Driver::memoryAllocateAsync>("cuMemAllocAsync"),
    runtime::required<&Driver::memoryFreeAsync>("cuMemFreeAsync"),
    runtime::required<&Driver::memorySet8>("cuMemsetD8_v2"),
    runtime::required<&Driver::copyToDevice>("cuMemcpyHtoD_v2"),
    runtime::required<&Driver::copyToHost>("cuMemcpyDtoH_v2"),
    runtime::required<&Driver::moduleLoad>("cuModuleLoadDataEx"),
    runtime::required<&Driver::moduleUnload>("cuModuleUnload"),
    runtime::required<&Driver::moduleGetFunction>("cuModuleGetFunction"),
    runtime::required<&Driver::functionGetAttribute>("cuFuncGetAttribute"),
    runtime::required<&Driver::functionSetAttribute>("cuFuncSetAttribute"),
    runtime::required<&Driver::launchKernel>("cuLaunchKernel"),
    runtime::required<&Driver::occupancyBlocks>("cuOccupancyMaxActiveBlocksPerMultiprocessor"),
    runtime::optional<&Driver::launchKernelEx>("cuLaunchKernelEx"),
    runtime::optional<&Driver::occupancyClusters>("cuOccupancyMaxActiveClusters"),
    runtime::optional<&Driver::tensorMapEncodeTiled>("cuTensorMapEncodeTiled"),
    runtime::required<&Driver::eventCreate>("cuEventCreate"),
    runtime::required<&Driver::eventDestroy>("cuEventDestroy_v2"),
    runtime::required<&Driver::eventRecord>("cuEventRecord"),
    runtime::required<&Driver::eventSynchronize>("cuEventSynchronize"),
    runtime::required<&Driver::eventElapsedTime>("cuEventElapsedTime"),
};

static Expected<Driver> open() {
  return runtime::SharedLibrary::load(
      {.what = "CUDA driver", .library = "the CUDA driver", .files = {"libcuda.so.1"}}, table,
      "install NVIDIA's driver, or run the kernel on the simulator", [](const Driver &driver) {
        const Result result = driver.init(0);
        return result == 0 ? "" : driver.describe(result);
      });
}

Expected<const Driver *> runtime::cuda::openDriver() {
  static const Expected<Driver> driver = open();
  if (!driver)
    return driver.error();
  return &*driver;
}
