//===- NamespaceDicts.cpp - Dicts of the names of modules and classes -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/NamespaceDicts.h"

#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

bool frontend::isGlobals(const Expr *expr) {
  const auto *call = expr->dynAs<CallExpr>();
  return call && call->arguments.empty() &&
         (calledName(call) == "globals" || calledName(call) == "vars" ||
          calledName(call) == "locals");
}

const Expr *frontend::ownerOfDict(const Expr *expr) {
  if (const auto *attribute = expr->dynAs<AttributeExpr>())
    return attribute->attribute == "__dict__" ? attribute->value : nullptr;
  const auto *call = expr->dynAs<CallExpr>();
  return call && calledName(call) == "vars" && call->arguments.size() == 1 ? call->arguments[0]
                                                                           : nullptr;
}

bool frontend::isModules(const Expr *expr) {
  const auto *attribute = expr->dynAs<AttributeExpr>();
  const auto *base = attribute ? attribute->value->dynAs<NameExpr>() : nullptr;
  return base && attribute->attribute == "modules" && base->id == "sys";
}

/// The expressions inside of one from which it only reads: not those that it hands to where they
/// may be written to.
static llvm::SmallPtrSet<const Expr *, 4> readIn(const Expr *whole) {
  llvm::SmallPtrSet<const Expr *, 4> found;
  anyExpression(whole, [&](const Expr *expr) {
    if (const auto *element = expr->dynAs<SubscriptExpr>()) {
      found.insert(element->value);
    } else if (const auto *attribute = expr->dynAs<AttributeExpr>()) {
      static constexpr StringRef reading[] = {"get", "keys", "values", "items", "copy"};
      const bool isDict = isGlobals(attribute->value) || ownerOfDict(attribute->value) ||
                          isModules(attribute->value);
      if (isDict ? isChanging(attribute->attribute) ||
                       llvm::is_contained(reading, StringRef(attribute->attribute))
                 : attribute->attribute != "__dict__")
        found.insert(attribute->value);
    } else if (const auto *comparison = expr->dynAs<CompareExpr>()) {
      found.insert(comparison->left);
      found.insert(comparison->comparators.begin(), comparison->comparators.end());
    } else if (const auto *call = expr->dynAs<CallExpr>()) {
      const StringRef name = calledName(call);
      const bool setsNamed = name == "setattr" && call->arguments.size() == 3 &&
                             constantText(call->arguments[1]).has_value();
      if (setsNamed || name == "getattr" || name == "hasattr" || name == "len" || name == "list" ||
          name == "sorted" || name == "dict" || name == "vars")
        found.insert(call->arguments.begin(), call->arguments.end());
    }
    return false;
  });
  return found;
}

bool frontend::isNamesAttribute(StringRef attribute) {
  return attribute == "__globals__" || attribute == "f_globals" || attribute == "f_locals";
}

/// Whether it is the dict of what Python has by itself, by its own name or as one of globals().
static bool isBuiltins(const Expr *expr) {
  if (const auto *name = expr->dynAs<NameExpr>())
    return name->id == "__builtins__";
  const auto *element = expr->dynAs<SubscriptExpr>();
  return element && constantText(element->slice).value_or("") == "__builtins__";
}

bool frontend::handsOutBuiltins(const Expr *whole) {
  const llvm::SmallPtrSet<const Expr *, 4> read = readIn(whole);
  llvm::SmallPtrSet<const Expr *, 4> tested;
  return anyExpression(whole, [&](const Expr *expr) {
    if (const auto *call = expr->dynAs<CallExpr>(); call && calledName(call) == "isinstance")
      tested.insert(call->arguments.begin(), call->arguments.end());
    return isBuiltins(expr) && !read.contains(expr) && !tested.contains(expr);
  });
}

bool frontend::handsOutNames(const Expr *whole, const NameSet *own,
                             llvm::function_ref<void(const Expr *)> handsOut) {
  const llvm::SmallPtrSet<const Expr *, 4> read = readIn(whole);
  llvm::SmallPtrSet<const Expr *, 4> called;
  anyExpression(whole, [&](const Expr *expr) {
    if (const auto *call = expr->dynAs<CallExpr>(); call && call->function->kind == ExprKind::Name)
      called.insert(call->function);
    return false;
  });
  bool handsOutAll = false;
  anyExpression(whole, [&](const Expr *expr) {
    const auto *call = expr->dynAs<CallExpr>();
    const auto *element = expr->dynAs<SubscriptExpr>();
    const bool isNames = isGlobals(expr) && (!own || calledName(call) == "globals") &&
                         !(own && own->contains(calledName(call)));
    const bool isModule = element && isModules(element->value);
    const bool runs =
        call && (calledName(call) == "exec" || calledName(call) == "eval") &&
        (call->arguments.empty() || !constantText(call->arguments[0]) ||
         constantText(call->arguments[0])->contains('(') || calledName(call) == "exec");
    handsOutAll |= runs || ((isNames || isModule) && !read.contains(expr));
    // These functions by other names, and the dict by way of other objects.
    static constexpr StringRef functions[] = {"exec", "eval", "globals", "locals", "vars"};
    const auto *name = expr->dynAs<NameExpr>();
    const auto *attribute = expr->dynAs<AttributeExpr>();
    const auto *base = attribute ? attribute->value->dynAs<NameExpr>() : nullptr;
    handsOutAll |= name && !called.contains(name) &&
                   llvm::is_contained(functions, StringRef(name->id)) &&
                   !(own && own->contains(name->id));
    handsOutAll |= base && base->id == "builtins" &&
                   llvm::is_contained(functions, StringRef(attribute->attribute));
    handsOutAll |= attribute && isNamesAttribute(attribute->attribute);
    if (const Expr *owner = read.contains(expr) ? nullptr : ownerOfDict(expr))
      handsOut(owner);
    return false;
  });
  return handsOutAll;
}

std::optional<StringRef> frontend::globalNamed(const SubscriptExpr *subscript) {
  if (!isGlobals(subscript->value))
    return std::nullopt;
  return constantText(subscript->slice);
}

bool frontend::isThisModule(const Expr *expr) {
  const auto *element = expr->dynAs<SubscriptExpr>();
  const auto *modules = element ? element->value->dynAs<AttributeExpr>() : nullptr;
  const auto *name = element ? element->slice->dynAs<NameExpr>() : nullptr;
  return modules && modules->attribute == "modules" && name && name->id == "__name__";
}
