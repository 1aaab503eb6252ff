//===- LaunchLibrary.cpp - The C interface of launching -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/files/Files.h"
#include "runtime/launch/LastError.h"
#include "runtime/launch/LaunchArguments.h"
#include "runtime/launch/NativeKernel.h"
#include "tilewright-c/launch.h"
#include "tilewright/HostArray.h"

#include <cstring>
#include <filesystem>

using namespace tilewright;
using namespace tilewright::runtime;

struct TilewrightKernel {
  KernelMetadata metadata;
  /// The code that the driver loads, and the driver.
  std::string image;
  const NativeDriver *driver = nullptr;
  /// The arguments that are passed, and the bits of the parameters of those that are set.
  std::vector<const KernelArgument *> arguments;
  std::vector<std::vector<uint64_t>> values;
  /// Those of one argument, while it is set.
  std::vector<uint64_t> packed;
  /// How many parameters all have.
  size_t wordCount = 0;
  std::unique_ptr<NativeKernel> loaded;
  /// The GPU that it is to be on.
  int device = 0;
};

/// The file that the driver prefers of those that are there.
static Expected<std::string> readImage(const std::string &base, const NativeDriver &driver) {
  std::error_code ignored;
  std::string expected;
  for (std::string_view suffix : driver.suffixes) {
    const std::string file = base + std::string(suffix);
    if (std::filesystem::exists(file, ignored))
      return readFile(file);
    expected += (expected.empty() ? "expected " : " or ") + file;
  }
  return makeFileError(base + ".json", "there is no code beside the description", expected);
}

/// `where` is named in errors. The code is yet to come.
static Expected<std::unique_ptr<TilewrightKernel>> describe(std::string_view description,
                                                            const std::string &where) {
  Expected<KernelMetadata> metadata = metadataFromJson(description, where);
  if (!metadata)
    return metadata.error();
  auto kernel = std::make_unique<TilewrightKernel>();
  kernel->metadata = std::move(*metadata);
  kernel->driver = nativeDriverOf(kernel->metadata.target);
  if (!kernel->driver)
    return makeFileError(where, "the kernel '" + kernel->metadata.name + "' was compiled for " +
                                    kernel->metadata.target + ", which no driver is known for");
  for (const KernelArgument &argument : kernel->metadata.arguments)
    if (argument.isPassed())
      kernel->arguments.push_back(&argument);
  kernel->values.resize(kernel->arguments.size());
  kernel->wordCount = parametersOf(kernel->metadata).size();
  return kernel;
}

static Expected<std::unique_ptr<TilewrightKernel>> openKernel(const std::string &base) {
  Expected<std::string> description = readFile(base + ".json");
  if (!description)
    return description.error();
  auto kernel = describe(*description, base + ".json");
  if (!kernel)
    return kernel;
  Expected<std::string> image = readImage(base, *(*kernel)->driver);
  if (!image)
    return image.error();
  (*kernel)->image = std::move(*image);
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
  kernel->packed.clear();
  Expected<void> done = packArgument(*argument, value, kernel->packed);
  if (done)
    kernel->values[index] = kernel->packed;
  return finish(done);
}

static Expected<void> load(TilewrightKernel &kernel, const Place &place) {
  if (kernel.loaded && kernel.loaded->isFor(place))
    return {};
  auto loaded = kernel.driver->load(kernel.metadata, kernel.image, place);
  if (!loaded)
    return loaded.error();
  kernel.loaded = std::move(*loaded);
  kernel.device = place.device;
  return {};
}

static Expected<void> enqueue(TilewrightKernel &kernel, const LaunchGrid &grid, void *stream,
                              std::span<const uint64_t> words) {
  if (Expected<void> done = load(kernel, {kernel.device, stream}); !done)
    return done;
  return kernel.loaded->enqueue(grid, words, stream);
}

static Expected<void> launch(TilewrightKernel &kernel, Grid grid, void *stream,
                             std::span<const uint64_t> words) {
  Expected<LaunchGrid> blocks = gridFor(kernel.metadata, grid);
  if (!blocks)
    return blocks.error();
  return enqueue(kernel, *blocks, stream, words);
}

/// With the arguments that are set.
static Expected<void> launch(TilewrightKernel &kernel, Grid grid, void *stream) {
  // In the order of checks: what is wrong with the grid comes first.
  Expected<LaunchGrid> blocks = gridFor(kernel.metadata, grid);
  if (!blocks)
    return blocks.error();
  std::vector<uint64_t> words;
  words.reserve(kernel.wordCount);
  for (size_t i = 0; i < kernel.values.size(); ++i) {
    if (kernel.values[i].empty())
      return makeError("the argument '" + kernel.arguments[i]->name + "' of '" +
                           kernel.metadata.name + "' is not set",
                       "set argument " + std::to_string(i) + " before the launch");
    words.insert(words.end(), kernel.values[i].begin(), kernel.values[i].end());
  }
  return enqueue(kernel, *blocks, stream, words);
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
    return kernel.loaded->getAttribute(KernelAttribute::Registers);
  case TILEWRIGHT_LOCAL_BYTES:
    return kernel.loaded->getAttribute(KernelAttribute::LocalBytes);
  case TILEWRIGHT_STATIC_SHARED_BYTES:
    return kernel.loaded->getAttribute(KernelAttribute::StaticSharedBytes);
  case TILEWRIGHT_CONCURRENT_PROGRAMS:
    return kernel.loaded->getAttribute(KernelAttribute::ConcurrentPrograms);
  default:
    return kernel.loaded->getAttribute(KernelAttribute::Multiprocessors);
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

int tilewright_open_memory(const char *description, const void *code, size_t code_bytes,
                           TilewrightKernel **kernel) {
  auto opened = describe(description, "the description");
  if (opened)
    (*opened)->image.assign(static_cast<const char *>(code), code_bytes);
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

int tilewright_load(TilewrightKernel *kernel, int device) {
  return finish(load(*kernel, {device, nullptr}));
}

int tilewright_launch(TilewrightKernel *kernel, uint32_t x, uint32_t y, uint32_t z, void *stream) {
  return finish(launch(*kernel, {x, y, z}, stream));
}

int tilewright_launch_words(TilewrightKernel *kernel, uint32_t x, uint32_t y, uint32_t z,
                            void *stream, const uint64_t *words, int count) {
  if (count < 0 || static_cast<size_t>(count) != kernel->wordCount)
    return fail(makeError("the kernel '" + kernel->metadata.name + "' takes " +
                          std::to_string(kernel->wordCount) + " words and got " +
                          std::to_string(count)));
  return finish(launch(*kernel, {x, y, z}, stream, {words, kernel->wordCount}));
}

int tilewright_round(const char *type, double value, uint64_t *word) {
  const std::optional<ElementType> found = elementTypeNamed(type);
  if (!found || !isFloat(*found))
    return fail(makeError("'" + std::string(type) + "' is no floating-point type of an argument"));
  HostArray number(*found, {});
  number.set(0, value);
  *word = 0;
  std::memcpy(word, number.bytes.data(), number.bytes.size());
  return 0;
}

int tilewright_get_attribute(TilewrightKernel *kernel, TilewrightAttribute attribute, int *value) {
  Expected<int> found = attributeOf(*kernel, attribute);
  if (found)
    *value = *found;
  return finish(found);
}
