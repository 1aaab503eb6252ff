// A CUDA driver without a GPU, for tests: libcuda.so.1 with what src/runtime/cuda/CudaDriver.cpp
// asks for. It notes the last launch and does nothing else.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct Record {
  uint64_t launches, grid[3], threads, sharedBytes, stream;
  // The first eight parameters, eight bytes from each address.
  uint64_t parameters[8];
  // Of cuLaunchKernelEx: the first word of each attribute by its number, 0 for none.
  uint64_t attributes[16];
};
static struct Record record;

// How many parameters a launch has, which the driver knows of a kernel and this one does not.
static int parameterCount;

struct Record *getRecord(void) { return &record; }
void setParameterCount(int count) { parameterCount = count; }

static int fine(void) { return 0; }
static char handle;
static void *current;

#define FINE(name) int name(void) __attribute__((alias("fineAlias")));
int fineAlias(void) { return fine(); }
FINE(cuInit)
FINE(cuDevicePrimaryCtxRelease_v2)
FINE(cuCtxSynchronize)
FINE(cuMemFree_v2)
FINE(cuMemFreeAsync)
FINE(cuMemcpyHtoD_v2)
FINE(cuMemcpyDtoH_v2)
FINE(cuMemsetD8_v2)
FINE(cuModuleUnload)
FINE(cuFuncSetAttribute)
FINE(cuOccupancyMaxActiveBlocksPerMultiprocessor)
FINE(cuEventDestroy_v2)
FINE(cuEventRecord)
FINE(cuEventSynchronize)

int cuGetErrorString(int status, const char **text) {
  *text = status == 701 ? "too many resources requested for launch" : "an error";
  return 0;
}
int cuDeviceGetCount(int *count) { return *count = 2, 0; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetName(char *name, int bytes, int device) {
  (void)device;
  strncpy(name, "a recording driver", (size_t)bytes);
  return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  (void)device;
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 97 ? 227 * 1024 : 1;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  (void)device;
  return *context = &handle, 0;
}
int cuCtxGetCurrent(void **context) { return *context = current, 0; }
int cuCtxPushCurrent_v2(void *context) { return current = context, 0; }
int cuCtxPopCurrent_v2(void **context) { return *context = current, current = NULL, 0; }
int cuMemAlloc_v2(uint64_t *address, size_t bytes) { return (void)bytes, *address = 4096, 0; }
int cuMemAllocAsync(uint64_t *address, size_t bytes, void *stream) {
  (void)bytes, (void)stream;
  return *address = 4096, 0;
}
int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                       void **values) {
  (void)image, (void)count, (void)options, (void)values;
  return *module = &handle, 0;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  (void)module, (void)name;
  return *function = &handle, 0;
}
int cuFuncGetAttribute(int *value, int attribute, void *function) {
  (void)function;
  return *value = attribute == 4 ? 42 : attribute == 3 ? 16 : 0, 0;
}
int cuEventCreate(void **event, unsigned flags) { return (void)flags, *event = &handle, 0; }
int cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  (void)begin, (void)end;
  return *milliseconds = 1.5f, 0;
}
int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned threads,
                   unsigned threadsY, unsigned threadsZ, unsigned sharedBytes, void *stream,
                   void **parameters, void **extra) {
  (void)function, (void)threadsY, (void)threadsZ, (void)extra;
  if (x == 777)
    return 701;
  ++record.launches;
  memset(record.attributes, 0, sizeof record.attributes);
  record.grid[0] = x, record.grid[1] = y, record.grid[2] = z;
  record.threads = threads;
  record.sharedBytes = sharedBytes;
  record.stream = (uint64_t)stream;
  for (int i = 0; i < parameterCount; ++i)
    record.parameters[i] = *(uint64_t *)parameters[i];
  return 0;
}

struct Attribute {
  int id, padding;
  uint32_t value[16];
};
struct Config {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  struct Attribute *attributes;
  unsigned attributeCount;
};
int cuLaunchKernelEx(const struct Config *config, void *function, void **parameters, void **extra) {
  const int status = cuLaunchKernel(function, config->grid[0], config->grid[1], config->grid[2],
                                    config->block[0], config->block[1], config->block[2],
                                    config->sharedBytes, config->stream, parameters, extra);
  for (unsigned i = 0; status == 0 && i < config->attributeCount; ++i)
    record.attributes[config->attributes[i].id] = config->attributes[i].value[0];
  return status;
}
