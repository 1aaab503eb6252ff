//===- ScopeChanges.h - Changes of names that no assignment shows ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_SCOPECHANGES_H
#define TILEWRIGHT_FRONTEND_NAMES_SCOPECHANGES_H

#include "frontend/syntax/Ast.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tilewright::frontend {

/// Whether the expression makes a list, a dict or a set: what may change without an assignment.
bool isList(const Expr *expr);

/// X of `globals()["X"]`.
std::optional<llvm::StringRef> globalNamed(const SubscriptExpr *subscript);

/// The name of `os.environ["NAME"] = ..` among the changes of attributes of `os`.
std::string changedVariable(llvm::StringRef variable);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_SCOPECHANGES_H
