//===- OpenClStandIn.c - A libOpenCL.so.1 that records launches ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Stands in for OpenCL where no device takes SPIR-V: two GPUs, whose memory is the host's, with
// sub-groups of 16 and 32, work-groups of 1,024 and 65,536 bytes of local memory. A launch of
// saxpy(x, y, a, n) is computed with the arguments that were set; of what the library calls a log
// is kept (Record.h).
//
// A module is its name, up to its first space, or SPIR-V, "spirv". One that begins with "refuse" is
// not compiled, one with "first" only for the first GPU, one with "plain" only without options.
//
//===--------------------------------------------------------------------------===//

#include "test/launch/Record.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct Context {
  int number;
  int references;
} Context;

typedef struct Queue {
  Context *context;
  int *device;
  int references;
} Queue;

typedef struct Kernel {
  char name[32];
  struct {
    size_t bytes;
    uint64_t bits;
  } arguments[4];
} Kernel;

static int platform, devices[2] = {0, 1}, contexts = 0;

/* An answer of OpenCL's: its size, its value, or both. */
static int answer(const void *value, size_t bytes, size_t room, void *to, size_t *size) {
  if (size)
    *size = bytes;
  if (to && room >= bytes)
    memcpy(to, value, bytes);
  return to && room < bytes ? -30 : 0;
}
static int answerText(const char *value, size_t room, void *to, size_t *size) {
  return answer(value, strlen(value) + 1, room, to, size);
}

int clGetPlatformIDs(uint32_t room, void **platforms, uint32_t *count) {
  if (count)
    *count = 1;
  if (platforms && room > 0)
    platforms[0] = &platform;
  return 0;
}
int clGetDeviceIDs(void *of, uint64_t type, uint32_t room, void **found, uint32_t *count) {
  (void)of;
  if (!(type & 4))
    return -1;
  if (count)
    *count = 2;
  for (uint32_t i = 0; found && i < room && i < 2; ++i)
    found[i] = &devices[i];
  return 0;
}
int clGetDeviceInfo(void *device, uint32_t what, size_t room, void *to, size_t *size) {
  const size_t subGroups[] = {16, 32}, threads = 1024;
  const uint64_t localBytes = 65536, coarseGrained = 1;
  const uint32_t bits = 64;
  switch (what) {
  case 0x1004:
    return answer(&threads, sizeof threads, room, to, size);
  case 0x100D:
    return answer(&bits, sizeof bits, room, to, size);
  case 0x1023:
    return answer(&localBytes, sizeof localBytes, room, to, size);
  case 0x102B:
    return answerText(*(int *)device ? "Stand-in 1" : "Stand-in 0", room, to, size);
  case 0x102F:
    return answerText("OpenCL 3.0 Stand-in", room, to, size);
  case 0x1030:
    return answerText("cl_intel_required_subgroup_size", room, to, size);
  case 0x1053:
    return answer(&coarseGrained, sizeof coarseGrained, room, to, size);
  case 0x105B:
    return answerText("SPIR-V_1.2", room, to, size);
  case 0x4108:
    return answer(subGroups, sizeof subGroups, room, to, size);
  }
  return -30;
}
void *clGetExtensionFunctionAddressForPlatform(void *of, const char *name) {
  (void)of;
  (void)name;
  return NULL;
}

void *clCreateContext(const intptr_t *properties, uint32_t count, void *const *of, void *notify,
                      void *user, int *status) {
  (void)properties;
  (void)count;
  (void)notify;
  (void)user;
  Context *context = malloc(sizeof *context);
  context->number = ++contexts;
  context->references = 1;
  record("context %d of %d\n", context->number, *(int *)of[0]);
  *status = 0;
  return context;
}
int clRetainContext(void *context) {
  ++((Context *)context)->references;
  return 0;
}
int clReleaseContext(void *released) {
  Context *context = released;
  if (--context->references == 0) {
    record("no context %d\n", context->number);
    free(context);
  }
  return 0;
}
void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int *status) {
  (void)properties;
  Queue *queue = malloc(sizeof *queue);
  queue->context = context;
  queue->device = device;
  queue->references = 1;
  clRetainContext(context);
  *status = 0;
  return queue;
}
int clGetCommandQueueInfo(void *queue, uint32_t what, size_t room, void *to, size_t *size) {
  const Queue *known = queue;
  return what == 0x1090 ? answer(&known->context, sizeof(void *), room, to, size)
                        : answer(&known->device, sizeof(void *), room, to, size);
}
int clRetainCommandQueue(void *queue) {
  ++((Queue *)queue)->references;
  return 0;
}
int clReleaseCommandQueue(void *queue) {
  if (--((Queue *)queue)->references > 0)
    return 0;
  clReleaseContext(((Queue *)queue)->context);
  free(queue);
  return 0;
}
int clFinish(void *queue) {
  (void)queue;
  return 0;
}

