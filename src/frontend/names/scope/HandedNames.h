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

#include "frontend/names/scope/Definition.h"
#include "frontend/names/scope/Names.h"
#include "frontend/syntax/Ast.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::frontend {

/// The last parts of the names of objects that statements of a body hand on, at any depth.
struct HandedNames {
  llvm::DenseSet<llvm::StringRef> names;
  /// An attribute of what a path leads to that begins with a name of the module, or with one that a
  /// function imports: `q.c`, `getattr(q, "c")`; anyName where its name is not seen.
  struct Part {
    const Expr *base;
    llvm::StringRef name;
    /// Those that give the path's first name in a function; empty if it is the module's.
    llvm::SmallVector<Import, 1> imports;
  };
  llvm::SmallVector<Part, 0> parts;
  /// Those of what a function is handed.
  llvm::DenseSet<llvm::StringRef> attributes;
  /// Imports in functions of names that the functions hand on.
  llvm::SmallVector<Import, 0> imports;
  /// A module that is asked for by its name: `sys.modules[..]`, `import_module(..)`.
  struct Asked {
    /// Null if it may be any module: `sys.modules.values()`.
    const Expr *name;
    /// The statement that it stands in, and the function around that; null for none.
    const Stmt *statement;
    const FunctionDefStmt *function;
  };
  llvm::SmallVector<Asked, 0> asked;
  /// The modules that are imported by names which are computed.
  llvm::SmallVector<Asked, 0> loaded;
  /// The last parts of the names of what may be a list, dict or set that something else may have as
  /// well: by another name, an element, a parameter. Those of attributes of a function's own names
  /// are apart.
  llvm::DenseSet<llvm::StringRef> lists, ownLists;
  /// A list, dict or set is changed by way of an attribute or of a function's parameter; one that
  /// is imported is.
  bool changesByPath = false, changesImported = false;
};

/// Those of a module.
HandedNames handedIn(const Body &body);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_SCOPE_HANDEDNAMES_H
