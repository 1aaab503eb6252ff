//===- ScopeChanges.cpp - Changes of names that no assignment shows -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// names[0] = 3                 globals()["names"] = 3       util.names = 3
//
// All of these give a name a value that its assignments do not tell. Each makes a definition of
// which nothing is known, so that a kernel that needs the name is refused; only `table[key] = 3` is
// followed. Attributes of classes and modules are listed apart: what `base` is in `base.attribute =
// ..` is evaluated where the attribute is asked for.
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/Scope.h"

#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/NamespaceDicts.h"
#include "frontend/names/scope/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

void Scope::defineChanged(const Expr *expr, const Stmt *stmt) {
  const Expr *root = rootOf(expr);
  const Expr *owner = ownerOfDict(root);
  if (isGlobals(root) || owner) {
    for (StringRef key : keysChanged(expr, root)) {
      if (owner && !isThisModule(owner))
        changeAttribute(owner, key, stmt);
      else if (key == anyName)
        defineAllChanged(stmt);
      else
        define(key, stmt);
    }
    return;
  }
  if (const auto *attribute = root->dynAs<AttributeExpr>()) {
    if (isNamesAttribute(attribute->attribute))
      return defineAllChanged(stmt);
    NameSet holder;
    if (const auto *name = rootOfPath(root)->dynAs<NameExpr>())
      holder.insert(name->id);
    defineMayChange(holder, stmt);
    std::optional<StringRef> variable = keyIn(expr);
    return variable && attribute->attribute == "environ"
               ? changeAttribute(attribute->value, changedVariable(*variable), stmt)
               : changeAttribute(attribute->value, attribute->attribute, stmt);
  }
  const auto *name = root->dynAs<NameExpr>();
  if (!name)
    return defineMayChange(root, stmt);
  if (name->id == "__builtins__") {
    for (StringRef key : keysChanged(expr, root))
      changes[key].push_back(
          {nullptr, nullptr, stmt, statementOrder, false, nullptr, AttributeChange::Of::Builtins});
    return;
  }
  if (namesEnvironment(name->id)) {
    std::optional<StringRef> variable = keyIn(expr);
    return changeAttribute(name, variable ? changedVariable(*variable) : "environ", stmt);
  }
  defineChangedName(name->id, stmt);
}

bool Scope::namesEnvironment(StringRef name) const {
  for (const Definition *one = find(name); one; one = one->earlier) {
    const auto *attribute = one->value ? one->value->dynAs<AttributeExpr>() : nullptr;
    if ((attribute && attribute->attribute == "environ") ||
        (one->import && one->import->name == "environ"))
      return true;
  }
  return false;
}

void Scope::defineChangedName(StringRef name, const Stmt *stmt) {
  // What is imported may as well be a module, of which this is a function.
  bool isImported = false;
  for (const Definition *one = find(name); one; one = one->earlier)
    isImported |= one->import.has_value();
  NameSet names;
  names.insert(name);
  defineMayChange(names, stmt);
  if (!isImported)
    define(name, stmt);
}

void Scope::changeAttribute(const Expr *base, StringRef attribute, const Stmt *stmt,
                            bool mayChange) {
  // What another class makes of the module is seen by those that import it.
  if (isThisModule(base) && attribute != "__class__") {
    if (attribute == anyName)
      defineAllChanged(stmt);
    else
      define(attribute, stmt).mayChange = mayChange;
    return;
  }
  changes[attribute].push_back({base, nullptr, stmt, statementOrder, mayChange});
}

void Scope::changeBuiltins(const Stmt *stmt) {
  changes[anyName].push_back(
      {nullptr, nullptr, stmt, statementOrder, false, nullptr, AttributeChange::Of::Builtins});
}

/// Whether an import somewhere in a module is one of unittest.mock.
static bool importsMock(llvm::ArrayRef<LoadedModule> loaded) {
  return llvm::any_of(loaded, [](const LoadedModule &one) {
    const StringRef package = one.import.module.split('.').first;
    return package == "unittest" || package == "mock" || one.import.name == "patch";
  });
}

