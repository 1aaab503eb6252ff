//===- Gpu.cpp - Kernels on a GPU ------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Gpu.h"

#include "Objects.h"
#include "runtime/launch/LaunchArguments.h"

#include <atomic>
#include <map>
#include <mutex>
#include <pthread.h>

using namespace tilewright;
using namespace tilewright::python;
using namespace tilewright::runtime;

template <typename T> static T valueOf(Expected<T> expected) {
  if (!expected)
    throw LaunchFailure{expected.error()};
  return std::move(*expected);
}

void python::raiseLaunchError(const Diagnostic &error) {
  raiseError("LaunchError",
             error.remedy.empty() ? error.message : error.message + "\n  " + error.remedy);
}

//===--------------------------------------------------------------------------===//
// Drivers in use
//===--------------------------------------------------------------------------===//

namespace {
struct Contexts {
  std::mutex mutex;
  std::map<int, std::shared_ptr<const cuda::DeviceContext>> opened;
  /// Whether this process has used a GPU, and whether its parent had when it was forked.
  std::atomic<bool> isUsed = false;
  std::atomic<bool> areOfParent = false;
};
} // namespace

/// Never destroyed: the driver may be gone before static objects are.
static Contexts &contexts() {
  static auto &all = *[] {
    auto *made = new Contexts();
    pthread_atfork([] { contexts().mutex.lock(); }, [] { contexts().mutex.unlock(); },
                   [] {
                     contexts().areOfParent = contexts().isUsed.load();
                     contexts().mutex.unlock();
                   });
    return made;
  }();
  return all;
}

static Diagnostic forkedError() {
  return makeError("this process was forked from one that used a GPU, which drivers do not allow",
                   "start processes with multiprocessing's method \"spawn\"");
}

/// Before the first use of a driver; throws.
static void beginUse(Contexts &all) {
  if (all.areOfParent)
    throw LaunchFailure{forkedError()};
  all.isUsed = true;
}

std::shared_ptr<const cuda::DeviceContext> python::contextOf(int ordinal) {
  Contexts &all = contexts();
  std::lock_guard lock(all.mutex);
  if (all.areOfParent)
    throw LaunchFailure{forkedError()};
  auto &context = all.opened[ordinal];
  if (!context) {
    auto opened = cuda::DeviceContext::open(ordinal);
    if (!opened) {
      all.opened.erase(ordinal);
      Diagnostic error = opened.error();
      error.remedy = "pass arrays of the CPU: they run on the simulator";
      throw LaunchFailure{error};
    }
    beginUse(all);
    context = std::move(*opened);
  }
  return context;
}

int python::countGpus() {
  auto driver = cuda::openDriver();
  int count = 0;
  if (!driver || (*driver)->deviceGetCount(&count) != 0)
    return 0;
  return count;
}

//===--------------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------------===//

static std::unique_ptr<NativeKernel> load(const KernelMetadata &metadata, const std::string &image,
                                          int device) {
  switch (driverOf(device)) {
  case GpuDriver::Cuda:
    contextOf(ordinalOf(device));
    return valueOf(loadCudaKernel(metadata, image, {.device = ordinalOf(device)}));
  case GpuDriver::Hip:
    beginUse(contexts());
    return valueOf(loadHipKernel(metadata, image, {.device = ordinalOf(device)}));
  case GpuDriver::Sycl: {
    beginUse(contexts());
    const runtime::sycl::NativeQueue queue = lastQueueOf(device);
    const Place place = {.stream = queue.queue, .isUnordered = true};
    return valueOf(queue.backend == runtime::sycl::Backend::OpenCl
                       ? loadOpenClKernel(metadata, image, place)
                       : loadLevelZeroKernel(metadata, image, place));
  }
  }
  throw LaunchFailure{makeError("there is no such device")};
}

GpuKernel::GpuKernel(const std::string &description, const std::string &image, int device)
    : metadata(valueOf(metadataFromJson(description, "the compiled kernel"))),
      parameters(parametersOf(metadata).size()),
      keepsArguments(!metadata.tensorMaps.empty() || driverOf(device) == GpuDriver::Sycl),
      isOnQueue(driverOf(device) == GpuDriver::Sycl), loaded(load(metadata, image, device)) {}

bool GpuKernel::launch(Grid grid, std::span<const uint64_t> words, uint64_t stream) {
  Expected<LaunchGrid> blocks = gridFor(metadata, grid);
  Expected<void> done;
  if (!blocks)
    done = blocks.error();
  if (done && contexts().areOfParent)
    done = forkedError();
  auto *queue = reinterpret_cast<void *>(stream);
  if (done && isOnQueue) {
    auto native = runtime::sycl::findNativeQueue(stream);
    if (native)
      queue = native->queue;
    else
      done = native.error();
  }
  if (done) {
    if (keepsArguments) {
      done = loaded->enqueue(*blocks, words, queue);
    } else {
      // A full queue makes the driver wait; other threads go on meanwhile.
      PyThreadState *state = PyEval_SaveThread();
      done = loaded->enqueue(*blocks, words, queue);
      PyEval_RestoreThread(state);
    }
  }
  if (!done)
    raiseLaunchError(done.error());
  return bool(done);
}

std::optional<int> GpuKernel::attribute(KernelAttribute attribute) const {
  Expected<int> value = loaded->getAttribute(attribute);
  return value ? std::optional(*value) : std::nullopt;
}
