//===- NamespaceDicts.h - Dicts of the names of modules and classes ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// globals()["N"] = 3        vars(util)["N"] = 3        sys.modules[__name__].N = 3
//
// These change names by way of the dicts that hold them, or of the module itself. Who is handed
// such a dict may do so later.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_SCOPE_NAMESPACEDICTS_H
#define TILEWRIGHT_FRONTEND_NAMES_SCOPE_NAMESPACEDICTS_H

#include "frontend/names/scope/Names.h"
#include "frontend/syntax/Ast.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tilewright::frontend {

/// A call of what gives the dict of a module's names: at its level vars and locals do as well.
bool isGlobals(const Expr *expr);
/// X of `globals()["X"]`.
std::optional<llvm::StringRef> globalNamed(const SubscriptExpr *subscript);
/// X of `X.__dict__` and `vars(X)`; null if it is neither.
const Expr *ownerOfDict(const Expr *expr);
/// Whether the attribute of a function or of a frame is the dict of a module's names.
bool isNamesAttribute(llvm::StringRef attribute);
/// Whether it is `sys.modules`.
bool isModules(const Expr *expr);
/// Whether it is `sys.modules[__name__]`, the module itself.
bool isThisModule(const Expr *expr);

/// Whether the expression hands the dict of what Python has by itself to where it may be written
/// to.
bool handsOutBuiltins(const Expr *whole);
/// Whether the expression hands the dict of the module's names, or the module itself, to where it
/// may be written to. `own` are the names that functions around it have of their own; null outside
/// of functions. `handsOut` is called for other objects whose dicts it hands out.
bool handsOutNames(const Expr *whole, const NameSet *own,
                   llvm::function_ref<void(const Expr *)> handsOut);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_SCOPE_NAMESPACEDICTS_H
