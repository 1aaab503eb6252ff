//===- OpenClMemory.h - Device addresses of OpenCL ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// OpenCL's buffers are objects without an address. Kernels take addresses, which arrays in memory
// may hold, too: so memory is unified shared memory (cl_intel_unified_shared_memory) or, where a
// device has none, shared virtual memory.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_OPENCL_OPENCLMEMORY_H
#define TILEWRIGHT_RUNTIME_OPENCL_OPENCLMEMORY_H

#include "runtime/opencl/OpenClInfo.h"

#include <memory>
#include <span>

namespace tilewright::runtime::opencl {

class Memory {
public:
  virtual ~Memory();

  /// `bytes` bytes (at least 1), aligned as the driver likes; null, or a status that is no success,
  /// if there are none.
  virtual void *allocate(size_t bytes, Status &status) = 0;
  virtual Status free(void *pointer) = 0;
  /// Copies between the device and the host, and returns when it is done.
  virtual Status copy(void *to, const void *from, size_t bytes) = 0;
  virtual Status setArgument(KernelId *kernel, uint32_t index, const void *pointer) = 0;
  /// Allows the kernel to follow pointers that it finds in memory, to all that has been allocated.
  virtual Status allowAccess(KernelId *kernel, std::span<void *const> allocated) = 0;
};

/// The memory of the device, which has a context and a queue; null if it has no such memory.
std::unique_ptr<Memory> createMemory(const Driver &driver, const DeviceInfo &device,
                                     Context *context, Queue *queue);

} // namespace tilewright::runtime::opencl

#endif // TILEWRIGHT_RUNTIME_OPENCL_OPENCLMEMORY_H
