//===- SimulatorRun.cpp - The compiled kernel, simulated and compared -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Simulator.h"
#include "validate/Validator.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::validate;

/// The step that is named where the simulator's results differ.
static constexpr const char *loweringName = "convert-triton-gpu-to-llvm or what follows it";

/// The elements that the programs of all simulated inputs compute, but for two inputs at least.
static constexpr uint64_t maxSimulatedWork = uint64_t(1) << 24;

namespace {
/// A launch of the simulator with the memory of an input.
class SimulatedLaunch {
public:
  SimulatedLaunch(simulate::Simulator &device, const Input &input, ArrayRef<size_t> sizes)
      : device(device), input(input), sizes(sizes) {}

  Expected<void> run(runtime::Kernel &kernel) {
    size_t next = 0;
    for (const KernelArgument &argument : kernel.metadata().arguments)
      if (argument.isPassed())
        if (Expected<void> added = add(argument, next); !added)
          return added;
    return device.launch(kernel, input.grid, arguments);
  }

  /// Puts what is in the device's memory then into the buffers.
  Expected<void> copyOut(Execution &execution) {
    for (size_t i = 0; i < pointers.size(); ++i) {
      interpret::Buffer &buffer = execution.memory.buffers[i];
      if (buffer.bytes.empty())
        continue;
      if (auto done = device.copyOut(buffer.bytes.data(), pointers[i], buffer.bytes.size()); !done)
        return done;
    }
    return {};
  }

  void free() {
    for (runtime::DevicePointer pointer : pointers)
      (void)device.free(pointer);
  }

private:
  /// Adds the argument that the parameters from `next` on make up.
  Expected<void> add(const KernelArgument &argument, size_t &next) {
    const Parameter &parameter = input.parameters[next];
    if (parameter.kind == Parameter::Kind::Integer)
      arguments.emplace_back(parameter.integer);
    else if (parameter.kind == Parameter::Kind::Float)
      arguments.emplace_back(parameter.number);
    else if (auto pointer = addMemory(next); !pointer)
      return pointer.error();
    else if (argument.isDescriptor())
      arguments.emplace_back(viewOf(*pointer, argument.rank(), next));
    else
      arguments.emplace_back(*pointer);
    ++next;
    return {};
  }

  /// The tensor of a descriptor. Where its sizes and strides are parameters, `next` passes them.
  runtime::TensorView viewOf(runtime::DevicePointer pointer, size_t rank, size_t &next) const {
    const Parameter &parameter = input.parameters[next];
    if (parameter.kind == Parameter::Kind::Descriptor)
      return {pointer, parameter.shape, parameter.strides};
    runtime::TensorView view{pointer, {}, {}};
    for (size_t i = 0; i < rank; ++i)
      view.shape.push_back(input.parameters[++next].integer);
    for (size_t i = 0; i < rank; ++i)
      view.strides.push_back(input.parameters[++next].integer);
    view.strides.back() = 1;
    return view;
  }

  Expected<runtime::DevicePointer> addMemory(size_t number) {
    const Parameter &parameter = input.parameters[number];
    const size_t bytes = sizes[pointers.size()], elementBytes = interpret::bytesOf(parameter.type);
    std::vector<uint8_t> contents = Memory(input, number).bytes(bytes);
    // There is no memory of no bytes.
    contents.resize(std::max(bytes, elementBytes));
    auto pointer = device.allocate(contents.size(), parameter.name);
    if (!pointer)
      return pointer.error();
    pointers.push_back(*pointer);
    if (auto done = device.copyIn(*pointer, contents.data(), contents.size()); !done)
      return done.error();
    return *pointer;
  }

  simulate::Simulator &device;
  const Input &input;
  ArrayRef<size_t> sizes;
  std::vector<runtime::DevicePointer> pointers;
  std::vector<runtime::LaunchArgument> arguments;
};
} // namespace

static Difference faultOf(const tilewright::Diagnostic &error) {
  std::string place;
  if (error.where.line)
    place = error.where.file + ":" + std::to_string(error.where.line) + ":" +
            std::to_string(error.where.column);
  return {{}, 0, "the program comes to its end", "on the simulator: " + error.message, place};
}

void Validator::simulate(const CompiledKernel &kernel) {
  if (result.found || failure || trials.empty())
    return;
  auto device = simulate::createSimulator();
  auto loaded = device->load(kernel);
  if (!loaded) {
    result.unchecked.push_back({loweringName, loaded.error().message, {}});
    return;
  }
  uint64_t work = 0;
  for (Trial &trial : trials) {
    // The simulator takes long where a program computes much: two such inputs are enough.
    work += trial.last.outcome.work;
    if (work > maxSimulatedWork && result.simulated >= 2)
      continue;
    ++result.simulated;
    SimulatedLaunch launch(*device, trial.input, trial.sizes);
    Execution after{trial.last.memory, {}};
    Expected<void> done = launch.run(**loaded);
    if (done)
      done = launch.copyOut(after);
    launch.free();
    std::optional<Difference> difference;
    if (!done)
      difference = faultOf(done.error());
    else
      difference = compare(trial.input, trial.last, after, trial.tolerance);
    if (!difference)
      continue;
    result.found = Miscompilation{nameOf(loweringName), *difference, trial.input.text()};
    return;
  }
}
