//===- Evaluator.h - Evaluation, as names need it -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_EXECUTION_EVALUATOR_H
#define TILEWRIGHT_FRONTEND_NAMES_EXECUTION_EVALUATOR_H

#include "frontend/builtins/Builtins.h"

namespace tilewright::frontend {

/// The meaning of a name may depend on any expression: a condition, a decorator, a default. Whoever
/// evaluates expressions implements this interface, so that names do not know how.
class Evaluator {
public:
  /// The value of an expression at the current place; none after an error.
  virtual Value evaluate(const Expr *expr) = 0;
  /// The result of a function that runs while compiling; no value after an error.
  virtual Value callPython(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given) = 0;

protected:
  ~Evaluator() = default;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_EXECUTION_EVALUATOR_H
