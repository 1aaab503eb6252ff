//===- ScopeSharing.cpp - Names whose values may share what changes -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// other = (names, 1)               register(names)
// other[0].append(3)
//
// Names that are mentioned together in an assignment may share what changes, and so may the
// arguments of a call: these definitions count only where the value can change at all, as a list
// can and a number cannot.
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/Scope.h"

#include "frontend/names/modules/KnownModules.h"
#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/NamespaceDicts.h"
#include "frontend/names/scope/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

bool Scope::mayBeList(const Definition *definition) {
  if (!definition || definition->statement->kind == StmtKind::FunctionDef ||
      definition->statement->kind == StmtKind::ClassDef)
    return false;
  return !definition->import ||
         (!definition->import->name.empty() &&
          (definition->import->level || !isHarmlessModule(definition->import->module)));
}

/// Adds the names in what the bodies of the classes of that name, and of their bases, give an
/// attribute.
static void collectAttribute(const Scope &scope, StringRef owner, StringRef attribute,
                             llvm::SmallPtrSetImpl<const Stmt *> &seen, NameSet &mentioned) {
  for (const Definition *one = scope.find(owner); one; one = one->earlier) {
    const auto *made = one->statement->dynAs<ClassDefStmt>();
    if (!made || !seen.insert(made).second)
      continue;
    for (const Stmt *stmt : made->body) {
      NameSet names;
      for (const Expr *target : targetsOf(stmt))
        collectTargets(target, names);
      if (names.contains(attribute))
        for (const Expr *source : expressionsOf(stmt))
          collectNames(source, mentioned);
    }
    for (const Expr *base : made->bases)
      if (const auto *name = base->dynAs<NameExpr>())
        collectAttribute(scope, name->id, attribute, seen, mentioned);
  }
}

/// Adds what a statement may take the values of names from of which nothing else is known: a loop,
/// a `with`, `*names, = ..`, a call of `names.append(..)`, the body of a class.
static void collectSources(const Stmt *stmt, NameSet &mentioned) {
  if (stmt->kind != StmtKind::FunctionDef)
    for (const Expr *source : expressionsOf(stmt))
      collectNames(source, mentioned);
  if (const auto *definition = stmt->dynAs<ClassDefStmt>())
    for (const Stmt *inner : definition->body)
      if (inner->kind != StmtKind::FunctionDef)
        for (const Expr *source : expressionsOf(inner))
          collectNames(source, mentioned);
}

void Scope::link(StringRef name, const NameSet &mentioned) {
  for (StringRef one : mentioned)
    if (mayBeList(find(one)) || mayComeByStar(one))
      sharing.unionSets(name, one);
}

void Scope::linkTargets(const AssignStmt *assign) {
  NameSet mentioned;
  collectNames(assign->value, mentioned);
  for (const Expr *target : assign->targets)
    collectNames(target, mentioned);
  for (const Expr *target : assign->targets)
    if (const auto *root = rootOfPath(target)->dynAs<NameExpr>(); root && root != target)
      link(root->id, mentioned);
}

void Scope::linkNames() {
  for (; linked < all.size(); ++linked) {
    const Definition &definition = all[linked];
    NameSet mentioned;
    if (!definition.value) {
      collectSources(definition.statement, mentioned);
      link(definition.name, mentioned);
      // What a class has is that of its bases.
      if (const auto *made = definition.statement->dynAs<ClassDefStmt>())
        for (const Expr *base : made->bases)
          if (const auto *name = base->dynAs<NameExpr>(); name && classNamed(name->id))
            sharing.unionSets(definition.name, name->id);
      // for d in (A.D, B.D): d["key"] = ..
      if (const auto *loop = definition.statement->dynAs<ForStmt>(); loop && !definition.mayChange)
        anyExpression(loop->iterable, [&](const Expr *expr) {
          if (const auto *attribute = expr->dynAs<AttributeExpr>())
            attributesOf[definition.name].push_back(attribute);
          return false;
        });
      continue;
    }
    collectNames(definition.value, mentioned);
    // `a = b = []`, `a = (b := [])`
    for (const Expr *target : targetsOf(definition.statement)) {
      collectNames(target, mentioned);
      if (target->kind == ExprKind::Attribute)
        attributesOf[definition.name].push_back(target->as<AttributeExpr>());
    }
    anyExpression(definition.value, [&](const Expr *expr) {
      if (const auto *named = expr->dynAs<NamedExprExpr>())
        collectTargets(named->target, mentioned);
      return false;
    });
    // M = A.L, of a class with `L = names`.
    anyExpression(definition.value, [&](const Expr *expr) {
      const auto *attribute = expr->dynAs<AttributeExpr>();
      const auto *owner = attribute ? attribute->value->dynAs<NameExpr>() : nullptr;
      llvm::SmallPtrSet<const Stmt *, 4> seen;
      if (owner)
        collectAttribute(*this, owner->id, attribute->attribute, seen, mentioned);
      return false;
    });
    link(definition.name, mentioned);
    llvm::SmallPtrSet<const Expr *, 4> parts, compared;
    anyExpression(definition.value, [&](const Expr *expr) {
      // A comparison gives no part of what it compares.
      if (expr->kind == ExprKind::Compare)
        anyExpression(expr, [&](const Expr *one) { return !compared.insert(one).second && false; });
      if (compared.contains(expr))
        return false;
      const auto *call = expr->dynAs<CallExpr>();
      if (const auto *element = expr->dynAs<SubscriptExpr>())
        parts.insert(element->value);
      if (const auto *method = call ? call->function->dynAs<AttributeExpr>() : nullptr)
        parts.insert(method->value);
      if (call && isHarmless(calledName(call)))
        parts.insert(call->arguments.begin(), call->arguments.end());
      // Neither `sys.modules[..]` nor a method gives that dict itself.
      if (const auto *attribute = expr->dynAs<AttributeExpr>();
          attribute && !(isModules(attribute) && parts.contains(attribute)))
        attributesOf[definition.name].push_back(attribute);
      // What a function of this module, or of one that it imports, returns may be any of its lists.
      else if (call && mayReturnLists(call))
        sharing.unionSets(definition.name, anyName);
      return false;
    });
  }
}

