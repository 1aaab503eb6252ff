//===- CudaLaunchLibrary.cpp - The C interface of launching -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/CudaKernel.h"
#include "runtime/Files.h"
#include "runtime/LastError.h"
#include "runtime/LaunchArguments.h"
#include "tilewright-c/launch.h"

#include <filesystem>

using namespace tilewright;
using namespace tilewright::runtime;

struct TilewrightKernel {
  KernelMetadata metadata;
  /// The code that the driver loads.
  std::string image;
  /// The arguments that are passed, and the bits of the parameters of those that are set.
  std::vector<const KernelArgument *> arguments;
  std::vector<std::vector<uint64_t>> values;
  std::unique_ptr<cuda::LoadedKernel> loaded;
};

/// What the assembler has made of the PTX, if that is there, else the PTX.
static Expected<std::string> readImage(const std::string &base) {
  std::error_code ignored;
  for (const char *suffix : {".cubin", ".ptx"})
    if (std::filesystem::exists(base + suffix, ignored))
      return readFile(base + suffix);
  return makeFileError(base + ".json", "there is no code beside the description",
                       "expected " + base + ".ptx or " + base + ".cubin");
}

static Expected<std::unique_ptr<TilewrightKernel>> openKernel(const std::string &base) {
  Expected<std::string> description = readFile(base + ".json");
  if (!description)
    return description.error();
  Expected<KernelMetadata> metadata = metadataFromJson(*description, base + ".json");
  if (!metadata)
    return metadata.error();
  if (nativeCodeSuffix(metadata->target) != ".ptx")
    return makeFileError(base + ".json",
                         "the kernel '" + metadata->name + "' was compiled for " +
                             metadata->target + ", which this library does not launch",
                         "compile it for a cuda target");
  Expected<std::string> image = readImage(base);
  if (!image)
    return image.error();
  auto kernel = std::make_unique<TilewrightKernel>();
  kernel->metadata = std::move(*metadata);
  kernel->image = std::move(*image);
  for (const KernelArgument &argument : kernel->metadata.arguments)
    if (argument.isPassed())
      kernel->arguments.push_back(&argument);
  kernel->values.resize(kernel->arguments.size());
  return kernel;
}

static const KernelArgument *getArgument(const TilewrightKernel *kernel, int index) {
  return index >= 0 && static_cast<size_t>(index) < kernel->arguments.size()
             ? kernel->arguments[index]
             : nullptr;
}

static int setArgument(TilewrightKernel *kernel, int index, const LaunchArgument &value) {
  const KernelArgument *argument = getArgument(kernel, index);
  if (!argument)
    return fail(makeError("the kernel '" + kernel->metadata.name + "' has no argument " +
                          std::to_string(index) + ": it takes " +
                          std::to_string(kernel->arguments.size())));
  std::vector<uint64_t> words;
  Expected<void> packed = packArgument(*argument, value, words);
  if (packed)
    kernel->values[index] = std::move(words);
  return finish(packed);
}

static Expected<void> load(TilewrightKernel &kernel, int device) {
  if (kernel.loaded && kernel.loaded->getContext().getOrdinal() == device)
    return {};
  auto context = cuda::DeviceContext::open(device);
  if (!context)
    return context.error();
  auto loaded = cuda::LoadedKernel::load(std::move(*context), kernel.metadata, kernel.image);
  if (!loaded)
    return loaded.error();
  kernel.loaded = std::move(*loaded);
  return {};
}

static Expected<void> launch(TilewrightKernel &kernel, Grid grid, cuda::Stream *stream) {
  if (Expected<void> fine = checkGrid(kernel.metadata, grid); !fine)
    return fine;
  std::vector<uint64_t> parameters;
  for (size_t i = 0; i < kernel.values.size(); ++i) {
    if (kernel.values[i].empty())
      return makeError("the argument '" + kernel.arguments[i]->name + "' of '" +
                           kernel.metadata.name + "' is not set",
                       "set argument " + std::to_string(i) + " before the launch");
    parameters.insert(parameters.end(), kernel.values[i].begin(), kernel.values[i].end());
  }
  if (!kernel.loaded)
    if (Expected<void> done = load(kernel, /*device=*/0); !done)
      return done;
  return kernel.loaded->enqueue(grid, parameters, stream);
}

