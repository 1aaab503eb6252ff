//===- ScopeFunctions.cpp - What functions change around them -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// def enable():
//     global flag
//     flag = True
//
// Nobody sees when a function is called: what it changes holds or not from its definition on.
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/Scope.h"

#include "frontend/names/scope/AskedObjects.h"
#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/FunctionChanges.h"
#include "frontend/names/scope/NamespaceDicts.h"
#include "frontend/names/scope/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static StringRef firstParameter(const Parameters &parameters) {
  for (const auto *list : {&parameters.positionalOnly, &parameters.positional})
    if (!list->empty())
      return (*list)[0].name;
  return {};
}

/// Whether the first parameter of a method is the class.
static bool takesClass(const FunctionDefStmt *method) {
  static constexpr StringRef always[] = {"__new__", "__init_subclass__", "__class_getitem__"};
  return llvm::is_contained(always, StringRef(method->name)) ||
         llvm::any_of(method->decorators, [](const Expr *one) {
           const auto *name = one->dynAs<NameExpr>();
           return name && name->id == "classmethod";
         });
}

static bool isStatic(const FunctionDefStmt *method) {
  return llvm::any_of(method->decorators, [](const Expr *one) {
    const auto *name = one->dynAs<NameExpr>();
    return name && name->id == "staticmethod";
  });
}

void Scope::collectMethods(const ClassDefStmt *definition, unsigned order) {
  for (const Stmt *stmt : definition->body) {
    if (const auto *inner = stmt->dynAs<ClassDefStmt>())
      collectMethods(inner, order);
    const auto *method = stmt->dynAs<FunctionDefStmt>();
    if (!method)
      continue;
    functions.emplace_back(method, order);
    if (!isStatic(method))
      methods.insert(method);
    if (takesClass(method))
      classOf[method] = definition;
  }
}

/// The default of the parameter of that name; null if it has none, or is none.
static const Expr *defaultNamed(const Parameters &parameters, StringRef name) {
  llvm::SmallVector<const Parameter *> positional;
  for (const auto *list : {&parameters.positionalOnly, &parameters.positional})
    for (const Parameter &one : *list)
      positional.push_back(&one);
  const size_t without = positional.size() - parameters.defaults.size();
  for (size_t i = without; i < positional.size(); ++i)
    if (StringRef(positional[i]->name) == name)
      return parameters.defaults[i - without];
  for (size_t i = 0; i < parameters.keywordOnly.size(); ++i)
    if (StringRef(parameters.keywordOnly[i].name) == name)
      return parameters.keywordDefaults[i];
  return nullptr;
}

