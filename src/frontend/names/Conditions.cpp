//===- Conditions.cpp - Whether a definition's conditions let it run ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/Conditions.h"

#include "frontend/names/Resolver.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

std::optional<bool> Conditions::holds(const Environment &environment,
                                      const Definition &definition) {
  bool known = true;
  for (const Guard &guard : definition.guards) {
    std::optional<bool> one = lets(environment, guard, definition);
    if (one && !*one)
      return false;
    known &= one.has_value();
  }
  return known ? std::optional(true) : std::nullopt;
}

std::optional<bool> Conditions::catches(const TryStmt &attempt, const Stmt &failing) {
  if (attempt.handlers.size() != 1)
    return std::nullopt;
  const Expr *type = attempt.handlers[0].type;
  if (!type)
    return true;
  const bool isImport = failing.kind != StmtKind::Assign;
  auto matches = [&](const Expr *one) {
    const auto *name = one->dynAs<NameExpr>();
    return name && (name->id == "Exception" || name->id == "BaseException" ||
                    name->id == (isImport ? "ImportError" : "AttributeError"));
  };
  if (matches(type))
    return true;
  if (const auto *tuple = type->dynAs<TupleExpr>(); tuple && llvm::any_of(tuple->elements, matches))
    return true;
  return std::nullopt;
}

std::optional<bool> Conditions::lets(const Environment &environment, const Guard &guard,
                                     const Definition &definition) {
  switch (guard.kind) {
  case Guard::Kind::IfTrue:
  case Guard::Kind::IfFalse: {
    std::optional<bool> truth = isTrue(environment, *guard.statement->as<IfStmt>(), guard.order);
    if (truth && guard.kind == Guard::Kind::IfFalse)
      truth = !*truth;
    return truth;
  }
  case Guard::Kind::TryBody:
  case Guard::Kind::TryHandler:
  case Guard::Kind::TryElse: {
    const auto &attempt = *guard.statement->as<TryStmt>();
    std::optional<bool> success = succeeds(environment, attempt, guard.order);
    if (!success)
      return std::nullopt;
    if (*success)
      return guard.kind != Guard::Kind::TryHandler;
    if (guard.kind == Guard::Kind::TryElse)
      return false;
    const Stmt &failing = *failingStatements.lookup(&attempt);
    if (guard.kind == Guard::Kind::TryHandler)
      return catches(attempt, failing);
    // The body ends before the definition, with it, or after it.
    const Position begin = definition.statement->begin;
    return begin.line < failing.begin.line ||
           (begin.line == failing.begin.line && begin.column < failing.begin.column);
  }
  case Guard::Kind::NotFollowed:
    return std::nullopt;
  }
  llvm_unreachable("all kinds of guards are listed");
}

std::optional<bool> Conditions::isTrue(const Environment &environment, const IfStmt &condition,
                                       unsigned order) {
  auto [entry, isNew] = resolver.found.conditions.try_emplace(&condition);
  if (!isNew)
    return entry->second;
  std::optional<bool> truth;
  now.tryAt(environment, order, [&] { truth = resolver.constantTruth(condition.test); });
  return resolver.found.conditions[&condition] = truth;
}

std::optional<bool> Conditions::succeeds(const Environment &environment, const TryStmt &attempt,
                                         unsigned order) {
  auto [entry, isNew] = resolver.found.conditions.try_emplace(&attempt);
  if (!isNew)
    return entry->second;
  std::optional<bool> success = runAttempt(environment, attempt, order);
  return resolver.found.conditions[&attempt] = success;
}

/// Whether an expression names something in a module, which is there or is not.
static bool isPath(const Expr *expr) {
  while (const auto *attribute = expr->dynAs<AttributeExpr>())
    expr = attribute->value;
  return expr->kind == ExprKind::Name;
}

