//===- Definition.h - Definitions of names, as statements make them -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_SCOPE_DEFINITION_H
#define TILEWRIGHT_FRONTEND_NAMES_SCOPE_DEFINITION_H

#include "frontend/syntax/Ast.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <utility>

namespace tilewright::frontend {

/// A condition that a statement stands under, and so whether it runs.
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
  /// How many definitions precede the statement in the scope.
  unsigned order;
};

/// The object that an import binds a name to.
struct Import {
  /// The dots before the module's name.
  unsigned level = 0;
  /// `a.b`; may be empty after dots.
  llvm::StringRef module;
  /// The name in the module; empty for the module itself, `*` for all of its names.
  llvm::StringRef name;
  /// The module that `import a.b`, which binds `a`, loads.
  llvm::StringRef loaded;
  /// Where the import names it.
  Position begin;
  Position end;
};

/// The names that an `import` or a `from .. import` binds, with what it binds them to.
llvm::SmallVector<std::pair<llvm::StringRef, Import>> importsOf(const Stmt *stmt);

/// One definition of a name.
struct Definition {
  llvm::StringRef name;
  const Stmt *statement = nullptr;
  /// The initial value and annotation of a variable.
  const Expr *value = nullptr;
  const Expr *annotation = nullptr;
  /// Which element of the value, if the name is one of a tuple of so many names.
  std::optional<size_t> element;
  size_t names = 1;
  std::optional<Import> import;
  /// The left side of `NAME[key] = value`.
  const SubscriptExpr *changedAt = nullptr;
  /// The statement may change what the name has, if that is a list, dict or set; else it is no
  /// definition.
  bool mayChange = false;
  /// Outermost first; it holds if all of them let it run.
  llvm::SmallVector<Guard, 0> guards;
  /// How many definitions precede its statement in the scope. Names that one statement defines have
  /// the same order: none of them sees another.
  unsigned order = 0;
  /// The definition of the same name that precedes it; null if it is the first.
  const Definition *earlier = nullptr;
};

/// `base.attribute = ..`, or `setattr(base, "attribute", ..)`: what else may define a name.
struct AttributeChange {
  /// Null where a name changes that is imported: then `import` tells from where (but see
  /// Of::Imported).
  const Expr *base;
  const Import *import;
  const Stmt *statement;
  /// How many definitions precede the statement in the scope.
  unsigned order;
  /// It changes what the attribute has, if that is a list, dict or set; else it is no change.
  bool mayChange = false;
  /// A method changes its class, which is this one or derives from it; then there is no base.
  const ClassDefStmt *ofClass = nullptr;
  /// The objects that it may change where there is no base.
  enum class Of {
    None,
    Handed,   ///< a class or a module that is handed to functions (HandedNames.h)
    AnyClass, ///< any class
    Any,      ///< any class or module
    Caller,   ///< a module whose code calls the function
    Builtins, ///< what Python has by itself
    Imported, ///< what `import` gives a function's own name, or with a base a part of that
  };
  Of of = Of::None;
};

/// What an import somewhere in a body runs.
struct LoadedModule {
  Import import;
  /// How many definitions precede the statement in the scope.
  unsigned order;
  /// It stands in a function, which may run or not.
  bool inFunction;
};

/// Stands for a name that is not known: of an attribute that is set, of a list that changes.
inline constexpr llvm::StringLiteral anyName = "*";

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_SCOPE_DEFINITION_H
