//===- Compile.h - Compiling by way of the cache --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A kernel that the cache on disk has is launched without the compiler: it is in a module of its
// own, which is loaded when something is compiled anew.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_COMPILE_H
#define TILEWRIGHT_PYTHON_COMPILE_H

#include "tilewright/Compiler.h"

#include <nanobind/nanobind.h>

namespace tilewright::python {

/// A report (docs/report.md): what was said, and without an error the document, as JSON, and the
/// page.
struct DescribedCompilation {
  std::vector<Diagnostic> diagnostics;
  std::string document, page;
};

/// What tilewright._compiler gives to tilewright._native, in a capsule of this name. Both are built
/// by one compiler, as one package.
inline constexpr char compilerEntryName[] = "tilewright.compiler_entry";
struct CompilerEntry {
  /// Without the GIL.
  CompileResult (*compile)(const Source &source, const CompileOptions &options);
  /// Likewise, past every cache.
  DescribedCompilation (*report)(const Source &source, const CompileOptions &options);
};

/// Adds `Options`, `compile` and `report`.
void addCompile(nanobind::module_ &module);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_COMPILE_H
