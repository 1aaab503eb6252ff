//===- Gpu.h - Kernels and clocks of a GPU --------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_GPU_H
#define TILEWRIGHT_PYTHON_GPU_H

#include "runtime/cuda/CudaKernel.h"

#include <memory>
#include <string>

namespace tilewright::python {

/// A kernel on a GPU. Its constructor and methods throw LaunchFailure.
class GpuKernel {
public:
  /// `metadata` is the text of NAME.json, `image` the code. Does not need the GIL.
  GpuKernel(const std::string &metadata, const std::string &image, int ordinal);

  /// Queues a launch; false after an exception of Python's. With the GIL.
  bool launch(runtime::Grid grid, std::span<const uint64_t> parameters, uint64_t stream);

  int attribute(int number) const;
  int countConcurrentPrograms() const;
  size_t parameterCount() const { return parameters; }

private:
  KernelMetadata metadata;
  size_t parameters = 0;
  std::unique_ptr<runtime::cuda::LoadedKernel> loaded;
};

/// What the driver or the files' reader says.
struct LaunchFailure {
  Diagnostic error;
};

/// A point in a stream's work.
class GpuEvent {
public:
  explicit GpuEvent(int ordinal);
  GpuEvent(const GpuEvent &) = delete;
  ~GpuEvent();

  void record(uint64_t stream);
  /// Waits until the stream has come here. Does not need the GIL.
  void wait();
  /// Milliseconds from this point to the other, both of which have passed.
  float until(const GpuEvent &other) const;

private:
  std::shared_ptr<const runtime::cuda::DeviceContext> context;
  runtime::cuda::Event *event = nullptr;
};

/// The context of a device, which is opened once. CUDA cannot be used in a process that was forked
/// from one that used it, which this says.
std::shared_ptr<const runtime::cuda::DeviceContext> contextOf(int ordinal);

/// What `tilewright targets` lists for the device, such as "cuda:90".
std::string targetOf(int ordinal);

int countGpus();

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_GPU_H
