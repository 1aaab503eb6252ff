//===- KnownModules.h - Modules that are known without being read ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_KNOWNMODULES_H
#define TILEWRIGHT_FRONTEND_NAMES_KNOWNMODULES_H

#include "llvm/ADT/StringRef.h"

namespace tilewright::frontend {

/// Whether no file is looked for when the module `a.b` is imported: it is of Triton, of this
/// compiler, or one of those of Python's library that modules with kernels import.
bool isKnownModule(llvm::StringRef name);

/// Whether it is a module of Python's standard library, of those that are there in all versions and
/// on all systems that Triton runs on, but not one that isKnownModule.
bool isStandardModule(llvm::StringRef name);
/// Whether it is a module of Triton all of whose names are known.
bool isTritonModule(llvm::StringRef name);

/// Whether the name, of a module of Triton, is what makes kernels: `triton.jit`.
bool isJit(llvm::StringRef name);

/// Whether the name, of a module of Triton, is what makes configurations: `triton.Config`.
bool isConfig(llvm::StringRef name);

/// Whether the name, of a module of Triton, is what makes functions that run while compiling:
/// `triton.constexpr_function`.
bool isConstexprFunction(llvm::StringRef name);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_KNOWNMODULES_H
