//===- KernelHeader.h - C++ functions that launch kernels -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_KERNEL_KERNELHEADER_H
#define TILEWRIGHT_CLI_KERNEL_KERNELHEADER_H

#include "tilewright/Kernel.h"

#include <span>

namespace tilewright::cli {

struct KernelHeaderOptions {
  /// The header that the source file includes.
  std::string headerName;
  /// The namespace of the function.
  std::string nameSpace;
  /// The source of the kernels, for the comment.
  std::string from;
};

struct KernelHeader {
  std::string header, source;
};

/// A header with a function that launches whichever of the specializations fits, and a source file
/// with that function and their code, for tilewright/EmbeddedKernels.h. Errors: those of
/// runtime::argumentsOfSet, and an argument of a type that C++ has no number of.
Expected<KernelHeader> writeKernelHeader(std::span<const CompiledKernel> kernels,
                                         const KernelHeaderOptions &options);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_KERNEL_KERNELHEADER_H