void Scope::collectCalls(const FunctionDefStmt *function) {
  FunctionChanges found = changesOf(function);
  // Nobody sees when the dict is written to, either.
  if (found.ofAll)
    handOut(found.ofAll);
  if (found.handsOutBuiltins)
    changeBuiltins(function);
  NameSet own, variables;
  collectOwn(function, own);
  forEachStatement(function->body, [&](const Stmt *stmt) {
    for (const Expr *expr : expressionsOf(stmt))
      collectInner(expr, variables);
  });
  auto guarded = [&](const Stmt *stmt, llvm::function_ref<void()> define) {
    guards.push_back({Guard::Kind::NotFollowed, stmt, statementOrder});
    define();
    guards.pop_back();
  };
  // What a name of the function's own may share parts with, also by other names of its own.
  auto changeOwn = [&](StringRef whole, const Expr *written) {
    NameSet reached;
    reached.insert(whole);
    for (size_t i = 0; i < reached.size(); ++i) {
      const StringRef name = reached[i];
      if (const Expr *value = defaultNamed(function->parameters, name))
        defineMayChange(value, function);
      for (const FunctionChanges::Values *all : {&found.values, &found.added}) {
        // `name += ..` changes the list that the name has, not one that was added to it.
        auto values = all->find(name);
        if (values == all->end() || (all == &found.added && written->kind == ExprKind::Name))
          continue;
        for (const Expr *value : values->second) {
          collectNames(value, reached);
          written->kind == ExprKind::Attribute ? defineHanded(value, function)
                                               : defineMayChange(value, function);
        }
      }
    }
  };
  for (auto [name, stmt] : found.globals)
    guarded(stmt, [&, name = name] { define(name, function); });
  // The variable of a comprehension or of a lambda may have the name of another one around it.
  auto isOwn = [&](const FunctionChanges::Place &place, const NameExpr *root) {
    return root && (place.isOfInner || own.contains(root->id));
  };
  auto mayBeOwn = [&](const FunctionChanges::Place &place, const NameExpr *root) {
    return isOwn(place, root) || (root && variables.contains(root->id));
  };
  // sys._getframe(1).f_globals["x"] = 3: of any module that calls it.
  for (const FunctionChanges::Place &place : found.written)
    if (const auto *dict = rootOf(place.expr)->dynAs<AttributeExpr>();
        dict && isNamesAttribute(dict->attribute))
      for (StringRef key : keysChanged(place.expr, dict))
        changes[key].push_back({nullptr, nullptr, function, statementOrder, /*mayChange=*/false,
                                nullptr, AttributeChange::Of::Caller});
  for (const FunctionChanges::Place &place : found.written)
    guarded(place.statement, [&, expr = place.expr] {
      const auto *root = rootOfPath(expr)->dynAs<NameExpr>();
      if (mayBeOwn(place, root)) {
        changeOwn(root->id, expr);
        changeOfOwn(function, found, expr);
      }
      if (!isOwn(place, root) && (!mayBeOwn(place, root) || find(root->id) || star))
        defineWrittenIn(function, expr);
    });
  for (const FunctionChanges::Place &place : found.opened)
    guarded(place.statement, [&, owner = place.expr] {
      const auto *root = rootOfPath(owner)->dynAs<NameExpr>();
      if (mayBeOwn(place, root))
        changeOfOwn(function, found, owner, anyName, /*mayChange=*/false);
      if (!isOwn(place, root) && (!mayBeOwn(place, root) || find(root->id) || star))
        changeAttribute(owner, anyName, function);
    });
  NameSet handed = own;
  collectInner(function->body, handed);
  for (const auto &[call, place] : found.calls)
    guarded(function, [&, call = call] {
      auto [base, attribute] = attributeSet(call);
      const auto *root = base ? rootOfPath(base)->dynAs<NameExpr>() : nullptr;
      if (mayBeOwn(place, root))
        changeOfOwn(function, found, base, attribute, /*mayChange=*/false);
      if (base && !isOwn(place, root) && (!mayBeOwn(place, root) || find(root->id) || star))
        changeAttribute(base, attribute, function);
      changePatched(call, function);
      handIn(function, call, handed);
    });
}

void Scope::changeOfOwn(const FunctionDefStmt *function, const FunctionChanges &found,
                        const Expr *written) {
  if (const auto *attribute = written->dynAs<AttributeExpr>())
    return changeOfOwn(function, found, attribute->value, attribute->attribute,
                       /*mayChange=*/false);
  const Expr *list = rootOf(written);
  if (const Expr *owner = ownerOfDict(list))
    for (StringRef key : keysChanged(written, list))
      changeOfOwn(function, found, owner, key, /*mayChange=*/false);
  else if (const auto *attribute = list->dynAs<AttributeExpr>())
    changeOfOwn(function, found, attribute->value, attribute->attribute, /*mayChange=*/true);
}

