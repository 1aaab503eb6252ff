//===- CudaDriver.cpp - The CUDA driver, loaded at run time -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/cuda/CudaDriver.h"

#include "runtime/SharedLibrary.h"

using namespace tilewright;
using namespace tilewright::runtime::cuda;

constexpr char libraryName[] = "libcuda.so.1";
constexpr char useSimulator[] = "install NVIDIA's driver, or run the kernel on the simulator";

std::string Driver::describe(Result result) const {
  const char *text = nullptr;
  if (getErrorString(result, &text) != 0 || !text)
    text = "unknown error";
  return std::string(text) + " (status " + std::to_string(result) + ")";
}

static Expected<Driver> open() {
  runtime::SharedLibrary library(libraryName);
  if (!library.isOpen())
    return makeError(std::string("there is no CUDA driver: cannot open ") + libraryName,
                     useSimulator);
  Driver driver;
  // Names with a number are those of the current version of a function.
  library.require(driver.init, "cuInit");
  library.require(driver.getErrorString, "cuGetErrorString");
  library.require(driver.deviceGetCount, "cuDeviceGetCount");
  library.require(driver.deviceGet, "cuDeviceGet");
  library.require(driver.deviceGetName, "cuDeviceGetName");
  library.require(driver.deviceGetAttribute, "cuDeviceGetAttribute");
  library.require(driver.primaryContextRetain, "cuDevicePrimaryCtxRetain");
  library.require(driver.primaryContextRelease, "cuDevicePrimaryCtxRelease_v2");
  library.require(driver.contextGetCurrent, "cuCtxGetCurrent");
  library.require(driver.contextPush, "cuCtxPushCurrent_v2");
  library.require(driver.contextPop, "cuCtxPopCurrent_v2");
  library.require(driver.contextSynchronize, "cuCtxSynchronize");
  library.require(driver.memoryAllocate, "cuMemAlloc_v2");
  library.require(driver.memoryFree, "cuMemFree_v2");
  library.require(driver.memoryAllocateAsync, "cuMemAllocAsync");
  library.require(driver.memoryFreeAsync, "cuMemFreeAsync");
  library.require(driver.memorySet8, "cuMemsetD8_v2");
  library.require(driver.copyToDevice, "cuMemcpyHtoD_v2");
  library.require(driver.copyToHost, "cuMemcpyDtoH_v2");
  library.require(driver.moduleLoad, "cuModuleLoadDataEx");
  library.require(driver.moduleUnload, "cuModuleUnload");
  library.require(driver.moduleGetFunction, "cuModuleGetFunction");
  library.require(driver.functionGetAttribute, "cuFuncGetAttribute");
  library.require(driver.functionSetAttribute, "cuFuncSetAttribute");
  library.require(driver.launchKernel, "cuLaunchKernel");
  library.require(driver.occupancyBlocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  library.find(driver.launchKernelEx, "cuLaunchKernelEx");
  library.find(driver.occupancyClusters, "cuOccupancyMaxActiveClusters");
  library.find(driver.tensorMapEncodeTiled, "cuTensorMapEncodeTiled");
  library.require(driver.eventCreate, "cuEventCreate");
  library.require(driver.eventDestroy, "cuEventDestroy_v2");
  library.require(driver.eventRecord, "cuEventRecord");
  library.require(driver.eventSynchronize, "cuEventSynchronize");
  library.require(driver.eventElapsedTime, "cuEventElapsedTime");
  if (const char *missing = library.getMissing())
    return makeError(std::string("the CUDA driver is too old: it lacks ") + missing, useSimulator);
  if (Result result = driver.init(0); result != 0)
    return makeError("the CUDA driver does not start: " + driver.describe(result), useSimulator);
  return driver;
}

Expected<const Driver *> runtime::cuda::openDriver() {
  static const Expected<Driver> driver = open();
  if (!driver)
    return driver.error();
  return &*driver;
}
