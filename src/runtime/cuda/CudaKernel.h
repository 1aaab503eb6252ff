//===- CudaKernel.h - Kernels on a GPU of NVIDIA's ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Loading and launching, for the device of the C++ API (CudaDevice.cpp) and for the launch library
// (CudaLaunchLibrary.cpp).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_CUDA_CUDAKERNEL_H
#define TILEWRIGHT_RUNTIME_CUDA_CUDAKERNEL_H

#include "runtime/cuda/CudaContext.h"
#include "runtime/launch/LaunchGrid.h"
#include "runtime/launch/TensorMaps.h"
#include "tilewright/Runtime.h"

namespace tilewright::runtime::cuda {

/// Code of Triton's own has so many addresses of memory after the arguments: for the program and
/// for profiling (Triton 3.6, third_party/nvidia/backend/driver.py). A launch passes null for them;
/// the driver reads as many parameters as the code has.
inline constexpr size_t foreignParameters = 2;

class LoadedKernel {
public:
  /// `image`: PTX, or what the assembler has made of it. Errors: it is for another vendor, the
  /// driver refuses it (with the log of its compiler), or the device has too little shared memory.
  static Expected<std::unique_ptr<LoadedKernel>> load(std::shared_ptr<const DeviceContext> context,
                                                      const KernelMetadata &metadata,
                                                      const std::string &image);
  LoadedKernel(const LoadedKernel &) = delete;
  ~LoadedKernel();

  const DeviceContext &getContext() const { return *context; }

  /// Queues a launch and does not wait. `parameters`: the bits of each (packArguments). Errors:
  /// those of makeTensorMaps, and the driver's.
  Expected<void> enqueue(const LaunchGrid &grid, std::span<const uint64_t> parameters,
                         Stream *stream);

  /// The programs that run on the device at once: the grid of a persistent kernel.
  Expected<int> countConcurrentPrograms() const;

  /// A number of the kernel, by the driver's enumeration (CudaDriver.h).
  Expected<int> getAttribute(int attribute) const;

private:
  LoadedKernel(std::shared_ptr<const DeviceContext> context, const KernelMetadata &metadata)
      : context(std::move(context)), metadata(metadata), name(metadata.name),
        sharedBytes(static_cast<unsigned>(metadata.dynamicSharedBytes())) {}

  Expected<void> loadModule(const std::string &target, const std::string &image);
  Expected<void> allowSharedMemory(int bytes);
  /// Makes the kernel's tensor maps for these parameters, if they are not those of the last launch.
  Expected<void> encodeTensorMaps(std::span<const uint64_t> parameters);
  Expected<TensorMapBytes> encode(const TensorMap &map) const;
  /// The attributes of a launch: a cluster's blocks, and further ones.
  using LaunchAttributes = std::array<LaunchAttribute, 3>;
  /// Whether a launch has attributes.
  bool needsAttributes() const;
  /// A launch with attributes; `attributes` is what it points to.
  LaunchConfig configure(const LaunchGrid &grid, Stream *stream,
                         LaunchAttributes &attributes) const;

  std::shared_ptr<const DeviceContext> context;
  KernelMetadata metadata;
  std::string name;
  /// Those that a launch asks for.
  unsigned sharedBytes;
  Module *module = nullptr;
  Function *function = nullptr;
  /// The tensor maps, and the parameters that they have been made of.
  std::vector<TensorMapBytes> tensorMaps;
  std::vector<uint64_t> mappedParameters;
};

} // namespace tilewright::runtime::cuda

#endif // TILEWRIGHT_RUNTIME_CUDA_CUDAKERNEL_H
