//===- AskedObjects.cpp - Expressions that ask for modules and classes ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/AskedObjects.h"

#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

bool frontend::asksForModule(const Expr *expr) {
  // `model.modules()` calls a method of that name; `sys.modules` is a dict.
  llvm::SmallPtrSet<const Expr *, 4> called;
  return anyExpression(expr, [&](const Expr *one) {
    if (const auto *call = one->dynAs<CallExpr>())
      called.insert(call->function);
    const auto *attribute = one->dynAs<AttributeExpr>();
    const auto *name = one->dynAs<NameExpr>();
    if (attribute && attribute->attribute == "modules") {
      const auto *base = attribute->value->dynAs<NameExpr>();
      return base && base->id != "self" && base->id != "cls" && !called.contains(one);
    }
    // A dict of names, or the text of an expression, may give a module as well.
    static constexpr StringRef attributes[] = {"import_module", "__globals__", "f_globals"};
    static constexpr StringRef names[] = {"__import__", "import_module", "globals", "locals",
                                          "eval"};
    return (attribute && llvm::is_contained(attributes, StringRef(attribute->attribute))) ||
           (name && (llvm::is_contained(names, StringRef(name->id)) ||
                     (name->id == "modules" && !called.contains(one))));
  });
}

bool frontend::asksForClass(const Expr *expr) {
  static constexpr StringRef attributes[] = {"__class__", "__base__",       "__bases__",
                                             "__mro__",   "__subclasses__", "mro",
                                             "__self__",  "__thisclass__",  "__self_class__"};
  // A method of `super()` gives anything; `super().names` is the list of a class.
  llvm::SmallPtrSet<const Expr *, 4> called;
  return anyExpression(expr, [&](const Expr *one) {
    if (const auto *attribute = one->dynAs<AttributeExpr>()) {
      if (called.contains(attribute))
        called.insert(attribute->value);
      return llvm::is_contained(attributes, StringRef(attribute->attribute));
    }
    if (const auto *name = one->dynAs<NameExpr>())
      return name->id == "__class__";
    const auto *call = one->dynAs<CallExpr>();
    if (!call)
      return false;
    called.insert(call->function);
    return (call->arguments.size() == 1 && calledName(call) == "type") ||
           (calledName(call) == "super" && !called.contains(call));
  });
}
