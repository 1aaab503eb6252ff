//===- KernelType.h - The Python type of jitted functions -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_KERNELTYPE_H
#define TILEWRIGHT_PYTHON_KERNELTYPE_H

#include <Python.h>

namespace tilewright::python {

/// Adds the class `Kernel`, which tilewright.JITFunction derives from: kernel[grid] gives an object
/// that launches when it is called. False after an exception.
bool addKernelType(PyObject *module);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_KERNELTYPE_H
