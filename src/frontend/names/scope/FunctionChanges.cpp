//===- FunctionChanges.cpp - What a function changes around it ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/scope/FunctionChanges.h"

#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/NamespaceDicts.h"
#include "frontend/names/scope/Walk.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

namespace {
class Collector {
public:
  Collector(const FunctionDefStmt *function, FunctionChanges &found) : found(found) {
    collectOwn(function, all);
  }
  void visit(const Body &body);

private:
  void visit(const Stmt *stmt);
  void visitFunction(const FunctionDefStmt *function);
  void visitTarget(const Expr *target, const Stmt *stmt, const Expr *value);
  FunctionChanges::Place place(const Expr *expr, const Stmt *stmt) const;

  FunctionChanges &found;
  /// The names of the functions around a statement, without those of the outermost one.
  NameSet inner;
  /// All of them.
  NameSet all;
};
} // namespace

FunctionChanges::Place Collector::place(const Expr *expr, const Stmt *stmt) const {
  const auto *root = rootOfPath(expr)->dynAs<NameExpr>();
  return {expr, stmt, root && inner.contains(root->id)};
}

void Collector::visitTarget(const Expr *target, const Stmt *stmt, const Expr *value) {
  switch (target->kind) {
  case ExprKind::Name:
    if (value)
      (stmt->kind == StmtKind::AugAssign ? found.added : found.values)[target->as<NameExpr>()->id]
          .push_back(value);
    if (stmt->kind == StmtKind::AugAssign)
      found.written.push_back(place(target, stmt));
    break;
  case ExprKind::Tuple:
    for (const Expr *element : target->as<TupleExpr>()->elements)
      visitTarget(element, stmt, value);
    break;
  case ExprKind::List:
    for (const Expr *element : target->as<ListExpr>()->elements)
      visitTarget(element, stmt, value);
    break;
  case ExprKind::Starred:
    visitTarget(target->as<StarredExpr>()->value, stmt, value);
    break;
  case ExprKind::Subscript: {
    const auto *element = target->as<SubscriptExpr>();
    if (!isGlobals(element->value))
      found.written.push_back(place(target, stmt));
    else if (calledName(element->value->as<CallExpr>()) == "globals") {
      if (std::optional<StringRef> name = globalNamed(element))
        found.globals.insert({*name, stmt});
      else
        found.ofAll = stmt;
    }
    break;
  }
  case ExprKind::Attribute:
    found.written.push_back(place(target, stmt));
    break;
  default:
    break;
  }
}

void Collector::visit(const Stmt *stmt) {
  if (const auto *declared = stmt->dynAs<GlobalStmt>())
    for (std::string_view name : declared->names)
      found.globals.insert({name, stmt});
  if (stmt->kind == StmtKind::Import || stmt->kind == StmtKind::ImportFrom)
    for (const auto &[name, import] : importsOf(stmt))
      found.imports[name].push_back(import);
  const llvm::SmallVector<const Expr *> expressions = expressionsOf(stmt);
  for (const Expr *target : targetsOf(stmt))
    visitTarget(target, stmt, expressions.empty() ? nullptr : expressions.front());
  for (const Expr *whole : expressions) {
    if (handsOutNames(whole, &all,
                      [&](const Expr *owner) { found.opened.push_back(place(owner, stmt)); }))
      found.ofAll = stmt;
    found.handsOutBuiltins |= frontend::handsOutBuiltins(whole);
    anyExpression(whole, [&](const Expr *expr) {
      for (const Comprehension &one : generatorsOf(expr)) {
        NameSet variables;
        collectTargets(one.target, variables);
        for (StringRef name : variables)
          found.values[name].push_back(one.iterable);
      }
      const auto *call = expr->dynAs<CallExpr>();
      if (!call)
        return false;
      const Expr *base = attributeSet(call).first;
      found.calls.push_back({call, place(base ? base : call, stmt)});
      if (const Expr *list = changedBy(call); list && isGlobals(list))
        found.ofAll = stmt;
      else if (list)
        found.written.push_back(place(expr, stmt));
      return false;
    });
  }
}

void Collector::visitFunction(const FunctionDefStmt *function) {
  const NameSet outer = inner, outerAll = all;
  collectOwn(function, inner);
  collectOwn(function, all);
  visit(function->body);
  inner = outer;
  all = outerAll;
}

void Collector::visit(const Body &body) {
  for (const Stmt *stmt : body) {
    visit(stmt);
    for (const Body *part : bodiesOf(stmt))
      visit(*part);
    if (const auto *function = stmt->dynAs<FunctionDefStmt>())
      visitFunction(function);
    if (const auto *definition = stmt->dynAs<ClassDefStmt>())
      visit(definition->body);
  }
}

FunctionChanges frontend::changesOf(const FunctionDefStmt *function) {
  FunctionChanges found;
  Collector(function, found).visit(function->body);
  return found;
}
