//===- Functions.h - Functions and their decorators -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A function is a kernel if one of its decorators is triton.jit, under whatever name, or one whose
// own source calls triton.jit. All others say how a kernel is launched - @triton.autotune and a
// project's own - and change nothing of what it computes.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_OBJECTS_FUNCTIONS_H
#define TILEWRIGHT_FRONTEND_NAMES_OBJECTS_FUNCTIONS_H

#include "frontend/names/ResolverPart.h"

#include <deque>

namespace tilewright::frontend {

class Functions : public ResolverPart {
public:
  explicit Functions(Resolver &resolver) : ResolverPart(resolver) {}

  /// The function that this `def` makes.
  const FunctionObject *of(const FunctionDefStmt *definition, const Environment &home,
                           unsigned order);
  /// One that is made each time its definition runs, still without an environment.
  FunctionObject &make(const FunctionDefStmt *definition);
  void applyDecorators(FunctionObject &function);
  /// What the wrappers around a function that runs while compiling make of it: the function itself,
  /// if there are none. Null after an error.
  const FunctionObject *unwrapped(const FunctionObject *function);
  /// The function as `triton.jit` with these flags, or `triton.constexpr_function`, makes it.
  const FunctionObject *decorated(const FunctionObject *function, llvm::StringRef decorator);
  /// Whether calling it ends in triton.jit.
  bool makesKernels(const Value &callable);
  /// Whether an annotation is triton.language's `meant`, "constexpr" or "const".
  bool isAnnotation(const Expr *annotation, llvm::StringRef meant, const Environment &environment);

private:
  void applyDecorator(const Expr *decorator, FunctionObject &function);
  bool mentionsJit(const Environment &environment, const Body &body, unsigned depth);

  std::deque<FunctionObject> objects;
  llvm::DenseMap<const Stmt *, const FunctionObject *> ofStatements;
  /// Those that a decorator of Triton's is called for.
  llvm::DenseMap<std::pair<const FunctionObject *, llvm::StringRef>, const FunctionObject *>
      decoratedFunctions;
  llvm::StringMap<unsigned> functionNames;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_OBJECTS_FUNCTIONS_H
