//===- Scope.cpp - The definitions in a body of statements --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/Scope.h"

#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/Names.h"
#include "frontend/names/scope/NamespaceDicts.h"
#include "frontend/names/scope/Walk.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

Scope::Scope(const Body &body, Of of) {
  if (of == Of::Class)
    collectGlobals(body);
  else
    handed = handedIn(body);
  collect(body);
  collectCalls();
}

Scope::Scope(const FunctionDefStmt &function) {
  const Parameters &parameters = function.parameters;
  for (const auto *list :
       {&parameters.positionalOnly, &parameters.positional, &parameters.keywordOnly})
    for (const Parameter &parameter : *list)
      define(parameter.name, &function);
  for (const Parameter *parameter : {parameters.variadic, parameters.keywords})
    if (parameter)
      define(parameter->name, &function);
  collectGlobals(function.body);
  collect(function.body);
  collectCalls();
}

void Scope::collectGlobals(const Body &body) {
  for (const Stmt *stmt : body) {
    if (const auto *declared = stmt->dynAs<GlobalStmt>())
      globals.insert(declared->names.begin(), declared->names.end());
    for (const Body *inner : bodiesOf(stmt))
      collectGlobals(*inner);
  }
}

unsigned Scope::endOfLoop(unsigned order) const {
  unsigned end = order;
  for (auto [first, last] : loops)
    if (first <= order && order < last)
      end = std::max(end, last);
  return end;
}

Definition &Scope::define(StringRef name, const Stmt *stmt) {
  // What is the module's is none of this scope.
  llvm::StringMap<const Definition *> &where = globals.contains(name) ? elsewhere : names;
  auto &entry = *where.try_emplace(name).first;
  Definition &definition = all.emplace_back();
  definition.name = entry.getKey();
  definition.statement = stmt;
  definition.guards.assign(guards.begin(), guards.end());
  definition.order = statementOrder;
  definition.earlier = entry.second;
  entry.second = &definition;
  return definition;
}

void Scope::defineCaptures(const Pattern *pattern, const Stmt *stmt) {
  if (!pattern->name.empty())
    define(pattern->name, stmt);
  for (const auto *parts : {&pattern->patterns, &pattern->attributePatterns})
    for (const Pattern *part : *parts)
      defineCaptures(part, stmt);
}

void Scope::defineTarget(const Expr *target, const Stmt *stmt, const Expr *value,
                         const Expr *annotation) {
  auto defineName = [&](const Expr *name, std::optional<size_t> element) {
    Definition &definition = define(name->as<NameExpr>()->id, stmt);
    const auto *values = element && value ? value->dynAs<TupleExpr>() : nullptr;
    const bool isPaired =
        values && values->elements.size() == target->as<TupleExpr>()->elements.size() &&
        llvm::none_of(values->elements,
                      [](const Expr *one) { return one->kind == ExprKind::Starred; });
    definition.value = isPaired ? values->elements[*element] : value;
    definition.annotation = annotation;
    if (!isPaired && element) {
      definition.element = element;
      definition.names = target->as<TupleExpr>()->elements.size();
    }
  };
  if (target->kind == ExprKind::Name)
    return defineName(target, std::nullopt);
  if (const auto *element = target->dynAs<SubscriptExpr>()) {
    // globals()["NAME"] = ..
    if (std::optional<StringRef> global = globalNamed(element)) {
      Definition &definition = define(*global, stmt);
      definition.value = value;
      return;
    }
    const size_t before = all.size();
    defineChanged(element, stmt);
    // What an element is of may be no name of this scope.
    if (all.size() == before)
      return;
    const auto *name = element->value->dynAs<NameExpr>();
    const auto *assignment = stmt->dynAs<AssignStmt>();
    if (name && all.back().name == StringRef(name->id) && assignment &&
        assignment->targets.size() == 1 && assignment->targets[0] == target) {
      all.back().changedAt = element;
      all.back().value = value;
    }
    return;
  }
  if (const auto *attribute = target->dynAs<AttributeExpr>())
    return changeAttribute(attribute->value, attribute->attribute, stmt);
  const auto *tuple = target->dynAs<TupleExpr>();
  const bool isPlain = tuple && llvm::all_of(tuple->elements, [](const Expr *element) {
                         return element->kind == ExprKind::Name;
                       });
  if (!isPlain)
    return defineWritten(target, stmt);
  for (size_t i = 0; i < tuple->elements.size(); ++i)
    defineName(tuple->elements[i], i);
}

