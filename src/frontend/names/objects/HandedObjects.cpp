//===- HandedObjects.cpp - Modules and classes that others may change ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/objects/HandedObjects.h"

#include "frontend/names/Resolver.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Modules that have all names of each other, and names that lead to each other.
static constexpr unsigned maxDepth = 8;

const FoundModule *HandedObjects::imported(const Environment &home, const Import &import) {
  const FoundModule *package = resolver.environments.findModule(home, import);
  if (!package || import.name.empty())
    return package;
  const FoundModule *inner = resolver.environments.finder.findIn(*package, import.name);
  const Environment *names = nullptr;
  if (inner)
    resolver.now.tryHere([&] { names = resolver.environments.of(*package); });
  return names && names->scope->find(import.name) ? nullptr : inner;
}

void HandedObjects::addImported(const Environment &home, const Definition *last, unsigned depth,
                                Modules &members) {
  for (const Definition *one = last; one; one = one->earlier)
    if (one->import && one->import->name != "*")
      addImported(home, *one->import, depth, members);
}

void HandedObjects::addImported(const Environment &home, const Import &import, unsigned depth,
                                Modules &members) {
  const FoundModule *from = resolver.environments.findModule(home, import);
  if (const FoundModule *module = imported(home, import))
    members.found.push_back(module);
  else if (from && from != home.module && !import.name.empty() && depth < maxDepth)
    addMembers(*from, import.name, depth + 1, members);
}

void HandedObjects::addMembers(const FoundModule &module, StringRef name, unsigned depth,
                               Modules &members) {
  const Environment *names = resolver.environments.made(module);
  members.areAll &= names || !module.file;
  const Definition *last = names && names->scope ? names->scope->find(name) : nullptr;
  if (last)
    return addImported(*names, last, depth, members);
  if (const FoundModule *inner = resolver.environments.finder.findIn(module, name))
    members.found.push_back(inner);
  if (!names || !names->scope || depth == maxDepth)
    return;
  for (const Definition *star = names->scope->lastStar(); star; star = star->earlier)
    if (const FoundModule *from =
            star->import ? resolver.environments.findModule(*names, *star->import) : nullptr;
        from && from != &module)
      addMembers(*from, name, depth + 1, members);
}

std::optional<HandedObjects::Modules> HandedObjects::modulesNamed(const Environment &home,
                                                                  const Expr *path,
                                                                  llvm::ArrayRef<Import> imports) {
  Modules modules;
  if (const auto *attribute = path->dynAs<AttributeExpr>()) {
    std::optional<Modules> bases = modulesNamed(home, attribute->value, imports);
    if (!bases)
      return std::nullopt;
    modules.areAll = bases->areAll;
    for (const FoundModule *base : bases->found)
      addMembers(*base, attribute->attribute, 0, modules);
    return modules;
  }
  for (const Import &import : imports)
    addImported(home, import, 0, modules);
  if (!imports.empty())
    return modules;
  const auto *name = path->dynAs<NameExpr>();
  const Definition *last = name ? home.scope->find(name->id) : nullptr;
  bool isImported = false;
  for (const Definition *one = last; one; one = one->earlier)
    isImported |= one->import && one->import->name != "*";
  if (!isImported)
    return std::nullopt;
  addImported(home, last, 0, modules);
  return modules;
}

bool HandedObjects::addPart(const Environment &home, const HandedNames::Part &part) {
  std::optional<Modules> bases = modulesNamed(home, part.base, part.imports);
  if (!bases) {
    attributes.insert(part.name);
    return true;
  }
  Modules members;
  for (const FoundModule *base : bases->found) {
    if (part.name != anyName) {
      addMembers(*base, part.name, 0, members);
      continue;
    }
    // A name that is computed stands as a text somewhere.
    const Environment *names = resolver.environments.made(*base);
    members.areAll &= names || !base->file;
    if (names && names->scope)
      for (const auto &entry : names->scope->definitions())
        if (entry.second->import &&
            resolver.namedTexts.mayName(home, /*function=*/nullptr, entry.getKey()))
          addImported(*names, entry.second, 0, members);
  }
  modules.insert(members.found.begin(), members.found.end());
  return bases->areAll && members.areAll;
}

