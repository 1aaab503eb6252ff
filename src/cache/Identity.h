//===- Identity.h - Which build of the compiler this is -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_IDENTITY_H
#define TILEWRIGHT_CACHE_IDENTITY_H

#include <string>

namespace tilewright::cache {

/// 64 hexadecimal digits that differ between compilers that could make different code: a hash of
/// the sources that this one was built from, how it was built, LLVM's and MLIR's archives at that
/// time, and, where these are shared libraries, the build ids of those that the process has loaded.
/// It is the same in every program of one build: the command, Python, programs that embed it.
const std::string &compilerIdentity();

} // namespace tilewright::cache

#endif // TILEWRIGHT_CACHE_IDENTITY_H
