//===- LevelZeroDriver.cpp - The Level Zero loader, at run time ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/level_zero/LevelZeroDriver.h"

#include "runtime/launch/SharedLibrary.h"

#include <algorithm>
#include <cstdio>

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::runtime::level_zero;

std::string runtime::level_zero::describe(Result result) {
  struct Row {
    Result result;
    const char *name;
  };
  static constexpr Row rows[] = {{0x70000001, "ZE_RESULT_ERROR_DEVICE_LOST"},
                                 {0x70000002, "ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY"},
                                 {0x70000003, "ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY"},
                                 {0x70000004, "ZE_RESULT_ERROR_MODULE_BUILD_FAILURE"},
                                 {0x78000001, "ZE_RESULT_ERROR_UNINITIALIZED"},
                                 {0x78000002, "ZE_RESULT_ERROR_UNSUPPORTED_VERSION"},
                                 {0x78000003, "ZE_RESULT_ERROR_UNSUPPORTED_FEATURE"},
                                 {0x78000004, "ZE_RESULT_ERROR_INVALID_ARGUMENT"},
                                 {0x78000005, "ZE_RESULT_ERROR_INVALID_NULL_HANDLE"},
                                 {0x7800000f, "ZE_RESULT_ERROR_INVALID_NATIVE_BINARY"},
                                 {0x78000011, "ZE_RESULT_ERROR_INVALID_KERNEL_NAME"}};
  char number[16];
  std::snprintf(number, sizeof number, "0x%x", result);
  const Row *row = std::ranges::find(rows, result, &Row::result);
  return std::string(row != std::end(rows) ? row->name : "an error of Level Zero's") + " (result " +
         number + ")";
}

static constexpr runtime::Symbol<Driver> table[] = {
    required<&Driver::init>("zeInit"),
    required<&Driver::getDeviceProperties>("zeDeviceGetProperties"),
    required<&Driver::getComputeProperties>("zeDeviceGetComputeProperties"),
    required<&Driver::createModule>("zeModuleCreate"),
    required<&Driver::destroyModule>("zeModuleDestroy"),
    required<&Driver::getBuildLog>("zeModuleBuildLogGetString"),
    required<&Driver::destroyBuildLog>("zeModuleBuildLogDestroy"),
    required<&Driver::createKernel>("zeKernelCreate"),
    required<&Driver::destroyKernel>("zeKernelDestroy"),
    required<&Driver::setGroupSize>("zeKernelSetGroupSize"),
    required<&Driver::setArgument>("zeKernelSetArgumentValue"),
    required<&Driver::setIndirectAccess>("zeKernelSetIndirectAccess"),
    required<&Driver::getKernelProperties>("zeKernelGetProperties"),
    required<&Driver::getListContext>("zeCommandListGetContextHandle"),
    required<&Driver::getListDevice>("zeCommandListGetDeviceHandle"),
    required<&Driver::isListImmediate>("zeCommandListIsImmediate"),
    required<&Driver::appendLaunch>("zeCommandListAppendLaunchKernel"),
    required<&Driver::appendBarrier>("zeCommandListAppendBarrier"),
};

static Expected<Driver> open() {
  return SharedLibrary::load(
      {.what = "Level Zero driver",
       .library = "the Level Zero loader",
       .files = {"libze_loader.so.1"}},
      table, "install Intel's GPU driver with Level Zero (libze1, libze-intel-gpu1)",
      [](const Driver &driver) {
        const Result result = driver.init(0);
        return result == 0 ? "" : level_zero::describe(result);
      });
}

Expected<const Driver *> runtime::level_zero::openDriver() {
  static const Expected<Driver> driver = open();
  if (!driver)
    return driver.error();
  return &*driver;
}

Expected<DeviceInfo> runtime::level_zero::describeDevice(const Driver &driver, DeviceId *device) {
  IpVersion version;
  DeviceProperties properties;
  properties.next = &version;
  ComputeProperties compute;
  Result result = driver.getDeviceProperties(device, &properties);
  if (result == 0)
    result = driver.getComputeProperties(device, &compute);
  if (result != 0)
    return makeError("the Level Zero device does not say what it is: " + describe(result));
  DeviceInfo info;
  info.name = properties.name;
  info.maxThreads = compute.maxGroupSize;
  info.localBytes = compute.sharedBytes;
  const size_t count =
      std::min(size_t(compute.subGroupSizeCount), std::size(compute.subGroupSizes));
  info.subGroupSizes.assign(compute.subGroupSizes, compute.subGroupSizes + count);
  info.ipVersion = version.version;
  return info;
}
