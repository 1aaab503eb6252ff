//===- ModuleRuns.cpp - What running other modules does -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/modules/ModuleRuns.h"

#include "frontend/names/Resolver.h"
#include "frontend/names/scope/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// The installed package that a file of this folder is of; empty if it is of none.
static StringRef installedPackage(StringRef folder) {
  for (StringRef packages : {"/site-packages", "/dist-packages"})
    if (const size_t at = folder.rfind(packages); at != StringRef::npos)
      return folder.drop_front(at + packages.size()).ltrim('/').split('/').first;
  return {};
}

void ModuleRuns::noteImport(const FoundModule *module, const FoundModule *importer, unsigned order,
                            bool inFunction) {
  if (!module || module == importer)
    return;
  loaded.insert(module);
  if (importer && !inFunction)
    moduleImports[importer].push_back({module, order});
  const StringRef package = installedPackage(module->folder);
  const bool isOurs =
      package.empty() || package == installedPackage(resolver.environments.finder.source().folder);
  if (isOurs && seenModules.insert(module).second)
    modulesFound.push_back(module);
}

void ModuleRuns::readImportedModules() {
  if (hasReadModules)
    return;
  hasReadModules = true;
  noteImport(&resolver.environments.finder.source(), nullptr, 0, /*inFunction=*/false);
  // The nearest first. No reference into the list lives while it grows.
  for (; modulesRead < std::min<size_t>(modulesFound.size(), maxModules); ++modulesRead)
    readImportsOf(*modulesFound[modulesRead]);
  unread.assign(modulesFound.begin() + modulesRead, modulesFound.end());
}

void ModuleRuns::readImportsOf(const FoundModule &module) {
  const Environment *names = nullptr;
  // One that cannot be parsed is reported where a name of it is needed.
  if (!now.tryHere([&] { names = resolver.environments.of(module); }) || !names || !names->scope)
    return;
  for (const LoadedModule &one : names->scope->loadedModules())
    for (const FoundModule *imported : modulesOf(*names, one.import))
      noteImport(imported, &module, one.order, one.inFunction);
  // Python runs the packages around a module before it.
  for (const FoundModule *package : resolver.environments.finder.packagesOf(module))
    noteImport(package, &module, 0, /*inFunction=*/false);
}

void ModuleRuns::readModulesThatSet(StringRef attribute) {
  readImportedModules();
  // A variable of the now.environment is an attribute of os here.
  const StringRef named = attribute.starts_with("environ") ? "environ" : attribute;
  if (unread.empty() || !askedAttributes.insert(named).second)
    return;
  for (size_t i = 0; i < unread.size(); ++i) {
    const FoundModule *module = unread[i];
    if (!module || !module->file || !module->file->contents() ||
        !module->file->maySetAttribute(named))
      continue;
    unread[i] = nullptr;
    const size_t found = modulesFound.size();
    readImportsOf(*module);
    unread.append(modulesFound.begin() + found, modulesFound.end());
  }
}

bool ModuleRuns::definesBesides(const Environment &names, StringRef name,
                                const FoundModule &package) {
  for (const Definition *one = names.scope->find(name); one; one = one->earlier)
    if (!one->import || one->import->name != name ||
        resolver.environments.findModule(names, *one->import) != &package)
      return true;
  return false;
}

llvm::SmallVector<const FoundModule *> ModuleRuns::modulesOf(const Environment &environment,
                                                             const Import &import) {
  llvm::SmallVector<const FoundModule *> modules;
  if (!import.level && isKnownModule(resolver.known.meant(import.module)))
    return modules;
  const FoundModule *module = resolver.environments.findModule(environment, import);
  if (module)
    modules.push_back(module);
  if (!import.loaded.empty())
    if (const FoundModule *loaded = resolver.environments.finder.find(import.loaded))
      modules.push_back(loaded);
  if (import.name.empty() || import.name == "*")
    return modules;
  // `from package import module`, of a package that has no such name before.
  const FoundModule *inner =
      module ? resolver.environments.finder.findIn(*module, import.name) : nullptr;
  const Environment *names = nullptr;
  if (inner)
    now.tryHere([&] { names = resolver.environments.of(*module); });
  if (inner && !(names && definesBesides(*names, import.name, *module)))
    modules.push_back(inner);
  if (!module) {
    Import submodule = import;
    const std::string path =
        (import.module + (import.module.empty() ? "" : ".") + import.name).str();
    submodule.module = path;
    if (const FoundModule *inner = resolver.environments.findModule(environment, submodule))
      modules.push_back(inner);
  }
  return modules;
}

