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

void HandedObjects::addModules(const Environment &home) {
  // The module that an import has named, unless it is another name of a package.
  auto imported = [&](const FoundModule *package, StringRef name) -> const FoundModule * {
    if (!package || name.empty())
      return package;
    const FoundModule *inner = resolver.environments.finder.findIn(*package, name);
    const Environment *names = nullptr;
    if (inner)
      resolver.now.tryHere([&] { names = resolver.environments.of(*package); });
    return names && names->scope->find(name) ? nullptr : inner;
  };
  const HandedNames &handed = home.scope->handedNames();
  for (StringRef name : handed.names)
    for (const Definition *one = home.scope->find(name); one; one = one->earlier)
      if (one->import && one->import->name != "*")
        if (const FoundModule *module =
                imported(resolver.environments.findModule(home, *one->import), one->import->name))
          modules.insert(module);
}

void HandedObjects::add(const Environment &home) {
  if (home.enclosing || !home.scope)
    return;
  const HandedNames &handed = home.scope->handedNames();
  names.insert(handed.names.begin(), handed.names.end());
  lists.insert(handed.lists.begin(), handed.lists.end());
  ownLists.insert(handed.ownLists.begin(), handed.ownLists.end());
  if (changing.size() < 2 && (handed.changesByPath || handed.changesImported))
    changing.push_back(&home);
  addModules(home);
}

void HandedObjects::update() {
  // Looking for modules may read further ones, after these.
  while (const Environment *home = unseen.next(resolver.environments))
    add(*home);
}

bool HandedObjects::isHanded(const AskedObject &object) {
  if (!object.ofClass && !object.module)
    return false;
  update();
  return object.ofClass ? names.contains(object.ofClass->definition->name)
                        : modules.contains(object.module);
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
