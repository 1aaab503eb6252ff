//===- HipDriver.h - The HIP driver, loaded at run time -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The functions of HIP that a launch needs, as AMD's "HIP runtime API reference" describes them;
// handles are opaque pointers. No header or library of ROCm's is needed to build this, and none to
// start the program.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_HIP_HIPDRIVER_H
#define TILEWRIGHT_RUNTIME_HIP_HIPDRIVER_H

#include "tilewright/Expected.h"

#include <cstddef>

namespace tilewright::runtime::hip {

/// A status; 0 is success.
using Result = int;
struct Module;
struct Function;
struct Stream;

// Numbers of the reference's enumerations.
constexpr int functionStaticShared = 1;   // HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
constexpr int functionLocalBytes = 3;     // ..._LOCAL_SIZE_BYTES
constexpr int functionRegisters = 4;      // ..._NUM_REGS
constexpr int deviceMultiprocessors = 63; // hipDeviceAttributeMultiprocessorCount

struct Driver {
  Result (*init)(unsigned flags);
  const char *(*getErrorString)(Result);
  Result (*getDeviceCount)(int *count);
  /// The GPU on which this thread works.
  Result (*getDevice)(int *device);
  Result (*setDevice)(int device);
  Result (*deviceGetName)(char *name, int bytes, int device);
  Result (*deviceGetAttribute)(int *value, int attribute, int device);
  /// hipGetDeviceProperties, which fills a structure of ROCm 6 and later, or null; and that of
  /// earlier ones (architectureOf).
  Result (*deviceGetProperties)(void *properties, int device);
  Result (*deviceGetOldProperties)(void *properties, int device);
  Result (*moduleLoadData)(Module **module, const void *image);
  Result (*moduleUnload)(Module *);
  Result (*moduleGetFunction)(Function **function, Module *, const char *name);
  Result (*functionGetAttribute)(int *value, int attribute, Function *);
  Result (*launchKernel)(Function *, unsigned gridX, unsigned gridY, unsigned gridZ,
                         unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                         Stream *, void **parameters, void **extra);
  /// Null in drivers that have no such launches.
  Result (*launchCooperative)(Function *, unsigned gridX, unsigned gridY, unsigned gridZ,
                              unsigned blockX, unsigned blockY, unsigned blockZ,
                              unsigned sharedBytes, Stream *, void **parameters);
  Result (*occupancyBlocks)(int *blocks, Function *, int blockThreads, size_t sharedBytes);

  /// The driver's words for a status that is not success.
  std::string describe(Result result) const;
  /// The GPU's name, such as "AMD Radeon RX 9070 XT"; "the GPU" where the driver says none.
  std::string nameOf(int device) const;
  /// The GPU's architecture, "gfx1201", without the features that follow it in the driver's words
  /// ("gfx90a:sramecc+:xnack-"). Errors: there is no such GPU.
  Expected<std::string> architectureOf(int device) const;
};

/// Opens and initialises the driver, once for the process.
Expected<const Driver *> openDriver();

} // namespace tilewright::runtime::hip

#endif // TILEWRIGHT_RUNTIME_HIP_HIPDRIVER_H