void Scope::changeOfOwn(const FunctionDefStmt *function, const FunctionChanges &found,
                        const Expr *base, StringRef attribute, bool mayChange) {
  using Of = AttributeChange::Of;
  auto add = [&](Of of, const ClassDefStmt *ofClass = nullptr) {
    changes[attribute].push_back(
        {nullptr, nullptr, function, statementOrder, mayChange, ofClass, of});
  };
  const auto *name = base->dynAs<NameExpr>();
  if (name && methods.contains(function) &&
      StringRef(name->id) == firstParameter(function->parameters)) {
    const ClassDefStmt *ownClass = classOf.lookup(function);
    // An object's own attribute, unless that is a list which its class has.
    if (mayChange)
      add(Of::AnyClass);
    else if (ownClass)
      add(Of::None, ownClass);
    return;
  }
  // The base may be made of this, by way of other names of the function's own.
  bool isModule = asksForModule(base), isClass = asksForClass(base);
  NameSet reached;
  collectNames(base, reached);
  for (size_t i = 0; i < reached.size(); ++i)
    if (auto values = found.values.find(reached[i]); values != found.values.end())
      for (const Expr *value : values->second) {
        isModule |= asksForModule(value);
        isClass |= asksForClass(value);
        collectNames(value, reached);
      }
  for (StringRef one : reached)
    if (auto imports = found.imports.find(one); imports != found.imports.end())
      for (const Import &import : imports->second) {
        otherImports.push_back(import);
        const Expr *part = base->kind == ExprKind::Attribute ? base : nullptr;
        changes[attribute].push_back({part, &otherImports.back(), function, statementOrder,
                                      mayChange, nullptr, Of::Imported});
      }
  add(isModule ? Of::Any : isClass ? Of::AnyClass : Of::Handed);
}

void Scope::defineWrittenIn(const FunctionDefStmt *function, const Expr *expr) {
  // A name's list, or the call of a method of one.
  const auto *name = rootOf(expr)->dynAs<NameExpr>();
  if (!name)
    return expr->kind == ExprKind::Call ? defineChanged(expr, function)
                                        : defineWritten(expr, function);
  if (namesEnvironment(name->id) || name->id == "__builtins__")
    return defineChanged(expr, function);
  // `tl.sort(x)` is no change where `tl` is a module.
  NameSet named;
  named.insert(name->id);
  defineMayChange(named, function);
}

void Scope::handIn(const FunctionDefStmt *function, const CallExpr *call, const NameSet &own) {
  // What it hands on counts where it may run while modules do.
  if (!namedAtTop.contains(function->name) || !mayChangeArguments(call))
    return;
  auto hand = [&](const Expr *argument) {
    NameSet named;
    collectNames(argument, named);
    for (StringRef name : own)
      named.remove(name);
    defineMayChange(named, function);
  };
  for (const Expr *argument : call->arguments)
    hand(argument);
  for (const Keyword &keyword : call->keywords)
    hand(keyword.value);
}

void Scope::nameCalled() {
  // Functions that functions name which run while the module does.
  llvm::SmallPtrSet<const FunctionDefStmt *, 8> seen;
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (auto [function, order] : functions)
      if (namedAtTop.contains(function->name) && seen.insert(function).second) {
        isNew = true;
        anyExpression(function->body, [&](const Expr *expr) { return noteNamed(expr); });
      }
  }
}

bool Scope::noteNamed(const Expr *expr) {
  if (const auto *name = expr->dynAs<NameExpr>())
    namedAtTop.insert(name->id);
  if (const auto *attribute = expr->dynAs<AttributeExpr>())
    namedAtTop.insert(attribute->attribute);
  return false;
}

void Scope::collectCalls() {
  nameCalled();
  for (auto [function, order] : functions) {
    // Nobody sees when it is called: these hold from its definition on, wherever the name is
    // assigned to.
    statementOrder = order;
    collectCalls(function);
  }
  if (!handedOut.first)
    return;
  statementOrder = handedOut.second;
  guards.push_back({Guard::Kind::NotFollowed, handedOut.first, handedOut.second});
  defineAllChanged(handedOut.first, /*isLater=*/true);
  guards.pop_back();
}
