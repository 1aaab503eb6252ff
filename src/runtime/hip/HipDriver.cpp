//===- HipDriver.cpp - The HIP driver, loaded at run time ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/hip/HipDriver.h"

#include "runtime/SharedLibrary.h"

#include <cstring>

using namespace tilewright;
using namespace tilewright::runtime::hip;

/// Without a number, it is there only where ROCm's development packages are.
constexpr const char *libraryNames[] = {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6",
                                        "libamdhip64.so.5"};
constexpr char remedy[] = "install ROCm's HIP runtime, and have the loader find libamdhip64.so";

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

static Expected<Driver> openLibrary(runtime::SharedLibrary library) {
  Driver driver;
  library.require(driver.init, "hipInit");
  library.require(driver.getErrorString, "hipGetErrorString");
  library.require(driver.getDeviceCount, "hipGetDeviceCount");
  library.require(driver.getDevice, "hipGetDevice");
  library.require(driver.setDevice, "hipSetDevice");
  library.require(driver.deviceGetName, "hipDeviceGetName");
  library.require(driver.deviceGetAttribute, "hipDeviceGetAttribute");
  library.find(driver.deviceGetProperties, "hipGetDevicePropertiesR0600");
  library.require(driver.deviceGetOldProperties, "hipGetDeviceProperties");
  library.require(driver.moduleLoadData, "hipModuleLoadData");
  library.require(driver.moduleUnload, "hipModuleUnload");
  library.require(driver.moduleGetFunction, "hipModuleGetFunction");
  library.require(driver.functionGetAttribute, "hipFuncGetAttribute");
  library.require(driver.launchKernel, "hipModuleLaunchKernel");
  library.find(driver.launchCooperative, "hipModuleLaunchCooperativeKernel");
  library.require(driver.occupancyBlocks, "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor");
  if (const char *missing = library.getMissing())
    return makeError(std::string("the HIP runtime is too old: it lacks ") + missing, remedy);
  if (Result result = driver.init(0); result != 0)
    return makeError("the HIP runtime does not start: " + driver.describe(result), remedy);
  return driver;
}

static Expected<Driver> open() {
  if (const std::string loaded = runtime::loadedLibrary(libraryNames[0]); !loaded.empty())
    return openLibrary(runtime::SharedLibrary(loaded.c_str()));
  for (const char *name : libraryNames)
    if (runtime::SharedLibrary library(name); library.isOpen())
      return openLibrary(library);
  return makeError(std::string("there is no HIP driver: cannot open ") + libraryNames[0], remedy);
}

Expected<const Driver *> runtime::hip::openDriver() {
  static const Expected<Driver> driver = open();
  if (!driver)
    return driver.error();
  return &*driver;
}
