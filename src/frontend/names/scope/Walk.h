//===- Walk.h - All expressions of a body ---------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_SCOPE_WALK_H
#define TILEWRIGHT_FRONTEND_NAMES_SCOPE_WALK_H

#include "frontend/syntax/Ast.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::frontend {

/// Calls `visit` for the expressions of the statements, at any depth, functions and classes inside
/// of them included, but for annotations, patterns and what a comprehension or `:=` assigns to.
/// Ends when `visit` says true, and says so.
bool anyExpression(const Body &body, llvm::function_ref<bool(const Expr *)> visit);
/// Likewise, for the expressions of one; none of null.
bool anyExpression(const Expr *expr, llvm::function_ref<bool(const Expr *)> visit);

/// The expressions that the statement itself evaluates, without those of the statements inside of
/// it: of a function its decorators and defaults, of a loop what it runs over, of an assignment its
/// value. What is assigned to is left out.
llvm::SmallVector<const Expr *> expressionsOf(const Stmt *stmt);
/// What the statement itself assigns to or deletes, as it stands there: tuples are not taken apart.
llvm::SmallVector<const Expr *> targetsOf(const Stmt *stmt);
/// The bodies of an `if`, a loop, a `with`, a `try` or a `match`; none of functions and classes.
llvm::SmallVector<const Body *> bodiesOf(const Stmt *stmt);
/// Calls `visit` for the statements at any depth, in functions and classes as well.
void forEachStatement(const Body &body, llvm::function_ref<void(const Stmt *)> visit);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_SCOPE_WALK_H
