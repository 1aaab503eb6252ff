//===- Walk.h - All expressions of a body ---------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_WALK_H
#define TILEWRIGHT_FRONTEND_NAMES_WALK_H

#include "frontend/syntax/Ast.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilewright::frontend {

/// Calls `visit` for expressions of the statements, at any depth, functions and classes inside of
/// them included: calls and what is called, arguments, names and attributes, the parts of
/// operators, of choices, of tuples, lists, dicts, sets and comprehensions. Ends when `visit` says
/// true, and says so.
bool anyExpression(const Body &body, llvm::function_ref<bool(const Expr *)> visit);
/// Likewise, for the expressions of one; none of null.
bool anyExpression(const Expr *expr, llvm::function_ref<bool(const Expr *)> visit);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_WALK_H