void Scope::changePatched(const CallExpr *call, const Stmt *stmt) {
  const llvm::SmallVector<StringRef> attributes = attributesPatched(call);
  // A function `patch` of the program's own may be handed anything.
  if (llvm::is_contained(attributes, anyName) && !importsMock(loaded))
    return;
  for (StringRef attribute : attributes)
    changes[attribute].push_back(
        {nullptr, nullptr, stmt, statementOrder, false, nullptr, AttributeChange::Of::Any});
}

void Scope::defineWritten(const Expr *target, const Stmt *stmt) {
  switch (target->kind) {
  case ExprKind::Name:
    define(target->as<NameExpr>()->id, stmt);
    break;
  case ExprKind::Tuple:
    for (const Expr *element : target->as<TupleExpr>()->elements)
      defineWritten(element, stmt);
    break;
  case ExprKind::List:
    for (const Expr *element : target->as<ListExpr>()->elements)
      defineWritten(element, stmt);
    break;
  case ExprKind::Starred:
    defineWritten(target->as<StarredExpr>()->value, stmt);
    break;
  case ExprKind::Subscript:
    if (std::optional<StringRef> global = globalNamed(target->as<SubscriptExpr>()))
      define(*global, stmt);
    else
      defineChanged(target, stmt);
    break;
  case ExprKind::Attribute:
    changeAttribute(target->as<AttributeExpr>()->value, target->as<AttributeExpr>()->attribute,
                    stmt);
    break;
  default:
    break;
  }
}

void Scope::defineAllChanged(const Stmt *stmt, bool isLater) {
  others.push_back({stmt, statementOrder, isLater});
  // A definition without a name gives what follows a later order than the statement.
  all.emplace_back().statement = stmt;
  llvm::SmallVector<StringRef> variables;
  for (const auto &entry : names) {
    // A statement that may change what the name has is no assignment.
    const Definition *last = entry.second;
    while (last->mayChange && last->earlier)
      last = last->earlier;
    if (llvm::is_contained({StmtKind::Assign, StmtKind::AnnAssign, StmtKind::AugAssign},
                           last->statement->kind))
      variables.push_back(entry.getKey());
  }
  for (StringRef name : variables)
    define(name, stmt);
}

void Scope::collectChange(const Stmt *stmt, const Expr *expr, const Expr *whole) {
  if (const auto *named = expr->dynAs<NamedExprExpr>())
    return defineWritten(named->target, stmt);
  const auto *call = expr->dynAs<CallExpr>();
  if (!call)
    return;
  // os.environ.update(..) and its like.
  const auto *method = call->function->dynAs<AttributeExpr>();
  if (method && changedBy(expr) && !keyIn(expr))
    if (const auto *name = method->value->dynAs<NameExpr>(); name && namesEnvironment(name->id))
      return changeAttribute(name, "environ", stmt);
  changePatched(call, stmt);
  if (mayChangeArguments(call)) {
    for (const Expr *argument : call->arguments)
      defineHanded(argument, stmt);
    for (const Keyword &keyword : call->keywords)
      defineHanded(keyword.value, stmt);
    defineCallee(call->function, stmt);
  }
  if (changedBy(expr)) {
    const auto *name = rootOf(expr)->dynAs<NameExpr>();
    if (!name || name->id == "__builtins__" || mayBeList(find(name->id)))
      defineChanged(expr, stmt);
    else if (!find(name->id)) // The variable of a comprehension or of a lambda.
      defineMayChange(whole, stmt);
    return;
  }
  if (auto [base, attribute] = attributeSet(call); base)
    changeAttribute(base, attribute, stmt);
}

void Scope::defineCallee(const Expr *callee, const Stmt *stmt) {
  const auto *method = callee->dynAs<AttributeExpr>();
  const auto *name = (method ? method->value : callee)->dynAs<NameExpr>();
  if (!name)
    return method ? defineMayChange(method->value, stmt) : defineMayChange(callee, stmt);
  const Definition *definition = find(name->id);
  if (!definition || (definition->statement->kind == StmtKind::FunctionDef && !method))
    return;
  // A method may change its object and its class, and so may what keeps one.
  if (method && (definition->statement->kind == StmtKind::ClassDef || definition->value))
    changeAttribute(name, anyName, stmt);
  NameSet named;
  named.insert(name->id);
  defineMayChange(named, stmt);
}

