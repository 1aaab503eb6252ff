//===- Simulator.cpp - The CPU simulator device -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/Simulator.h"
#include "runtime/launch/LaunchGrid.h"

#include "simulate/CompiledModule.h"
#include "target/Target.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>

#include <cstring>
#include <vector>

using namespace tilewright;
using namespace tilewright::simulate;
using runtime::DevicePointer;

namespace {

/// As the target has them; those of a target that is not in the table are as most have them.
static SharedBanks banksOf(std::string_view target) {
  const target::Target *known = target::Target::find(target);
  return known ? SharedBanks{known->shared.banks, known->shared.bankBytes, known->shared.groups}
               : SharedBanks();
}

class SimulatedKernel : public runtime::Kernel {
public:
  /// `trace`: where the machine records events; null for none.
  SimulatedKernel(const KernelMetadata &metadata, const SimulatorOptions &options, Trace *trace,
                  GlobalMemory &memory, const VendorOperations &vendor)
      : Kernel(metadata), vendor(vendor),
        machine(Kernel::metadata(), options, memory, vendor.launchBlocks, banksOf(metadata.target),
                trace) {}

  const VendorOperations &vendor;
  Machine machine;
  CompiledModule code;
};

class SimulatorDevice : public Simulator {
public:
  SimulatorDevice(const SimulatorOptions &options, VendorLookup findVendor)
      : options(options), findVendor(findVendor) {
    if (options.globalOrder)
      memory.trackWrites();
  }

  std::string name() const override { return "sim"; }
  const Report &report() const override { return counts; }
  void clearReport() override { counts = {}; }
  const Trace &trace() const override { return events; }

  Expected<DevicePointer> allocate(size_t bytes, std::string_view label) override {
    const Buffer *buffer = memory.allocate(bytes, label);
    if (!buffer)
      return makeError("no memory for " + std::to_string(bytes) + " bytes" +
                       (label.empty() ? "" : " of '" + std::string(label) + "'"));
    return DevicePointer{buffer->begin};
  }

  Expected<void> free(DevicePointer pointer) override {
    if (!memory.free(pointer.address))
      return makeError("freeing an address that no allocation has given");
    return {};
  }

  Expected<void> lend(uint64_t begin, size_t bytes, bool isReadOnly,
                      std::string_view label) override {
    if (!memory.lend(begin, bytes, isReadOnly, label))
      return makeError("the memory of '" + std::string(label) + "' overlaps other memory",
                       "lend memory that several arguments share once");
    return {};
  }

  Expected<void> copyIn(DevicePointer to, const void *from, size_t bytes) override {
    if (Expected<void> inside = checkCopy(to, bytes); !inside)
      return inside;
    if (bytes > 0)
      std::memcpy(reinterpret_cast<void *>(to.address), from, bytes);
    memory.markWritten(to.address, bytes);
    return {};
  }

  Expected<void> copyOut(void *to, DevicePointer from, size_t bytes) override {
    if (Expected<void> inside = checkCopy(from, bytes); !inside)
      return inside;
    if (bytes > 0)
      std::memcpy(to, reinterpret_cast<const void *>(from.address), bytes);
    return {};
  }

  Expected<std::unique_ptr<runtime::Kernel>> load(const CompiledKernel &kernel) override {
    const KernelMetadata &metadata = kernel.metadata;
    Expected<const VendorOperations *> vendor = findVendor(metadata.target);
    if (!vendor)
      return vendor.error();
    if (kernel.llir.empty())
      return makeError("the simulator runs a kernel's LLVM IR, and '" + metadata.name +
                           "' comes without it",
                       "keep " + metadata.name + ".llir beside " + metadata.name + ".json");
    if (metadata.numWarps < 1 || metadata.threadsPerWarp < 1 || metadata.threadsPerWarp > 64 ||
        metadata.threadsPerBlock() > 1024 || metadata.sharedBytes < 0)
      return makeError("the kernel '" + metadata.name + "' asks for " +
                           std::to_string(metadata.numWarps) + " warps of " +
                           std::to_string(metadata.threadsPerWarp) + " threads and " +
                           std::to_string(metadata.sharedBytes) + " bytes of shared memory",
                       "a block has 1 to 1024 threads");
    if (!metadata.tensorMaps.empty() && !(*vendor)->encodeTensorMap)
      return makeError("the kernel '" + metadata.name + "' takes tensor maps, which " +
                       metadata.target + " does not have");
    auto loaded = std::make_unique<SimulatedKernel>(
        metadata, options, options.trace ? &events : nullptr, memory, **vendor);
    Expected<CompiledModule> code = compileModule(kernel, loaded->machine, **vendor, options);
    if (!code)
      return code.error();
    loaded->code = std::move(*code);
    return std::unique_ptr<runtime::Kernel>(std::move(loaded));
  }

protected:
  Expected<void> launchPacked(runtime::Kernel &kernel, runtime::Grid programs,
                              std::span<const uint64_t> parameters) override {
    Expected<runtime::LaunchGrid> grid = runtime::gridFor(kernel.metadata(), programs);
    if (!grid)
      return grid.error();
    auto &simulated = static_cast<SimulatedKernel &>(kernel);
    Expected<std::vector<runtime::TensorMap>> maps =
        runtime::makeTensorMaps(kernel.metadata(), parameters);
    if (!maps)
      return maps.error();
    // Parameters by value are given by their addresses.
    std::vector<uint64_t> all(parameters.begin(), parameters.end());
    std::vector<runtime::TensorMapBytes> encoded(maps->size());
    for (size_t i = 0; i < encoded.size(); ++i) {
      simulated.vendor.encodeTensorMap((*maps)[i], encoded[i]);
      all.push_back(reinterpret_cast<uint64_t>(&encoded[i]));
    }
    auto launch = [&] {
      return simulated.machine.launch(simulated.code.entry, simulated.code.stackBytes, *grid, all,
                                      counts);
    };
    if (!grid->scratchBytes)
      return launch();
    const Buffer *scratch = memory.allocate(grid->scratchBytes, "the programs' own memory");
    if (!scratch)
      return makeError("there is no room for the global memory that each block of '" +
                       kernel.metadata().name + "' is to have");
    all.push_back(scratch->begin);
    Expected<void> done = launch();
    memory.free(all.back());
    return done;
  }

private:
  Expected<void> checkCopy(DevicePointer pointer, size_t bytes) const {
    const Buffer *buffer = memory.containing(pointer.address);
    if (bytes > 0 && (!buffer || bytes > buffer->begin + buffer->bytes - pointer.address))
      return makeError("copying " + std::to_string(bytes) + " bytes beyond a buffer");
    return {};
  }

  const SimulatorOptions options;
  const VendorLookup findVendor;
  GlobalMemory memory;
  Report counts;
  Trace events;
};

} // namespace

std::unique_ptr<Simulator> simulate::createSimulator(const SimulatorOptions &options,
                                                     VendorLookup findVendor) {
  return std::make_unique<SimulatorDevice>(options, findVendor);
}
