//===- SimulateLibrary.cpp - The C interface of the simulator -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "capi/Guard.h"
#include "tilewright-c/simulate.h"
#include "tilewright/Simulator.h"

using namespace tilewright;
using namespace tilewright::capi;
using runtime::DevicePointer;
using runtime::LaunchArgument;

struct TilewrightSimulator {
  std::shared_ptr<simulate::Simulator> device;
};

struct TilewrightSimulatedKernel {
  std::shared_ptr<simulate::Simulator> device;
  std::unique_ptr<runtime::Kernel> kernel;
};

static Expected<LaunchArgument> readValue(const TilewrightValue &value) {
  switch (value.kind) {
  case TILEWRIGHT_POINTER:
    return LaunchArgument(DevicePointer{value.address});
  case TILEWRIGHT_INTEGER:
    return LaunchArgument(value.integer);
  case TILEWRIGHT_FLOAT:
    return LaunchArgument(value.number);
  case TILEWRIGHT_TENSOR:
    if (value.rank < 1)
      return makeError("a tensor of " + std::to_string(value.rank) + " dimensions",
                       "pass as many as the descriptor has");
    return LaunchArgument(runtime::TensorView{{value.address},
                                              {value.shape, value.shape + value.rank},
                                              {value.strides, value.strides + value.rank}});
  }
  return makeError("there is no kind of value " + std::to_string(value.kind),
                   "make values by tilewright_pointer, _integer, _float and _tensor");
}

int tilewright_create_simulator(int count, TilewrightSimulator **simulator) {
  *simulator = nullptr;
  return guard([&]() -> Expected<void> {
    simulate::SimulatorOptions options;
    options.count = count != 0;
    *simulator = new TilewrightSimulator{simulate::createSimulator(options)};
    return {};
  });
}

void tilewright_destroy_simulator(TilewrightSimulator *simulator) { delete simulator; }

int tilewright_simulator_allocate(TilewrightSimulator *simulator, size_t bytes, const char *label,
                                  uint64_t *address) {
  return guard([&]() -> Expected<void> {
    Expected<DevicePointer> pointer = simulator->device->allocate(bytes, textOf(label));
    if (!pointer)
      return pointer.error();
    *address = pointer->address;
    return {};
  });
}

int tilewright_simulator_free(TilewrightSimulator *simulator, uint64_t address) {
  return guard([&] { return simulator->device->free({address}); });
}

int tilewright_simulator_copy_in(TilewrightSimulator *simulator, uint64_t to, const void *from,
                                 size_t bytes) {
  return guard([&] { return simulator->device->copyIn({to}, from, bytes); });
}

int tilewright_simulator_copy_out(TilewrightSimulator *simulator, void *to, uint64_t from,
                                  size_t bytes) {
  return guard([&] { return simulator->device->copyOut(to, {from}, bytes); });
}

int tilewright_simulator_load(TilewrightSimulator *simulator, const char *description,
                              const char *llir, size_t llir_bytes,
                              TilewrightSimulatedKernel **kernel) {
  *kernel = nullptr;
  return guard([&]() -> Expected<void> {
    CompiledKernel compiled;
    Expected<KernelMetadata> metadata = metadataFromJson(textOf(description), "the description");
    if (!metadata)
      return metadata.error();
    compiled.metadata = std::move(*metadata);
    compiled.llir.assign(llir, llir_bytes);
    Expected<std::unique_ptr<runtime::Kernel>> loaded = simulator->device->load(compiled);
    if (!loaded)
      return loaded.error();
    *kernel = new TilewrightSimulatedKernel{simulator->device, std::move(*loaded)};
    return {};
  });
}

void tilewright_simulator_unload(TilewrightSimulatedKernel *kernel) {
  if (!kernel)
    return;
  // Before the device that it is on.
  kernel->kernel.reset();
  delete kernel;
}

TilewrightValue tilewright_pointer(uint64_t address) {
  return {TILEWRIGHT_POINTER, address, 0, 0, 0, nullptr, nullptr};
}
TilewrightValue tilewright_integer(int64_t integer) {
  return {TILEWRIGHT_INTEGER, 0, integer, 0, 0, nullptr, nullptr};
}
TilewrightValue tilewright_float(double number) {
  return {TILEWRIGHT_FLOAT, 0, 0, number, 0, nullptr, nullptr};
}
TilewrightValue tilewright_tensor(uint64_t address, int rank, const int64_t *shape,
                                  const int64_t *strides) {
  return {TILEWRIGHT_TENSOR, address, 0, 0, rank, shape, strides};
}

int tilewright_simulator_run(TilewrightSimulatedKernel *kernel, uint32_t x, uint32_t y, uint32_t z,
                             const TilewrightValue *values, int count) {
  return guard([&]() -> Expected<void> {
    std::vector<LaunchArgument> arguments;
    for (int i = 0; i < count; ++i) {
      Expected<LaunchArgument> argument = readValue(values[i]);
      if (!argument)
        return argument.error();
      arguments.push_back(std::move(*argument));
    }
    return kernel->device->launch(*kernel->kernel, {x, y, z}, arguments);
  });
}

int tilewright_simulator_report(const TilewrightSimulator *simulator, char **text) {
  *text = nullptr;
  return guard([&] { return giveText(simulate::render(simulator->device->report()), text); });
}

int tilewright_simulator_report_json(const TilewrightSimulator *simulator, char **json) {
  *json = nullptr;
  return guard([&] { return giveText(simulate::toJson(simulator->device->report()), json); });
}
