//===- KnownModules.h - Modules that are known without being read ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_MODULES_KNOWNMODULES_H
#define TILEWRIGHT_FRONTEND_NAMES_MODULES_KNOWNMODULES_H

#include "frontend/names/ResolverPart.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tilewright::frontend {

/// Whether code that does not define the name finds a function or a class of Python's by it.
bool isBuiltinName(llvm::StringRef name);
/// Whether no file is looked for when the module `a.b` is imported: it is of Triton, of this
/// compiler, or one of those of Python's library that modules with kernels import.
bool isKnownModule(llvm::StringRef name);

/// Whether it is a module of Python's standard library, of those that are there in all versions and
/// on all systems that Triton runs on, but not one that isKnownModule.
bool isStandardModule(llvm::StringRef name);
/// Whether it is a module of Triton all of whose names are known.
bool isTritonModule(llvm::StringRef name);
/// Whether it is triton.experimental.gluon or a module in it.
bool isGluonModule(llvm::StringRef name);

/// Whether the name, of a module of Triton, is what makes kernels: `triton.jit`.
bool isJit(llvm::StringRef name);

/// Whether the name, of a module of Triton, is what makes configurations: `triton.Config`.
bool isConfig(llvm::StringRef name);

/// Whether the name, of a module of Triton, is what makes functions that run while compiling:
/// `triton.constexpr_function`.
bool isConstexprFunction(llvm::StringRef name);

/// What importlib says of a module: this, and the module's name.
inline constexpr llvm::StringLiteral moduleSpecification = "importlib.spec of ";

/// Names of modules that are not read.
class KnownModules : public ResolverPart {
public:
  explicit KnownModules(Resolver &resolver) : ResolverPart(resolver) {}

  /// The module that an import's name stands for: tilewright.language is triton.language.
  llvm::StringRef meant(llvm::StringRef name);
  /// A name of a module that isKnownModule; no value after an error.
  Value attribute(std::string_view module, llvm::StringRef name);
  /// A name of a module of Gluon; nothing for other modules, no value after an error
  /// (GluonModules.cpp).
  std::optional<Value> gluonAttribute(llvm::StringRef module, llvm::StringRef name);
  /// A name of something in a module that is not read.
  Value hostAttribute(llvm::StringRef object, llvm::StringRef name);
  /// Whether such a module has the name; nothing if only the program itself could tell.
  std::optional<bool> has(llvm::StringRef module, llvm::StringRef name);
  /// The value of a variable of the environment; None if it is not set.
  Value environmentVariable(llvm::StringRef name);
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_MODULES_KNOWNMODULES_H
