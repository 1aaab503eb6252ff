//===- DeviceLimits.h - What a device can run --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_LAUNCH_DEVICELIMITS_H
#define TILEWRIGHT_RUNTIME_LAUNCH_DEVICELIMITS_H

#include "tilewright/Kernel.h"

#include <string>
#include <vector>

namespace tilewright::runtime {

/// Limits of a device on which kernels in SPIR-V run.
struct DeviceLimits {
  /// The device's name, such as "Intel(R) Arc(TM) B580 Graphics".
  std::string name;
  /// Largest work-group, in work-items.
  size_t maxThreads = 0;
  uint64_t localBytes = 0;
  /// The sizes of sub-groups that a kernel can demand.
  std::vector<size_t> subGroupSizes;
};

/// An error if the kernel needs what the device does not have, and its driver might only stumble
/// over later: sub-groups, work-groups, shared memory, or memory that the launch would set aside.
Expected<void> checkNeeds(const KernelMetadata &kernel, const DeviceLimits &device);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_LAUNCH_DEVICELIMITS_H
