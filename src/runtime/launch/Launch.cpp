//===- Launch.cpp - Argument checks and launches ------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/launch/LaunchArguments.h"
#include "runtime/launch/LaunchGrid.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>

using namespace tilewright;
using namespace tilewright::runtime;

Kernel::~Kernel() = default;
Device::~Device() = default;

/// What an argument is, for messages.
static std::string describe(const LaunchArgument &argument) {
  if (std::holds_alternative<DevicePointer>(argument))
    return "an array";
  if (auto *integer = std::get_if<int64_t>(&argument))
    return "the integer " + std::to_string(*integer);
  if (auto *view = std::get_if<TensorView>(&argument))
    return "a tensor of " + std::to_string(view->shape.size()) +
           (view->shape.size() == 1 ? " dimension" : " dimensions");
  return "a floating-point number";
}

TensorView runtime::viewOf(DevicePointer pointer, std::vector<int64_t> shape) {
  TensorView view{pointer, std::move(shape), {}};
  view.strides.resize(view.shape.size());
  int64_t stride = 1;
  for (size_t dim = view.shape.size(); dim-- > 0; stride *= view.shape[dim])
    view.strides[dim] = stride;
  return view;
}

std::vector<KernelParameter> runtime::parametersOf(const KernelMetadata &kernel) {
  std::vector<KernelParameter> parameters;
  for (const KernelArgument &argument : kernel.arguments) {
    if (!argument.isPassed())
      continue;
    if (!argument.isDescriptor()) {
      parameters.push_back({&argument, argument.type});
      continue;
    }
    parameters.push_back({&argument, "*" + std::string(argument.elementType())});
    for (size_t dim = 0; dim < argument.rank(); ++dim)
      parameters.push_back({&argument, "i32", "size " + std::to_string(dim)});
    for (size_t dim = 0; dim < argument.rank(); ++dim)
      parameters.push_back({&argument, "i64", "stride " + std::to_string(dim)});
  }
  return parameters;
}

/// Whether the type holds the integer. Unsigned ones from 2^63 on are given by their bits, as
/// negative ones.
static bool fits(int64_t value, ElementType type) {
  if (type == ElementType::Bool)
    return value == 0 || value == 1;
  if (sizeOf(type) == 8)
    return true;
  int bits = static_cast<int>(sizeOf(type)) * 8;
  return isSignedInteger(type)
             ? value >= -(int64_t(1) << (bits - 1)) && value < int64_t(1) << (bits - 1)
             : value >= 0 && value < int64_t(1) << bits;
}

/// The bits of one element in the low bytes of a word.
static uint64_t bitsOf(const HostArray &element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element.bytes.data(), element.bytes.size());
  return bits;
}

/// Of an argument that is one parameter.
static Expected<uint64_t> packOne(const KernelArgument &expected, const LaunchArgument &argument) {
  auto wrong = [&](const std::string &got, const std::string &remedy = {}) {
    return makeError(
        "the argument '" + expected.name + "' of type " + expected.type + " got " + got, remedy);
  };
  auto divides = [&](uint64_t value) { return value % std::max(expected.divisibility, 1) == 0; };
  // Made where it is needed: arguments are packed for every launch.
  auto promise = [&] {
    const std::string divisor = std::to_string(expected.divisibility);
    return "the kernel was compiled for multiples of " + divisor +
           " here: leave the hint \":" + divisor + "\" out of its signature";
  };

  if (auto *pointer = std::get_if<DevicePointer>(&argument)) {
    if (!expected.isPointer())
      return wrong("an array");
    if (!divides(pointer->address))
      return wrong("an address that is no multiple of " + std::to_string(expected.divisibility),
                   promise());
    return pointer->address;
  }
  if (expected.isPointer() || std::holds_alternative<TensorView>(argument))
    return wrong(describe(argument),
                 expected.isPointer() ? "pass the address of an array" : "pass a number");
  std::optional<ElementType> type = elementTypeNamed(expected.type);
  if (!type)
    return wrong(describe(argument), "this type cannot be passed at launch");

  // The types that most numbers have need no array to be converted.
  if (auto *number = std::get_if<double>(&argument); number && *type == ElementType::Float32)
    return std::bit_cast<uint32_t>(static_cast<float>(*number));
  if (auto *integer = std::get_if<int64_t>(&argument); integer && !isFloat(*type)) {
    if (!fits(*integer, *type))
      return wrong(describe(argument) + ", which does not fit");
    const auto bits = static_cast<uint64_t>(*integer);
    if (!divides(bits))
      return wrong(describe(argument), promise());
    return bits & ~uint64_t(0) >> (64 - 8 * sizeOf(*type));
  }
  HostArray element(*type, {});
  if (auto *number = std::get_if<double>(&argument)) {
    if (!isFloat(*type))
      return wrong(describe(argument));
    element.set(0, *number);
    return bitsOf(element);
  }
  element.setInteger(0, std::get<int64_t>(argument));
  return bitsOf(element);
}

