//===- OpenClDriver.h - The OpenCL library, loaded at run time ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The functions of OpenCL that a launch needs, as the Khronos specifications describe them; handles
// are opaque pointers. No header is needed to build this, and no library to start the program. The
// library passes each call on to the driver of a platform.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_OPENCL_OPENCLDRIVER_H
#define TILEWRIGHT_RUNTIME_OPENCL_OPENCLDRIVER_H

#include "tilewright/Expected.h"

#include <cstddef>
#include <cstdint>

namespace tilewright::runtime::opencl {

/// 0 is success, what is negative an error.
using Status = int32_t;
using Flags = uint64_t;
using Bool = uint32_t;
struct Platform;
struct DeviceId;
struct Context;
struct Queue;
struct Program;
struct KernelId;
struct Event;

// Numbers from the specification's tables.
constexpr Status allocationFailure = -4;         // CL_MEM_OBJECT_ALLOCATION_FAILURE
constexpr Status invalidBuildOptions = -43;      // CL_INVALID_BUILD_OPTIONS
constexpr Status platformNotFound = -1001;       // CL_PLATFORM_NOT_FOUND_KHR
constexpr Bool isBlocking = 1;                   // CL_TRUE
constexpr Flags typeCpu = 1 << 1;                // CL_DEVICE_TYPE_CPU
constexpr Flags typeGpu = 1 << 2;                // CL_DEVICE_TYPE_GPU
constexpr Flags queueProfiling = 1 << 1;         // CL_QUEUE_PROFILING_ENABLE
constexpr uint32_t queueContext = 0x1090;        // CL_QUEUE_CONTEXT
constexpr uint32_t queueDevice = 0x1091;         // CL_QUEUE_DEVICE
constexpr Flags memoryReadWrite = 1 << 0;        // CL_MEM_READ_WRITE
constexpr Flags svmCoarseGrain = 1 << 0;         // CL_DEVICE_SVM_COARSE_GRAIN_BUFFER
constexpr uint32_t programBuildLog = 0x1183;     // CL_PROGRAM_BUILD_LOG
constexpr uint32_t kernelWorkGroupSize = 0x11B0; // CL_KERNEL_WORK_GROUP_SIZE
constexpr uint32_t kernelSvmPointers = 0x11B6;   // CL_KERNEL_EXEC_INFO_SVM_PTRS
constexpr uint32_t kernelIndirectDevice =
    0x4201;                                 // CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL
constexpr uint32_t profilingStart = 0x1282; // CL_PROFILING_COMMAND_START
constexpr uint32_t profilingEnd = 0x1283;   // CL_PROFILING_COMMAND_END

using CreateProgramWithIL = Program *(Context *, const void *il, size_t bytes, Status *);

struct Driver {
  Status (*getPlatformIds)(uint32_t room, Platform **platforms, uint32_t *count);
  Status (*getDeviceIds)(Platform *, Flags type, uint32_t room, DeviceId **devices,
                         uint32_t *count);
  Status (*getDeviceInfo)(DeviceId *, uint32_t what, size_t room, void *value, size_t *bytes);
  void *(*getExtensionFunction)(Platform *, const char *name);
  Context *(*createContext)(const intptr_t *properties, uint32_t deviceCount,
                            DeviceId *const *devices,
                            void (*notify)(const char *, const void *, size_t, void *), void *user,
                            Status *);
  Status (*retainContext)(Context *);
  Status (*releaseContext)(Context *);
  Queue *(*createQueue)(Context *, DeviceId *, Flags properties, Status *);
  Status (*getQueueInfo)(Queue *, uint32_t what, size_t room, void *value, size_t *bytes);
  Status (*releaseQueue)(Queue *);
  Status (*finish)(Queue *);
  /// Null where the library knows OpenCL 2.0 only.
  CreateProgramWithIL *createProgramWithIL;
  Status (*buildProgram)(Program *, uint32_t deviceCount, DeviceId *const *devices,
                         const char *options, void (*notify)(Program *, void *), void *user);
  Status (*getProgramBuildInfo)(Program *, DeviceId *, uint32_t what, size_t room, void *value,
                                size_t *bytes);
  Status (*releaseProgram)(Program *);
  KernelId *(*createKernel)(Program *, const char *name, Status *);
  Status (*releaseKernel)(KernelId *);
  Status (*getKernelWorkGroupInfo)(KernelId *, DeviceId *, uint32_t what, size_t room, void *value,
                                   size_t *bytes);
  Status (*setKernelArgument)(KernelId *, uint32_t index, size_t bytes, const void *value);
  Status (*enqueueKernel)(Queue *, KernelId *, uint32_t dimensions, const size_t *offset,
                          const size_t *globalSize, const size_t *localSize, uint32_t waitCount,
                          Event *const *waitFor, Event **event);
  /// Null where the library knows OpenCL 1.1 only.
  Status (*enqueueBarrier)(Queue *, uint32_t waitCount, Event *const *waitFor, Event **event);
  Status (*getEventProfilingInfo)(Event *, uint32_t what, size_t room, void *value, size_t *bytes);
  Status (*releaseEvent)(Event *);

  // Shared virtual memory, and what goes with it; null where the library knows OpenCL 1.2 only.
  void *(*svmAllocate)(Context *, Flags, size_t bytes, unsigned alignment);
  void (*svmFree)(Context *, void *);
  Status (*enqueueSvmCopy)(Queue *, Bool blocking, void *to, const void *from, size_t bytes,
                           uint32_t waitCount, Event *const *waitFor, Event **event);
  Status (*setKernelArgumentSvm)(KernelId *, uint32_t index, const void *);
  Status (*setKernelExecInfo)(KernelId *, uint32_t what, size_t bytes, const void *value);
};

/// The specification's name of a status and its number, e.g. "CL_OUT_OF_RESOURCES (status -5)".
std::string describe(Status status);

/// Opens the library, once for the process.
Expected<const Driver *> openDriver();

} // namespace tilewright::runtime::opencl

#endif // TILEWRIGHT_RUNTIME_OPENCL_OPENCLDRIVER_H
