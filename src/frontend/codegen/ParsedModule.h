//===- ParsedModule.h - A source file, parsed, its names resolved ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// All that is known of a Python source file before a signature and a target are: its syntax tree,
// what each module-level name stands for, which functions are kernels. A parsed module never
// changes, so that one serves any number of compilations, in any number of threads at once; what
// a compilation computes - the values of the names included - is in its CodeGen.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_CODEGEN_PARSEDMODULE_H
#define TILEWRIGHT_FRONTEND_CODEGEN_PARSEDMODULE_H

#include "frontend/syntax/Arena.h"
#include "frontend/syntax/Ast.h"
#include "tilewright/Expected.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <memory>
#include <string>

namespace tilewright::frontend {

/// What a statement of the module stands under, and so whether it runs.
struct Guard {
  enum class Kind {
    IfTrue,      ///< the body of an `if`
    IfFalse,     ///< its `else` or `elif`
    TryBody,     ///< the body of a `try`
    TryHandler,  ///< one of its `except`s
    TryElse,     ///< its `else`
    NotFollowed, ///< a loop, a `with`, or a function that has the name as `global`
  };
  Kind kind;
  const Stmt *statement;
  /// How many definitions precede the statement in the file.
  unsigned order;
};

/// One definition of a module-level name.
struct Definition {
  llvm::StringRef name;
  const Stmt *statement = nullptr;
  /// The initial value and annotation of a variable.
  const Expr *value = nullptr;
  const Expr *annotation = nullptr;
  /// For an import: what is imported, `a.b` or `a.b:name`.
  std::string_view imported;
  /// Outermost first; it holds if all of them let it run.
  llvm::SmallVector<Guard, 0> guards;
  /// How many definitions precede it in the file.
  unsigned order = 0;
  /// The definition of the same name that precedes it in the file; null if it is the first.
  const Definition *earlier = nullptr;
};

class ParsedModule {
public:
  /// Parses a file's text; `fileName` is for locations and errors. The error is the first one in
  /// the text.
  static Expected<std::unique_ptr<const ParsedModule>> parse(llvm::StringRef fileName,
                                                             llvm::StringRef text);

  llvm::StringRef fileName() const { return name; }
  llvm::StringRef text() const { return source; }

  /// The last definition of each module-level name.
  const llvm::StringMap<const Definition *> &definitions() const { return names; }
  /// The last definition of the name; null if no module-level name is this one. Whether it or an
  /// earlier one holds may depend on conditions: CodeGen::resolve.
  const Definition *find(llvm::StringRef name) const;

  /// The functions with `@triton.jit`, in the order of the file. Of several definitions of one
  /// name, of which conditions choose, the last.
  llvm::ArrayRef<const FunctionDefStmt *> jittedFunctions() const { return jitted; }
  /// Those of them that no other one calls.
  llvm::ArrayRef<const FunctionDefStmt *> rootFunctions() const { return roots; }

  bool isJitted(const FunctionDefStmt *function) const;
  /// Whether `@triton.constexpr_function` stands before it.
  bool isConstexprFunction(const FunctionDefStmt *function) const;
  /// `@triton.jit(noinline=True)` and its like.
  bool hasJitFlag(const FunctionDefStmt *function, llvm::StringRef flag) const;
  bool isConstexprAnnotation(const Expr *annotation) const;

private:
  ParsedModule(llvm::StringRef fileName, llvm::StringRef text) : name(fileName), source(text) {}

  Definition &define(llvm::StringRef name, const Stmt *stmt);
  void defineTargets(const Expr *target, const Stmt *stmt, const Expr *value,
                     const Expr *annotation);
  void collectDefinitions(const Body &body);
  /// The definitions of a body that runs or not.
  void collectGuarded(Guard::Kind kind, const Stmt *stmt, unsigned order, const Body &body);
  /// Those that statements of functions make by `global`.
  void collectGlobals(const Body &body, const Stmt *function);
  void findKernels();
  /// The decorator `triton.<name>`, under any alias, or a call of it; null if there is none.
  const Expr *decoratorOf(const FunctionDefStmt *function, llvm::StringRef name) const;

  const std::string name;
  /// The tree points into it.
  const std::string source;
  Arena arena;
  /// All definitions, in the order of the file.
  std::deque<Definition> all;
  llvm::StringMap<const Definition *> names;
  /// While collecting: the guards of the current statement.
  llvm::SmallVector<Guard> guards;
  llvm::SmallVector<const FunctionDefStmt *> jitted;
  llvm::SmallVector<const FunctionDefStmt *> roots;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_CODEGEN_PARSEDMODULE_H
