//===- Tuning.h - Results of tuning, for Python ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_TUNING_H
#define TILEWRIGHT_PYTHON_TUNING_H

#include <nanobind/nanobind.h>

namespace tilewright::python {

/// Adds `TuningKey`, the functions that find and keep results, and `find_difference`.
void addTuning(nanobind::module_ &module);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_TUNING_H
