//===- Output.h - Output files and standard output of the commands --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_OUTPUT_H
#define TILEWRIGHT_CLI_OUTPUT_H

#include "tilewright/Compiler.h"

namespace tilewright::cli {

/// Writes DIR/NAME.{ttir,ttgir,llir}, the native code, its assembly and NAME.json: all of them, or
/// none.
Expected<void> writeCompilation(const std::string &directory, const Compilation &compilation);

/// A rule in make's syntax: DIR/NAME.json depends on the source and on the files that it imports.
/// Those that were not there are left out, since make knows no such thing.
std::string dependencyRule(const std::string &directory, const std::string &source,
                           const Compilation &compilation);

/// {"frontend": 0.5, .., "total": 9.1}: the median of each stage over the runs, in milliseconds.
/// Where loops of the kernel overlap fewer stages than the `numStages` that were asked for, both
/// stand after: {.., "num_stages": 4, "loop_stages": [3]}.
std::string timesAsJson(const std::vector<std::vector<StageTime>> &runs,
                        const KernelMetadata &kernel, int numStages);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_OUTPUT_H
