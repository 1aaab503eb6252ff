//===- CudaContext.h - A GPU of NVIDIA's and its context ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_CUDA_CUDACONTEXT_H
#define TILEWRIGHT_RUNTIME_CUDA_CUDACONTEXT_H

#include "runtime/cuda/CudaDriver.h"

#include <memory>
#include <string>
#include <type_traits>

namespace tilewright::runtime::cuda {

/// The primary context of a device, which the CUDA runtime and PyTorch use as well.
class DeviceContext {
public:
  /// That of the device with this ordinal. The driver is opened at run time; without it or without
  /// such a device the error says what to do.
  static Expected<std::shared_ptr<const DeviceContext>> open(int ordinal);
  DeviceContext(const DeviceContext &) = delete;
  ~DeviceContext();

  const Driver &getDriver() const { return driver; }
  int getOrdinal() const { return ordinal; }
  /// The device's name, such as "NVIDIA H200".
  const std::string &getName() const { return name; }
  /// A number of the device, by the driver's enumeration.
  Expected<int> getAttribute(int attribute) const;

  /// Calls the driver in this context, and leaves the thread in the one in which it was. A failure
  /// is an error that says what was being done: "loading 'add'", which `what` is, or returns where
  /// the text is not worth making for every call.
  template <typename Call, typename What> Expected<void> use(Call call, const What &what) const {
    // A thread that works on this device is in its context already.
    Context *current = nullptr;
    Result result = driver.contextGetCurrent(&current);
    if (result == 0 && current == context) {
      result = call();
    } else if (result == 0 && (result = driver.contextPush(context)) == 0) {
      result = call();
      driver.contextPop(&current);
    }
    if (result == 0)
      return {};
    std::string doing;
    if constexpr (std::is_invocable_v<What>)
      doing = what();
    else
      doing = what;
    return makeError(doing + " failed on " + name + ": " + driver.describe(result));
  }

private:
  DeviceContext(const Driver &driver, int ordinal, DeviceId device, Context *context,
                std::string name)
      : driver(driver), ordinal(ordinal), device(device), context(context), name(std::move(name)) {}

  const Driver &driver;
  int ordinal;
  DeviceId device;
  Context *context;
  std::string name;
};

} // namespace tilewright::runtime::cuda

#endif // TILEWRIGHT_RUNTIME_CUDA_CUDACONTEXT_H
