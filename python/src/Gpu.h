//===- Gpu.h - Kernels on a GPU ----------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_GPU_H
#define TILEWRIGHT_PYTHON_GPU_H

#include "Devices.h"
#include "runtime/cuda/CudaContext.h"
#include "runtime/launch/NativeKernel.h"

#include <memory>
#include <string>

namespace tilewright::python {

/// The message of the driver or of the files' reader.
struct LaunchFailure {
  Diagnostic error;
};

/// Sets a tilewright.LaunchError.
void raiseLaunchError(const Diagnostic &error);

/// A kernel on a GPU. Its constructor and methods throw LaunchFailure.
class GpuKernel {
public:
  /// `metadata` is the text of NAME.json, `image` the code, `device` a GPU's number. Does not need
  /// the GIL, but for a device of SYCL's.
  GpuKernel(const std::string &metadata, const std::string &image, int device);

  /// Queues a launch; false after an exception of Python's. With the GIL. `stream`: CUstream,
  /// hipStream_t, or the address of a sycl::queue.
  bool launch(runtime::Grid grid, std::span<const uint64_t> parameters, uint64_t stream);

  /// None where the driver does not tell.
  std::optional<int> attribute(runtime::KernelAttribute attribute) const;
  size_t parameterCount() const { return parameters; }

private:
  KernelMetadata metadata;
  size_t parameters = 0;
  /// Whether it keeps something of a launch, which is one thread's at a time then.
  bool keepsArguments = false;
  bool isOnQueue = false;
  std::unique_ptr<runtime::NativeKernel> loaded;
};

/// The context of a GPU of CUDA's, which is opened once. CUDA cannot be used in a process that was
/// forked from one that used it, which this says. Throws LaunchFailure.
std::shared_ptr<const runtime::cuda::DeviceContext> contextOf(int ordinal);

/// Those of CUDA.
int countGpus();

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_GPU_H
