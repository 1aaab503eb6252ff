//===- AskedObjects.h - Expressions that ask for modules and classes -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_SCOPE_ASKEDOBJECTS_H
#define TILEWRIGHT_FRONTEND_NAMES_SCOPE_ASKEDOBJECTS_H

#include "frontend/syntax/Ast.h"

namespace tilewright::frontend {

/// Whether an expression asks for a module by its name: `sys.modules[..]`, `import_module(..)`.
bool asksForModule(const Expr *expr);
/// Whether an expression asks for the class of an object, or for classes that one derives from or
/// that derive from it: `type(x)`, `C.__base__`, `C.mro()`.
bool asksForClass(const Expr *expr);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_SCOPE_ASKEDOBJECTS_H
