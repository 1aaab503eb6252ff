//===- OpenClDevice.cpp - OpenCL devices --------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/LaunchArguments.h"
#include "runtime/OpenClMemory.h"
#include "tilewright/Runtime.h"

#include <algorithm>
#include <map>

using namespace tilewright;
using namespace tilewright::runtime;
using opencl::Status;

/// What Device::allocate promises; drivers align to 128 bytes at most where asked to.
constexpr uint64_t alignment = 256;

namespace {

class OpenClKernel : public Kernel {
public:
  OpenClKernel(KernelMetadata metadata, const opencl::Driver &driver)
      : Kernel(std::move(metadata)), driver(driver) {}
  ~OpenClKernel() override {
    if (kernel)
      driver.releaseKernel(kernel);
    if (program)
      driver.releaseProgram(program);
  }

  const opencl::Driver &driver;
  opencl::Program *program = nullptr;
  opencl::KernelId *kernel = nullptr;
};

class OpenClDevice : public Device {
public:
  OpenClDevice(const opencl::Driver &driver, opencl::DeviceInfo info)
      : driver(driver), info(std::move(info)) {}
  ~OpenClDevice() override {
    for (const auto &[address, begin] : allocations)
      memory->free(begin);
    memory.reset();
    if (queue)
      driver.releaseQueue(queue);
    if (context)
      driver.releaseContext(context);
  }

  /// To be called once, before all else.
  Expected<void> open();

  std::string name() const override { return info.name; }

  Expected<DevicePointer> allocate(size_t bytes, std::string_view label) override {
    Status status = 0;
    void *begin = memory->allocate(bytes + alignment, status);
    if (status != 0 || !begin)
      return failure("allocating " + std::to_string(bytes) + " bytes for '" + std::string(label) +
                         "'",
                     status);
    uint64_t address = reinterpret_cast<uint64_t>(begin);
    address = (address + alignment - 1) / alignment * alignment;
    allocations[address] = begin;
    return DevicePointer{address};
  }

  Expected<void> free(DevicePointer pointer) override {
    auto found = allocations.find(pointer.address);
    if (found == allocations.end())
      return makeError("freeing memory failed on " + info.name + ": nothing begins there");
    Status status = memory->free(found->second);
    allocations.erase(found);
    return check(status, "freeing memory");
  }

  Expected<void> copyIn(DevicePointer to, const void *from, size_t bytes) override {
    if (bytes == 0)
      return {};
    return check(memory->copy(reinterpret_cast<void *>(to.address), from, bytes),
                 "copying to the device");
  }

  Expected<void> copyOut(void *to, DevicePointer from, size_t bytes) override {
    if (bytes == 0)
      return {};
    return check(memory->copy(to, reinterpret_cast<const void *>(from.address), bytes),
                 "copying from the device");
  }

  Expected<std::unique_ptr<Kernel>> load(const CompiledKernel &kernel) override;

protected:
  Expected<void> launchPacked(Kernel &kernel, Grid grid,
                              std::span<const uint64_t> parameters) override {
    return enqueue(kernel, grid, parameters, nullptr);
  }

  Expected<double> timePacked(Kernel &kernel, Grid grid,
                              std::span<const uint64_t> parameters) override;

private:
  Diagnostic failure(const std::string &what, Status status) const {
    return makeError(what + " failed on " + info.name + ": " + opencl::describe(status));
  }
  Expected<void> check(Status status, const std::string &what) const {
    if (status == 0)
      return {};
    return failure(what, status);
  }

  Expected<void> checkNeeds(const KernelMetadata &metadata) const;
  Expected<void> build(OpenClKernel &kernel, const std::string &code) const;
  std::string buildLog(opencl::Program *program) const;
  Expected<void> setArguments(OpenClKernel &kernel, std::span<const uint64_t> parameters);
  /// Launches and waits. `event`, if not null, gets the launch's event.
  Expected<void> enqueue(Kernel &kernel, Grid grid, std::span<const uint64_t> parameters,
                         opencl::Event **event);

  const opencl::Driver &driver;
  opencl::DeviceInfo info;
  opencl::Context *context = nullptr;
  opencl::Queue *queue = nullptr;
  std::unique_ptr<opencl::Memory> memory;
  /// What the driver gave, by the address that was handed out.
  std::map<uint64_t, void *> allocations;
};

} // namespace

