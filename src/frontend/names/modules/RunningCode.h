//===- RunningCode.h - Statements that may run while modules do -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A module's body may call what it names, whatever it is called by: functions are told apart by
// their names alone, over all modules that are read. Branches whose conditions are known not to
// hold do not run, and neither does what follows a `return`.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_MODULES_RUNNINGCODE_H
#define TILEWRIGHT_FRONTEND_NAMES_MODULES_RUNNINGCODE_H

#include "frontend/names/ResolverPart.h"
#include "frontend/names/execution/Environments.h"
#include "frontend/names/scope/Names.h"
#include "frontend/syntax/Ast.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace tilewright::frontend {

class RunningCode : public ResolverPart {
public:
  explicit RunningCode(Resolver &resolver) : ResolverPart(resolver) {}

  /// Looks through the modules that have been read since.
  void update();
  /// Whether a statement may run, of a module that `update` has seen, at any depth.
  bool mayRun(const Stmt *stmt) const { return running.contains(stmt); }

private:
  struct Function {
    const Environment *home;
    const FunctionDefStmt *definition;
    /// The names of the functions around it.
    NameSet around;
  };

  /// Whether the body ends before its end.
  bool visit(const Environment &home, const Body &body, const NameSet *own);
  bool visitIf(const Environment &home, const IfStmt *stmt, const NameSet *own);
  void visitTry(const Environment &home, const TryStmt *stmt, const NameSet *own);
  void visitClass(const Environment &home, const ClassDefStmt *definition, const NameSet *own);
  void add(const Environment &home, const FunctionDefStmt *function, const NameSet *own,
           llvm::StringRef owner);
  void name(llvm::StringRef name);
  void nameIn(const Expr *expr);
  void nameImports(const Stmt *stmt);
  std::optional<bool> truthOf(const Environment &home, const IfStmt *stmt, const NameSet *own);

  llvm::SmallPtrSet<const Stmt *, 16> running;
  llvm::DenseSet<llvm::StringRef> named;
  /// Functions by the names that have them run.
  llvm::StringMap<llvm::SmallVector<Function, 1>> waiting;
  llvm::SmallVector<Function> next;
  /// The name of the class whose body is looked through; empty outside of classes.
  llvm::StringRef classAround;
  UnseenEnvironments unseen;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_MODULES_RUNNINGCODE_H