void Scope::collectIn(const Stmt *stmt, const Expr *whole) {
  if (handsOutNames(whole, /*own=*/nullptr,
                    [&](const Expr *owner) { changeAttribute(owner, anyName, stmt); }))
    handOut(stmt);
  if (handsOutBuiltins(whole))
    changeBuiltins(stmt);
  llvm::SmallPtrSet<const Expr *, 4> called;
  anyExpression(whole, [&](const Expr *expr) {
    if (const auto *call = expr->dynAs<CallExpr>())
      called.insert(call->function);
    // functools.partial(setattr, object)
    if (const auto *name = expr->dynAs<NameExpr>();
        name && !called.contains(name) && (name->id == "setattr" || name->id == "delattr"))
      defineHanded(whole, stmt);
    // map(os.environ.__delitem__, ..)
    if (const auto *method = expr->dynAs<AttributeExpr>();
        method && !called.contains(method) && isChanging(method->attribute))
      if (const auto *list = method->value->dynAs<AttributeExpr>())
        changeAttribute(list->value, list->attribute, stmt);
    collectChange(stmt, expr, whole);
    return noteNamed(expr);
  });
}

void Scope::collectChanges(const Stmt *stmt) {
  for (const Expr *expr : expressionsOf(stmt))
    collectIn(stmt, expr);
  collectAnnotations(stmt);
  for (const Expr *target : targetsOf(stmt))
    if (target->kind != ExprKind::Name && anyExpression(target, [&](const Expr *one) {
          const auto *element = one->dynAs<SubscriptExpr>();
          return element && constantText(element->slice).value_or("") == "__builtins__";
        }))
      changeBuiltins(stmt);
  const auto *definition = stmt->dynAs<ClassDefStmt>();
  if (!definition)
    return;
  // The statements of its body run here, and may change what is around it.
  NameSet own;
  collectBound(definition->body, own);
  for (const Stmt *inner : definition->body)
    if (inner->kind != StmtKind::FunctionDef)
      collectClassStatement(inner, own);
}

/// The annotations that Python evaluates where the statement runs.
static llvm::SmallVector<const Expr *> annotationsOf(const Stmt *stmt) {
  llvm::SmallVector<const Expr *> found;
  if (const auto *assign = stmt->dynAs<AnnAssignStmt>())
    found.push_back(assign->annotation);
  if (const auto *function = stmt->dynAs<FunctionDefStmt>()) {
    const Parameters &parameters = function->parameters;
    found.push_back(function->returns);
    for (const auto *list :
         {&parameters.positionalOnly, &parameters.positional, &parameters.keywordOnly})
      for (const Parameter &one : *list)
        found.push_back(one.annotation);
    for (const Parameter *one : {parameters.variadic, parameters.keywords})
      found.push_back(one ? one->annotation : nullptr);
  }
  llvm::erase(found, nullptr);
  return found;
}

void Scope::collectAnnotations(const Stmt *stmt) {
  // from __future__ import annotations
  if (const Definition *future = find("annotations");
      future && future->import && future->import->module == "__future__")
    return;
  for (const Expr *annotation : annotationsOf(stmt))
    if (anyExpression(annotation, [](const Expr *one) {
          return one->kind == ExprKind::Call || one->kind == ExprKind::NamedExpr;
        }))
      collectIn(stmt, annotation);
}

void Scope::collectClassStatement(const Stmt *stmt, const NameSet &own) {
  collectChanges(stmt);
  if (const auto *declared = stmt->dynAs<GlobalStmt>())
    for (std::string_view name : declared->names)
      define(name, stmt);
  for (const Expr *target : targetsOf(stmt))
    anyExpression(target, [&](const Expr *expr) {
      if (expr->kind != ExprKind::Subscript && expr->kind != ExprKind::Attribute)
        return false;
      const auto *name = rootOfPath(expr)->dynAs<NameExpr>();
      if (!name || !own.contains(name->id) || expr->kind == ExprKind::Attribute)
        defineWritten(expr, stmt);
      return true;
    });
  for (const Body *body : bodiesOf(stmt))
    for (const Stmt *inner : *body)
      collectClassStatement(inner, own);
}

void Scope::handOut(const Stmt *stmt) {
  if (!handedOut.first || statementOrder < handedOut.second)
    handedOut = {stmt, statementOrder};
}