Expected<void> OpenClDevice::open() {
  Status status = 0;
  context = driver.createContext(nullptr, 1, &info.id, nullptr, nullptr, &status);
  if (status == 0)
    queue = driver.createQueue(context, info.id, opencl::queueProfiling, &status);
  if (status != 0)
    return makeError("the OpenCL device " + info.name +
                     " cannot be used: " + opencl::describe(status));
  memory = opencl::createMemory(driver, info, context, queue);
  if (!memory)
    return makeError("the OpenCL device " + info.name +
                         " has neither unified shared memory nor shared virtual memory",
                     "kernels need addresses: use another device, or run with --device sim");
  return {};
}

/// What the driver might only stumble over later.
Expected<void> OpenClDevice::checkNeeds(const KernelMetadata &metadata) const {
  auto needs = [&](const std::string &what, const std::string &has, const std::string &remedy) {
    return makeError(
        "the kernel '" + metadata.name + "' needs " + what + ", " + info.name + " " + has, remedy);
  };
  if (std::ranges::find(info.subGroupSizes, metadata.threadsPerWarp) == info.subGroupSizes.end()) {
    std::string sizes;
    for (size_t size : info.subGroupSizes)
      sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    return needs("sub-groups of " + std::to_string(metadata.threadsPerWarp),
                 sizes.empty() ? "has none that a kernel can choose" : "has those of " + sizes,
                 sizes.empty() ? "run it with --device sim"
                               : "compile it with --threads-per-warp, or run it with --device sim");
  }
  if (static_cast<size_t>(metadata.threadsPerBlock()) > info.maxThreads)
    return needs("work-groups of " + std::to_string(metadata.threadsPerBlock()),
                 "has at most " + std::to_string(info.maxThreads), "use fewer warps");
  if (metadata.globalScratchBytes > 0)
    return needs("global memory that the launch sets aside", "is not given any",
                 "make tensor descriptors of the kernel's arguments");
  if (static_cast<uint64_t>(metadata.sharedBytes) > info.localBytes)
    return needs(std::to_string(metadata.sharedBytes) + " bytes of shared memory",
                 "has " + std::to_string(info.localBytes), "use smaller tiles or fewer stages");
  return {};
}

std::string OpenClDevice::buildLog(opencl::Program *program) const {
  size_t bytes = 0;
  std::string log;
  if (driver.getProgramBuildInfo(program, info.id, opencl::programBuildLog, 0, nullptr, &bytes) ==
      0) {
    log.resize(bytes);
    if (driver.getProgramBuildInfo(program, info.id, opencl::programBuildLog, bytes, log.data(),
                                   nullptr) != 0)
      log.clear();
  }
  while (!log.empty() && (log.back() == '\n' || log.back() == '\0'))
    log.pop_back();
  return log;
}

Expected<void> OpenClDevice::build(OpenClKernel &kernel, const std::string &code) const {
  const KernelMetadata &metadata = kernel.metadata();
  std::string what = "loading '" + metadata.name + "'";
  auto buildWith = [&](const std::string &options) {
    // A program whose build has failed stays so.
    if (kernel.program)
      driver.releaseProgram(kernel.program);
    Status created = 0;
    kernel.program = info.createProgram(context, code.data(), code.size(), &created);
    if (created != 0)
      return created;
    return driver.buildProgram(kernel.program, 1, &info.id, options.c_str(), nullptr, nullptr);
  };
  Status status = buildWith(metadata.buildOptions);
  // They choose among the register files that Intel's GPUs have: others do not know them.
  if (status == opencl::invalidBuildOptions)
    status = buildWith("");
  if (status != 0) {
    Diagnostic error = failure(what, status);
    if (std::string log = kernel.program ? buildLog(kernel.program) : std::string(); !log.empty())
      error.message += "\n" + log;
    error.remedy = "the kernel was compiled for " + metadata.target;
    return error;
  }
  kernel.kernel = driver.createKernel(kernel.program, metadata.name.c_str(), &status);
  if (status != 0)
    return failure(what, status);
  // By its registers the kernel may allow fewer threads than the device.
  size_t threads = 0;
  status = driver.getKernelWorkGroupInfo(kernel.kernel, info.id, opencl::kernelWorkGroupSize,
                                         sizeof threads, &threads, nullptr);
  if (status != 0)
    return failure(what, status);
  if (threads < static_cast<size_t>(metadata.threadsPerBlock()))
    return makeError("the kernel '" + metadata.name + "' was compiled for work-groups of " +
                         std::to_string(metadata.threadsPerBlock()) + ", " + info.name +
                         " can run it in those of " + std::to_string(threads),
                     "use fewer warps or smaller tiles");
  return {};
}

