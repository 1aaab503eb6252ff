//===- ScopeCalls.cpp - What calls may change -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/Scope.h"

#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/FunctionChanges.h"
#include "frontend/names/scope/Walk.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Functions that call each other and are looked at.
static constexpr unsigned maxChangeDepth = 4;

/// The statement in the body of class `C`, which has one definition, that gives `C.name(..)` its
/// name: null where that is not seen.
static const Stmt *memberCalled(const Definition *definition, const CallExpr *call) {
  const auto *attribute = call->function->dynAs<AttributeExpr>();
  const auto *owner = definition->statement->dynAs<ClassDefStmt>();
  if (!owner || definition->earlier || !attribute || attribute->value->kind != ExprKind::Name ||
      !owner->decorators.empty())
    return nullptr;
  const Stmt *found = nullptr;
  for (const Stmt *stmt : owner->body) {
    NameSet bound;
    if (const auto *function = stmt->dynAs<FunctionDefStmt>())
      bound.insert(function->name);
    for (const Expr *target : targetsOf(stmt))
      collectTargets(target, bound);
    if (!bound.contains(attribute->attribute))
      continue;
    if (found)
      return nullptr;
    found = stmt;
  }
  return found;
}

/// F of `name = F` and of `name = staticmethod(F)`, where that is a lambda; else null.
static const LambdaExpr *lambdaOf(const Stmt *stmt) {
  const auto *assign = stmt->dynAs<AssignStmt>();
  const Expr *value = assign ? assign->value : nullptr;
  if (const auto *call = value ? value->dynAs<CallExpr>() : nullptr;
      call && calledName(call) == "staticmethod" && call->arguments.size() == 1)
    value = call->arguments[0];
  return value ? value->dynAs<LambdaExpr>() : nullptr;
}

bool Scope::handsFunction(const CallExpr *call, unsigned depth) const {
  auto changes = [&](const Expr *argument) {
    const auto *name = argument->dynAs<NameExpr>();
    const Definition *definition = name ? find(name->id) : nullptr;
    const auto *function = definition ? definition->statement->dynAs<FunctionDefStmt>() : nullptr;
    return function && mayChangeArguments(function, depth + 1);
  };
  return llvm::any_of(call->arguments, changes) ||
         llvm::any_of(call->keywords, [&](const Keyword &one) { return changes(one.value); });
}

bool Scope::mayChangeArguments(const CallExpr *call, unsigned depth) const {
  static constexpr StringRef harmless[] = {"copy",  "count",      "endswith", "format", "get",
                                           "index", "items",      "join",     "keys",   "lower",
                                           "split", "startswith", "strip",    "upper",  "values"};
  const Expr *root = call->function;
  if (const auto *method = root->dynAs<AttributeExpr>();
      method && llvm::is_contained(harmless, StringRef(method->attribute)))
    return false;
  while (const auto *attribute = root->dynAs<AttributeExpr>())
    root = attribute->value;
  const auto *name = root->dynAs<NameExpr>();
  if (!name)
    return true;
  const Definition *definition = find(name->id);
  if (!definition)
    return root != call->function || !isHarmless(name->id) || handsFunction(call, depth);
  if (definition->import)
    return definition->import->level || !isHarmlessModule(definition->import->module);
  if (root != call->function) {
    const Stmt *member = memberCalled(definition, call);
    if (const auto *method = member ? member->dynAs<FunctionDefStmt>() : nullptr)
      return mayChangeArguments(method, depth + 1);
    const LambdaExpr *lambda = member ? lambdaOf(member) : nullptr;
    return !lambda || depth > maxChangeDepth || anyExpression(lambda->body, [&](const Expr *expr) {
      const auto *inner = expr->dynAs<CallExpr>();
      return inner && (changedBy(inner) || attributeSet(inner).first ||
                       mayChangeArguments(inner, depth + 1));
    });
  }
  if (const auto *function = definition->statement->dynAs<FunctionDefStmt>())
    return definition->earlier || mayChangeArguments(function, depth + 1);
  return true;
}

bool Scope::mayChangeArguments(const FunctionDefStmt *function, unsigned depth) const {
  if (depth > maxChangeDepth)
    return true;
  const FunctionChanges found = changesOf(function);
  return !found.globals.empty() || !found.written.empty() || !found.opened.empty() ||
         llvm::any_of(found.calls, [&](const auto &one) {
           return attributeSet(one.first).first || mayChangeArguments(one.first, depth);
         });
}
