//===- ModuleRuns.cpp - What running other modules does -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/modules/ModuleRuns.h"

#include "frontend/names/Resolver.h"
#include "frontend/names/modules/ImportTexts.h"
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
  if (importer && !inFunction) {
    moduleImports[importer].push_back({module, order});
    ++importsNoted;
  }
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
  for (const HandedNames::Asked &one : names->scope->handedNames().loaded)
    for (const FoundModule *imported : modulesAsked(*names, one))
      noteImport(imported, &module, names->scope->orderOf(one.statement), one.function != nullptr);
  // Python runs the packages around a module before it.
  for (const FoundModule *package : resolver.environments.finder.packagesOf(module))
    noteImport(package, &module, 0, /*inFunction=*/false);
}

llvm::SmallVector<const FoundModule *> ModuleRuns::modulesAsked(const Environment &environment,
                                                                const HandedNames::Asked &asked) {
  ImportTexts texts(resolver);
  const ImportTexts::Texts all =
      asked.function
          ? texts.textsAt(environment, asked.function, asked.statement, asked.name)
          : texts.textsOf(environment, environment.scope->orderOf(asked.statement), asked.name);
  llvm::SmallVector<const FoundModule *> modules;
  for (const ImportTexts::Text &text : all) {
    if (text.isOpen)
      continue;
    Import import;
    import.module = StringRef(now.keep(text.begin)).ltrim('.');
    import.level = static_cast<unsigned>(text.begin.size() - import.module.size());
    llvm::append_range(modules, modulesOf(environment, import));
  }
  return modules;
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

void ModuleRuns::forgetOldImports() {
  if (importsKnown == importsNoted)
    return;
  importsKnown = importsNoted;
  leading.clear();
  underWay.clear();
}

const llvm::SmallPtrSetImpl<const FoundModule *> &ModuleRuns::leadingTo(const FoundModule *to) {
  forgetOldImports();
  auto [entry, isNew] = leading.try_emplace(to);
  if (!isNew)
    return entry->second;
  llvm::DenseMap<const FoundModule *, llvm::SmallVector<const FoundModule *, 2>> importers;
  for (const auto &[importer, imports] : moduleImports)
    for (auto [imported, order] : imports)
      importers[imported].push_back(importer);
  llvm::SmallVector<const FoundModule *> next{to};
  while (!next.empty()) {
    const FoundModule *module = next.pop_back_val();
    if (entry->second.insert(module).second)
      llvm::append_range(next, importers.lookup(module));
  }
  return entry->second;
}

bool ModuleRuns::refuseCircularImport(const FoundModule &module, StringRef name) {
  // A function runs when all modules have.
  const FoundModule *here = now.environment->module;
  if (now.frame || !here || here == &module)
    return false;
  readImportedModules();
  const Environment *names = resolver.environments.of(module);
  auto imports = moduleImports.find(&module);
  if (!names || imports == moduleImports.end())
    return false;
  const Definition *last = names->scope->find(name);
  // The usual case: there is one value.
  if (!last || !last->earlier)
    return false;
  const llvm::SmallPtrSetImpl<const FoundModule *> &leadsHere = leadingTo(here);
  if (!leadsHere.contains(&module))
    return false;
  // One value before and another one after the import that leads here.
  for (auto [imported, order] : imports->second) {
    bool isBefore = false, isAfter = false;
    for (const Definition *one = last; one; one = one->earlier)
      (one->order < order ? isBefore : isAfter) = true;
    if (!isBefore || !isAfter || !leadsHere.contains(imported))
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
  forgetOldImports();
  const auto [entry, isNew] = underWay.try_emplace({&module, order, here}, false);
  if (isNew)
    entry->second = findUnderWay(module, order, here);
  return entry->second;
}

bool ModuleRuns::findUnderWay(const FoundModule &module, unsigned order, const FoundModule *here) {
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

bool ModuleRuns::mayHaveSubmodule(const FoundModule &package, StringRef name) {
  if (!isSubmodule(package, name))
    return false;
  readImportedModules();
  return loaded.contains(resolver.environments.finder.findIn(package, name));
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
