//===- FailingModules.cpp - Whether modules raise while they run --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/Resolver.h"
#include "frontend/names/modules/ModuleRuns.h"
#include "frontend/names/scope/Walk.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Whether a statement of the body raises by its own words, or asserts: not in functions of it.
static bool mentionsRaise(const Body &body) {
  return llvm::any_of(body, [](const Stmt *stmt) {
    switch (stmt->kind) {
    case StmtKind::Raise:
    case StmtKind::Assert:
      return true;
    case StmtKind::If:
      return mentionsRaise(stmt->as<IfStmt>()->body) || mentionsRaise(stmt->as<IfStmt>()->orElse);
    case StmtKind::For:
      return mentionsRaise(stmt->as<ForStmt>()->body);
    case StmtKind::While:
      return mentionsRaise(stmt->as<WhileStmt>()->body);
    case StmtKind::With:
      return mentionsRaise(stmt->as<WithStmt>()->body);
    case StmtKind::Try: {
      const auto *attempt = stmt->as<TryStmt>();
      return mentionsRaise(attempt->body) || mentionsRaise(attempt->orElse) ||
             mentionsRaise(attempt->finalBody) ||
             llvm::any_of(attempt->handlers,
                          [](const ExceptHandler &handler) { return mentionsRaise(handler.body); });
    }
    default:
      return false;
    }
  });
}

/// Both that one and the other runs through, as far as it is known.
static std::optional<bool> both(std::optional<bool> one, std::optional<bool> other) {
  return one && other && *one && *other ? std::optional(true) : std::nullopt;
}

std::optional<bool> ModuleRuns::runsThrough(const FoundModule &module) {
  if (module.isSource || !module.file)
    return true;
  auto known = [&]() -> llvm::DenseMap<const FoundModule *, std::optional<bool>> & {
    return isStrict ? resolver.found.moduleRunsStrictly : resolver.found.moduleRuns;
  };
  if (known().size() >= maxModulesRun && !known().contains(&module))
    return std::nullopt;
  // A module that is being run is there for those that it imports.
  auto [entry, isNew] = known().try_emplace(&module, true);
  if (!isNew)
    return entry->second;
  const Environment *names = nullptr;
  std::optional<bool> result;
  if (now.tryHere([&] { names = resolver.environments.of(module); }) && names)
    result = runsThrough(*names, names->file->body());
  return known()[&module] = result;
}

std::optional<bool> ModuleRuns::runsThrough(const Environment &environment, const Body &body) {
  for (const Stmt *stmt : body)
    if (std::optional<bool> one = runsThrough(environment, stmt); !one || !*one)
      return one;
  return true;
}

std::optional<bool> ModuleRuns::raisesNothing(const Environment &environment, const Stmt *stmt) {
  Within within(now, environment, environment.scope->orderOf(stmt));
  auto works = [&](const Expr *expr) {
    return !expr || now.tryHere([&] { resolver.evaluate(expr); });
  };
  auto ifSo = [](bool is) { return is ? std::optional(true) : std::nullopt; };
  auto isName = [](const Expr *target) { return target->kind == ExprKind::Name; };
  switch (stmt->kind) {
  case StmtKind::Pass:
  case StmtKind::Global:
    return true;
  case StmtKind::Expr:
    return ifSo(works(stmt->as<frontend::ExprStmt>()->value));
  case StmtKind::Assign: {
    const auto *assign = stmt->as<AssignStmt>();
    return ifSo(llvm::all_of(assign->targets, isName) && works(assign->value));
  }
  case StmtKind::AnnAssign: {
    const auto *assign = stmt->as<AnnAssignStmt>();
    return ifSo(isName(assign->target) && works(assign->annotation) && works(assign->value));
  }
  case StmtKind::FunctionDef: {
    const auto *function = stmt->as<FunctionDefStmt>();
    const Parameters &parameters = function->parameters;
    bool areGood = llvm::all_of(expressionsOf(stmt), works) && works(function->returns);
    for (const auto *list :
         {&parameters.positionalOnly, &parameters.positional, &parameters.keywordOnly})
      for (const Parameter &one : *list)
        areGood &= works(one.annotation);
    for (const Parameter *one : {parameters.variadic, parameters.keywords})
      areGood &= !one || works(one->annotation);
    return ifSo(areGood);
  }
  default:
    return std::nullopt;
  }
}

