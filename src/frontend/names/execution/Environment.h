//===- Environment.h - The names that code sees around it -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_EXECUTION_ENVIRONMENT_H
#define TILEWRIGHT_FRONTEND_NAMES_EXECUTION_ENVIRONMENT_H

#include "frontend/names/modules/ModuleFinder.h"
#include "frontend/names/scope/ParsedModule.h"
#include "frontend/names/scope/Scope.h"
#include "frontend/value/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>

namespace tilewright::frontend {

using Variables = llvm::DenseMap<llvm::StringRef, Value>;

/// The names around a piece of code: those of its module, of the class or the function that it
/// stands in, or the variables of a function that has run and left functions behind. Either `scope`
/// or `variables` is there.
struct Environment {
  const ParsedModule *file = nullptr;
  /// The module that the file is.
  const FoundModule *module = nullptr;
  const Scope *scope = nullptr;
  std::shared_ptr<Variables> variables;
  /// The function whose variables they are, as code that runs while compiling left them; else null.
  const FunctionDefStmt *function = nullptr;
  /// Null for a module.
  const Environment *enclosing = nullptr;
  bool isClass = false;
  /// The name of a class or a function; empty for a module.
  llvm::StringRef name;
  /// The number of definitions that precede a class in the enclosing environment.
  unsigned order = 0;
};

/// A class of a source file.
struct ClassObject {
  const ClassDefStmt *definition = nullptr;
  /// Its body's names, and those around it.
  const Environment *environment = nullptr;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_EXECUTION_ENVIRONMENT_H
