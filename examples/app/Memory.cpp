//===- Memory.cpp - Memory of a GPU -------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Memory.h"

#include <dlfcn.h>

template <typename Function>
static void find(Function *&function, void *library, const char *name) {
  function = reinterpret_cast<Function *>(dlsym(library, name));
}

/// The primary context of the first GPU, in which kernels are launched, for this thread.
static bool enterCudaContext(void *library) {
  int (*init)(unsigned);
  int (*retain)(void **, int);
  int (*setCurrent)(void *);
  find(init, library, "cuInit");
  find(retain, library, "cuDevicePrimaryCtxRetain");
  find(setCurrent, library, "cuCtxSetCurrent");
  void *context = nullptr;
  return init && retain && setCurrent && init(0) == 0 && retain(&context, 0) == 0 &&
         setCurrent(context) == 0;
}

Memory::Memory(const std::string &driver) {
  const bool isCuda = driver == "cuda";
  void *library = dlopen(isCuda ? "libcuda.so.1" : "libamdhip64.so", RTLD_NOW);
  if (!library || (isCuda && !enterCudaContext(library)))
    return;
  find(allocateBytes, library, isCuda ? "cuMemAlloc_v2" : "hipMalloc");
  find(copyToGpu, library, isCuda ? "cuMemcpyHtoD_v2" : "hipMemcpyHtoD");
  find(copyToHost, library, isCuda ? "cuMemcpyDtoH_v2" : "hipMemcpyDtoH");
}

uint64_t Memory::allocate(size_t count) const {
  uint64_t address = 0;
  return allocateBytes(&address, count * sizeof(float)) == 0 ? address : 0;
}

bool Memory::copyIn(uint64_t to, const float *from, size_t count) const {
  return copyToGpu(to, from, count * sizeof(float)) == 0;
}

bool Memory::copyOut(float *to, uint64_t from, size_t count) const {
  return copyToHost(to, from, count * sizeof(float)) == 0;
}