bool ModuleRuns::leadsTo(const FoundModule *from, const FoundModule *to) const {
  llvm::SmallPtrSet<const FoundModule *, 8> seen;
  llvm::SmallVector<const FoundModule *> next{from};
  while (!next.empty()) {
    const FoundModule *module = next.pop_back_val();
    if (module == to)
      return true;
    if (!seen.insert(module).second)
      continue;
    if (auto imports = moduleImports.find(module); imports != moduleImports.end())
      for (auto [imported, order] : imports->second)
        next.push_back(imported);
  }
  return false;
}

bool ModuleRuns::refuseCircularImport(const FoundModule &module, StringRef name) {
  // A function runs when all modules have.
  const FoundModule *here = now.environment->module;
  if (now.frame || !here || here == &module)
    return false;
  readImportedModules();
  const Environment *names = resolver.environments.of(module);
  auto imports = moduleImports.find(&module);
  if (!names || imports == moduleImports.end() || !leadsTo(&module, here))
    return false;
  // One value before and another one after the import that leads here.
  for (auto [imported, order] : imports->second) {
    bool isBefore = false, isAfter = false;
    for (const Definition *one = names->scope->find(name); one; one = one->earlier)
      (one->order < order ? isBefore : isAfter) = true;
    if (!isBefore || !isAfter || !leadsTo(imported, here))
      continue;
    tb.fail("'" + name + "' of the module '" + module.name +
                "' is defined before and after it imports this module: which value is seen here "
                "depends on the order in which the modules are loaded",
            "define '" + name + "' once, or in a module that imports neither");
    return true;
  }
  return false;
}

bool ModuleRuns::mayBeUnderWay(const FoundModule &module, unsigned order) {
  const FoundModule *here = now.environment->module;
  if (now.frame || !here || here == &module)
    return false;
  readImportedModules();
  // The packages around both have begun to run before them.
  llvm::SmallPtrSet<const FoundModule *, 16> seen;
  for (const FoundModule *one : {&module, here})
    for (const FoundModule *package : resolver.environments.finder.packagesOf(*one))
      seen.insert(package);
  if (seen.contains(here))
    return false;
  llvm::SmallVector<const FoundModule *> next;
  auto addImports = [&](const FoundModule *importer, unsigned limit) {
    if (auto imports = moduleImports.find(importer); imports != moduleImports.end())
      for (auto [imported, order] : imports->second)
        if (order <= limit && seen.insert(imported).second)
          next.push_back(imported);
  };
  addImports(&module, order);
  while (!next.empty()) {
    const FoundModule *one = next.pop_back_val();
    if (one == here)
      return true;
    addImports(one, std::numeric_limits<unsigned>::max());
  }
  return false;
}

bool ModuleRuns::isSubmodule(const FoundModule &package, StringRef name) {
  const Environment *names = nullptr;
  if (!resolver.environments.finder.findIn(package, name))
    return false;
  now.tryHere([&] { names = resolver.environments.of(package); });
  return !names || !names->scope->find(name);
}

bool ModuleRuns::refuseHiddenModule(const FoundModule &package, StringRef name,
                                    const Definition &definition) {
  // `from .name import name` binds the module first, and then what is imported.
  const FoundModule *submodule =
      package.folders.empty() ? nullptr : resolver.environments.finder.findIn(package, name);
  readImportedModules();
  if (!submodule || !loaded.contains(submodule))
    return false;
  const Environment *names = resolver.environments.of(package);
  if (!names)
    return false;
  if (definition.import && llvm::is_contained(modulesOf(*names, *definition.import), submodule))
    return false;
  // The package's own code may have imported it first: a module is bound when it is loaded only.
  for (const auto &entry : names->scope->definitions())
    for (const Definition *one = entry.second; one; one = one->earlier)
      if (one->import && one->guards.empty() && one->order < definition.order &&
          llvm::is_contained(modulesOf(*names, *one->import), submodule))
        return false;
  Within within(now, *names, definition.order);
  tb.failAt({definition.statement->begin, definition.statement->begin},
            "'" + name + "' of the package '" + package.name +
                "' is what is defined here until its module of that name is imported, and that "
                "module from then on",
            "give the one or the other another name");
  return true;
}

//===--------------------------------------------------------------------------===//
// Modules that fail
//===--------------------------------------------------------------------------===//

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