void Scope::collectGuarded(Guard::Kind kind, const Stmt *stmt, unsigned order, const Body &body) {
  guards.push_back({kind, stmt, order});
  collect(body);
  guards.pop_back();
}

void Scope::collect(const Body &body) {
  using enum Guard::Kind;
  for (const Stmt *stmt : body) {
    const auto order = static_cast<unsigned>(all.size());
    statementOrder = order;
    orders[stmt] = order;
    collectChanges(stmt);
    collectLoaded(stmt, order, /*inFunction=*/false, /*isInner=*/false);
    switch (stmt->kind) {
    case StmtKind::FunctionDef:
      define(stmt->as<FunctionDefStmt>()->name, stmt);
      functions.emplace_back(stmt->as<FunctionDefStmt>(), order);
      break;
    case StmtKind::ClassDef:
      define(stmt->as<ClassDefStmt>()->name, stmt);
      collectMethods(stmt->as<ClassDefStmt>(), order);
      break;
    case StmtKind::Import:
    case StmtKind::ImportFrom:
      collectImports(stmt);
      break;
    case StmtKind::Assign:
      for (const Expr *target : stmt->as<AssignStmt>()->targets)
        defineTarget(target, stmt, stmt->as<AssignStmt>()->value, nullptr);
      linkTargets(stmt->as<AssignStmt>());
      break;
    case StmtKind::AnnAssign:
      if (const auto *assign = stmt->as<AnnAssignStmt>(); assign->value)
        defineTarget(assign->target, stmt, assign->value, assign->annotation);
      break;
    case StmtKind::AugAssign: {
      const auto *assign = stmt->as<AugAssignStmt>();
      // A list changes for all names that share it.
      if (assign->target->kind == ExprKind::Name || isList(assign->value))
        defineMayChange(assign->target, stmt);
      defineTarget(assign->target, stmt,
                   assign->target->kind == ExprKind::Name ? assign->value : nullptr, nullptr);
      break;
    }
    case StmtKind::Delete:
      for (const Expr *target : stmt->as<DeleteStmt>()->targets)
        defineWritten(target, stmt);
      break;
    case StmtKind::If:
      collectGuarded(IfTrue, stmt, order, stmt->as<IfStmt>()->body);
      collectGuarded(IfFalse, stmt, order, stmt->as<IfStmt>()->orElse);
      break;
    case StmtKind::Try: {
      const auto *attempt = stmt->as<TryStmt>();
      collectGuarded(TryBody, stmt, order, attempt->body);
      for (const ExceptHandler &handler : attempt->handlers) {
        collectGuarded(TryHandler, stmt, order, handler.body);
        // Python deletes the name of the exception when the handler ends.
        if (!handler.name.empty()) {
          guards.push_back({TryHandler, stmt, order});
          define(handler.name, stmt);
          guards.pop_back();
        }
      }
      collectGuarded(TryElse, stmt, order, attempt->orElse);
      collect(attempt->finalBody);
      break;
    }
    case StmtKind::For:
      guards.push_back({NotFollowed, stmt, order});
      defineWritten(stmt->as<ForStmt>()->target, stmt);
      guards.pop_back();
      collectGuarded(NotFollowed, stmt, order, stmt->as<ForStmt>()->body);
      loops.push_back({order, static_cast<unsigned>(all.size())});
      collectGuarded(NotFollowed, stmt, order, stmt->as<ForStmt>()->orElse);
      break;
    case StmtKind::While:
      collectGuarded(NotFollowed, stmt, order, stmt->as<WhileStmt>()->body);
      loops.push_back({order, static_cast<unsigned>(all.size())});
      collectGuarded(NotFollowed, stmt, order, stmt->as<WhileStmt>()->orElse);
      break;
    case StmtKind::With:
      guards.push_back({NotFollowed, stmt, order});
      for (const Expr *target : targetsOf(stmt))
        defineWritten(target, stmt);
      guards.pop_back();
      collectGuarded(NotFollowed, stmt, order, stmt->as<WithStmt>()->body);
      break;
    case StmtKind::Match:
      for (const MatchCase &one : stmt->as<MatchStmt>()->cases) {
        guards.push_back({NotFollowed, stmt, order});
        defineCaptures(one.pattern, stmt);
        guards.pop_back();
        collectGuarded(NotFollowed, stmt, order, one.body);
      }
      break;
    default:
      break;
    }
  }
}
