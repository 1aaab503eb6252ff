//===- CudaKernel.cpp - Kernels on a GPU of NVIDIA's --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/cuda/CudaKernel.h"

#include <algorithm>
#include <array>
#include <bit>

using namespace tilewright;
using namespace tilewright::runtime;
using namespace tilewright::runtime::cuda;

/// What a block may use without asking for more.
static constexpr int plainSharedBytes = 48 * 1024;

Expected<std::unique_ptr<LoadedKernel>>
LoadedKernel::load(std::shared_ptr<const DeviceContext> context, const KernelMetadata &metadata,
                   const std::string &image) {
  if (nativeCodeSuffix(metadata.target) != ".ptx")
    return makeError("the kernel '" + metadata.name + "' was compiled for " + metadata.target +
                         " and cannot run on " + context->getName(),
                     "compile it for a cuda target");
  if (image.empty())
    return makeError("there is no PTX for the kernel '" + metadata.name + "'");
  std::unique_ptr<LoadedKernel> kernel(new LoadedKernel(std::move(context), metadata));
  if (Expected<void> done = kernel->loadModule(metadata.target, image); !done)
    return done.error();
  if (metadata.sharedBytes > plainSharedBytes)
    if (Expected<void> done = kernel->allowSharedMemory(metadata.sharedBytes); !done)
      return done.error();
  return kernel;
}

LoadedKernel::~LoadedKernel() {
  // What the driver thinks of this has no one left to hear it.
  if (module)
    (void)context->use([&] { return context->getDriver().moduleUnload(module); }, "unloading")
        .
        operator bool();
}