void *clCreateProgramWithIL(void *context, const void *il, size_t bytes, int *status) {
  (void)bytes;
  Kernel *program = calloc(1, sizeof *program);
  const uint32_t magic = 0x07230203;
  if (memcmp(il, &magic, sizeof magic) == 0)
    strcpy(program->name, "spirv");
  else
    sscanf(il, "%31s", program->name);
  record("program %s in %d\n", program->name, ((Context *)context)->number);
  *status = 0;
  return program;
}
int clBuildProgram(void *program, uint32_t count, void *const *of, const char *options,
                   void *notify, void *user) {
  const char *name = ((Kernel *)program)->name;
  (void)count;
  (void)notify;
  (void)user;
  record("build on %d '%s'\n", *(int *)of[0], options);
  if (strncmp(name, "plain", 5) == 0 && *options)
    return -43;
  const int isRefused =
      strncmp(name, "refuse", 6) == 0 || (strncmp(name, "first", 5) == 0 && *(int *)of[0] != 0);
  return isRefused ? -11 : 0;
}
int clGetProgramBuildInfo(void *program, void *device, uint32_t what, size_t room, void *to,
                          size_t *size) {
  (void)program;
  (void)device;
  (void)what;
  return answerText("no such instruction", room, to, size);
}
int clReleaseProgram(void *program) {
  record("no program %s\n", ((Kernel *)program)->name);
  free(program);
  return 0;
}
void *clCreateKernel(void *program, const char *name, int *status) {
  Kernel *kernel = calloc(1, sizeof *kernel);
  memcpy(kernel->name, ((Kernel *)program)->name, sizeof kernel->name);
  *status = strcmp(name, "saxpy") == 0 ? 0 : -46;
  return kernel;
}
int clReleaseKernel(void *kernel) {
  free(kernel);
  return 0;
}
int clGetKernelWorkGroupInfo(void *kernel, void *device, uint32_t what, size_t room, void *to,
                             size_t *size) {
  const size_t threads = strncmp(((Kernel *)kernel)->name, "narrow", 6) == 0 ? 64 : 1024;
  (void)device;
  (void)what;
  return answer(&threads, sizeof threads, room, to, size);
}
int clSetKernelArg(void *kernel, uint32_t index, size_t bytes, const void *value) {
  Kernel *known = kernel;
  known->arguments[index].bytes = bytes;
  memcpy(&known->arguments[index].bits, value, bytes);
  return 0;
}
int clSetKernelArgSVMPointer(void *kernel, uint32_t index, const void *pointer) {
  return clSetKernelArg(kernel, index, sizeof pointer, &pointer);
}
int clSetKernelExecInfo(void *kernel, uint32_t what, size_t bytes, const void *value) {
  (void)kernel;
  (void)what;
  (void)bytes;
  (void)value;
  return 0;
}

int clEnqueueNDRangeKernel(void *to, void *enqueued, uint32_t dimensions, const size_t *offset,
                           const size_t *all, const size_t *block, uint32_t waitCount,
                           void *const *waitFor, void **event) {
  const Queue *queue = to;
  const Kernel *kernel = enqueued;
  const float *x = (const float *)(uintptr_t)kernel->arguments[0].bits;
  float *y = (float *)(uintptr_t)kernel->arguments[1].bits, a;
  int32_t n;
  memcpy(&a, &kernel->arguments[2].bits, sizeof a);
  memcpy(&n, &kernel->arguments[3].bits, sizeof n);
  record("launch %s on %d in %d: %u dimensions%s, %zu %zu %zu by %zu %zu %zu, sizes %zu %zu %zu "
         "%zu, a %g, n %d\n",
         kernel->name, *queue->device, queue->context->number, dimensions,
         offset || waitCount || waitFor || event ? " and more" : "", all[0], all[1], all[2],
         block[0], block[1], block[2], kernel->arguments[0].bytes, kernel->arguments[1].bytes,
         kernel->arguments[2].bytes, kernel->arguments[3].bytes, a, n);
  for (int i = 0; x && i < n; ++i)
    y[i] += a * x[i];
  return 0;
}
int clEnqueueBarrierWithWaitList(void *queue, uint32_t waitCount, void *const *waitFor,
                                 void **event) {
  record("barrier on %d%s\n", *((Queue *)queue)->device,
         waitCount || waitFor || event ? " and more" : "");
  return 0;
}
int clGetEventProfilingInfo(void *event, uint32_t what, size_t room, void *to, size_t *size) {
  const uint64_t time = 0;
  (void)event;
  (void)what;
  return answer(&time, sizeof time, room, to, size);
}
int clReleaseEvent(void *event) {
  (void)event;
  return 0;
}

void *clSVMAlloc(void *context, uint64_t flags, size_t bytes, unsigned alignment) {
  (void)context;
  (void)flags;
  (void)alignment;
  return malloc(bytes);
}
void clSVMFree(void *context, void *pointer) {
  (void)context;
  free(pointer);
}
int clEnqueueSVMMemcpy(void *queue, uint32_t blocking, void *to, const void *from, size_t bytes,
                       uint32_t waitCount, void *const *waitFor, void **event) {
  (void)queue;
  (void)blocking;
  (void)waitCount;
  (void)waitFor;
  (void)event;
  memcpy(to, from, bytes);
  return 0;
}

/* A queue on a device, in a context of its own, which is the queue's. */
void *standInQueue(int device) {
  int status = 0;
  void *of[] = {&devices[device]};
  Context *context = clCreateContext(NULL, 1, of, NULL, NULL, &status);
  void *queue = clCreateCommandQueue(context, &devices[device], 0, &status);
  clReleaseContext(context);
  return queue;
}
