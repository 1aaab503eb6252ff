//===- LinearLayouts.h - The layout algebra for Python ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_LINEARLAYOUTS_H
#define TILEWRIGHT_PYTHON_LINEARLAYOUTS_H

#include <nanobind/nanobind.h>

namespace tilewright::python {

/// Adds the class LinearLayout with the interface of Triton's triton.tools.LinearLayout. What the
/// algebra requires of its arguments is checked: ValueError.
void addLinearLayouts(nanobind::module_ &module);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_LINEARLAYOUTS_H