Expected<void> LoadedKernel::loadModule(const std::string &target, const std::string &image) {
  const Driver &driver = context->getDriver();
  const std::string what = "loading '" + name + "'";
  std::string log(16384, '\0');
  int options[] = {jitErrorLog, jitErrorLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  if (Expected<void> done = context->use(
          [&] { return driver.moduleLoad(&module, image.c_str(), 2, options, values); }, what);
      !done) {
    Diagnostic error = done.error();
    log.resize(std::min(log.find('\0'), log.size()));
    while (!log.empty() && log.back() == '\n')
      log.pop_back();
    if (!log.empty())
      error.message += "\n" + log;
    error.remedy = "the kernel was compiled for " + target;
    return error;
  }
  return context->use([&] { return driver.moduleGetFunction(&function, module, name.c_str()); },
                      what);
}

Expected<void> LoadedKernel::allowSharedMemory(int bytes) {
  Expected<int> most = context->getAttribute(deviceSharedPerBlockOptIn);
  if (!most)
    return most.error();
  if (bytes > *most)
    return makeError("the kernel '" + name + "' needs " + std::to_string(bytes) +
                         " bytes of shared memory, " + context->getName() + " has " +
                         std::to_string(*most),
                     "use smaller tiles or fewer stages");
  return context->use(
      [&] {
        return context->getDriver().functionSetAttribute(function, functionMaxDynamicShared, bytes);
      },
      "loading '" + name + "'");
}

/// CUtensorMapSwizzle: 0 for none, 1 to 3 for 32, 64 and 128 bytes.
static int swizzleNumber(int bytes) { return bytes ? std::countr_zero(unsigned(bytes)) - 4 : 0; }

Expected<TensorMapBytes> LoadedKernel::encode(const TensorMap &map) const {
  const TensorMapRecipe &recipe = *map.recipe;
  // One that there is: makeTensorMaps has looked.
  const int element = *tensorMapElementNumber(recipe.element);
  constexpr int noInterleave = 0, promotionOf128Bytes = 2;
  const std::vector<uint32_t> box(recipe.box.begin(), recipe.box.end());
  const std::vector<uint32_t> elementStrides(box.size(), 1);
  // One more than it needs: the driver refuses a null pointer where there are none.
  std::vector<uint64_t> strides = map.strides;
  strides.push_back(0);
  const Driver &driver = context->getDriver();
  TensorMapBytes encoded;
  // The driver checks the address, for which it needs the context of the memory.
  auto encodeTiled = [&] {
    return driver.tensorMapEncodeTiled(
        &encoded, element, static_cast<unsigned>(box.size()), reinterpret_cast<void *>(map.address),
        map.sizes.data(), strides.data(), box.data(), elementStrides.data(), noInterleave,
        swizzleNumber(recipe.swizzleBytes), promotionOf128Bytes, recipe.fillsNan);
  };
  auto what = [&] { return "making a tensor map for '" + name + "'"; };
  if (Expected<void> made = context->use(encodeTiled, what); !made) {
    Diagnostic error = made.error();
    error.remedy = "the sizes, strides and box are those of NAME.json, launch.tensor_maps";
    return error;
  }
  return encoded;
}

Expected<void> LoadedKernel::encodeTensorMaps(std::span<const uint64_t> parameters) {
  if (metadata.tensorMaps.empty() || std::ranges::equal(mappedParameters, parameters))
    return {};
  if (!context->getDriver().tensorMapEncodeTiled)
    return makeError("the CUDA driver is too old: it lacks cuTensorMapEncodeTiled, which '" + name +
                         "' needs",
                     "install a driver of CUDA 12, or compile the kernel with --launch plain");
  Expected<std::vector<TensorMap>> maps = makeTensorMaps(metadata, parameters);
  if (!maps)
    return maps.error();
  mappedParameters.clear();
  tensorMaps.clear();
  for (const TensorMap &map : *maps) {
    Expected<TensorMapBytes> encoded = encode(map);
    if (!encoded)
      return encoded.error();
    tensorMaps.push_back(*encoded);
  }
  mappedParameters.assign(parameters.begin(), parameters.end());
  return {};
}

bool LoadedKernel::needsAttributes() const {
  return metadata.numCtas > 1 || metadata.isCooperative || metadata.isProgrammatic;
}

LaunchConfig LoadedKernel::configure(const LaunchGrid &grid, Stream *stream,
                                     LaunchAttributes &attributes) const {
  unsigned count = 0;
  auto add = [&](int id, uint32_t value) -> LaunchAttribute & {
    attributes[count] = {.id = id, .value = {value}};
    return attributes[count++];
  };
  if (grid.clusterBlocks > 1) {
    LaunchAttribute &cluster = add(launchClusterDimension, grid.clusterBlocks);
    cluster.value[1] = cluster.value[2] = 1;
  }
  if (metadata.isCooperative)
    add(launchCooperative, 1);
  if (metadata.isProgrammatic)
    add(launchProgrammatic, 1);
  LaunchConfig config;
  config.gridX = grid.blocks.x;
  config.gridY = grid.blocks.y;
  config.gridZ = grid.blocks.z;
  config.blockX = static_cast<unsigned>(metadata.threadsPerBlock());
  config.sharedBytes = sharedBytes;
  config.stream = stream;
  config.attributes = attributes.data();
  config.attributeCount = count;
  return config;
}

Expected<int> LoadedKernel::countConcurrentPrograms() const {
  const Driver &driver = context->getDriver();
  const std::string what = "counting the blocks of '" + name + "' that fit";
  int count = 0;
  if (metadata.numCtas > 1) {
    if (!driver.occupancyClusters)
      return makeError("the CUDA driver is too old: it lacks cuOccupancyMaxActiveClusters",
                       "install a driver of CUDA 12");
    LaunchAttributes attributes;
    const LaunchConfig config = configure(*gridFor(metadata, {1, 1, 1}), nullptr, attributes);
    if (Expected<void> done =
            context->use([&] { return driver.occupancyClusters(&count, function, &config); }, what);
        !done)
      return done.error();
    return count;
  }
  Expected<int> multiprocessors = context->getAttribute(deviceMultiprocessors);
  if (!multiprocessors)
    return multiprocessors;
  if (Expected<void> done = context->use(
          [&] {
            return driver.occupancyBlocks(&count, function, metadata.threadsPerBlock(),
                                          size_t(sharedBytes));
          },
          what);
      !done)
    return done.error();
  return count * *multiprocessors;
}

Expected<void> LoadedKernel::enqueue(const LaunchGrid &grid, std::span<const uint64_t> parameters,
                                     Stream *stream) {
  if (Expected<void> made = encodeTensorMaps(parameters); !made)
    return made;
  // The driver takes as many bytes from each address as the parameter's type has. Most kernels have
  // few parameters, for which no memory is asked for.
  constexpr size_t fewParameters = 32;
  const size_t count = parameters.size() + tensorMaps.size() + 1 + foreignParameters;
  std::array<void *, fewParameters> few;
  std::vector<void *> many(count > fewParameters ? count : 0);
  void **addresses = many.empty() ? few.data() : many.data(), **next = addresses;
  for (const uint64_t &parameter : parameters)
    *next++ = const_cast<uint64_t *>(&parameter);
  for (TensorMapBytes &map : tensorMaps)
    *next++ = &map;
  uint64_t none = 0;
  for (size_t i = 0; i < foreignParameters; ++i)
    next[i] = &none;
  const Driver &driver = context->getDriver();
  if (needsAttributes() && !driver.launchKernelEx)
    return makeError("the CUDA driver is too old: it lacks cuLaunchKernelEx, which '" + name +
                         "' needs",
                     "install a driver of CUDA 12, or compile the kernel without clusters "
                     "(num_ctas), launch_cooperative_grid and launch_pdl");
  auto launch = [&] {
    if (!needsAttributes())
      return driver.launchKernel(function, grid.blocks.x, grid.blocks.y, grid.blocks.z,
                                 metadata.threadsPerBlock(), 1, 1, sharedBytes, stream, addresses,
                                 nullptr);
    LaunchAttributes attributes;
    const LaunchConfig config = configure(grid, stream, attributes);
    return driver.launchKernelEx(&config, function, addresses, nullptr);
  };
  auto what = [&] { return "running '" + name + "'"; };
  if (!grid.scratchBytes)
    return context->use(launch, what);
  // In the stream's order: memory of this launch alone, which others may have after it.
  Address scratch = 0;
  if (Expected<void> done = context->use(
          [&] { return driver.memoryAllocateAsync(&scratch, grid.scratchBytes, stream); }, what);
      !done)
    return done;
  *next = &scratch;
  Expected<void> launched = context->use(launch, what);
  Expected<void> freed =
      context->use([&] { return driver.memoryFreeAsync(scratch, stream); }, what);
  return launched ? freed : launched;
}

Expected<int> LoadedKernel::getAttribute(int attribute) const {
  int value = 0;
  if (Expected<void> done = context->use(
          [&] { return context->getDriver().functionGetAttribute(&value, attribute, function); },
          "asking for an attribute of '" + name + "'");
      !done)
    return done.error();
  return value;
}
