//===- Diagnostics.h - Diagnostics as Python gets them --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_DIAGNOSTICS_H
#define TILEWRIGHT_PYTHON_DIAGNOSTICS_H

#include "tilewright/Diagnostic.h"

#include <nanobind/nanobind.h>

#include <string>
#include <tuple>
#include <vector>

namespace tilewright::python {

/// Pieces of a source text that stand elsewhere in fact: (first line, lines, file, line there).
using Pieces = std::vector<std::tuple<int, int, std::string, int>>;

/// Says where the diagnostic is in fact, if it is about the text `name`.
void relocate(Diagnostic &diagnostic, const std::string &name, const Pieces &pieces);

/// A diagnostic as a dictionary, with the text that is shown. With the GIL.
nanobind::dict toDict(const Diagnostic &diagnostic);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_DIAGNOSTICS_H
