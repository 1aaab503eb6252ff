//===- SyclQueue.h - What is behind a queue of SYCL --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// PyTorch and dpctl hand out queues of SYCL (the address of a sycl::queue), which are C++ objects
// over a queue of OpenCL or Level Zero. What that is the library of SYCL tells, libsycl.so of
// Intel's DPC++, by member functions that it exports; it is asked where the process has loaded it
// already, which whoever has such a queue did.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_SYCL_SYCLQUEUE_H
#define TILEWRIGHT_RUNTIME_SYCL_SYCLQUEUE_H

#include "tilewright/Expected.h"

#include <cstdint>
#include <string>

namespace tilewright::runtime::sycl {

/// Numbers of sycl::backend.
enum class Backend : char { OpenCl = 1, LevelZero = 2 };

/// A queue in its backend's handles, which are opaque.
struct NativeQueue {
  Backend backend = Backend::LevelZero;
  /// cl_command_queue, or an immediate ze_command_list_handle_t. Lives as long as SYCL's queue.
  void *queue = nullptr;
  void *context = nullptr;
  void *device = nullptr;
};

/// `queue`: the address of a sycl::queue. Errors: no library of SYCL is loaded, or one that is not
/// known; the queue is another backend's; it is of Level Zero, and no immediate command list.
Expected<NativeQueue> findNativeQueue(uint64_t queue);

/// The device of a queue.
struct QueueDevice {
  /// Such as "Intel(R) Arc(TM) B580 Graphics".
  std::string name;
  /// 0 where its driver does not tell (target/IntelIpVersion.h).
  uint32_t ipVersion = 0;
};
Expected<QueueDevice> describeDevice(const NativeQueue &queue);

} // namespace tilewright::runtime::sycl

#endif // TILEWRIGHT_RUNTIME_SYCL_SYCLQUEUE_H
