//===- OpenClKernel.h - Kernels on a device of OpenCL's -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Loading and launching, for the device of the C++ API (OpenClDevice.cpp) and for the launch
// library (OpenClNativeKernel.cpp).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_OPENCL_OPENCLKERNEL_H
#define TILEWRIGHT_RUNTIME_OPENCL_OPENCLKERNEL_H

#include "runtime/launch/LaunchArguments.h"
#include "runtime/launch/LaunchGrid.h"
#include "runtime/opencl/OpenClMemory.h"

namespace tilewright::runtime::opencl {

class LoadedKernel {
public:
  /// `code`: SPIR-V. Errors: it is for another vendor, the device lacks what the kernel needs, or
  /// the driver refuses it (with the log of its compiler). `driver` and `device` must outlive it.
  static Expected<std::unique_ptr<LoadedKernel>> load(const Driver &driver,
                                                      const DeviceInfo &device, Context *context,
                                                      const KernelMetadata &metadata,
                                                      const std::string &code);
  LoadedKernel(const LoadedKernel &) = delete;
  ~LoadedKernel();

  /// `parameters`: the bits of each (packArguments). `allocated`: what the kernel may find in
  /// memory, where it has to be told.
  Expected<void> setArguments(Memory &memory, std::span<const uint64_t> parameters,
                              std::span<void *const> allocated);
  /// Queues a launch and does not wait. `event`, if not null, gets the launch's event.
  Expected<void> enqueue(Queue *queue, const LaunchGrid &grid, Event **event);

private:
  LoadedKernel(const Driver &driver, const DeviceInfo &device, const KernelMetadata &metadata);

  Diagnostic failure(const std::string &what, Status status) const {
    return makeError(what + " failed on " + device.name + ": " + describe(status));
  }
  Expected<void> build(Context *context, const std::string &code);
  std::string buildLog() const;

  const Driver &driver;
  const DeviceInfo &device;
  KernelMetadata metadata;
  std::vector<KernelParameter> parameters;
  Program *program = nullptr;
  KernelId *kernel = nullptr;
};

} // namespace tilewright::runtime::opencl

#endif // TILEWRIGHT_RUNTIME_OPENCL_OPENCLKERNEL_H
