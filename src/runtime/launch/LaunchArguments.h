//===- LaunchArguments.h - Values of a launch in their types --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_LAUNCH_LAUNCHARGUMENTS_H
#define TILEWRIGHT_RUNTIME_LAUNCH_LAUNCHARGUMENTS_H

#include "tilewright/Runtime.h"

namespace tilewright::runtime {

/// A parameter of a kernel's code that belongs to an argument.
struct KernelParameter {
  const KernelArgument *argument;
  /// As of an argument: "*fp16", "i32".
  std::string type;
  /// The part of a tensor descriptor that it is, "size 0" or "stride 0"; else empty.
  std::string part = {};

  bool isPointer() const { return type.starts_with('*'); }
};

/// The parameters of a kernel's code, without those after the arguments' own.
std::vector<KernelParameter> parametersOf(const KernelMetadata &kernel);

/// Appends the bits of one argument's parameters, each in the low bytes of a word, in the types
/// that the description states. Errors: those of packArguments that are about one argument.
Expected<void> packArgument(const KernelArgument &expected, const LaunchArgument &argument,
                            std::vector<uint64_t> &words);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_LAUNCH_LAUNCHARGUMENTS_H
