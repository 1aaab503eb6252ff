//===- Pictures.h - Layouts and plans for notebooks -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_PICTURES_H
#define TILEWRIGHT_PYTHON_PICTURES_H

#include <nanobind/nanobind.h>

namespace tilewright::python {

/// Adds the functions behind tilewright.layout, .convert and .blockload, which take and return
/// texts and raise ValueError with the rendered diagnostic.
void addPictures(nanobind::module_ &module);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_PICTURES_H
