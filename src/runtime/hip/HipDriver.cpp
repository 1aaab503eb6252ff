//===- HipDriver.cpp - The HIP driver, loaded at run time ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/hip/HipDriver.h"

#include "runtime/launch/SharedLibrary.h"

#include <cstring>

using namespace tilewright;
using namespace tilewright::runtime::hip;

/// Without a number, it is there only where ROCm's development packages are.
std::string Driver::describe(Result result) const {
  const char *text = getErrorString(result);
  return std::string(text ? text : "unknown error") + " (status " + std::to_string(result) + ")";
}

std::string Driver::nameOf(int device) const {
  char text[256] = "";
  return deviceGetName(text, sizeof text, device) == 0 ? text : "the GPU";
}

Expected<std::string> Driver::architectureOf(int device) const {
  // Where gcnArchName is, 256 characters, in hipDeviceProp_tR0600 and hipDeviceProp_tR0000, neither
  // of which has 4 KiB (ROCm's hip_runtime_api.h and hip_deprecated.h).
  constexpr size_t place = 1160, oldPlace = 396, most = 256;
  alignas(16) char properties[4096] = "";
  const Result result = deviceGetProperties ? deviceGetProperties(properties, device)
                                            : deviceGetOldProperties(properties, device);
  if (result != 0)
    return makeError("there is no HIP device " + std::to_string(device) + ": " + describe(result));
  const char *name = properties + (deviceGetProperties ? place : oldPlace);
  const std::string text(name, strnlen(name, most));
  return text.substr(0, text.find(':'));
}

static constexpr runtime::Symbol<Driver> table[] = {
    runtime::required<&Driver::init>("hipInit"),
    runtime::required<&Driver::getErrorString>("hipGetErrorString"),
    runtime::required<&Driver::getDeviceCount>("hipGetDeviceCount"),
    runtime::required<&Driver::getDevice>("hipGetDevice"),
    runtime::required<&Driver::setDevice>("hipSetDevice"),
    runtime::required<&Driver::deviceGetName>("hipDeviceGetName"),
    runtime::required<&Driver::deviceGetAttribute>("hipDeviceGetAttribute"),
    runtime::optional<&Driver::deviceGetProperties>("hipGetDevicePropertiesR0600"),
    runtime::required<&Driver::deviceGetOldProperties>("hipGetDeviceProperties"),
    runtime::required<&Driver::moduleLoadData>("hipModuleLoadData"),
    runtime::required<&Driver::moduleUnload>("hipModuleUnload"),
    runtime::required<&Driver::moduleGetFunction>("hipModuleGetFunction"),
    runtime::required<&Driver::functionGetAttribute>("hipFuncGetAttribute"),
    runtime::required<&Driver::launchKernel>("hipModuleLaunchKernel"),
    runtime::optional<&Driver::launchCooperative>("hipModuleLaunchCooperativeKernel"),
    runtime::required<&Driver::occupancyBlocks>(
        "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor"),
};

static Expected<Driver> open() {
  std::vector<std::string> files = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                                    "libamdhip64.so.5"};
  if (const std::string loaded = runtime::loadedLibrary(files.front()); !loaded.empty())
    files = {loaded};
  return runtime::SharedLibrary::load(
      {.what = "HIP driver", .library = "the HIP runtime", .files = std::move(files)}, table,
      "install ROCm's HIP runtime, and have the loader find libamdhip64.so",
      [](const Driver &driver) {
        const Result result = driver.init(0);
        return result == 0 ? "" : driver.describe(result);
      });
}

Expected<const Driver *> runtime::hip::openDriver() {
  static const Expected<Driver> driver = open();
  if (!driver)
    return driver.error();
  return &*driver;
}
