//===- NativeKernel.h - Kernels that a driver has loaded ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What the launch library asks of a vendor's driver: to load a kernel's code, to queue launches of
// it and not to wait. Memory and streams are the caller's.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_LAUNCH_NATIVEKERNEL_H
#define TILEWRIGHT_RUNTIME_LAUNCH_NATIVEKERNEL_H

#include "runtime/launch/LaunchGrid.h"
#include "tilewright/Runtime.h"

namespace tilewright::runtime {

/// A number of a loaded kernel, or of its GPU.
enum class KernelAttribute {
  Registers,         ///< of a thread
  LocalBytes,        ///< of a thread, where registers are spilled
  StaticSharedBytes, ///< that the code takes beside what a launch asks for
  Multiprocessors,
  ConcurrentPrograms, ///< how many run at once
};

/// Where a kernel runs.
struct Place {
  /// The GPU's number.
  int device = 0;
  /// The vendor's stream or queue; null is the default one.
  void *stream = nullptr;
  /// Whether commands of the queue may run in any order, as on those of SYCL's: barriers stand
  /// before and after each launch then.
  bool isUnordered = false;
};

class NativeKernel {
public:
  virtual ~NativeKernel();

  /// Whether a launch there takes this, rather than the kernel loaded anew.
  virtual bool isFor(const Place &place) const = 0;
  /// Queues a launch and does not wait. `parameters`: the bits of each (packArguments).
  virtual Expected<void> enqueue(const LaunchGrid &grid, std::span<const uint64_t> parameters,
                                 void *stream) = 0;
  virtual Expected<int> getAttribute(KernelAttribute attribute) const = 0;
};

using LoadFunction = Expected<std::unique_ptr<NativeKernel>>(const KernelMetadata &metadata,
                                                             const std::string &code,
                                                             const Place &place);

/// The driver that takes the code of a target.
struct NativeDriver {
  /// Of the files that it takes, the one to be preferred first.
  std::vector<std::string_view> suffixes;
  LoadFunction *load;
};

// In the files of the drivers. Errors of loading: there is no driver or no such GPU, the driver
// refuses the code (with the log of its compiler), or the GPU lacks what the kernel needs.
LoadFunction loadCudaKernel, loadHipKernel, loadOpenClKernel, loadLevelZeroKernel;

/// Null for a target that no driver is for. Kernels in SPIR-V go to OpenCL: Level Zero, to which
/// SYCL's queues lead (sycl/SyclQueue.h), is for those who ask for it.
const NativeDriver *nativeDriverOf(std::string_view target);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_LAUNCH_NATIVEKERNEL_H
