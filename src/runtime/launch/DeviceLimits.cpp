//===- DeviceLimits.cpp - What a device can run ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/launch/DeviceLimits.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::runtime;

Expected<void> runtime::checkNeeds(const KernelMetadata &kernel, const DeviceLimits &device) {
  auto needs = [&](const std::string &what, const std::string &has, const std::string &remedy) {
    return makeError(
        "the kernel '" + kernel.name + "' needs " + what + ", " + device.name + " " + has, remedy);
  };
  if (std::ranges::find(device.subGroupSizes, kernel.threadsPerWarp) ==
      device.subGroupSizes.end()) {
    std::string sizes;
    for (size_t size : device.subGroupSizes)
      sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    return needs("sub-groups of " + std::to_string(kernel.threadsPerWarp),
                 sizes.empty() ? "has none that a kernel can choose" : "has those of " + sizes,
                 sizes.empty() ? "run it on the simulator"
                               : "compile it for such warps, or run it on the simulator");
  }
  if (static_cast<size_t>(kernel.threadsPerBlock()) > device.maxThreads)
    return needs("work-groups of " + std::to_string(kernel.threadsPerBlock()),
                 "has at most " + std::to_string(device.maxThreads), "use fewer warps");
  if (kernel.globalScratchBytes > 0)
    return needs("global memory that the launch sets aside", "is not given any",
                 "make tensor descriptors of the kernel's arguments");
  if (static_cast<uint64_t>(kernel.sharedBytes) > device.localBytes)
    return needs(std::to_string(kernel.sharedBytes) + " bytes of shared memory",
                 "has " + std::to_string(device.localBytes), "use smaller tiles or fewer stages");
  return {};
}
