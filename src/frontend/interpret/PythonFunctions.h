//===- PythonFunctions.h - Functions that run while compiling -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A function with @triton.constexpr_function before it, and what it calls in turn, is run
// as Python would run it: its variables keep constants, and its loops and branches are
// taken at once. It has the whole of Python's control flow, since nothing of it is left in
// the kernel.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_INTERPRET_PYTHONFUNCTIONS_H
#define TILEWRIGHT_FRONTEND_INTERPRET_PYTHONFUNCTIONS_H

#include "frontend/names/Resolver.h"

namespace tilewright::frontend {

class Interpreter;

class PythonFunctions {
public:
  explicit PythonFunctions(Interpreter &interpreter);

  /// The constant that the function gives. No value after an error.
  Value call(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given);
  /// Counts what code that runs while compiling does; false, after an error, if it is too much.
  bool countSteps(SourceSpan span, size_t steps = 1);

  /// The elements that a comprehension gives, as a tuple; of a dict's, keys and values by turns
  /// (Comprehensions.cpp).
  Value comprehension(llvm::ArrayRef<const Expr *> elements, const List<Comprehension> &generators);

  /// The function of a lambda (Closures.cpp).
  Value makeLambda(const LambdaExpr *expr);

private:
  enum class Flow { Next, Returned, Broken, Continued, Failed };
  Flow run(const Body &body);
  Flow run(const Stmt *stmt);
  Flow runFor(const ForStmt *stmt);
  Flow runWhile(const WhileStmt *stmt);

  bool comprehend(llvm::ArrayRef<const Expr *> elements, const Comprehension *at,
                  const Comprehension *end, std::vector<Value> &results);

  /// The function that a `def` makes while the function around it runs. Null after an error.
  const FunctionObject *makeClosure(const FunctionDefStmt *definition);
  /// Evaluates the defaults of the function that is being defined; false after an error.
  bool keepDefaults(FunctionObject &function);
  /// Lets the functions that are defined in active ones see their variables as they are now.
  void updateClosures();

  Interpreter &interpreter;
  Resolver &resolver;
  Execution &now;
  TritonBuilder &tb;
  /// The definitions that stand for lambdas.
  llvm::DenseMap<const LambdaExpr *, const FunctionDefStmt *> lambdas;
  /// The variables of the comprehensions that run.
  llvm::SmallVector<llvm::StringRef> comprehensionNames;
  size_t stepsTaken = 0;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_INTERPRET_PYTHONFUNCTIONS_H
