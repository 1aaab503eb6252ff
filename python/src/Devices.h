//===- Devices.h - Devices by their numbers ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// In Python a device is a number: -1 for the CPU, where the simulator runs, and of a GPU its
// ordinal behind the numbers of the drivers before its own. CUDA's come first, so they are CUDA's
// ordinals.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_DEVICES_H
#define TILEWRIGHT_PYTHON_DEVICES_H

#include "runtime/sycl/SyclQueue.h"

#include <optional>
#include <string>

namespace tilewright::python {

/// The device of memory that is the CPU's.
inline constexpr int hostDevice = -1;

/// Whom a GPU is reached by.
enum class GpuDriver : uint8_t {
  Cuda,
  Hip,
  /// By a queue of SYCL's, to OpenCL or Level Zero. A device is one in one context, since addresses
  /// are of contexts; its ordinal counts those that this process has met.
  Sycl,
};

inline constexpr int devicesPerDriver = 1 << 16;

constexpr int deviceNumber(GpuDriver driver, int ordinal) {
  return int(driver) * devicesPerDriver + ordinal;
}
/// The driver of a GPU's number.
constexpr GpuDriver driverOf(int device) { return GpuDriver(device / devicesPerDriver); }
constexpr int ordinalOf(int device) { return device % devicesPerDriver; }

/// For errors: "the CPU", "CUDA device 1".
std::string deviceText(int device);

/// The device of a sycl::queue, whose address it is. With the GIL.
Expected<int> deviceOfQueue(uint64_t queue);

/// The queue that deviceOfQueue has last found to be of the device. With the GIL.
runtime::sycl::NativeQueue lastQueueOf(int device);

/// The facts on a GPU.
struct GpuInfo {
  /// Such as "NVIDIA H200".
  std::string name;
  /// Its target, such as "cuda:90"; none if its driver does not tell.
  std::optional<std::string> target;
};

/// Errors: no driver, no such GPU, or one that there is no target for. With the GIL.
Expected<GpuInfo> describeGpu(int device);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_DEVICES_H
