//===- CudaDriver.h - The CUDA driver, loaded at run time -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The functions of the CUDA driver API that a launch needs, as its reference manual
// describes them; handles are opaque pointers. No header or library of the toolkit is
// needed to build this, and no driver to start the program.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_CUDA_CUDADRIVER_H
#define TILEWRIGHT_RUNTIME_CUDA_CUDADRIVER_H

#include "tilewright/Expected.h"

#include <cstddef>
#include <cstdint>

namespace tilewright::runtime::cuda {

/// A status; 0 is success.
using Result = int;
using DeviceId = int;
using Address = uint64_t;
struct Context;
struct Module;
struct Function;
struct Stream;
struct Event;

// Numbers from the manual's enumerations.
constexpr int functionStaticShared = 1;       // CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
constexpr int functionLocalBytes = 3;         // ..._LOCAL_SIZE_BYTES
constexpr int functionRegisters = 4;          // ..._NUM_REGS
constexpr int functionMaxDynamicShared = 8;   // ..._MAX_DYNAMIC_SHARED_SIZE_BYTES
constexpr int deviceMultiprocessors = 16;     // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
constexpr int deviceL2CacheBytes = 38;        // ..._L2_CACHE_SIZE
constexpr int deviceCapabilityMajor = 75;     // ..._COMPUTE_CAPABILITY_MAJOR
constexpr int deviceCapabilityMinor = 76;     // ..._COMPUTE_CAPABILITY_MINOR
constexpr int deviceSharedPerBlockOptIn = 97; // ..._MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
constexpr int launchCooperative = 2;          // CU_LAUNCH_ATTRIBUTE_COOPERATIVE
constexpr int launchClusterDimension = 4;     // ..._CLUSTER_DIMENSION
constexpr int launchProgrammatic = 6;         // ..._PROGRAMMATIC_STREAM_SERIALIZATION
constexpr int jitErrorLog = 5;                // CU_JIT_ERROR_LOG_BUFFER
constexpr int jitErrorLogBytes = 6;           // CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES

/// CUlaunchAttribute: 64 bytes of a value, of which an attribute uses the first ones.
struct LaunchAttribute {
  int id = 0;
  int padding = 0;
  uint32_t value[16] = {};
};

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned gridX = 1, gridY = 1, gridZ = 1;
  unsigned blockX = 1, blockY = 1, blockZ = 1;
  unsigned sharedBytes = 0;
  Stream *stream = nullptr;
  LaunchAttribute *attributes = nullptr;
  unsigned attributeCount = 0;
};

struct Driver {
  Result (*init)(unsigned flags);
  Result (*getErrorString)(Result, const char **text);
  Result (*deviceGetCount)(int *count);
  Result (*deviceGet)(DeviceId *device, int ordinal);
  Result (*deviceGetName)(char *name, int bytes, DeviceId);
  Result (*deviceGetAttribute)(int *value, int attribute, DeviceId);
  Result (*primaryContextRetain)(Context **context, DeviceId);
  Result (*primaryContextRelease)(DeviceId);
  Result (*contextGetCurrent)(Context **);
  Result (*contextPush)(Context *);
  Result (*contextPop)(Context **);
  Result (*contextSynchronize)();
  Result (*memoryAllocate)(Address *address, size_t bytes);
  Result (*memoryFree)(Address);
  Result (*memoryAllocateAsync)(Address *address, size_t bytes, Stream *);
  Result (*memoryFreeAsync)(Address, Stream *);
  Result (*memorySet8)(Address, unsigned char value, size_t bytes);
  Result (*copyToDevice)(Address to, const void *from, size_t bytes);
  Result (*copyToHost)(void *to, Address from, size_t bytes);
  Result (*moduleLoad)(Module **module, const void *image, unsigned optionCount, int *options,
                       void **optionValues);
  Result (*moduleUnload)(Module *);
  Result (*moduleGetFunction)(Function **function, Module *, const char *name);
  Result (*functionGetAttribute)(int *value, int attribute, Function *);
  Result (*functionSetAttribute)(Function *, int attribute, int value);
  Result (*launchKernel)(Function *, unsigned gridX, unsigned gridY, unsigned gridZ,
                         unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                         Stream *, void **parameters, void **extra);
  Result (*occupancyBlocks)(int *blocks, Function *, int blockThreads, size_t sharedBytes);
  /// These are null in drivers that know no GPU with clusters or tensor maps.
  Result (*launchKernelEx)(const LaunchConfig *, Function *, void **parameters, void **extra);
  Result (*occupancyClusters)(int *clusters, Function *, const LaunchConfig *);
  Result (*tensorMapEncodeTiled)(void *map, int element, unsigned rank, void *address,
                                 const uint64_t *sizes, const uint64_t *strides,
                                 const uint32_t *box, const uint32_t *elementStrides,
                                 int interleave, int swizzle, int promotion, int fill);
  Result (*eventCreate)(Event **event, unsigned flags);
  Result (*eventDestroy)(Event *);
  Result (*eventRecord)(Event *, Stream *);
  Result (*eventSynchronize)(Event *);
  Result (*eventElapsedTime)(float *milliseconds, Event *begin, Event *end);

  /// The driver's words for a status that is not success.
  std::string describe(Result result) const;
};

/// Opens and initialises the driver, once for the process.
Expected<const Driver *> openDriver();

} // namespace tilewright::runtime::cuda

#endif // TILEWRIGHT_RUNTIME_CUDA_CUDADRIVER_H
