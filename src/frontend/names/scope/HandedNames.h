//===- HandedNames.h - Objects that are handed to where they may change -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//     def mark(c):              CLASSES = [A, B]          def go():
//         c.x = 5                                             for c in CLASSES: mark(c)
//
// `c.x = ..` sets an attribute of whatever a function is handed. That may be each class and module
// that is written elsewhere than before a dot, as here A and B are: nobody follows the ways on
// which an object comes to a function. So with lists, dicts and sets that get another name in one
// module, and are changed in another one.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_SCOPE_HANDEDNAMES_H
#define TILEWRIGHT_FRONTEND_NAMES_SCOPE_HANDEDNAMES_H

#include "frontend/names/scope/Names.h"
#include "frontend/syntax/Ast.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::frontend {

/// The last parts of the names of objects that statements of a body hand on, at any depth.
struct HandedNames {
  llvm::DenseSet<llvm::StringRef> names;
  /// The last parts of the names of what may be a list, dict or set that something else may have as
  /// well: by another name, an element, a parameter. Those of attributes of a function's own names
  /// are apart.
  llvm::DenseSet<llvm::StringRef> lists, ownLists;
  /// A list, dict or set is changed by way of an attribute or of a function's parameter; one that
  /// is imported is.
  bool changesByPath = false, changesImported = false;
  /// A module that is asked for by its name in `sys.modules` is handed on, or one whose name is not
  /// seen.
  bool anyModule = false;
};

/// Those of a module.
HandedNames handedIn(const Body &body);

/// Whether an expression asks for a module by its name: `sys.modules[..]`, `import_module(..)`.
bool asksForModule(const Expr *expr);
/// Whether an expression asks for the class of an object, or for classes that one derives from or
/// that derive from it: `type(x)`, `C.__base__`, `C.mro()`.
bool asksForClass(const Expr *expr);

/// Adds the names that functions, lambdas and comprehensions inside of the statements or of the
/// expression bind for themselves.
void collectInner(const Body &body, NameSet &names);
void collectInner(const Expr *expr, NameSet &names);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_SCOPE_HANDEDNAMES_H
