//===- ChangedObjects.cpp - The objects that statements may change ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An object whose attribute a statement sets may be one that cannot be evaluated: then it is one of
// those that its expression is made of.
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/Resolver.h"
#include "frontend/names/modules/KnownModules.h"
#include "frontend/names/objects/AttributeChanges.h"
#include "frontend/names/scope/AskedObjects.h"
#include "frontend/names/scope/Walk.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

void AttributeChanges::addPossible(const Environment &home, const Import &import, Seen &seen,
                                   ChangedObject &object) {
  const StringRef module =
      import.level ? StringRef(import.module) : resolver.known.meant(import.module);
  if (!import.level && isKnownModule(module)) {
    object.possible.push_back(Value::ofModule(module));
    if (import.name.empty())
      return;
    const std::string_view path = now.keep(module + "." + import.name);
    object.possible.append({Value::ofModule(path), Value::host(path)});
    return;
  }
  for (const FoundModule *one : resolver.runs.modulesOf(home, import)) {
    object.mayBeAny = true;
    object.possible.push_back(Value::ofModule(one->name, one));
  }
  const FoundModule *found = resolver.environments.findModule(home, import);
  const Environment *there = nullptr;
  if (found && !import.name.empty() && import.name != anyName &&
      now.tryHere([&] { there = resolver.environments.of(*found); }) && there)
    addPossible(*there, import.name, seen, object);
}

void AttributeChanges::addPossible(const Environment &home, StringRef name, Seen &seen,
                                   ChangedObject &object) {
  if (!home.scope)
    return;
  // Texts, which every module has.
  if ((name == "__name__" || name == "__file__" || name == "__doc__" || name == "__package__") &&
      !home.scope->find(name))
    return;
  // The variable of a comprehension or of a lambda.
  object.mayBeAny |= !home.scope->find(name) && !isBuiltinName(name);
  for (const Definition *one = home.scope->find(name); one; one = one->earlier) {
    if (!seen.insert({one, name}).second)
      continue;
    if (one->import)
      addPossible(home, *one->import, seen, object);
    else if (one->value)
      addPossible(home, one->value, seen, object);
    else if (one->statement->kind == StmtKind::FunctionDef)
      object.mayBeHanded = true; // It may return what it was handed.
    else if (const auto *made = one->statement->dynAs<ClassDefStmt>();
             !one->mayChange && (!made || StringRef(made->name) != name ||
                                 !made->decorators.empty() || !made->bases.empty()))
      // A loop or a `with` may give anything, and so may the body of a class.
      object.mayBeAny = true;
    const bool binds = !one->mayChange;
    if (binds && (one->statement->kind == StmtKind::For || one->statement->kind == StmtKind::With))
      for (const Expr *source : expressionsOf(one->statement))
        addPossible(home, source, seen, object);
    if (const auto *definition = one->statement->dynAs<ClassDefStmt>();
        definition && StringRef(definition->name) == name)
      object.possible.push_back(
          Value::ofClass(definition->name, &resolver.classes.of(definition, home, one->order)));
  }
  for (const Definition *star = home.scope->lastStar(); star; star = star->earlier) {
    if (!star->import || !seen.insert({star, name}).second)
      continue;
    Import brought = *star->import;
    brought.name = name;
    addPossible(home, brought, seen, object);
  }
}

/// The name that a call of a function of a module begins with, as `triton` of
/// `triton.testing.perf_report(..)`; null for other expressions, and where an attribute is one that
/// gives what the module has by name, as `__dict__`.
static const NameExpr *rootOfCalled(const Expr *expr) {
  const auto *call = expr->dynAs<CallExpr>();
  const auto *attribute = call ? call->function->dynAs<AttributeExpr>() : nullptr;
  const Expr *root = attribute;
  for (; attribute; attribute = root->dynAs<AttributeExpr>()) {
    if (StringRef(attribute->attribute).starts_with("__"))
      return nullptr;
    root = attribute->value;
  }
  return root ? root->dynAs<NameExpr>() : nullptr;
}

bool AttributeChanges::isKnown(const Environment &home, StringRef name) {
  const Definition *last = home.scope ? home.scope->find(name) : nullptr;
  for (const Definition *one = last; one; one = one->earlier) {
    const std::optional<Import> &import = one->import;
    // A module is no list that may change.
    if (!one->mayChange && !(import && !import->level && import->name.empty() &&
                             isKnownModule(resolver.known.meant(import->module))))
      return false;
  }
  return last;
}

void AttributeChanges::addPossible(const Environment &home, const Expr *expr, Seen &seen,
                                   ChangedObject &object) {
  const bool asks = asksForModule(expr);
  object.mayBeAny |= asks;
  object.mayBeAsked |= asks;
  object.mayBeAnyClass |= asksForClass(expr);
  // None of the known modules is given by its functions, as sys.stdin.read().
  llvm::SmallPtrSet<const Expr *, 4> called;
  anyExpression(expr, [&](const Expr *one) {
    if (const NameExpr *root = rootOfCalled(one);
        root && !asksForModule(one) && isKnown(home, root->id))
      called.insert(root);
    return false;
  });
  anyExpression(expr, [&](const Expr *one) {
    // `u.os`, of a module that has imported it.
    if (const auto *attribute = one->dynAs<AttributeExpr>();
        attribute && isKnownModule(attribute->attribute))
      object.possible.push_back(Value::ofModule(attribute->attribute));
    if (const auto *name = one->dynAs<NameExpr>(); name && !called.contains(name))
      addPossible(home, name->id, seen, object);
    return false;
  });
}
