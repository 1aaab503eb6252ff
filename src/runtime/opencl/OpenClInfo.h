//===- OpenClInfo.h - Properties of OpenCL devices ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_OPENCL_OPENCLINFO_H
#define TILEWRIGHT_RUNTIME_OPENCL_OPENCLINFO_H

#include "runtime/launch/DeviceLimits.h"
#include "runtime/opencl/OpenClDriver.h"

namespace tilewright::runtime::opencl {

struct DeviceInfo : DeviceLimits {
  Platform *platform = nullptr;
  DeviceId *id = nullptr;
  /// Hundreds and units of the version: 201 is OpenCL 2.1.
  int version = 0;
  /// Each between blanks.
  std::string extensions;
  unsigned addressBits = 0;
  /// The version of a GPU of Intel's; 0 where the driver does not tell (target/IntelIpVersion.h).
  uint32_t ipVersion = 0;
  bool hasSharedVirtualMemory = false;
  /// Makes a program of SPIR-V; null if the device does not take it.
  CreateProgramWithIL *createProgram = nullptr;

  bool hasExtension(const std::string &extension) const {
    return extensions.find(' ' + extension + ' ') != std::string::npos;
  }
};

/// The GPUs, then the CPUs of all platforms, each in the library's order. None is no error.
Expected<std::vector<DeviceInfo>> listDevices(const Driver &driver);

/// The device with this number among those of listDevices that take SPIR-V and have addresses of 64
/// bits. Errors: there is none, or too few.
Expected<DeviceInfo> findDevice(const Driver &driver, int ordinal);

} // namespace tilewright::runtime::opencl

#endif // TILEWRIGHT_RUNTIME_OPENCL_OPENCLINFO_H