/// Whether only failing imports are caught, by these names of their errors.
static bool catchesImportsOnly(const TryStmt &attempt) {
  auto isOfImports = [](const Expr *type) {
    const auto *name = type ? type->dynAs<NameExpr>() : nullptr;
    return name && (name->id == "ImportError" || name->id == "ModuleNotFoundError");
  };
  return llvm::all_of(attempt.handlers, [&](const ExceptHandler &handler) {
    const auto *types = handler.type ? handler.type->dynAs<TupleExpr>() : nullptr;
    return types ? llvm::all_of(types->elements, isOfImports) : isOfImports(handler.type);
  });
}

std::optional<bool> Conditions::runAttempt(const Environment &environment, const TryStmt &attempt,
                                           unsigned order) {
  // Another exception ends the program, where it is not caught here.
  const bool isStrict = !attempt.handlers.empty() && !catchesImportsOnly(attempt);
  const ModuleRuns::Strictly strictly(resolver.runs, isStrict);
  for (const Stmt *stmt : attempt.body) {
    failingStatements[&attempt] = stmt;
    switch (stmt->kind) {
    case StmtKind::FunctionDef:
    case StmtKind::ClassDef:
      if (isStrict && !resolver.runs.raisesNothing(environment, stmt))
        return std::nullopt;
      break;
    case StmtKind::Pass:
      break;
    case StmtKind::Import:
      for (const ImportName &one : stmt->as<ImportStmt>()->names)
        if (std::optional<bool> can = canImport(environment, {0, one.name, {}, {}, {}, {}});
            !can || !*can)
          return can;
      break;
    case StmtKind::ImportFrom: {
      const auto *from = stmt->as<ImportFromStmt>();
      for (const ImportName &one : from->names)
        if (std::optional<bool> can =
                canImport(environment, {from->level, from->module, one.name, {}, {}, {}});
            !can || !*can)
          return can;
      break;
    }
    case StmtKind::Assign: {
      // What can be evaluated raises no exception. Of what cannot, nothing is known, but that
      // triton.language and its modules have a name or not.
      const Expr *value = stmt->as<AssignStmt>()->value;
      Value result;
      if (now.tryAt(environment, order, [&] { result = resolver.evaluate(value); }))
        break;
      const auto *attribute = value->dynAs<AttributeExpr>();
      Value module;
      if (attribute && isPath(value) &&
          now.tryAt(environment, order, [&] { module = resolver.evaluate(attribute->value); }) &&
          module.kind == ValueKind::Module && StringRef(module.text).starts_with("triton.language"))
        return false;
      return std::nullopt;
    }
    case StmtKind::Expr:
      if (stmt->as<frontend::ExprStmt>()->value->kind != ExprKind::Constant)
        return std::nullopt;
      break;
    default:
      return std::nullopt;
    }
  }
  return true;
}

std::optional<bool> Conditions::canImport(const Environment &environment, const Import &import) {
  const StringRef module = import.level ? import.module : resolver.known.meant(import.module);
  if (!import.level && isKnownModule(module)) {
    if (import.name.empty() || import.name == "*")
      return isTritonModule(module) || !module.starts_with("triton.") ? std::optional(true)
                                                                      : std::nullopt;
    if (!module.starts_with("triton") && module != "math" && module != "tilewright.matrix")
      return true;
    return resolver.known.has(module, import.name);
  }
  const FoundModule *found = resolver.environments.findModule(environment, import);
  if (found && resolver.importChanges.mayChange(environment, import, found))
    return std::nullopt;
  for (const FoundModule *one : resolver.runs.modulesOf(environment, import))
    if (std::optional<bool> runs = resolver.runs.runsThrough(*one); !runs || !*runs)
      return runs;
  if (found && !import.name.empty() && import.name != "*")
    return resolver.hasMember(*found, import.name);
  if (found)
    return true;
  // A module of a package that is there; of a package that is not, it may be elsewhere.
  if (import.level || resolver.environments.finder.hasTopLevel(module))
    return false;
  return std::nullopt;
}