void HandedObjects::addModules(const Environment &home) {
  const HandedNames &handed = home.scope->handedNames();
  for (StringRef name : handed.names)
    for (const Definition *one = home.scope->find(name); one; one = one->earlier)
      if (one->import && one->import->name != "*")
        if (const FoundModule *module = imported(home, *one->import))
          modules.insert(module);
  for (const Import &import : handed.imports)
    if (const FoundModule *module = imported(home, import))
      modules.insert(module);
  for (const HandedNames::Part &part : handed.parts)
    parts.push_back({&home, part});
  for (const HandedNames::Asked &one : handed.asked)
    asked.push_back({&home, one, {}});
}

void HandedObjects::add(const Environment &home) {
  if (home.enclosing || !home.scope)
    return;
  const HandedNames &handed = home.scope->handedNames();
  names.insert(handed.names.begin(), handed.names.end());
  lists.insert(handed.lists.begin(), handed.lists.end());
  ownLists.insert(handed.ownLists.begin(), handed.ownLists.end());
  attributes.insert(handed.attributes.begin(), handed.attributes.end());
  if (changing.size() < 2 && (handed.changesByPath || handed.changesImported))
    changing.push_back(&home);
  addModules(home);
}

void HandedObjects::update() {
  if (unseen.isEmpty(resolver.environments))
    return;
  // Looking for modules may read further ones, after these.
  while (const Environment *home = unseen.next(resolver.environments))
    add(*home);
  llvm::erase_if(parts, [&](const auto &one) { return addPart(*one.first, one.second); });
  // Parts of modules that are handed on, of which some may be handed on as parts of what is not
  // seen. Those that are added now have parts as well.
  for (size_t i = 0; i < modules.size(); ++i) {
    const Environment *names = resolver.environments.made(*modules[i]);
    if (!names || !names->scope)
      continue;
    Modules members;
    for (const auto &entry : names->scope->definitions())
      if (attributes.contains(entry.getKey()))
        addImported(*names, entry.second, 0, members);
    modules.insert(members.found.begin(), members.found.end());
  }
}

/// The last part of a module's name.
static StringRef lastPart(StringRef name) { return name.substr(name.rfind('.') + 1); }

bool HandedObjects::isAsked(const AskedObject &object) {
  if (!object.module)
    return false;
  update();
  const std::string name = resolver.environments.finder.fullName(*object.module);
  // A relative name is one of a package that is given with it.
  auto isIt = [&](const ImportTexts::Text &text) {
    if (StringRef(text.begin).starts_with("."))
      return text.isOpen || lastPart(name) == lastPart(text.begin);
    return text.isOpen ? StringRef(name).starts_with(text.begin) : name == text.begin;
  };
  // Asking for texts may read further modules, after these.
  for (size_t i = 0; i < asked.size(); ++i) {
    const HandedNames::Asked one = asked[i].module;
    const Environment &home = *asked[i].home;
    if (one.name && asked[i].texts.empty()) {
      ImportTexts::Texts found =
          one.function ? texts.textsAt(home, one.function, one.statement, one.name)
                       : texts.textsOf(home, home.scope->orderOf(one.statement), one.name);
      asked[i].texts = std::move(found);
    }
    const bool isUnknown =
        !one.name || llvm::any_of(asked[i].texts, [](const ImportTexts::Text &text) {
          return text.isOpen && text.begin.empty();
        });
    if (isUnknown ? resolver.namedTexts.mayName(home, /*function=*/nullptr, lastPart(name))
                  : llvm::any_of(asked[i].texts, isIt))
      return true;
  }
  return false;
}

bool HandedObjects::isHanded(const AskedObject &object) {
  if (!object.ofClass && !object.module)
    return false;
  update();
  if (object.ofClass)
    return names.contains(object.ofClass->definition->name);
  return modules.contains(object.module);
}

const Environment *HandedObjects::sharedIn(StringRef name, const AskedObject &object) {
  if (!object.ofClass && !object.module)
    return nullptr;
  update();
  if (!lists.contains(name) && !(object.ofClass && ownLists.contains(name)))
    return nullptr;
  // The module that defines it: what it changes itself is noted there (ScopeSharing.cpp).
  const Environment *home = object.ofClass ? object.ofClass->environment : nullptr;
  while (home && home->enclosing)
    home = home->enclosing;
  const FoundModule *module = home ? home->module : object.module;
  for (const Environment *one : changing)
    if (one->module != module)
      return one;
  return nullptr;
}
