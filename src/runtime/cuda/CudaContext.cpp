//===- CudaContext.cpp - A GPU of NVIDIA's and its context --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/cuda/CudaContext.h"

using namespace tilewright;
using namespace tilewright::runtime::cuda;

Expected<std::shared_ptr<const DeviceContext>> DeviceContext::open(int ordinal) {
  Expected<const Driver *> opened = openDriver();
  if (!opened)
    return opened.error();
  const Driver &driver = **opened;
  int count = 0;
  if (Result result = driver.deviceGetCount(&count); result != 0)
    return makeError("the CUDA driver does not list its devices: " + driver.describe(result));
  if (ordinal < 0 || ordinal >= count)
    return makeError("there is no CUDA device " + std::to_string(ordinal) + ": the driver has " +
                         std::to_string(count),
                     "name another device, or run the kernel on the simulator");
  DeviceId device = 0;
  Context *context = nullptr;
  char name[256] = "CUDA device";
  Result result = driver.deviceGet(&device, ordinal);
  if (result == 0)
    result = driver.deviceGetName(name, sizeof name, device);
  if (result == 0)
    result = driver.primaryContextRetain(&context, device);
  if (result != 0)
    return makeError("the CUDA device " + std::to_string(ordinal) +
                     " cannot be used: " + driver.describe(result));
  return std::shared_ptr<const DeviceContext>(
      new DeviceContext(driver, ordinal, device, context, name));
}

DeviceContext::~DeviceContext() { driver.primaryContextRelease(device); }

Expected<int> DeviceContext::getAttribute(int attribute) const {
  int value = 0;
  if (Expected<void> done =
          use([&] { return driver.deviceGetAttribute(&value, attribute, device); },
              "asking for an attribute");
      !done)
    return done.error();
  return value;
}
