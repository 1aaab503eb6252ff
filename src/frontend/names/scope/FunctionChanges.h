//===- FunctionChanges.h - What a function changes around it ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_SCOPE_FUNCTIONCHANGES_H
#define TILEWRIGHT_FRONTEND_NAMES_SCOPE_FUNCTIONCHANGES_H

#include "frontend/names/scope/Definition.h"
#include "frontend/syntax/Ast.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <utility>

namespace tilewright::frontend {

/// What a function does to what is not its own, in the order of the text.
struct FunctionChanges {
  struct Place {
    const Expr *expr;
    const Stmt *statement;
    /// The name that it begins with is one of a function inside of this one.
    bool isOfInner;
  };
  using Places = llvm::SmallVector<Place>;
  llvm::MapVector<llvm::StringRef, const Stmt *> globals;
  /// Elements and attributes that are assigned to, and calls of methods that change their object.
  Places written;
  /// Objects of which any attribute may change.
  Places opened;
  /// The calls, each with what it sets an attribute of (attributeSet) or else itself.
  llvm::SmallVector<std::pair<const CallExpr *, Place>> calls;
  using Values = llvm::MapVector<llvm::StringRef, llvm::SmallVector<const Expr *, 1>>;
  /// What its own names may be, or share parts with.
  Values values;
  /// The imports in it that give its own names something.
  llvm::MapVector<llvm::StringRef, llvm::SmallVector<Import, 1>> imports;
  /// What is added to its own names, which share parts with it then.
  Values added;
  /// A statement that may change any name of the module; null if none does.
  const Stmt *ofAll = nullptr;
  /// The dict of what Python has by itself may be written to.
  bool handsOutBuiltins = false;
};

/// That of a function.
FunctionChanges changesOf(const FunctionDefStmt *function);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_SCOPE_FUNCTIONCHANGES_H
