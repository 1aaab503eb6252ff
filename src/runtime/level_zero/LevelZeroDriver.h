//===- LevelZeroDriver.h - The Level Zero loader, at run time ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The functions of Level Zero that a launch needs, as "oneAPI Level Zero Specification" describes
// them (core API 1.9; ze_api.h has the layouts and numbers); handles are opaque pointers. No header
// is needed to build this, and no library to start the program.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_LEVEL_ZERO_LEVELZERODRIVER_H
#define TILEWRIGHT_RUNTIME_LEVEL_ZERO_LEVELZERODRIVER_H

#include "runtime/launch/DeviceLimits.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace tilewright::runtime::level_zero {

/// 0 is success.
using Result = uint32_t;
struct Context;
struct DeviceId;
struct Module;
struct BuildLog;
struct KernelId;
struct Event;
/// An immediate one is what a queue is elsewhere.
struct CommandList;

// Members of ze_structure_type_t.
constexpr uint32_t typeDeviceProperties = 0x3, typeComputeProperties = 0x4, typeModule = 0x1b,
                   typeKernel = 0x1d, typeKernelProperties = 0x1e, typeIpVersion = 0x1000f;
/// ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST, _DEVICE and _SHARED.
constexpr uint32_t accessesAllMemory = 7;

/// ze_device_ip_version_ext_t.
struct IpVersion {
  uint32_t type = typeIpVersion;
  void *next = nullptr;
  uint32_t version = 0;
};

/// ze_device_properties_t.
struct DeviceProperties {
  uint32_t type = typeDeviceProperties;
  void *next = nullptr;
  std::array<uint32_t, 24> numbers{};
  char name[256] = "";
};
static_assert(offsetof(DeviceProperties, name) == 112 && sizeof(DeviceProperties) == 368);

/// ze_device_compute_properties_t.
struct ComputeProperties {
  uint32_t type = typeComputeProperties;
  void *next = nullptr;
  uint32_t maxGroupSize = 0, maxGroupSizeX = 0, maxGroupSizeY = 0, maxGroupSizeZ = 0;
  uint32_t maxGroupsX = 0, maxGroupsY = 0, maxGroupsZ = 0;
  uint32_t sharedBytes = 0;
  uint32_t subGroupSizeCount = 0;
  uint32_t subGroupSizes[8] = {};
};
static_assert(offsetof(ComputeProperties, subGroupSizes) == 52 && sizeof(ComputeProperties) == 88);

/// ze_module_desc_t; the format 0 is SPIR-V.
struct ModuleDescription {
  uint32_t type = typeModule;
  const void *next = nullptr;
  uint32_t format = 0;
  size_t bytes = 0;
  const void *code = nullptr;
  const char *buildFlags = nullptr;
  const void *constants = nullptr;
};

/// ze_kernel_desc_t.
struct KernelDescription {
  uint32_t type = typeKernel;
  const void *next = nullptr;
  uint32_t flags = 0;
  const char *name = nullptr;
};

/// ze_kernel_properties_t.
struct KernelProperties {
  uint32_t type = typeKernelProperties;
  void *next = nullptr;
  uint32_t argumentCount = 0;
  uint32_t groupSize[3] = {};
  uint32_t subGroups[4] = {};
  uint32_t sharedBytes = 0, privateBytes = 0, spillBytes = 0;
  uint8_t identifiers[32] = {};
};
static_assert(offsetof(KernelProperties, spillBytes) == 56 && sizeof(KernelProperties) == 96);

/// ze_group_count_t.
struct GroupCount {
  uint32_t x, y, z;
};

struct Driver {
  Result (*init)(uint32_t flags);
  Result (*getDeviceProperties)(DeviceId *, DeviceProperties *);
  Result (*getComputeProperties)(DeviceId *, ComputeProperties *);
  Result (*createModule)(Context *, DeviceId *, const ModuleDescription *, Module **, BuildLog **);
  Result (*destroyModule)(Module *);
  Result (*getBuildLog)(BuildLog *, size_t *bytes, char *text);
  Result (*destroyBuildLog)(BuildLog *);
  Result (*createKernel)(Module *, const KernelDescription *, KernelId **);
  Result (*destroyKernel)(KernelId *);
  Result (*setGroupSize)(KernelId *, uint32_t x, uint32_t y, uint32_t z);
  Result (*setArgument)(KernelId *, uint32_t index, size_t bytes, const void *value);
  Result (*setIndirectAccess)(KernelId *, uint32_t flags);
  Result (*getKernelProperties)(KernelId *, KernelProperties *);
  Result (*getListContext)(CommandList *, Context **);
  Result (*getListDevice)(CommandList *, DeviceId **);
  Result (*isListImmediate)(CommandList *, uint8_t *isImmediate);
  Result (*appendLaunch)(CommandList *, KernelId *, const GroupCount *, Event *signal,
                         uint32_t waitCount, Event **waitFor);
  Result (*appendBarrier)(CommandList *, Event *signal, uint32_t waitCount, Event **waitFor);
};

/// The specification's name of a result and its number in hexadecimal digits.
std::string describe(Result result);

/// Opens the loader, and initialises the drivers that it has, once for the process.
Expected<const Driver *> openDriver();

/// The properties of a device.
struct DeviceInfo : DeviceLimits {
  /// 0 where the driver does not tell; target/IntelIpVersion.h says what it means.
  uint32_t ipVersion = 0;
};
Expected<DeviceInfo> describeDevice(const Driver &driver, DeviceId *device);

} // namespace tilewright::runtime::level_zero

#endif // TILEWRIGHT_RUNTIME_LEVEL_ZERO_LEVELZERODRIVER_H
