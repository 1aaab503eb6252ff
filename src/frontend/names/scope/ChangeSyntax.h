//===- ChangeSyntax.h - Expressions that change something -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_SCOPE_CHANGESYNTAX_H
#define TILEWRIGHT_FRONTEND_NAMES_SCOPE_CHANGESYNTAX_H

#include "frontend/names/scope/Names.h"
#include "frontend/syntax/Ast.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <utility>

namespace tilewright::frontend {

/// Whether the expression makes a list, a dict or a set: what may change without an assignment.
bool isList(const Expr *expr);

/// The name of the function that is called by its name alone; empty if it is none.
llvm::StringRef calledName(const CallExpr *call);
/// The text of a constant string.
std::optional<llvm::StringRef> constantText(const Expr *expr);

/// Whether a method of that name changes its list, dict or set.
bool isChanging(llvm::StringRef method);
/// The list, dict or set that the call of a method changes; null if it is none.
const Expr *changedBy(const Expr *expr);
/// The base of an attribute that the call sets or deletes by its name, and the name; anyName if it
/// is no constant. Null if it sets none.
std::pair<const Expr *, llvm::StringRef> attributeSet(const CallExpr *call);

/// What `a[..].method(..)[..]` changes where it changes something: `a`.
const Expr *rootOf(const Expr *expr);
/// What a path of elements, attributes and calls of methods begins with.
const Expr *rootOfPath(const Expr *expr);

/// "KEY" of `a["KEY"]` and of `a.setdefault("KEY", ..)`.
std::optional<llvm::StringRef> keyIn(const Expr *expr);
/// The keys of `dict` that `dict[KEY]`, `dict.pop(KEY)` or `dict.update(KEY=..)` changes; anyName
/// where they are not seen.
llvm::SmallVector<llvm::StringRef> keysChanged(const Expr *expr, const Expr *dict);

/// The attributes that a call of unittest.mock's `patch` sets of what it names in a text, as
/// `patch("module.Class.name", 3)`.
llvm::SmallVector<llvm::StringRef> attributesPatched(const CallExpr *call);
/// The `for` parts of a comprehension; none of another expression.
llvm::ArrayRef<Comprehension> generatorsOf(const Expr *expr);
/// Adds the names in the expression but for those of functions that it calls.
void collectNames(const Expr *expr, NameSet &names);
/// Adds a function's own names: its parameters and what it binds, but for `global` and `nonlocal`.
void collectOwn(const FunctionDefStmt *function, NameSet &names);
/// Adds the names that the statements bind in their own scope.
void collectBound(const Body &body, NameSet &names);

/// Adds the names that functions, lambdas and comprehensions inside of the statements or of the
/// expression bind for themselves.
void collectInner(const Body &body, NameSet &names);
void collectInner(const Expr *expr, NameSet &names);

/// Functions of Python that change nothing.
bool isHarmless(llvm::StringRef name);
/// Packages whose functions leave lists as they are.
bool isHarmlessModule(llvm::StringRef module);

/// The name of `os.environ["NAME"] = ..` among the changes of attributes of `os`.
std::string changedVariable(llvm::StringRef variable);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_SCOPE_CHANGESYNTAX_H
