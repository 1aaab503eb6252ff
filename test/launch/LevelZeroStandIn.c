//===- LevelZeroStandIn.c - A libze_loader.so.1 that records launches ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Stands in for Level Zero where there is no GPU of Intel's: a Battlemage, a Lunar Lake and a GPU
// that no target is for, whose memory is the host's. A launch of saxpy(x, y, a, n) is computed with
// the arguments that were set, of the sizes that they were set with; of what the library calls a
// log is kept (Record.h). A module of more than a MiB is not compiled.
//
//===--------------------------------------------------------------------------===//

#include "test/launch/Record.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct List {
  int context, device;
  uint8_t isImmediate;
} List;

typedef struct Kernel {
  char name[32];
  uint32_t groupSize[3], access;
  struct {
    size_t bytes;
    uint64_t bits;
  } arguments[4];
} Kernel;

static int devices[3] = {0, 1, 2}, contexts[2] = {0, 1};

/* An immediate list, or one that is not, in a context and on a device. */
void *standInList(int context, int device, int isImmediate) {
  List *list = malloc(sizeof *list);
  list->context = context;
  list->device = device;
  list->isImmediate = (uint8_t)isImmediate;
  return list;
}

int zeInit(uint32_t flags) { return (int)flags; }

typedef struct Next {
  uint32_t type;
  struct Next *next;
  uint32_t version;
} Next;
typedef struct Properties {
  uint32_t type;
  Next *next;
  uint32_t numbers[24];
  char name[256];
} Properties;
int zeDeviceGetProperties(void *device, Properties *properties) {
  static const uint32_t versions[] = {0x05004004, 0x05010004, 0x03000000};
  const int number = *(int *)device;
  if (properties->type != 0x3)
    return 0x78000004;
  if (properties->next && properties->next->type == 0x1000f)
    properties->next->version = versions[number];
  sprintf(properties->name, "Stand-in %d", number);
  return 0;
}
typedef struct Compute {
  uint32_t type;
  void *next;
  uint32_t maxGroupSize, others[6], sharedBytes, sizeCount, sizes[8];
} Compute;
int zeDeviceGetComputeProperties(void *device, Compute *compute) {
  (void)device;
  compute->maxGroupSize = 1024;
  compute->sharedBytes = 131072;
  compute->sizeCount = 2;
  compute->sizes[0] = 16;
  compute->sizes[1] = 32;
  return compute->type == 0x4 ? 0 : 0x78000004;
}

typedef struct Module {
  uint32_t type;
  void *next;
  uint32_t format;
  size_t bytes;
  const void *code;
  const char *flags;
} Module;
int zeModuleCreate(void *context, void *device, const Module *module, void **made, void **log) {
  const uint32_t magic = 0x07230203;
  const int isSpirv = module->type == 0x1b && module->format == 0 &&
                      memcmp(module->code, &magic, sizeof magic) == 0;
  record("module of %s in %d on %d '%s'\n", isSpirv ? "SPIR-V" : "something", *(int *)context,
         *(int *)device, module->flags ? module->flags : "");
  *log = "no such instruction";
  *made = calloc(1, 1);
  return module->bytes > 1 << 20 ? 0x70000004 : 0;
}
int zeModuleBuildLogGetString(void *log, size_t *bytes, char *text) {
  *bytes = strlen(log) + 1;
  if (text)
    memcpy(text, log, *bytes);
  return 0;
}
int zeModuleBuildLogDestroy(void *log) {
  (void)log;
  return 0;
}
int zeModuleDestroy(void *module) {
  free(module);
  return 0;
}

typedef struct Named {
  uint32_t type;
  void *next;
  uint32_t flags;
  const char *name;
} Named;
int zeKernelCreate(void *module, const Named *named, void **made) {
  (void)module;
  Kernel *kernel = calloc(1, sizeof *kernel);
  strncpy(kernel->name, named->name, sizeof kernel->name - 1);
  *made = kernel;
  return named->type == 0x1d ? 0 : 0x78000004;
}
int zeKernelDestroy(void *kernel) {
  free(kernel);
  return 0;
}
int zeKernelSetGroupSize(void *kernel, uint32_t x, uint32_t y, uint32_t z) {
  const uint32_t size[] = {x, y, z};
  memcpy(((Kernel *)kernel)->groupSize, size, sizeof size);
  return 0;
}
int zeKernelSetIndirectAccess(void *kernel, uint32_t flags) {
  ((Kernel *)kernel)->access = flags;
  return 0;
}
int zeKernelSetArgumentValue(void *kernel, uint32_t index, size_t bytes, const void *value) {
  Kernel *known = kernel;
  known->arguments[index].bytes = bytes;
  memcpy(&known->arguments[index].bits, value, bytes);
  return 0;
}
typedef struct KernelProperties {
  uint32_t type;
  void *next;
  uint32_t numbers[8], sharedBytes, privateBytes, spillBytes;
} KernelProperties;
int zeKernelGetProperties(void *kernel, KernelProperties *properties) {
  (void)kernel;
  properties->spillBytes = 64;
  return properties->type == 0x1e ? 0 : 0x78000004;
}

int zeCommandListGetContextHandle(void *list, void **context) {
  *context = &contexts[((List *)list)->context];
  return 0;
}
int zeCommandListGetDeviceHandle(void *list, void **device) {
  *device = &devices[((List *)list)->device];
  return 0;
}
int zeCommandListIsImmediate(void *list, uint8_t *isImmediate) {
  *isImmediate = ((List *)list)->isImmediate;
  return 0;
}
int zeCommandListAppendBarrier(void *list, void *signal, uint32_t waitCount, void **waitFor) {
  record("barrier on %d%s\n", ((List *)list)->device,
         signal || waitCount || waitFor ? " and more" : "");
  return 0;
}
int zeCommandListAppendLaunchKernel(void *to, void *launched, const uint32_t *groups, void *signal,
                                    uint32_t waitCount, void **waitFor) {
  const List *list = to;
  const Kernel *kernel = launched;
  const float *x = (const float *)(uintptr_t)kernel->arguments[0].bits;
  float *y = (float *)(uintptr_t)kernel->arguments[1].bits, a;
  int32_t n;
  memcpy(&a, &kernel->arguments[2].bits, sizeof a);
  memcpy(&n, &kernel->arguments[3].bits, sizeof n);
  record("launch %s on %d in %d: %u %u %u groups of %u %u %u%s, access %u, sizes %zu %zu %zu %zu, "
         "a %g, n %d\n",
         kernel->name, list->device, list->context, groups[0], groups[1], groups[2],
         kernel->groupSize[0], kernel->groupSize[1], kernel->groupSize[2],
         signal || waitCount || waitFor ? " and more" : "", kernel->access,
         kernel->arguments[0].bytes, kernel->arguments[1].bytes, kernel->arguments[2].bytes,
         kernel->arguments[3].bytes, a, n);
  for (int i = 0; x && i < n; ++i)
    y[i] += a * x[i];
  return 0;
}