/// The address, the sizes and the strides of a tensor.
static Expected<void> packTensor(const KernelArgument &expected, const LaunchArgument &argument,
                                 std::vector<uint64_t> &words) {
  auto wrong = [&](const std::string &got, const std::string &remedy) {
    return makeError(
        "the argument '" + expected.name + "' of type " + expected.type + " got " + got, remedy);
  };
  auto *view = std::get_if<TensorView>(&argument);
  const size_t rank = expected.rank();
  if (!view || view->shape.size() != rank || view->strides.size() != rank)
    return wrong(describe(argument), "pass a tensor of " + std::to_string(rank) +
                                         (rank == 1 ? " dimension" : " dimensions") +
                                         " with its sizes and strides");
  const std::optional<ElementType> type = elementTypeNamed(expected.elementType());
  if (!type)
    return wrong(describe(argument), "tensors of this type cannot be passed at launch");
  if (view->strides.back() != 1)
    return wrong("a tensor with a last stride of " + std::to_string(view->strides.back()),
                 "the elements of a row lie side by side: make the tensor contiguous");
  const auto divisibility = static_cast<uint64_t>(std::max(expected.divisibility, 1));
  const std::string promise = "blocks are copied from rows that begin at multiples of " +
                              std::to_string(divisibility) +
                              " bytes: pad the rows, or access the tensor through pointers";
  if (view->pointer.address % divisibility != 0)
    return wrong("an address that is no multiple of " + std::to_string(divisibility), promise);
  words.push_back(view->pointer.address);
  const uint64_t rowBytes = static_cast<uint64_t>(view->shape.back()) * sizeOf(*type);
  if (expected.type.ends_with(":16") && rowBytes % divisibility != 0)
    return wrong("a tensor with rows of " + std::to_string(rowBytes) +
                     " bytes, which is no multiple of " + std::to_string(divisibility),
                 "the kernel was compiled for rows that are: leave :16 out of its signature");
  for (size_t dim = 0; dim < rank; ++dim) {
    if (view->shape[dim] < 0 || !fits(view->shape[dim], ElementType::Int32))
      return wrong("a tensor with " + std::to_string(view->shape[dim]) + " elements in dimension " +
                       std::to_string(dim),
                   "a dimension has 0 to 2^31 - 1");
    words.push_back(static_cast<uint64_t>(view->shape[dim]));
  }
  for (size_t dim = 0; dim < rank; ++dim) {
    const int64_t stride = view->strides[dim];
    const uint64_t bytes = static_cast<uint64_t>(stride) * sizeOf(*type);
    if (dim + 1 < rank && bytes % divisibility != 0)
      return wrong("a tensor with a stride of " + std::to_string(stride) +
                       " elements in dimension " + std::to_string(dim) + ", " +
                       std::to_string(bytes) + " bytes, which is no multiple of " +
                       std::to_string(divisibility),
                   promise);
    words.push_back(static_cast<uint64_t>(stride));
  }
  return {};
}

Expected<void> runtime::packArgument(const KernelArgument &expected, const LaunchArgument &argument,
                                     std::vector<uint64_t> &words) {
  if (expected.isDescriptor())
    return packTensor(expected, argument, words);
  Expected<uint64_t> word = packOne(expected, argument);
  if (!word)
    return word.error();
  words.push_back(*word);
  return {};
}

Expected<LaunchGrid> runtime::gridFor(const KernelMetadata &kernel, Grid programs,
                                      GridLimits limits) {
  if (programs.x == 0 || programs.y == 0 || programs.z == 0)
    return makeError("the grid of '" + kernel.name + "' is empty", "give every extent at least 1");
  const auto clusterBlocks = static_cast<unsigned>(kernel.numCtas);
  const uint32_t maxX = limits.x / clusterBlocks;
  if (programs.x > maxX || programs.y > limits.y || programs.z > limits.z)
    return makeError("the grid of '" + kernel.name + "' is too large",
                     "x goes up to " + std::to_string(maxX) + ", y " +
                         (limits.y == limits.z ? "and z up to " + std::to_string(limits.y)
                                               : "up to " + std::to_string(limits.y) +
                                                     " and z up to " + std::to_string(limits.z)));
  LaunchGrid grid = {programs, programs, clusterBlocks};
  grid.blocks.x *= clusterBlocks;
  grid.scratchBytes =
      size_t(kernel.globalScratchBytes) * grid.blocks.x * grid.blocks.y * grid.blocks.z;
  return grid;
}

Expected<std::vector<uint64_t>> runtime::packArguments(const KernelMetadata &metadata, Grid grid,
                                                       std::span<const LaunchArgument> arguments) {
  if (Expected<LaunchGrid> launch = gridFor(metadata, grid); !launch)
    return launch.error();
  size_t wanted = std::count_if(metadata.arguments.begin(), metadata.arguments.end(),
                                [](const KernelArgument &argument) { return argument.isPassed(); });
  if (wanted != arguments.size())
    return makeError("the kernel '" + metadata.name + "' takes " + std::to_string(wanted) +
                     " arguments and got " + std::to_string(arguments.size()));
  std::vector<uint64_t> packed;
  size_t next = 0;
  for (const KernelArgument &argument : metadata.arguments)
    if (argument.isPassed())
      if (Expected<void> fine = packArgument(argument, arguments[next++], packed); !fine)
        return fine.error();
  return packed;
}

