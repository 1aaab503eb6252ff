//===- LaunchChecks.h - Launch options against a target -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_LAUNCHCHECKS_H
#define TILEWRIGHT_COMPILER_LAUNCHCHECKS_H

#include "target/Target.h"
#include "tilewright/Diagnostic.h"
#include "tilewright/LaunchOptions.h"

#include <vector>

namespace tilewright::compiler {

/// Adds an error for each option that `target` does not take or that has no such value, and a
/// warning for a value that changes nothing there.
void checkLaunchOptions(const LaunchOptions &options, const target::Target &target,
                        std::vector<Diagnostic> &diagnostics);

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_LAUNCHCHECKS_H
