//===- OpenClMemory.cpp - A device of OpenCL's and memory on it ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "test/launch/OpenClMemory.h"

#include <cstdint>
#include <dlfcn.h>
#include <type_traits>

// Numbers from the specification's tables.
constexpr uint64_t allDevices = 0xFFFFFFFF;  // CL_DEVICE_TYPE_ALL
constexpr uint32_t ilVersion = 0x105B;       // CL_DEVICE_IL_VERSION
constexpr uint32_t svmCapabilities = 0x1053; // CL_DEVICE_SVM_CAPABILITIES
constexpr uint64_t coarseGrained = 1 << 0;   // CL_DEVICE_SVM_COARSE_GRAIN_BUFFER
constexpr uint64_t memoryReadWrite = 1 << 0; // CL_MEM_READ_WRITE

struct OpenClMemory::Functions {
  int (*clGetPlatformIDs)(uint32_t, void **, uint32_t *);
  int (*clGetDeviceIDs)(void *, uint64_t, uint32_t, void **, uint32_t *);
  int (*clGetDeviceInfo)(void *, uint32_t, size_t, void *, size_t *);
  void *(*clCreateContext)(const intptr_t *, uint32_t, void *const *, void *, void *, int *);
  int (*clReleaseContext)(void *);
  void *(*clCreateCommandQueue)(void *, void *, uint64_t, int *);
  int (*clReleaseCommandQueue)(void *);
  void *(*clSVMAlloc)(void *, uint64_t, size_t, unsigned);
  void (*clSVMFree)(void *, void *);
  int (*clEnqueueSVMMemcpy)(void *, uint32_t, void *, const void *, size_t, uint32_t, void *const *,
                            void **);

  /// Null if the library or one of them is not there.
  static const Functions *find();
};

const OpenClMemory::Functions *OpenClMemory::Functions::find() {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  if (!library)
    return nullptr;
  static Functions functions;
  bool hasAll = true;
  auto look = [&](auto *&function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    hasAll = hasAll && function;
  };
#define LOOK(name) look(functions.name, #name)
  LOOK(clGetPlatformIDs);
  LOOK(clGetDeviceIDs);
  LOOK(clGetDeviceInfo);
  LOOK(clCreateContext);
  LOOK(clReleaseContext);
  LOOK(clCreateCommandQueue);
  LOOK(clReleaseCommandQueue);
  LOOK(clSVMAlloc);
  LOOK(clSVMFree);
  LOOK(clEnqueueSVMMemcpy);
#undef LOOK
  return hasAll ? &functions : nullptr;
}

/// Opens the first device of the platform that can run kernels.
bool OpenClMemory::openDevice(void *platform) {
  void *devices[16] = {};
  uint32_t count = 0;
  if (functions->clGetDeviceIDs(platform, allDevices, 16, devices, &count) != 0)
    return false;
  for (uint32_t i = 0; i < count && i < 16; ++i) {
    char versions[512] = "";
    uint64_t svm = 0;
    if (functions->clGetDeviceInfo(devices[i], ilVersion, sizeof versions, versions, nullptr) !=
            0 ||
        std::string(versions).find("SPIR-V") == std::string::npos ||
        functions->clGetDeviceInfo(devices[i], svmCapabilities, sizeof svm, &svm, nullptr) != 0 ||
        !(svm & coarseGrained))
      continue;
    int status = 0;
    context = functions->clCreateContext(nullptr, 1, &devices[i], nullptr, nullptr, &status);
    if (context)
      commands = functions->clCreateCommandQueue(context, devices[i], 0, &status);
    return commands != nullptr;
  }
  return false;
}

OpenClMemory::OpenClMemory() : functions(Functions::find()) {
  if (!functions) {
    reason = "there is no OpenCL 2.0: cannot open libOpenCL.so.1";
    return;
  }
  void *platforms[16] = {};
  uint32_t count = 0;
  if (functions->clGetPlatformIDs(16, platforms, &count) == 0)
    for (uint32_t i = 0; i < count && i < 16; ++i)
      if (openDevice(platforms[i]))
        return;
  reason = "OpenCL has no device that takes SPIR-V and has shared virtual memory";
}

OpenClMemory::~OpenClMemory() {
  for (void *pointer : allocated)
    functions->clSVMFree(context, pointer);
  if (commands)
    functions->clReleaseCommandQueue(commands);
  if (context)
    functions->clReleaseContext(context);
}

float *OpenClMemory::allocate(size_t count) {
  void *pointer = functions->clSVMAlloc(context, memoryReadWrite, count * sizeof(float), 0);
  if (pointer)
    allocated.push_back(pointer);
  return static_cast<float *>(pointer);
}

bool OpenClMemory::copyIn(float *to, const std::vector<float> &from) const {
  return functions->clEnqueueSVMMemcpy(commands, /*blocking=*/1, to, from.data(),
                                       from.size() * sizeof(float), 0, nullptr, nullptr) == 0;
}

bool OpenClMemory::copyOut(std::vector<float> &to, const float *from) const {
  return functions->clEnqueueSVMMemcpy(commands, /*blocking=*/1, to.data(), from,
                                       to.size() * sizeof(float), 0, nullptr, nullptr) == 0;
}
