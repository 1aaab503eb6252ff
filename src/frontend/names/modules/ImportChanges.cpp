//===- ImportChanges.cpp - Statements that change what imports find -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/modules/ImportChanges.h"

#include "frontend/names/Resolver.h"
#include "frontend/names/modules/ImportFolders.h"
#include "frontend/names/modules/KnownModules.h"
#include "frontend/names/modules/SysChanges.h"
#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/NamespaceDicts.h"
#include "frontend/names/scope/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

//===--------------------------------------------------------------------------===//
// Which statements there are
//===--------------------------------------------------------------------------===//

bool ImportChanges::isLeftOut(const AttributeChange &change) const {
  if (!change.statement->dynAs<FunctionDefStmt>())
    return !running.mayRun(change.statement);
  bool isAny = false;
  forEachPart(change.statement, running, [&](const Stmt *, bool mayRun) { isAny |= mayRun; });
  return !isAny;
}

ImportChanges::Texts ImportChanges::textsOf(const Environment &home, const AttributeChange &change,
                                            const Stmt *statement, const Expr *expr) {
  const auto *function = change.statement->dynAs<FunctionDefStmt>();
  return function ? texts.textsAt(home, function, statement, expr)
                  : texts.textsOf(home, change.order, expr);
}

/// Stands for all names of modules that are in no package.
static constexpr StringRef anyTopLevel = "*";

/// The names that a function may be handed which get them from its callers: names in packages stand
/// as texts in the files that name the function.
static void addHandedNames(const Environment &home, const FunctionDefStmt *function,
                           ImportTexts::Texts &names) {
  if (home.enclosing || !home.scope || !home.file->text().contains(function->name))
    return;
  forEachStatement(home.file->body(), [&](const Stmt *stmt) {
    for (const Expr *whole : expressionsOf(stmt))
      anyExpression(whole, [&](const Expr *expr) {
        if (std::optional<StringRef> text = constantText(expr);
            text && text->contains('.') && !isTritonModule(*text))
          names.push_back({text->str()});
        return false;
      });
  });
}

void ImportChanges::collectEntries(const Environment &home, const AttributeChange &change) {
  Change made{&home, &change, Change::Kind::Entry, {}, {}, {}};
  SysChangeParts keys = entriesOf(change.statement, running);
  if (!keys && change.mayChange && onlyReadsModules(change.statement, running))
    return;
  if (!keys)
    made.names.push_back({"", /*isOpen=*/true});
  else
    for (const SysChangePart &key : *keys)
      llvm::append_range(made.names, textsOf(home, change, key.statement, key.expr));
  const auto *function = change.statement->dynAs<FunctionDefStmt>();
  const size_t before = made.names.size();
  if (keys && function)
    llvm::erase_if(made.names, [](const Text &one) { return one.isOpen && one.begin.empty(); });
  if (made.names.size() != before) {
    made.names.push_back({anyTopLevel.str(), /*isOpen=*/true});
    addHandedNames(resolver.environments.source, function, made.names);
    for (const Environment &one : resolver.environments.all())
      addHandedNames(one, function, made.names);
  }
  if (!made.names.empty())
    changes.push_back(std::move(made));
}

void ImportChanges::collectFolders(const Environment &home, const AttributeChange &change) {
  Change made{&home, &change, Change::Kind::Folder, {}, {}, {}};
  if (SysChangeParts folders = putBefore("path", change.statement, running)) {
    made.folders.emplace();
    for (const SysChangePart &one : *folders) {
      std::optional<std::string> folder = folderOf(home, one.expr);
      if (!folder) {
        made.folders.reset();
        break;
      }
      made.folders->push_back(*folder);
    }
  }
  changes.push_back(std::move(made));
}

/// The class of that name which stands in the body, at any depth; null if there is not one alone.
static const ClassDefStmt *classIn(const Body &body, StringRef name) {
  const ClassDefStmt *found = nullptr;
  bool isOne = true;
  forEachStatement(body, [&](const Stmt *stmt) {
    const auto *definition = stmt->dynAs<ClassDefStmt>();
    if (!definition || StringRef(definition->name) != name)
      return;
    isOne &= !found;
    found = definition;
  });
  return isOne ? found : nullptr;
}

void ImportChanges::collectFinders(const Environment &home, const AttributeChange &change) {
  SysChangeParts finders = putBefore("meta_path", change.statement, running);
  if (!finders) {
    changes.push_back({&home, &change, Change::Kind::Any, {}, {}, {}});
    return;
  }
  Change made{&home, &change, Change::Kind::Entry, {}, {}, {}};
  for (const SysChangePart &one : *finders) {
    const auto *call = one.expr->dynAs<CallExpr>();
    const auto *name = (call ? call->function : one.expr)->dynAs<NameExpr>();
    const ClassDefStmt *finder = name ? classIn(home.file->body(), name->id) : nullptr;
    if (finder)
      llvm::append_range(made.names, texts.answersOf(home, finder));
    else
      made.names.push_back({"", /*isOpen=*/true});
  }
  if (!made.names.empty())
    changes.push_back(std::move(made));
}

