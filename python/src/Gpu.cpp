//===- Gpu.cpp - Kernels and clocks of a GPU ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Gpu.h"

#include "Objects.h"
#include "runtime/LaunchArguments.h"
#include "target/Target.h"

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

static void check(const Expected<void> &done) {
  if (!done)
    throw LaunchFailure{done.error()};
}

//===--------------------------------------------------------------------------===//
// Devices
//===--------------------------------------------------------------------------===//

namespace {
struct Contexts {
  std::mutex mutex;
  std::map<int, std::shared_ptr<const cuda::DeviceContext>> opened;
  bool areOfParent = false;
};
} // namespace

/// Never destroyed: the driver may be gone before static objects are.
static Contexts &contexts() {
  static auto &all = *[] {
    auto *made = new Contexts();
    pthread_atfork([] { contexts().mutex.lock(); }, [] { contexts().mutex.unlock(); },
                   [] {
                     contexts().areOfParent = !contexts().opened.empty();
                     contexts().mutex.unlock();
                   });
    return made;
  }();
  return all;
}

static Diagnostic forkedError() {
  return makeError("this process was forked from one that used a GPU, which CUDA does not allow",
                   "start processes with multiprocessing's method \"spawn\"");
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
    context = std::move(*opened);
  }
  return context;
}

std::string python::targetOf(int ordinal) {
  auto context = contextOf(ordinal);
  const int major = valueOf(context->getAttribute(cuda::deviceCapabilityMajor));
  const int minor = valueOf(context->getAttribute(cuda::deviceCapabilityMinor));
  // Code runs on later devices of the same generation: the latest target that this one is.
  for (int older = minor; older >= 0; --older) {
    const std::string name = "cuda:" + std::to_string(major) + std::to_string(older);
    if (target::Target::find(name))
      return name;
  }
  throw LaunchFailure{makeError("there is no target for " + context->getName() +
                                    ", whose compute capability is " + std::to_string(major) + "." +
                                    std::to_string(minor),
                                "`tilewright targets` lists those there are")};
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

GpuKernel::GpuKernel(const std::string &description, const std::string &image, int ordinal)
    : metadata(valueOf(metadataFromJson(description, "the compiled kernel"))),
      parameters(parametersOf(metadata).size()),
      loaded(valueOf(cuda::LoadedKernel::load(contextOf(ordinal), metadata, image))) {}

bool GpuKernel::launch(Grid grid, std::span<const uint64_t> words, uint64_t stream) {
  Expected<void> done = checkGrid(metadata, grid);
  if (done && contexts().areOfParent)
    done = forkedError();
  if (done) {
    auto *queue = reinterpret_cast<cuda::Stream *>(stream);
    if (metadata.tensorMaps.empty()) {
      // A full queue makes the driver wait; other threads go on meanwhile.
      PyThreadState *state = PyEval_SaveThread();
      done = loaded->enqueue(grid, words, queue);
      PyEval_RestoreThread(state);
    } else {
      // The kernel keeps the maps of its last launch, which is one thread's at a time.
      done = loaded->enqueue(grid, words, queue);
    }
  }
  if (!done)
    raiseError("LaunchError", done.error().remedy.empty()
                                  ? done.error().message
                                  : done.error().message + "\n  " + done.error().remedy);
  return bool(done);
}

int GpuKernel::attribute(int number) const { return valueOf(loaded->getAttribute(number)); }

int GpuKernel::countConcurrentPrograms() const {
  return valueOf(loaded->countConcurrentPrograms());
}

//===--------------------------------------------------------------------------===//
// Events
//===--------------------------------------------------------------------------===//

GpuEvent::GpuEvent(int ordinal) : context(contextOf(ordinal)) {
  check(context->use([&] { return context->getDriver().eventCreate(&event, 0); }, "timing"));
}

GpuEvent::~GpuEvent() {
  if (event)
    (void)context->use([&] { return context->getDriver().eventDestroy(event); }, "timing")
        .
        operator bool();
}

void GpuEvent::record(uint64_t stream) {
  check(context->use(
      [&] {
        return context->getDriver().eventRecord(event, reinterpret_cast<cuda::Stream *>(stream));
      },
      "timing"));
}

void GpuEvent::wait() {
  check(context->use([&] { return context->getDriver().eventSynchronize(event); },
                     "running the kernels that are timed"));
}

float GpuEvent::until(const GpuEvent &other) const {
  float milliseconds = 0;
  check(context->use(
      [&] { return context->getDriver().eventElapsedTime(&milliseconds, event, other.event); },
      "timing"));
  return milliseconds;
}
