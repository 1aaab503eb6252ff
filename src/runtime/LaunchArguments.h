//===- LaunchArguments.h - Values of a launch in their types --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_LAUNCHARGUMENTS_H
#define TILEWRIGHT_RUNTIME_LAUNCHARGUMENTS_H

#include "tilewright/Runtime.h"

namespace tilewright::runtime {

/// The bits of one argument in the low bytes of a word, in the type that the description states.
/// Errors: those of packArguments that are about one argument.
Expected<uint64_t> packArgument(const KernelArgument &expected, const LaunchArgument &argument);

/// An error if the grid of `kernel` is empty or larger than a grid can be.
Expected<void> checkGrid(const KernelMetadata &kernel, Grid grid);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_LAUNCHARGUMENTS_H