void ImportChanges::collect(const Environment &home) {
  if (home.enclosing || !home.scope)
    return;
  const auto &all = home.scope->attributeChanges();
  auto each = [&](StringRef attribute, llvm::function_ref<void(const AttributeChange &)> visit) {
    auto found = all.find(attribute);
    if (found == all.end())
      return;
    for (const AttributeChange &change : found->second) {
      // `self.path = ..` is no change of sys.
      const auto *base = change.base ? change.base->dynAs<NameExpr>() : nullptr;
      const bool isImported = change.import && change.of != AttributeChange::Of::Imported &&
                              change.import->module == "sys";
      const Definition *definition = base ? home.scope->find(base->id) : nullptr;
      const bool isSys = definition && definition->import && definition->import->name.empty() &&
                         definition->import->module == "sys";
      if (!isSys && !isImported)
        continue;
      running.update();
      if (!isLeftOut(change))
        visit(change);
    }
  };
  each("modules", [&](const AttributeChange &change) { collectEntries(home, change); });
  each("path", [&](const AttributeChange &change) { collectFolders(home, change); });
  each("meta_path", [&](const AttributeChange &change) { collectFinders(home, change); });
  each("path_hooks", [&](const AttributeChange &change) {
    changes.push_back({&home, &change, Change::Kind::Any, {}, {}, {}});
  });
  auto found = all.find("__path__");
  if (found == all.end())
    return;
  for (const AttributeChange &change : found->second) {
    Value package;
    if (change.base)
      resolver.changes.tryUnchanged(home, change.order,
                                    [&] { package = resolver.evaluate(change.base); });
    const auto *call = change.statement->dynAs<ExprStmt>();
    const Expr *changed = call ? changedBy(call->value) : nullptr;
    const auto *method =
        changed ? call->value->as<CallExpr>()->function->as<AttributeExpr>() : nullptr;
    if (package.module && !(method && method->attribute == "append"))
      changes.push_back({&home,
                         &change,
                         Change::Kind::Any,
                         {},
                         {},
                         resolver.environments.finder.fullName(*package.module)});
  }
}

void ImportChanges::collect() {
  if (isCollecting)
    return;
  isCollecting = true;
  resolver.runs.readImportedModules();
  while (const Environment *home = unseen.next(resolver.environments))
    collect(*home);
  isCollecting = false;
}

//===--------------------------------------------------------------------------===//
// Which imports they concern
//===--------------------------------------------------------------------------===//

bool ImportChanges::isBefore(const Change &change, const Environment &environment) const {
  // A function may be called at any time after its definition; what follows a statement of the
  // same module has not changed what was imported.
  if (change.home != &environment)
    return false;
  const unsigned order = now.orderIn(environment);
  // Statements between which nothing is defined have the same order.
  return order < change.statement->order ||
         (order == change.statement->order &&
          tb.here().begin.line < change.statement->statement->begin.line);
}

/// Whether `name` is `whole` or a module in it.
static bool isIn(StringRef name, StringRef whole) {
  return name == whole || (name.consume_front(whole) && name.starts_with("."));
}

bool ImportChanges::concerns(const Change &change, const Environment &environment, StringRef name,
                             const FoundModule *found) {
  if (isBefore(change, environment))
    return false;
  if (change.kind == Change::Kind::Entry)
    return llvm::any_of(change.names, [&](const Text &text) {
      // An entry without a known name stands in for Triton only where there is none.
      if (text.isOpen && text.begin.empty() && isTritonModule(name))
        return false;
      if (text.isOpen && text.begin == anyTopLevel)
        return !name.contains('.') && !isTritonModule(name);
      return text.isOpen ? name.starts_with(text.begin) : isIn(name, text.begin);
    });
  if (!change.package.empty())
    return name != change.package && isIn(name, change.package);
  // Known modules are loaded, and so are the packages around what runs.
  if (!found)
    return false;
  if (change.kind == Change::Kind::Any)
    return !found->isSource;
  const StringRef first = name.split('.').first;
  auto isLoaded = [&](const FoundModule &module) {
    return isIn(resolver.environments.finder.fullName(module), first);
  };
  if (isLoaded(*environment.module) || isLoaded(*change.home->module) ||
      isLoaded(resolver.environments.finder.source()))
    return false;
  if (!change.folders)
    return true;
  return llvm::any_of(*change.folders, [&](const std::string &folder) {
    const FoundModule *there = resolver.environments.finder.findInFolder(folder, name);
    const FoundModule *top = resolver.environments.finder.findInFolder(folder, first);
    return there ? there->file != found->file : top != nullptr;
  });
}

const ImportChanges::Change *ImportChanges::find(const Environment &environment,
                                                 const Import &import, const FoundModule *found) {
  if (isCollecting || resolver.changes.areAssumedAbsent())
    return nullptr;
  collect();
  if (changes.empty())
    return nullptr;
  const std::string name = found ? resolver.environments.finder.fullName(*found)
                                 : resolver.known.meant(import.module).str();
  for (size_t i = 0; i < changes.size(); ++i)
    if (concerns(changes[i], environment, name, found))
      return &changes[i];
  return nullptr;
}

bool ImportChanges::mayChange(const Environment &environment, const Import &import,
                              const FoundModule *found) {
  return find(environment, import, found);
}

bool ImportChanges::refuse(const Environment &environment, const Import &import,
                           const FoundModule *found) {
  const Change *change = find(environment, import, found);
  if (!change)
    return false;
  const std::string name = found ? found->name : std::string(import.module);
  Within within(now, *change->home, change->statement->order);
  const Stmt *stmt = change->statement->statement;
  tb.failAt({stmt->begin, stmt->begin},
            "this statement may make an import of '" + name +
                "' give another module, which the compiler cannot evaluate",
            "import the module that is meant by its own name");
  return true;
}
