//===- RunnerType.h - The Python type of launches with fixed types --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Programs that compile a kernel for a signature (triton.compile, as torch.compile does) launch
// that code whatever the arguments are. A Runner is such code on a GPU, called as Triton's
// launchers are:
//
//   runner(grid_0, grid_1, grid_2, stream, function, metadata, launch_metadata, enter_hook,
//          exit_hook, *arguments)
//
// with an argument for each parameter of the kernel's function, constants among them.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_RUNNERTYPE_H
#define TILEWRIGHT_PYTHON_RUNNERTYPE_H

#include <Python.h>

namespace tilewright::python {

/// Adds the type `Runner` to the module; false after an exception.
bool addRunnerType(PyObject *module);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_RUNNERTYPE_H
