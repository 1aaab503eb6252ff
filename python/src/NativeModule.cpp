//===- NativeModule.cpp - The module tilewright._native -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Launching, without the compiler: this is what `import tilewright` loads.
//
//===--------------------------------------------------------------------------===//

#include "Arrays.h"
#include "Compile.h"
#include "Gpu.h"
#include "KernelType.h"
#include "LaunchHooks.h"
#include "Objects.h"
#include "RunnerType.h"
#include "Tuning.h"
#include "target/Target.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace tilewright;
using namespace tilewright::python;

NB_MODULE(_native, m) {
  m.doc() = "Calls and launches of kernels, in C++.";
  // Kernels live until the process ends where a class of arrays, which is kept, names them.
  nb::set_leak_warnings(false);
  nb::register_exception_translator([](const std::exception_ptr &thrown, void *) {
    try {
      std::rethrow_exception(thrown);
    } catch (const LaunchFailure &failure) {
      raiseLaunchError(failure.error);
    }
  });
  if (!addKernelType(m.ptr()) || !addRunnerType(m.ptr()))
    nb::raise_python_error();
  addCompile(m);
  addTuning(m);

  nb::class_<GpuKernel>(m, "GpuKernel", "A kernel on a GPU.")
      .def("__init__",
           [](GpuKernel *self, const std::string &metadata, const nb::bytes &image, int device) {
             const std::string code(image.c_str(), image.size());
             if (driverOf(device) == GpuDriver::Sycl) {
               new (self) GpuKernel(metadata, code, device);
               return;
             }
             nb::gil_scoped_release release;
             new (self) GpuKernel(metadata, code, device);
           })
      .def_prop_ro(
          "n_regs",
          [](const GpuKernel &self) { return self.attribute(runtime::KernelAttribute::Registers); })
      .def_prop_ro("local_bytes",
                   [](const GpuKernel &self) {
                     return self.attribute(runtime::KernelAttribute::LocalBytes);
                   })
      .def_prop_ro("concurrent_programs", [](const GpuKernel &self) {
        return self.attribute(runtime::KernelAttribute::ConcurrentPrograms);
      });

  m.def(
      "set_launch_hooks",
      [](nb::handle enter, nb::handle exit) {
        launchHooks() = {Owned::share(enter.ptr()), Owned::share(exit.ptr())};
      },
      "enter"_a.none(), "exit"_a.none(),
      "The functions that get a description of each launch, before and after it is queued.");
  m.def(
      "target_of",
      [](int device) {
        auto info = describeGpu(device);
        if (!info)
          throw LaunchFailure{info.error()};
        return info->target;
      },
      "device"_a, "The target of a GPU, such as \"cuda:90\"; None if its driver does not tell.");
  m.def(
      "threads_per_warp",
      [](const std::string &name) -> std::optional<unsigned> {
        const target::Target *target = target::Target::find(name);
        return target ? std::optional(target->execution.threadsPerWarp) : std::nullopt;
      },
      "target"_a, "The threads of a warp where nobody chooses; None if the target is not known.");
  m.def(
      "device_of_hip", [](int ordinal) { return deviceNumber(GpuDriver::Hip, ordinal); },
      "ordinal"_a, "The number of a GPU of ROCm's.");
  m.def(
      "device_of_queue",
      [](uint64_t queue) {
        auto device = deviceOfQueue(queue);
        if (!device)
          throw LaunchFailure{device.error()};
        return *device;
      },
      "queue"_a, "The number of the GPU of a SYCL queue, whose address it is.");
  m.def("count_gpus", &countGpus, "The GPUs that the CUDA driver has; 0 without a driver.");
  m.def(
      "device_of",
      [](nb::handle object) -> nb::object {
        const ArrayReader reader = readerOf(reinterpret_cast<PyTypeObject *>(object.type().ptr()));
        if (reader.protocol == Protocol::None)
          return nb::none();
        Array array;
        std::string wrong;
        if (!readArray(object.ptr(), reader, array, wrong)) {
          if (PyErr_Occurred())
            nb::raise_python_error();
          throw nb::type_error(("the array " + wrong).c_str());
        }
        return nb::int_(array.device);
      },
      "array"_a, "The GPU of an array by its number, -1 for the CPU, None for what is no array.");
}
