//===- CudaDriver.cpp - NVIDIA's driver, opened at run time -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/CudaDriver.h"

#include <dlfcn.h>

using namespace tilewright;
using namespace tilewright::runtime::cuda;

constexpr char libraryName[] = "libcuda.so.1";
constexpr char useSimulator[] = "install NVIDIA's driver, or run the kernel with --device sim";

std::string Driver::describe(Result result) const {
  const char *text = nullptr;
  if (getErrorString(result, &text) != 0 || !text)
    text = "unknown error";
  return std::string(text) + " (status " + std::to_string(result) + ")";
}

static Expected<Driver> open() {
  void *library = dlopen(libraryName, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return makeError(std::string("there is no CUDA driver: cannot open ") + libraryName,
                     useSimulator);
  Driver driver;
  const char *missing = nullptr;
  auto find = [&]<typename Function>(Function *&function, const char *name) {
    function = reinterpret_cast<Function *>(dlsym(library, name));
    if (!function && !missing)
      missing = name;
  };
  // Names with a number are those of the current version of a function.
  find(driver.init, "cuInit");
  find(driver.getErrorString, "cuGetErrorString");
  find(driver.deviceGetCount, "cuDeviceGetCount");
  find(driver.deviceGet, "cuDeviceGet");
  find(driver.deviceGetName, "cuDeviceGetName");
  find(driver.deviceGetAttribute, "cuDeviceGetAttribute");
  find(driver.primaryContextRetain, "cuDevicePrimaryCtxRetain");
  find(driver.primaryContextRelease, "cuDevicePrimaryCtxRelease_v2");
  find(driver.contextSetCurrent, "cuCtxSetCurrent");
  find(driver.contextSynchronize, "cuCtxSynchronize");
  find(driver.memoryAllocate, "cuMemAlloc_v2");
  find(driver.memoryFree, "cuMemFree_v2");
  find(driver.copyToDevice, "cuMemcpyHtoD_v2");
  find(driver.copyToHost, "cuMemcpyDtoH_v2");
  find(driver.moduleLoad, "cuModuleLoadDataEx");
  find(driver.moduleUnload, "cuModuleUnload");
  find(driver.moduleGetFunction, "cuModuleGetFunction");
  find(driver.functionSetAttribute, "cuFuncSetAttribute");
  find(driver.launchKernel, "cuLaunchKernel");
  find(driver.eventCreate, "cuEventCreate");
  find(driver.eventDestroy, "cuEventDestroy_v2");
  find(driver.eventRecord, "cuEventRecord");
  find(driver.eventSynchronize, "cuEventSynchronize");
  find(driver.eventElapsedTime, "cuEventElapsedTime");
  if (missing)
    return makeError(std::string("the CUDA driver is too old: it lacks ") + missing, useSimulator);
  if (Result result = driver.init(0); result != 0)
    return makeError("the CUDA driver does not start: " + driver.describe(result), useSimulator);
  return driver;
}

Expected<const Driver *> runtime::cuda::openDriver() {
  // The library stays open: contexts may live until the end of the process.
  static const Expected<Driver> driver = open();
  if (!driver)
    return driver.error();
  return &*driver;
}
