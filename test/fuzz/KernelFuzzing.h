//===- KernelFuzzing.h - Compilation and simulation of fuzzed kernels -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What the fuzz targets of kernels share: which target an input is for, and the way from a source
// to the simulator. Wherever something is refused there must be an error that can be shown.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_FUZZ_KERNELFUZZING_H
#define TILEWRIGHT_TEST_FUZZ_KERNELFUZZING_H

#include "tilewright/Compiler.h"

#include <string_view>
#include <utility>

namespace tilewright::fuzz {

/// The target in an input's first line, as "xpu:pvc/32" (the lanes may be left out), and the text
/// after that line. Any other line stands for a target as well, so that no input is lost to it.
struct TargetLine {
  std::string target;
  int threadsPerWarp = 0;
  std::string_view rest;
};
TargetLine readTargetLine(std::string_view text);

/// Whether a tensor type in the text of IR has enough elements to make compilation slow.
bool hasLargeTensor(std::string_view ir);

/// Aborts unless the first diagnostic is an error and all can be shown.
void requireError(const std::vector<Diagnostic> &diagnostics);

/// Compiles the source; if that succeeds, runs the kernel on the simulator with arrays and numbers
/// of the types of its arguments. How the run ends is the kernel's affair; that its code is valid
/// is the compiler's (CodeChecks.h).
void compileAndRun(const Source &source, const CompileOptions &options);

} // namespace tilewright::fuzz

#endif // TILEWRIGHT_TEST_FUZZ_KERNELFUZZING_H