Expected<std::unique_ptr<Kernel>> OpenClDevice::load(const CompiledKernel &compiled) {
  const KernelMetadata &metadata = compiled.metadata;
  if (nativeCodeSuffix(metadata.target) != ".spv")
    return makeError("the kernel '" + metadata.name + "' was compiled for " + metadata.target +
                         " and cannot run on " + info.name,
                     "compile it for an xpu target");
  if (compiled.nativeCode.empty())
    return makeError("there is no SPIR-V for the kernel '" + metadata.name + "'");
  if (Expected<void> fine = checkNeeds(metadata); !fine)
    return fine.error();
  auto kernel = std::make_unique<OpenClKernel>(metadata, driver);
  if (Expected<void> done = build(*kernel, compiled.nativeCode); !done)
    return done.error();
  return std::unique_ptr<Kernel>(std::move(kernel));
}

Expected<void> OpenClDevice::setArguments(OpenClKernel &kernel,
                                          std::span<const uint64_t> parameters) {
  uint32_t index = 0;
  for (const KernelParameter &parameter : parametersOf(kernel.metadata())) {
    const uint64_t &value = parameters[index];
    Status status =
        parameter.isPointer()
            ? memory->setArgument(kernel.kernel, index, reinterpret_cast<const void *>(value))
            // The low bytes come first in a word.
            : driver.setKernelArgument(kernel.kernel, index,
                                       sizeOf(*elementTypeNamed(parameter.type)), &value);
    if (status != 0)
      return failure("passing '" + parameter.argument->name + "'", status);
    ++index;
  }
  std::vector<void *> allocated;
  for (const auto &[address, begin] : allocations)
    allocated.push_back(begin);
  return check(memory->allowAccess(kernel.kernel, allocated), "giving access to memory");
}

Expected<void> OpenClDevice::enqueue(Kernel &kernel, Grid grid,
                                     std::span<const uint64_t> parameters, opencl::Event **event) {
  auto &ours = static_cast<OpenClKernel &>(kernel);
  if (Expected<void> done = setArguments(ours, parameters); !done)
    return done;
  const KernelMetadata &metadata = kernel.metadata();
  const size_t threads = metadata.threadsPerBlock();
  const size_t all[3] = {grid.x * threads, grid.y, grid.z}, block[3] = {threads, 1, 1};
  Status status =
      driver.enqueueKernel(queue, ours.kernel, 3, nullptr, all, block, 0, nullptr, event);
  if (status == 0)
    status = driver.finish(queue);
  return check(status, "running '" + metadata.name + "'");
}

Expected<double> OpenClDevice::timePacked(Kernel &kernel, Grid grid,
                                          std::span<const uint64_t> parameters) {
  opencl::Event *event = nullptr;
  Expected<void> done = enqueue(kernel, grid, parameters, &event);
  uint64_t begin = 0, end = 0;
  if (done)
    for (auto [what, nanoseconds] :
         {std::pair(opencl::profilingStart, &begin), std::pair(opencl::profilingEnd, &end)})
      if (done)
        done = check(
            driver.getEventProfilingInfo(event, what, sizeof *nanoseconds, nanoseconds, nullptr),
            "timing");
  if (event)
    driver.releaseEvent(event);
  if (!done)
    return done.error();
  return static_cast<double>(end - begin) * 1e-6;
}

Expected<std::unique_ptr<Device>> runtime::createOpenClDevice(int ordinal) {
  Expected<const opencl::Driver *> driver = opencl::openDriver();
  if (!driver)
    return driver.error();
  Expected<std::vector<opencl::DeviceInfo>> listed = opencl::listDevices(**driver);
  if (!listed)
    return listed.error();
  std::vector<opencl::DeviceInfo> usable;
  std::string others;
  for (opencl::DeviceInfo &info : *listed)
    if (info.createProgram && info.addressBits == 64)
      usable.push_back(std::move(info));
    else
      others += (others.empty() ? "" : ", ") + info.name;
  const std::string remedy =
      "install the GPU's driver for OpenCL, or run the kernel with --device sim";
  if (usable.empty())
    return makeError("OpenCL has no device that takes SPIR-V" +
                         (others.empty() ? std::string() : ": it has " + others),
                     remedy);
  if (ordinal < 0 || static_cast<size_t>(ordinal) >= usable.size())
    return makeError("there is no OpenCL device " + std::to_string(ordinal) + ": there are " +
                         std::to_string(usable.size()) + " that take SPIR-V",
                     remedy);
  auto device = std::make_unique<OpenClDevice>(**driver, std::move(usable[ordinal]));
  if (Expected<void> done = device->open(); !done)
    return done.error();
  return std::unique_ptr<Device>(std::move(device));
}
