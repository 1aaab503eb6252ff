//===- Execution.h - The code that is run or compiled now -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A compilation follows code from place to place: from a kernel to the definition of a name, to the
// module that it is imported from, to a function that runs while compiling. The code sees other
// names at each place. Execution knows the current place; Within goes to another one and back.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_EXECUTION_EXECUTION_H
#define TILEWRIGHT_FRONTEND_NAMES_EXECUTION_EXECUTION_H

#include "frontend/names/execution/Environment.h"
#include "frontend/syntax/Arena.h"
#include "frontend/value/Function.h"
#include "frontend/value/TritonBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilewright::frontend {

inline SourceSpan spanOf(const Expr *expr) { return {expr->begin, expr->end}; }
inline SourceSpan spanOf(const Stmt *stmt) { return {stmt->begin, stmt->end}; }

/// Functions that call each other.
inline constexpr unsigned maxCallDepth = 50;

/// A function while it runs, or while its code is generated.
struct Frame {
  const FunctionObject *function = nullptr;
  Variables locals;
  /// The function runs while compiling, as Python does.
  bool python = false;
  Value result;
  const Frame *caller = nullptr;
  /// Where the functions that it defines find its variables; null before there is one.
  const Environment *closure = nullptr;
};

/// How far the code of an environment has run, while it runs.
struct Progress {
  const Environment *environment;
  /// How many of its definitions have run.
  unsigned order;
  const Progress *outer;
};

/// That of one compilation.
class Execution {
public:
  /// `source` is the file that is compiled; what goes wrong is added to `errors`.
  Execution(mlir::MLIRContext &context, const ParsedModule &source, std::vector<Diagnostic> &errors,
            const CompileFacts &facts)
      : tb(&context, source.fileName(), source.text(), errors), errors(errors) {
    tb.facts = facts;
  }
  Execution(const Execution &) = delete;
  Execution &operator=(const Execution &) = delete;

  TritonBuilder tb;
  std::vector<Diagnostic> &errors;
  /// Texts that values point to.
  Arena arena;
  /// The names that the code which runs now sees.
  const Environment *environment = nullptr;
  /// Null for code of a module or a class.
  Frame *frame = nullptr;
  /// Null for kernels.
  const Progress *progress = nullptr;

  /// Whether what runs now is Python's, not a kernel's: module-level code, constexpr functions.
  bool inPython() const { return !frame || frame->python; }
  /// How many definitions of the environment have run; all of them for a kernel.
  unsigned orderIn(const Environment &environment) const;
  /// The functions that call each other now.
  unsigned callDepth() const;

  std::string_view keep(const llvm::Twine &text) { return arena.copy(text.str()); }

  /// Runs `body` with the names that code of that place sees. Its errors are not reported: false
  /// if there were any.
  bool tryAt(const Environment &environment, unsigned order, llvm::function_ref<void()> body);
  /// Likewise, at the current place.
  bool tryHere(llvm::function_ref<void()> body);
  /// What goes wrong in `body`, which is not reported.
  std::vector<Diagnostic> errorsOf(llvm::function_ref<void()> body);
  /// Adds to the last error where the function was called.
  void noteCall(const FunctionObject *function, SourceSpan span);
};

/// While it lives, names are those of another environment.
class Within {
public:
  /// For a function's body.
  Within(Execution &now, const Environment &environment, Frame *frame);
  /// For code of the environment itself, which this many definitions precede.
  Within(Execution &now, const Environment &environment, unsigned order);
  ~Within();
  Within(const Within &) = delete;
  Within &operator=(const Within &) = delete;

private:
  Execution &now;
  TritonBuilder::InFile file;
  const Environment *savedEnvironment;
  Frame *savedFrame;
  const Progress *savedProgress;
  Progress here, around;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_EXECUTION_EXECUTION_H
