//===- CudaNativeKernel.cpp - Launches by NVIDIA's driver ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/cuda/CudaKernel.h"
#include "runtime/launch/NativeKernel.h"

using namespace tilewright;
using namespace tilewright::runtime;

namespace {
class CudaNativeKernel : public NativeKernel {
public:
  explicit CudaNativeKernel(std::unique_ptr<cuda::LoadedKernel> kernel)
      : kernel(std::move(kernel)) {}

  bool isFor(const Place &place) const override {
    return kernel->getContext().getOrdinal() == place.device;
  }

  Expected<void> enqueue(const LaunchGrid &grid, std::span<const uint64_t> parameters,
                         void *stream) override {
    return kernel->enqueue(grid, parameters, static_cast<cuda::Stream *>(stream));
  }

  Expected<int> getAttribute(KernelAttribute attribute) const override {
    switch (attribute) {
    case KernelAttribute::Registers:
      return kernel->getAttribute(cuda::functionRegisters);
    case KernelAttribute::LocalBytes:
      return kernel->getAttribute(cuda::functionLocalBytes);
    case KernelAttribute::StaticSharedBytes:
      return kernel->getAttribute(cuda::functionStaticShared);
    case KernelAttribute::Multiprocessors:
      return kernel->getContext().getAttribute(cuda::deviceMultiprocessors);
    case KernelAttribute::ConcurrentPrograms:
      return kernel->countConcurrentPrograms();
    }
    return makeError("there is no such attribute");
  }

private:
  std::unique_ptr<cuda::LoadedKernel> kernel;
};
} // namespace

Expected<std::unique_ptr<NativeKernel>> runtime::loadCudaKernel(const KernelMetadata &metadata,
                                                                const std::string &code,
                                                                const Place &place) {
  auto context = cuda::DeviceContext::open(place.device);
  if (!context)
    return context.error();
  auto loaded = cuda::LoadedKernel::load(std::move(*context), metadata, code);
  if (!loaded)
    return loaded.error();
  return std::unique_ptr<NativeKernel>(std::make_unique<CudaNativeKernel>(std::move(*loaded)));
}
