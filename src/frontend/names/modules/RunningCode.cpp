//===- RunningCode.cpp - Statements that may run while modules do --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/modules/RunningCode.h"

#include "frontend/names/Resolver.h"
#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/Walk.h"

#include <limits>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

void RunningCode::update() {
  auto visitModule = [&](const Environment &home) {
    if (!home.enclosing && home.scope && home.file)
      visit(home, home.file->body(), nullptr);
  };
  do {
    // Conditions may read further modules, after these.
    while (const Environment *home = unseen.next(resolver.environments))
      visitModule(*home);
    while (!next.empty()) {
      const Function function = next.pop_back_val();
      NameSet own = function.around;
      collectOwn(function.definition, own);
      visit(*function.home, function.definition->body, &own);
    }
  } while (!unseen.isEmpty(resolver.environments));
}

void RunningCode::name(StringRef name) {
  if (!named.insert(name).second)
    return;
  if (auto functions = waiting.find(name); functions != waiting.end()) {
    llvm::append_range(next, functions->second);
    waiting.erase(functions);
  }
}

void RunningCode::nameIn(const Expr *expr) {
  anyExpression(expr, [&](const Expr *one) {
    if (const auto *each = one->dynAs<NameExpr>())
      name(each->id);
    if (const auto *attribute = one->dynAs<AttributeExpr>())
      name(attribute->attribute);
    // getattr(module, "function")()
    if (const auto *call = one->dynAs<CallExpr>())
      for (const Expr *argument : call->arguments)
        if (std::optional<StringRef> text = constantText(argument))
          name(*text);
    return false;
  });
}

void RunningCode::nameImports(const Stmt *stmt) {
  // from module import function as other
  for (const auto &[bound, import] : importsOf(stmt))
    if (!import.name.empty() && import.name != bound)
      name(import.name);
}

void RunningCode::add(const Environment &home, const FunctionDefStmt *function, const NameSet *own,
                      StringRef owner) {
  Function made{&home, function, own ? *own : NameSet()};
  // Python itself calls such methods of a class that something names.
  static constexpr StringRef protocol[] = {"find_spec", "find_module", "create_module",
                                           "exec_module", "load_module"};
  const StringRef given = function->name;
  const bool isCalledByPython =
      !owner.empty() && (given.starts_with("__") || llvm::is_contained(protocol, given));
  const StringRef key = isCalledByPython ? owner : given;
  if (named.contains(key))
    next.push_back(std::move(made));
  else
    waiting[key].push_back(std::move(made));
}

std::optional<bool> RunningCode::truthOf(const Environment &home, const IfStmt *stmt,
                                         const NameSet *own) {
  std::optional<bool> truth;
  if (!own) {
    now.tryAt(home, home.scope->orderOf(stmt), [&] { truth = resolver.constantTruth(stmt->test); });
    return truth;
  }
  // In a function, names that have one value at all times. What may change a list changes no
  // module.
  auto isOne = [&](StringRef name) {
    const Definition *bound = nullptr;
    unsigned others = 0, changes = 0;
    for (const Definition *one = home.scope->find(name); one; one = one->earlier) {
      ++(one->mayChange ? changes : others);
      if (!one->mayChange)
        bound = one;
    }
    return others <= 1 && (!changes || (bound && bound->import && bound->import->name.empty()));
  };
  const bool isStable = !anyExpression(stmt->test, [&](const Expr *expr) {
    const auto *one = expr->dynAs<NameExpr>();
    return one && (own->contains(one->id) || !isOne(one->id));
  });
  if (isStable)
    now.tryAt(home, std::numeric_limits<unsigned>::max(),
              [&] { truth = resolver.constantTruth(stmt->test); });
  return truth;
}

bool RunningCode::visitIf(const Environment &home, const IfStmt *stmt, const NameSet *own) {
  const std::optional<bool> truth = truthOf(home, stmt, own);
  bool bodyEnds = true, otherEnds = true;
  if (truth.value_or(true))
    bodyEnds = visit(home, stmt->body, own);
  if (!truth.value_or(false))
    otherEnds = visit(home, stmt->orElse, own);
  return bodyEnds && otherEnds;
}

void RunningCode::visitTry(const Environment &home, const TryStmt *stmt, const NameSet *own) {
  visit(home, stmt->body, own);
  const Guard guard{Guard::Kind::TryHandler, stmt, own ? 0 : home.scope->orderOf(stmt)};
  Definition handled;
  handled.statement = stmt;
  const bool mayFail = own || resolver.conditions.lets(home, guard, handled).value_or(true);
  if (mayFail)
    for (const ExceptHandler &handler : stmt->handlers)
      visit(home, handler.body, own);
  visit(home, stmt->orElse, own);
  visit(home, stmt->finalBody, own);
}

void RunningCode::visitClass(const Environment &home, const ClassDefStmt *definition,
                             const NameSet *own) {
  // A decorator or a metaclass may make an object of it.
  if (!definition->decorators.empty() || !definition->keywords.empty())
    name(definition->name);
  NameSet names = own ? *own : NameSet();
  collectBound(definition->body, names);
  const StringRef outer = std::exchange(classAround, definition->name);
  visit(home, definition->body, &names);
  classAround = outer;
}

bool RunningCode::visit(const Environment &home, const Body &body, const NameSet *own) {
  for (const Stmt *stmt : body) {
    running.insert(stmt);
    for (const Expr *expr : expressionsOf(stmt))
      nameIn(expr);
    for (const Expr *target : targetsOf(stmt))
      if (target->kind != ExprKind::Name)
        nameIn(target);
    switch (stmt->kind) {
    case StmtKind::Import:
    case StmtKind::ImportFrom:
      nameImports(stmt);
      break;
    case StmtKind::Return:
    case StmtKind::Raise:
      return true;
    case StmtKind::If:
      if (visitIf(home, stmt->as<IfStmt>(), own))
        return true;
      break;
    case StmtKind::Try:
      visitTry(home, stmt->as<TryStmt>(), own);
      break;
    case StmtKind::FunctionDef: {
      const auto *function = stmt->as<FunctionDefStmt>();
      add(home, function, own, classAround);
      // A decorator may call it.
      if (!function->decorators.empty())
        name(function->name);
      break;
    }
    case StmtKind::ClassDef:
      visitClass(home, stmt->as<ClassDefStmt>(), own);
      break;
    default:
      for (const Body *inner : bodiesOf(stmt))
        visit(home, *inner, own);
      break;
    }
  }
  return false;
}
