//===- Devices.cpp - Devices by their numbers ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Devices.h"

#include "Gpu.h"
#include "runtime/hip/HipDriver.h"
#include "target/IntelIpVersion.h"
#include "target/Target.h"

#include <algorithm>
#include <vector>

using namespace tilewright;
using namespace tilewright::python;
using namespace tilewright::runtime;

std::string python::deviceText(int device) {
  if (device == hostDevice)
    return "the CPU";
  static constexpr const char *names[] = {"CUDA", "HIP", "SYCL"};
  return std::string(names[size_t(driverOf(device))]) + " device " +
         std::to_string(ordinalOf(device));
}

//===--------------------------------------------------------------------------===//
// Queues of SYCL
//===--------------------------------------------------------------------------===//

/// Those that were met, by their ordinals.
static std::vector<runtime::sycl::NativeQueue> &metQueues() {
  static auto &all = *new std::vector<runtime::sycl::NativeQueue>();
  return all;
}

Expected<int> python::deviceOfQueue(uint64_t queue) {
  auto found = runtime::sycl::findNativeQueue(queue);
  if (!found)
    return found.error();
  auto &all = metQueues();
  auto known = std::ranges::find_if(all, [&](const runtime::sycl::NativeQueue &other) {
    return other.backend == found->backend && other.context == found->context &&
           other.device == found->device;
  });
  if (known == all.end())
    known = all.insert(known, *found);
  known->queue = found->queue;
  return deviceNumber(GpuDriver::Sycl, static_cast<int>(known - all.begin()));
}

runtime::sycl::NativeQueue python::lastQueueOf(int device) {
  return metQueues().at(static_cast<size_t>(ordinalOf(device)));
}

//===--------------------------------------------------------------------------===//
// What GPUs are
//===--------------------------------------------------------------------------===//

static Diagnostic noTarget(const std::string &device, const std::string &what) {
  return makeError("there is no target for " + device + ", whose " + what,
                   "`tilewright targets` lists those there are");
}

static Expected<GpuInfo> describeCuda(int ordinal) {
  auto context = contextOf(ordinal);
  auto major = context->getAttribute(cuda::deviceCapabilityMajor);
  auto minor = context->getAttribute(cuda::deviceCapabilityMinor);
  if (!major || !minor)
    return major ? minor.error() : major.error();
  // Code runs on later devices of the same generation: the latest target that this one is.
  for (int older = *minor; older >= 0; --older) {
    const std::string name = "cuda:" + std::to_string(*major) + std::to_string(older);
    if (target::Target::find(name))
      return GpuInfo{context->getName(), name};
  }
  return noTarget(context->getName(),
                  "compute capability is " + std::to_string(*major) + "." + std::to_string(*minor));
}

static Expected<GpuInfo> describeHip(int ordinal) {
  auto driver = hip::openDriver();
  if (!driver)
    return driver.error();
  auto architecture = (*driver)->architectureOf(ordinal);
  if (!architecture)
    return architecture.error();
  const std::string name = "hip:" + *architecture;
  if (!target::Target::find(name))
    return noTarget((*driver)->nameOf(ordinal), "architecture is " + *architecture);
  return GpuInfo{(*driver)->nameOf(ordinal), name};
}

static Expected<GpuInfo> describeSycl(int device) {
  auto described = runtime::sycl::describeDevice(lastQueueOf(device));
  if (!described)
    return described.error();
  // CPUs have a version with architecture 0.
  if (described->ipVersion >> 22 == 0)
    return GpuInfo{described->name, std::nullopt};
  const std::string_view name = target::intelTargetOf(described->ipVersion);
  if (name.empty())
    return noTarget(described->name, "graphics IP is version " +
                                         std::to_string(described->ipVersion >> 22) + "." +
                                         std::to_string(described->ipVersion >> 14 & 0xff));
  return GpuInfo{described->name, std::string(name)};
}

Expected<GpuInfo> python::describeGpu(int device) {
  switch (driverOf(device)) {
  case GpuDriver::Cuda:
    return describeCuda(ordinalOf(device));
  case GpuDriver::Hip:
    return describeHip(ordinalOf(device));
  case GpuDriver::Sycl:
    return describeSycl(device);
  }
  return makeError("there is no such device");
}
