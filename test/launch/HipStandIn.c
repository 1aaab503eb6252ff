//===- HipStandIn.c - A libamdhip64.so that records launches ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Stands in for AMD's driver where there is no GPU of AMD's: two devices, whose memory is the
// host's. A launch of saxpy(x, y, a, n) is computed, with arguments of the sizes that the driver
// takes them in; of what the library calls a log is kept (Record.h).
//
// An image is the name of a module up to its first space, or an HSACO, "elf". One that begins with
// "refuse" is for another GPU.
//
//===--------------------------------------------------------------------------===//

#include "test/launch/Record.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct Module {
  char name[32];
} Module;

static int current = 0;

int hipInit(unsigned flags) { return flags; }
const char *hipGetErrorString(int status) {
  return status == 209 ? "no kernel image is available for execution on the device" : "failure";
}
int hipGetDeviceCount(int *count) {
  *count = 2;
  return 0;
}
int hipGetDevice(int *device) {
  *device = current;
  return 0;
}
int hipSetDevice(int device) {
  record("device %d\n", device);
  current = device;
  return 0;
}
int hipDeviceGetName(char *name, int bytes, int device) {
  snprintf(name, (size_t)bytes, "Stand-in %d", device);
  return 0;
}
/* Of the structure of ROCm 6 and later only the architecture, with features as the driver has them.
 */
int hipGetDevicePropertiesR0600(void *properties, int device) {
  if (device < 0 || device > 1)
    return 101;
  strcpy((char *)properties + 1160, device == 0 ? "gfx1201:xnack-" : "gfx906");
  return 0;
}
int hipGetDeviceProperties(void *properties, int device) {
  (void)properties;
  (void)device;
  return 1;
}
int hipDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 63 ? 10 + device : -1;
  return 0;
}

int hipModuleLoadData(void **module, const void *image) {
  const char *bytes = image;
  if (strncmp(bytes, "refuse", 6) == 0)
    return 209;
  Module *made = calloc(1, sizeof *made);
  if (memcmp(bytes, "\177ELF", 4) == 0)
    strcpy(made->name, "elf");
  else
    sscanf(bytes, "%31s", made->name);
  record("load %s on %d\n", made->name, current);
  *module = made;
  return 0;
}
int hipModuleUnload(void *module) {
  record("unload %s\n", ((Module *)module)->name);
  free(module);
  return 0;
}
int hipModuleGetFunction(void **function, void *module, const char *name) {
  (void)name;
  *function = module;
  return 0;
}
int hipFuncGetAttribute(int *value, int attribute, void *function) {
  (void)function;
  *value = attribute == 4 ? 32 : 0;
  return 0;
}
int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads,
                                                       size_t shared) {
  (void)function;
  (void)shared;
  *blocks = 1024 / threads;
  return 0;
}

int hipModuleLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ,
                          unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
                          void *stream, void **parameters, void **extra) {
  float *x, *y, a;
  int32_t n;
  memcpy(&x, parameters[0], sizeof x);
  memcpy(&y, parameters[1], sizeof y);
  memcpy(&a, parameters[2], sizeof a);
  memcpy(&n, parameters[3], sizeof n);
  record("launch %s on %d: grid %u %u %u, block %u %u %u, shared %u, stream %d, extra %d, a %g, n "
         "%d\n",
         ((Module *)function)->name, current, gridX, gridY, gridZ, blockX, blockY, blockZ, shared,
         (int)(intptr_t)stream, extra != NULL, a, n);
  for (int i = 0; x && i < n; ++i)
    y[i] += a * x[i];
  return 0;
}

int hipModuleLaunchCooperativeKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                     unsigned blockX, unsigned blockY, unsigned blockZ,
                                     unsigned shared, void *stream, void **parameters) {
  record("together: ");
  return hipModuleLaunchKernel(function, gridX, gridY, gridZ, blockX, blockY, blockZ, shared,
                               stream, parameters, NULL);
}

int hipMalloc(void **address, size_t bytes) {
  *address = aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *address ? 0 : 2;
}
int hipMemcpyHtoD(void *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
  return 0;
}
int hipMemcpyDtoH(void *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
  return 0;
}
