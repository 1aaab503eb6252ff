//===- KernelFiles.h - Files of a compiled kernel -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_FILES_KERNELFILES_H
#define TILEWRIGHT_RUNTIME_FILES_KERNELFILES_H

#include "runtime/files/Files.h"
#include "tilewright/Kernel.h"

#include <vector>

namespace tilewright::runtime {

/// The files that writeCompiledKernel writes, the description last: who finds it finds the code.
std::vector<FileContents> filesOf(const std::string &directory, const CompiledKernel &kernel);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_FILES_KERNELFILES_H
