//===- Function.h - A function of a source file, as a value ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_VALUE_FUNCTION_H
#define TILEWRIGHT_FRONTEND_VALUE_FUNCTION_H

#include "frontend/syntax/Ast.h"
#include "frontend/value/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilewright::frontend {

struct Environment;

enum class FunctionKind {
  /// Runs where Python runs: a kernel cannot call it by its name.
  Plain,
  /// @triton.jit
  Jitted,
  /// @triton.constexpr_function
  Constexpr,
};

/// The result of running a `def`. Two functions are the same if they are one object.
struct FunctionObject {
  const FunctionDefStmt *definition = nullptr;
  FunctionKind kind = FunctionKind::Plain;
  /// A jitted one may have `@triton.jit(noinline=True)`, `@triton.jit(debug=True)`.
  bool isNoInline = false;
  bool hasAssertions = false;
  /// A jitted one that Gluon's decorator makes.
  bool isGluon = false;
  /// It may give a constant: Gluon's `builtin` makes it.
  bool keepsConstants = false;
  /// The names that its body sees, besides its own.
  const Environment *environment = nullptr;
  /// Where the `def` stands, and how many definitions precede it there.
  const Environment *home = nullptr;
  unsigned order = 0;
  /// The decorators of a plain one that are functions of source files, the innermost first.
  llvm::SmallVector<const Expr *, 0> wrappers;
  /// The defaults of a function that is defined while another one runs; a module's function has its
  /// defaults evaluated where they are needed.
  llvm::DenseMap<const Expr *, Value> defaults;
  /// Its name, with a number after it if another function of the kernel has that name.
  std::string key;

  llvm::StringRef name() const { return definition->name; }
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_VALUE_FUNCTION_H