Expected<void> Device::launch(Kernel &kernel, Grid grid,
                              std::span<const LaunchArgument> arguments) {
  Expected<std::vector<uint64_t>> packed = packArguments(kernel.metadata(), grid, arguments);
  if (!packed)
    return packed.error();
  return launchPacked(kernel, grid, *packed);
}

Expected<double> Device::timePacked(Kernel &kernel, Grid grid,
                                    std::span<const uint64_t> parameters) {
  auto begin = std::chrono::steady_clock::now();
  if (Expected<void> done = launchPacked(kernel, grid, parameters); !done)
    return done.error();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

Expected<std::vector<double>> Device::measure(Kernel &kernel, Grid grid,
                                              std::span<const LaunchArgument> arguments, int warmup,
                                              int repeats, Caches caches) {
  Expected<std::vector<uint64_t>> packed = packArguments(kernel.metadata(), grid, arguments);
  if (!packed)
    return packed.error();
  for (int i = 0; i < warmup; ++i)
    if (Expected<void> done = launchPacked(kernel, grid, *packed); !done)
      return done.error();
  std::vector<double> durations;
  for (int i = 0; i < std::max(repeats, 1); ++i) {
    if (caches == Caches::Cleared)
      if (Expected<void> done = clearCaches(); !done)
        return done.error();
    Expected<double> duration = timePacked(kernel, grid, *packed);
    if (!duration)
      return duration.error();
    durations.push_back(*duration);
  }
  return durations;
}

namespace {
/// A launch's arguments on the device; their memory is given back at the end of a scope.
class DeviceArguments {
public:
  explicit DeviceArguments(Device &device) : device(device) {}
  DeviceArguments(const DeviceArguments &) = delete;
  ~DeviceArguments() {
    // What the device thinks of this has no one left to hear it.
    for (DevicePointer pointer : pointers)
      (void)device.free(pointer).operator bool();
  }

  Expected<void> copyIn(const KernelMetadata &metadata, std::span<const ArgumentValue> arguments);
  Expected<void> copyOut(std::span<ArgumentValue> arguments);

  std::vector<LaunchArgument> values;

private:
  Expected<DevicePointer> copyOf(const HostArray &array, std::string_view label) {
    Expected<DevicePointer> pointer = device.allocate(array.bytes.size(), label);
    if (!pointer)
      return pointer;
    pointers.push_back(*pointer);
    if (array.isUnwritten)
      return pointer;
    if (Expected<void> done = device.copyIn(*pointer, array.bytes.data(), array.bytes.size());
        !done)
      return done.error();
    return pointer;
  }

  Device &device;
  std::vector<DevicePointer> pointers;
};
} // namespace

Expected<void> DeviceArguments::copyIn(const KernelMetadata &metadata,
                                       std::span<const ArgumentValue> arguments) {
  std::vector<const KernelArgument *> expected;
  for (const KernelArgument &argument : metadata.arguments)
    if (argument.isPassed())
      expected.push_back(&argument);
  expected.resize(std::max(expected.size(), arguments.size()));
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (auto *integer = std::get_if<int64_t>(&arguments[i])) {
      values.push_back(*integer);
    } else if (auto *number = std::get_if<double>(&arguments[i])) {
      values.push_back(*number);
    } else {
      const auto &array = std::get<HostArray>(arguments[i]);
      Expected<DevicePointer> pointer = copyOf(array, expected[i] ? expected[i]->name : "");
      if (!pointer)
        return pointer.error();
      if (expected[i] && expected[i]->isDescriptor())
        values.push_back(viewOf(*pointer, array.shape));
      else
        values.push_back(*pointer);
    }
  }
  return {};
}

Expected<void> DeviceArguments::copyOut(std::span<ArgumentValue> arguments) {
  size_t next = 0;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (auto *array = std::get_if<HostArray>(&arguments[i]))
      if (Expected<void> done =
              device.copyOut(array->bytes.data(), pointers[next++], array->bytes.size());
          !done)
        return done;
  return {};
}

Expected<void> runtime::run(Device &device, Kernel &kernel, Grid grid,
                            std::span<ArgumentValue> arguments) {
  DeviceArguments onDevice(device);
  if (Expected<void> done = onDevice.copyIn(kernel.metadata(), arguments); !done)
    return done;
  if (Expected<void> done = device.launch(kernel, grid, onDevice.values); !done)
    return done;
  return onDevice.copyOut(arguments);
}

Expected<std::vector<double>> runtime::measure(Device &device, Kernel &kernel, Grid grid,
                                               std::span<const ArgumentValue> arguments, int warmup,
                                               int repeats, Caches caches) {
  DeviceArguments onDevice(device);
  if (Expected<void> done = onDevice.copyIn(kernel.metadata(), arguments); !done)
    return done.error();
  return device.measure(kernel, grid, onDevice.values, warmup, repeats, caches);
}