static Expected<int> attributeOf(const TilewrightKernel &kernel, TilewrightAttribute attribute) {
  if (attribute == TILEWRIGHT_THREADS_PER_BLOCK)
    return kernel.metadata.threadsPerBlock();
  if (attribute == TILEWRIGHT_DYNAMIC_SHARED_BYTES)
    return kernel.metadata.dynamicSharedBytes();
  if (attribute == TILEWRIGHT_BLOCKS_PER_PROGRAM)
    return kernel.metadata.numCtas;
  if (attribute < 0 || attribute > TILEWRIGHT_BLOCKS_PER_PROGRAM)
    return makeError("there is no attribute " + std::to_string(attribute));
  if (!kernel.loaded)
    return makeError("the kernel '" + kernel.metadata.name + "' is on no GPU yet",
                     "call tilewright_load before asking for this attribute");
  switch (attribute) {
  case TILEWRIGHT_REGISTERS:
    return kernel.loaded->getAttribute(cuda::functionRegisters);
  case TILEWRIGHT_LOCAL_BYTES:
    return kernel.loaded->getAttribute(cuda::functionLocalBytes);
  case TILEWRIGHT_STATIC_SHARED_BYTES:
    return kernel.loaded->getAttribute(cuda::functionStaticShared);
  case TILEWRIGHT_CONCURRENT_PROGRAMS:
    return kernel.loaded->countConcurrentPrograms();
  default:
    return kernel.loaded->getContext().getAttribute(cuda::deviceMultiprocessors);
  }
}

//===----------------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------------===//

int tilewright_open(const char *folder, const char *name, TilewrightKernel **kernel) {
  auto opened = openKernel(std::string(folder) + "/" + name);
  *kernel = opened ? opened->release() : nullptr;
  return finish(opened);
}

void tilewright_close(TilewrightKernel *kernel) { delete kernel; }

int tilewright_get_argument_count(const TilewrightKernel *kernel) {
  return static_cast<int>(kernel->arguments.size());
}

const char *tilewright_get_argument_name(const TilewrightKernel *kernel, int index) {
  const KernelArgument *argument = getArgument(kernel, index);
  return argument ? argument->name.c_str() : nullptr;
}

const char *tilewright_get_argument_type(const TilewrightKernel *kernel, int index) {
  const KernelArgument *argument = getArgument(kernel, index);
  return argument ? argument->type.c_str() : nullptr;
}

int tilewright_set_pointer(TilewrightKernel *kernel, int index, uint64_t address) {
  return setArgument(kernel, index, DevicePointer{address});
}

int tilewright_set_integer(TilewrightKernel *kernel, int index, int64_t value) {
  return setArgument(kernel, index, value);
}

int tilewright_set_float(TilewrightKernel *kernel, int index, double value) {
  return setArgument(kernel, index, value);
}

int tilewright_set_tensor(TilewrightKernel *kernel, int index, uint64_t address, int rank,
                          const int64_t *shape, const int64_t *strides) {
  if (rank < 1)
    return fail(makeError("a tensor of " + std::to_string(rank) + " dimensions",
                          "pass as many as the descriptor has"));
  return setArgument(kernel, index,
                     TensorView{{address}, {shape, shape + rank}, {strides, strides + rank}});
}

int tilewright_load(TilewrightKernel *kernel, int device) { return finish(load(*kernel, device)); }

int tilewright_launch(TilewrightKernel *kernel, uint32_t x, uint32_t y, uint32_t z, void *stream) {
  return finish(launch(*kernel, {x, y, z}, static_cast<cuda::Stream *>(stream)));
}

int tilewright_get_attribute(TilewrightKernel *kernel, TilewrightAttribute attribute, int *value) {
  Expected<int> found = attributeOf(*kernel, attribute);
  if (found)
    *value = *found;
  return finish(found);
}
