//===- SyclStandIn.c - A libsycl.so.8 with queues of stand-ins -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Stands in for the library of SYCL: of a queue what src/runtime/sycl asks for. Member functions
// take the object's address first; their names are those of Itanium's C++ ABI.
//
//===--------------------------------------------------------------------------===//

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct Queue {
  char backend;
  int32_t isCommandList;
  void *native;
} Queue;

/* A sycl::queue over a queue of the backend: 1 is OpenCL, 2 Level Zero. */
uint64_t standInSyclQueue(int backend, int isCommandList, void *native) {
  Queue *queue = malloc(sizeof *queue);
  queue->backend = (char)backend;
  queue->isCommandList = isCommandList;
  queue->native = native;
  return (uint64_t)(uintptr_t)queue;
}

char getBackend(const Queue *queue) __asm__("_ZNK4sycl3_V15queue11get_backendEv");
char getBackend(const Queue *queue) { return queue->backend; }

uintptr_t getNative(const Queue *queue,
                    int32_t *isCommandList) __asm__("_ZNK4sycl3_V15queue9getNativeERi");
uintptr_t getNative(const Queue *queue, int32_t *isCommandList) {
  *isCommandList = queue->isCommandList;
  /* Of OpenCL's queues it hands out a reference. */
  if (queue->backend == 1) {
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    int (*retain)(void *) = (int (*)(void *))dlsym(library, "clRetainCommandQueue");
    retain(queue->native);
  }
  return (uintptr_t)queue->native;
}