std::optional<bool> ModuleRuns::runsThrough(const Environment &environment, const Stmt *stmt) {
  static constexpr StmtKind followed[] = {StmtKind::Import, StmtKind::ImportFrom, StmtKind::Raise,
                                          StmtKind::Assert, StmtKind::Try};
  if (isStrict && stmt->kind != StmtKind::If && !llvm::is_contained(followed, stmt->kind))
    return raisesNothing(environment, stmt);
  switch (stmt->kind) {
  case StmtKind::Import:
  case StmtKind::ImportFrom:
    for (auto &[name, import] : importsOf(stmt)) {
      Import whole = import;
      if (!import.loaded.empty())
        whole.module = import.loaded;
      // Libraries that the program itself cannot do without.
      const StringRef package = whole.module.split('.').first;
      if (!import.level && (isStandardModule(package) || package == "torch" || package == "numpy"))
        continue;
      if (std::optional<bool> can = resolver.conditions.canImport(environment, whole);
          !can || !*can)
        return can;
    }
    return true;
  case StmtKind::Raise: {
    const Expr *raised = stmt->as<RaiseStmt>()->exception;
    if (const auto *call = raised ? raised->dynAs<CallExpr>() : nullptr)
      raised = call->function;
    const auto *type = raised ? raised->dynAs<NameExpr>() : nullptr;
    if (type && (type->id == "ImportError" || type->id == "ModuleNotFoundError"))
      return false;
    return std::nullopt;
  }
  case StmtKind::Assert: {
    std::optional<bool> truth;
    now.tryAt(environment, environment.scope->orderOf(stmt),
              [&] { truth = resolver.constantTruth(stmt->as<AssertStmt>()->test); });
    return truth.value_or(false) ? std::optional(true) : std::nullopt;
  }
  case StmtKind::If: {
    const auto *choice = stmt->as<IfStmt>();
    std::optional<bool> truth;
    now.tryAt(environment, environment.scope->orderOf(stmt),
              [&] { truth = resolver.constantTruth(choice->test); });
    if (truth)
      return runsThrough(environment, *truth ? choice->body : choice->orElse);
    if (isStrict)
      return std::nullopt;
    return both(runsThrough(environment, choice->body), runsThrough(environment, choice->orElse));
  }
  case StmtKind::Try: {
    const auto *attempt = stmt->as<TryStmt>();
    std::optional<bool> result = runsThrough(environment, attempt->body);
    if (result && *result) {
      result = runsThrough(environment, attempt->orElse);
    } else if (attempt->handlers.size() == 1 &&
               resolver.conditions.catches(*attempt, *stmt).value_or(false)) {
      const std::optional<bool> handled = runsThrough(environment, attempt->handlers[0].body);
      result = result ? handled : both(handled, true);
    } else {
      result = std::nullopt;
    }
    return attempt->finalBody.empty() ? result
                                      : both(result, runsThrough(environment, attempt->finalBody));
  }
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::With: {
    const Body &inner = stmt->kind == StmtKind::For     ? stmt->as<ForStmt>()->body
                        : stmt->kind == StmtKind::While ? stmt->as<WhileStmt>()->body
                                                        : stmt->as<WithStmt>()->body;
    return mentionsRaise(inner) ? std::nullopt : runsThrough(environment, inner);
  }
  case StmtKind::ClassDef:
    return mentionsRaise(stmt->as<ClassDefStmt>()->body) ? std::nullopt : std::optional(true);
  case StmtKind::Expr:
    return evaluates(environment, stmt, stmt->as<frontend::ExprStmt>()->value);
  case StmtKind::Assign:
    return evaluates(environment, stmt, stmt->as<AssignStmt>()->value);
  case StmtKind::AnnAssign:
    return evaluates(environment, stmt, stmt->as<AnnAssignStmt>()->value);
  default:
    return true;
  }
}

std::optional<bool> ModuleRuns::evaluates(const Environment &environment, const Stmt *stmt,
                                          const Expr *expr) {
  // Calls of other packages are taken to work where the module is used at all. What this
  // package's own functions raise, and what Triton does not have, is looked at.
  bool mayRaise = false;
  Within within(now, environment, environment.scope->orderOf(stmt));
  anyExpression(expr, [&](const Expr *one) {
    Value value;
    if (const auto *call = one->dynAs<CallExpr>()) {
      if (now.tryHere([&] { value = resolver.evaluate(call->function); }) &&
          value.kind == ValueKind::Function)
        mayRaise |= mentionsRaise(value.function->definition->body);
    } else if (const auto *attribute = one->dynAs<AttributeExpr>()) {
      if (now.tryHere([&] { value = resolver.evaluate(attribute->value); }) &&
          value.kind == ValueKind::Module)
        mayRaise |= !resolver.hasMember(value, attribute->attribute).value_or(!value.module);
    }
    return mayRaise;
  });
  if (!mayRaise)
    return true;
  return now.tryHere([&] { resolver.evaluate(expr); }) ? std::optional(true) : std::nullopt;
}