bool Scope::mayReturnLists(const CallExpr *call) const {
  const Expr *root = call->function;
  while (const auto *attribute = root->dynAs<AttributeExpr>())
    root = attribute->value;
  const auto *name = root->dynAs<NameExpr>();
  const Definition *definition = name ? find(name->id) : nullptr;
  return definition && definition->statement->kind == StmtKind::FunctionDef;
}

const ClassDefStmt *Scope::classNamed(StringRef name) const {
  const Definition *definition = find(name);
  return definition ? definition->statement->dynAs<ClassDefStmt>() : nullptr;
}

void Scope::defineMayChange(const Expr *expr, const Stmt *stmt) {
  NameSet mentioned;
  collectNames(expr, mentioned);
  defineMayChange(mentioned, stmt);
  anyExpression(expr, [&](const Expr *one) {
    if (const auto *attribute = one->dynAs<AttributeExpr>())
      changeAttribute(attribute->value, attribute->attribute, stmt, /*mayChange=*/true);
    if (const auto *call = one->dynAs<CallExpr>(); call && mayReturnLists(call)) {
      NameSet any;
      any.insert(anyName);
      defineMayChange(any, stmt);
    }
    return false;
  });
}

void Scope::defineMayChange(const NameSet &mentioned, const Stmt *stmt) {
  linkNames();
  NameSet changed;
  for (StringRef name : mentioned)
    if (name == anyName || mayBeList(find(name)) || mayComeByStar(name) || classNamed(name)) {
      sharing.insert(name);
      for (StringRef one : sharing.members(name))
        changed.insert(one);
    }
  if (changed.contains(anyName))
    for (const auto &entry : names)
      changed.insert(entry.getKey());
  for (StringRef name : changed) {
    const Definition *definition = find(name);
    if (mayComeByStar(name) || mayBeList(definition))
      changeOfStar(name, stmt);
    if (const ClassDefStmt *owner = classNamed(name))
      changes[anyName].push_back(
          {nullptr, nullptr, stmt, statementOrder, /*mayChange=*/true, owner});
    if (!mayBeList(definition))
      continue;
    // The module that it comes from sees the change as well.
    for (const Definition *one = definition; one; one = one->earlier)
      if (one->import && !one->import->name.empty())
        changes[one->import->name].push_back({nullptr, &*one->import, stmt, statementOrder});
    for (const AttributeExpr *attribute : attributesOf[name])
      changeAttribute(attribute->value, attribute->attribute, stmt, /*mayChange=*/true);
    define(name, stmt).mayChange = true;
  }
}

/// Whether it brings names of a module whose lists may change.
static bool bringsLists(const Definition *star) {
  return star->import && (star->import->level || !isHarmlessModule(star->import->module));
}

bool Scope::mayComeByStar(StringRef name) const {
  if (find(name) || isHarmless(name))
    return false;
  for (const Definition *one = star; one; one = one->earlier)
    if (bringsLists(one))
      return true;
  return false;
}

void Scope::changeOfStar(StringRef name, const Stmt *stmt) {
  for (const Definition *one = star; one; one = one->earlier) {
    if (!bringsLists(one))
      continue;
    otherImports.push_back(*one->import);
    otherImports.back().name = name;
    changes[name].push_back({nullptr, &otherImports.back(), stmt, statementOrder});
  }
}

void Scope::defineHanded(const Expr *expr, const Stmt *stmt) {
  defineMayChange(expr, stmt);
  // Attributes of classes, modules and objects that it is handed.
  llvm::SmallPtrSet<const Expr *, 4> inside;
  anyExpression(expr, [&](const Expr *one) {
    if (const auto *call = one->dynAs<CallExpr>())
      inside.insert(call->function);
    const auto *attribute = one->dynAs<AttributeExpr>();
    if (attribute)
      inside.insert(attribute->value);
    if (!inside.contains(one) && (attribute || one->kind == ExprKind::Name) &&
        mayHaveAttributes(one))
      changeAttribute(one, anyName, stmt);
    return false;
  });
}

/// Whether `C.name` is a function in the body of a class C.
static bool isMethod(const Expr *path, const ClassDefStmt *definition) {
  const auto *attribute = path->dynAs<AttributeExpr>();
  if (!definition || !attribute || attribute->value->kind != ExprKind::Name)
    return false;
  return llvm::any_of(definition->body, [&](const Stmt *stmt) {
    const auto *function = stmt->dynAs<FunctionDefStmt>();
    return function && function->name == attribute->attribute;
  });
}

bool Scope::mayHaveAttributes(const Expr *path) const {
  const Expr *root = rootOfPath(path);
  const auto *name = root->dynAs<NameExpr>();
  const Definition *definition = name ? find(name->id) : nullptr;
  // A function is no class and no module.
  if (definition && isMethod(path, definition->statement->dynAs<ClassDefStmt>()))
    return false;
  if (!definition || !definition->import)
    return definition && llvm::is_contained({StmtKind::ClassDef, StmtKind::For, StmtKind::With},
                                            definition->statement->kind);
  const StringRef module = definition->import->module;
  return definition->import->level || (!isHarmlessModule(module) && !isKnownModule(module));
}
