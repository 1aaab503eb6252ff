//===- Runtime.h - Devices, launches and argument values ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Running compiled kernels. A Device owns memory and kernels; the simulator
// (tilewright/Simulator.h) and a GPU with its driver are two implementations.
//
//   Expected<std::unique_ptr<Device>> device = createCudaDevice();
//   Expected<std::unique_ptr<Kernel>> kernel = (*device)->load(compiled);
//   std::vector<ArgumentValue> values = {x, y, out, int64_t(n)};
//   Expected<void> done = run(**device, **kernel, {grid}, values);   // out is filled
//
// A device and its kernels belong to one host thread at a time.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_H
#define TILEWRIGHT_RUNTIME_H

#include "tilewright/HostArray.h"
#include "tilewright/Kernel.h"

#include <array>
#include <memory>
#include <span>
#include <variant>

namespace tilewright::runtime {

/// An address in a device's memory.
struct DevicePointer {
  uint64_t address = 0;
};

/// Programs along x, y and z, each at least 1: blocks, or clusters of KernelMetadata::numCtas
/// blocks.
struct Grid {
  uint32_t x = 1, y = 1, z = 1;
};

/// A tensor in a device's memory, for a tensor descriptor: sizes and strides of its dimensions in
/// elements, the outermost first.
struct TensorView {
  DevicePointer pointer;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
};

/// The view of a dense tensor in row-major order.
TensorView viewOf(DevicePointer pointer, std::vector<int64_t> shape);

/// One argument of a launch: an address, an integer, a floating-point number or a tensor. It is
/// converted to the type that the kernel's description states.
using LaunchArgument = std::variant<DevicePointer, int64_t, double, TensorView>;

/// A kernel that a device has loaded. It must not outlive its device.
class Kernel {
public:
  explicit Kernel(KernelMetadata metadata) : description(std::move(metadata)) {}
  virtual ~Kernel();

  const KernelMetadata &metadata() const { return description; }

private:
  KernelMetadata description;
};

/// The treatment of the device's caches before each measured launch: kernels that run one after
/// the other find what the last one left there, a program that does other things in between does
/// not.
enum class Caches { AsTheyAre, Cleared };

class Device {
public:
  virtual ~Device();

  /// The device's name, e.g. "sim" or "NVIDIA H200".
  virtual std::string name() const = 0;

  /// Memory for `bytes` bytes, aligned to 256 bytes. `label` names it in errors.
  virtual Expected<DevicePointer> allocate(size_t bytes, std::string_view label) = 0;
  /// Gives back what `allocate` gave; any other address is an error.
  virtual Expected<void> free(DevicePointer pointer) = 0;
  /// Copies `bytes` bytes from the host to the device, and back. They return when it is done.
  virtual Expected<void> copyIn(DevicePointer to, const void *from, size_t bytes) = 0;
  virtual Expected<void> copyOut(void *to, DevicePointer from, size_t bytes) = 0;

  /// Makes a kernel ready to launch. Errors: the code for this device is missing or is
  /// refused (the message holds the reason), or the device lacks what the kernel needs.
  virtual Expected<std::unique_ptr<Kernel>> load(const CompiledKernel &kernel) = 0;

  /// How many programs of the kernel run at once: the grid of a persistent kernel, whose programs
  /// go on to their next tile by themselves. 1 where the device does not tell.
  virtual Expected<uint32_t> countConcurrentPrograms(Kernel & /*kernel*/) { return 1; }

  /// Runs the kernel and waits for its end. `kernel` is one that this device has loaded,
  /// `arguments` are those that `KernelArgument::isPassed`, in order. Errors: those of
  /// `packArguments`, and what goes wrong while the kernel runs.
  Expected<void> launch(Kernel &kernel, Grid grid, std::span<const LaunchArgument> arguments);

  /// Launches `warmup` times unmeasured, then `repeats` times (at least once), and gives
  /// each launch's duration in milliseconds, by the device's own clock where it has one.
  Expected<std::vector<double>> measure(Kernel &kernel, Grid grid,
                                        std::span<const LaunchArgument> arguments, int warmup,
                                        int repeats, Caches caches = Caches::AsTheyAre);

protected:
  /// The launch, after the arguments have been checked against the description. `parameters` are
  /// packed (see packArguments).
  virtual Expected<void> launchPacked(Kernel &kernel, Grid grid,
                                      std::span<const uint64_t> parameters) = 0;
  /// Leaves nothing in the device's caches of the memory that kernels were given; does nothing
  /// where the device offers no way.
  virtual Expected<void> clearCaches() { return {}; }
  /// The duration of one launch in milliseconds; by the host's clock unless overridden.
  virtual Expected<double> timePacked(Kernel &kernel, Grid grid,
                                      std::span<const uint64_t> parameters);
};

/// Checks a launch against the description and gives each parameter's bits in the low bytes of one
/// word, in the type that the description states: one for each argument, and for a tensor
/// descriptor of rank r its address, r sizes and r strides. Errors: too few or too many arguments,
/// a number where a pointer is needed or the reverse, an integer that does not fit its type, a
/// value that is no multiple of the divisibility that the kernel was compiled for, a tensor of
/// another rank or one whose rows are not dense, an empty grid.
Expected<std::vector<uint64_t>> packArguments(const KernelMetadata &metadata, Grid grid,
                                              std::span<const LaunchArgument> arguments);

/// A GPU of NVIDIA's, by its ordinal. The driver library is opened at run time; without
/// it or without such a GPU the error says what to do.
Expected<std::unique_ptr<Device>> createCudaDevice(int ordinal = 0);

/// A device of OpenCL's that takes SPIR-V, for xpu kernels. `ordinal` counts the GPUs, then the
/// CPUs. The library is opened at run time; without it or without such a device the error says what
/// to do. `load` refuses kernels whose sub-groups, work-groups or shared memory the device lacks.
Expected<std::unique_ptr<Device>> createOpenClDevice(int ordinal = 0);

/// The value of an argument on the host.
using ArgumentValue = std::variant<int64_t, double, HostArray>;

/// Allocates and fills device memory for each array, launches, copies every array back
/// and frees the memory. `arguments` as for `Device::launch`.
Expected<void> run(Device &device, Kernel &kernel, Grid grid, std::span<ArgumentValue> arguments);

/// The same without copying anything back, and timed as by `Device::measure`.
Expected<std::vector<double>> measure(Device &device, Kernel &kernel, Grid grid,
                                      std::span<const ArgumentValue> arguments, int warmup,
                                      int repeats, Caches caches = Caches::AsTheyAre);

/// Splits the command line's NAME=VALUE, e.g. into {"x", "rand(1024)"}.
Expected<std::pair<std::string, std::string>> splitAssignment(std::string_view text);

/// The value that a text of the command line stands for, for this argument. Scalars take a
/// number (0x and underscores allowed; True and False for i1); pointers and tensor
/// descriptors take
///
///   @FILE.npy           the file's array, converted to the argument's element type
///   zeros(n, m, ...)    zeros
///   full(n, ..., v)     all elements v
///   arange(n, ...)      0, 1, 2, ... in row-major order
///   rand(n, ...)        uniform in [-1, 1) (integers: 0 to 99; i1: 0 or 1), from a generator
///                       seeded by the argument's name, so that every run draws the same
Expected<ArgumentValue> parseArgumentValue(const KernelArgument &argument, std::string_view text);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_H
