//===- OpenClInfo.cpp - Properties of OpenCL devices --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/opencl/OpenClInfo.h"

#include <cstdio>

using namespace tilewright;
using namespace tilewright::runtime::opencl;

// Numbers from the specification's table of device queries.
constexpr uint32_t maxWorkGroupSize = 0x1004; // CL_DEVICE_MAX_WORK_GROUP_SIZE
constexpr uint32_t addressBits = 0x100D;      // CL_DEVICE_ADDRESS_BITS
constexpr uint32_t localMemSize = 0x1023;     // CL_DEVICE_LOCAL_MEM_SIZE
constexpr uint32_t deviceName = 0x102B;       // CL_DEVICE_NAME
constexpr uint32_t deviceVersion = 0x102F;    // CL_DEVICE_VERSION
constexpr uint32_t extensionNames = 0x1030;   // CL_DEVICE_EXTENSIONS
constexpr uint32_t svmCapabilities = 0x1053;  // CL_DEVICE_SVM_CAPABILITIES
constexpr uint32_t ilVersion = 0x105B;        // CL_DEVICE_IL_VERSION
constexpr uint32_t subGroupSizes = 0x4108;    // CL_DEVICE_SUB_GROUP_SIZES_INTEL
constexpr uint32_t ipVersion = 0x4250;        // CL_DEVICE_IP_VERSION_INTEL

/// The elements of an answer; none where the device does not know the question.
template <typename Element>
static std::vector<Element> query(const Driver &driver, DeviceId *device, uint32_t what) {
  size_t bytes = 0;
  if (driver.getDeviceInfo(device, what, 0, nullptr, &bytes) != 0)
    return {};
  std::vector<Element> elements(bytes / sizeof(Element));
  if (driver.getDeviceInfo(device, what, bytes, elements.data(), nullptr) != 0)
    return {};
  return elements;
}

template <typename Number>
static Number queryNumber(const Driver &driver, DeviceId *device, uint32_t what) {
  std::vector<Number> answer = query<Number>(driver, device, what);
  return answer.empty() ? 0 : answer.front();
}

static std::string queryText(const Driver &driver, DeviceId *device, uint32_t what) {
  std::vector<char> characters = query<char>(driver, device, what);
  // The last one is a zero.
  return characters.empty() ? std::string() : std::string(characters.data());
}

/// OpenCL 1.2 and 2.0 take SPIR-V by an extension, 2.1 by the core's function, and 3.0 may say that
/// it takes none.
static CreateProgramWithIL *findProgramCreator(const Driver &driver, const DeviceInfo &info) {
  if (info.hasExtension("cl_khr_il_program"))
    if (void *function = driver.getExtensionFunction(info.platform, "clCreateProgramWithILKHR"))
      return reinterpret_cast<CreateProgramWithIL *>(function);
  if (info.version < 201 ||
      queryText(driver, info.id, ilVersion).find("SPIR-V") == std::string::npos)
    return nullptr;
  return driver.createProgramWithIL;
}

static DeviceInfo describeDevice(const Driver &driver, Platform *platform, DeviceId *id) {
  DeviceInfo info;
  info.platform = platform;
  info.id = id;
  info.name = queryText(driver, id, deviceName);
  int major = 0, minor = 0;
  if (std::sscanf(queryText(driver, id, deviceVersion).c_str(), "OpenCL %d.%d", &major, &minor) ==
      2)
    info.version = major * 100 + minor;
  info.extensions = ' ' + queryText(driver, id, extensionNames) + ' ';
  info.addressBits = queryNumber<uint32_t>(driver, id, addressBits);
  info.maxThreads = queryNumber<size_t>(driver, id, maxWorkGroupSize);
  info.localBytes = queryNumber<uint64_t>(driver, id, localMemSize);
  if (info.hasExtension("cl_intel_required_subgroup_size"))
    info.subGroupSizes = query<size_t>(driver, id, subGroupSizes);
  if (info.hasExtension("cl_intel_device_attribute_query"))
    info.ipVersion = queryNumber<uint32_t>(driver, id, ipVersion);
  info.hasSharedVirtualMemory = info.version >= 200 && driver.svmAllocate && driver.svmFree &&
                                driver.enqueueSvmCopy && driver.setKernelArgumentSvm &&
                                driver.setKernelExecInfo &&
                                (queryNumber<Flags>(driver, id, svmCapabilities) & svmCoarseGrain);
  info.createProgram = findProgramCreator(driver, info);
  return info;
}

Expected<std::vector<DeviceInfo>> runtime::opencl::listDevices(const Driver &driver) {
  uint32_t count = 0;
  Status status = driver.getPlatformIds(0, nullptr, &count);
  if (status == platformNotFound || (status == 0 && count == 0))
    return std::vector<DeviceInfo>();
  std::vector<Platform *> platforms(count);
  if (status == 0)
    status = driver.getPlatformIds(count, platforms.data(), nullptr);
  if (status != 0)
    return makeError("OpenCL does not list its platforms: " + describe(status));

  std::vector<DeviceInfo> devices;
  for (Flags type : {typeGpu, typeCpu})
    for (Platform *platform : platforms) {
      // A platform without such a device says so by an error.
      if (driver.getDeviceIds(platform, type, 0, nullptr, &count) != 0)
        continue;
      std::vector<DeviceId *> ids(count);
      if (driver.getDeviceIds(platform, type, count, ids.data(), nullptr) != 0)
        continue;
      for (DeviceId *id : ids)
        devices.push_back(describeDevice(driver, platform, id));
    }
  return devices;
}

Expected<DeviceInfo> tilewright::runtime::opencl::findDevice(const Driver &driver, int ordinal) {
  Expected<std::vector<DeviceInfo>> listed = listDevices(driver);
  if (!listed)
    return listed.error();
  std::vector<DeviceInfo> usable;
  std::string others;
  for (DeviceInfo &info : *listed)
    if (info.createProgram && info.addressBits == 64)
      usable.push_back(std::move(info));
    else
      others += (others.empty() ? "" : ", ") + info.name;
  const std::string remedy =
      "install the GPU's driver for OpenCL, or run the kernel on the simulator";
  if (usable.empty())
    return makeError("OpenCL has no device that takes SPIR-V" +
                         (others.empty() ? std::string() : ": it has " + others),
                     remedy);
  if (ordinal < 0 || static_cast<size_t>(ordinal) >= usable.size())
    return makeError("there is no OpenCL device " + std::to_string(ordinal) + ": there are " +
                         std::to_string(usable.size()) + " that take SPIR-V",
                     remedy);
  return std::move(usable[ordinal]);
}
