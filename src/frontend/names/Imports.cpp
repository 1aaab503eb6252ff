//===- Imports.cpp - Values of imported names ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/Resolver.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static Value valueOf(const FoundModule &module) { return Value::ofModule(module.name, &module); }

std::optional<bool> Resolver::hasMember(const Value &module, StringRef name) {
  if (!module.module)
    return known.has(module.text, name);
  // A module in a package is an attribute of it from its first import on.
  if (runs.isSubmodule(*module.module, name))
    return std::nullopt;
  return hasMember(*module.module, name);
}

Global Resolver::importedGlobal(const Environment &environment, const Import &import, bool asked) {
  Global result;
  result.usable = true;
  const StringRef module = import.level ? import.module : known.meant(import.module);
  if (!import.level && isKnownModule(module)) {
    if (importChanges.refuse(environment, import, nullptr))
      return {};
    if (!import.name.empty())
      result.known = known.attribute(module, import.name);
    else
      result.known = Value::ofModule(module);
    return result;
  }
  if (const FoundModule *found = environments.findModule(environment, import)) {
    if (importChanges.refuse(environment, import, found))
      return {};
    if (!import.name.empty())
      return member(*found, import.name, asked);
    // `import a.b.c`: `a.b` may be a folder without __init__.py, which is there since `c` is.
    if (!import.loaded.empty())
      environments.finder.find(import.loaded);
    result.known = valueOf(*found);
    return result;
  }
  // A folder without __init__.py has modules and nothing else.
  if (!import.name.empty()) {
    Import submodule = import;
    const std::string path = (module + (module.empty() ? "" : ".") + import.name).str();
    submodule.module = path;
    if (const FoundModule *found = environments.findModule(environment, submodule)) {
      result.known = valueOf(*found);
      return result;
    }
  } else {
    // `import a.b` where the folder `a` has no __init__.py.
    if (!import.loaded.empty() && environments.finder.find(import.loaded)) {
      result.known = valueOf(*environments.finder.findNamespace(module));
      return result;
    }
    // `import torch`: as long as nothing of it is needed, it does not matter.
    result.known = Value::host(module);
    return result;
  }
  // PyTorch's own kernels take these from Triton.
  if (module == "torch._inductor.runtime.triton_helpers" &&
      (import.name == "libdevice" || import.name == "math")) {
    result.known = Value::ofModule(import.name == "math" ? "triton.language.math"
                                                         : "triton.language.extra.libdevice");
    return result;
  }
  const std::string dotted = std::string(import.level, '.') + module.str();
  std::string remedy;
  if (import.level)
    remedy = "it would be beside " + environment.file->fileName().str();
  else
    remedy = "it was looked for in " + llvm::join(environments.finder.roots(), ", ") +
             "; name the folder that holds it with --path DIR";
  tb.fail("the module '" + dotted + "' is not found", remedy);
  return {};
}

Global Resolver::member(const FoundModule &module, StringRef name, bool asked) {
  if (Value known = devices.attribute(module.name, name)) {
    Global device;
    device.known = known;
    return device;
  }
  if (runs.refuseCircularImport(module, name))
    return {};
  if (const Environment *names = environments.of(module)) {
    if (const Definition *definition = resolve(*names, name))
      return runs.refuseHiddenModule(module, name, *definition)
                 ? Global()
                 : global(*names, *definition, name, asked);
  }
  if (tb.failed() || changes.refuse(name, {[&](const Value &object) {
                                             return object.kind == ValueKind::Module &&
                                                    object.module == &module;
                                           },
                                           &module}))
    return {};
  Global result;
  const FoundModule *submodule = environments.finder.findIn(module, name);
  if (!submodule)
    submodule = environments.finder.findNamespace(name, &module);
  if (submodule) {
    // `package.module`, as an import somewhere has set it.
    if (importChanges.refuse(*now.environment, {}, submodule))
      return {};
    result.known = valueOf(*submodule);
    result.usable = true;
    return result;
  }
  // A module's own function is known to find something only where that is a device.
  if (const Environment *names = environments.of(module); names && resolve(*names, "__getattr__")) {
    result.known = Value::host(now.keep(module.name + "." + name));
    result.usable = true;
    return result;
  }
  llvm::SmallVector<StringRef> known;
  if (const Environment *names = environments.of(module))
    for (const auto &definition : names->scope->definitions())
      known.push_back(definition.getKey());
  llvm::sort(known);
  const StringRef close = closestOf(name, known);
  if (const Environment *names = environments.of(module);
      names && names->scope->find(name) &&
      now.orderIn(*names) != std::numeric_limits<unsigned>::max())
    tb.fail("the module '" + module.name + "' has no '" + name +
                "' yet: it imports modules that import it",
            "define the name before these imports, or in a module of its own");
  tb.fail("the module '" + module.name + "' has no '" + name + "'",
          close.empty() ? "" : "did you mean '" + close.str() + "'?");
  return {};
}

std::optional<bool> Resolver::definesName(const FoundModule &module, StringRef name) {
  const Definition *definition = nullptr;
  const Environment *names = nullptr;
  bool isCertain = true;
  const bool known = now.tryHere([&] {
    names = environments.of(module);
    definition = names ? resolve(*names, name) : nullptr;
    // The only definition that is possible may not have run.
    isCertain = !definition || (definition->statement->kind != StmtKind::Delete &&
                                conditions.holds(*names, *definition).value_or(false));
    if (definition && definition->name == "*")
      isCertain &= starDefines(*names, *definition, name).value_or(false);
  });
  if (!known || !isCertain)
    return std::nullopt;
  if (definition)
    return true;
  const bool mayBe =
      changes.isChangedElsewhere(module, name) || (names && names->scope->mayDefineOthers());
  return mayBe ? std::nullopt : std::optional(false);
}

std::optional<bool> Resolver::hasMember(const FoundModule &module, StringRef name) {
  const std::optional<bool> defines = definesName(module, name);
  if (!defines)
    return std::nullopt;
  if (*defines) {
    // The first definition counts for who sees only a part of the module.
    const Definition *first = environments.of(module)->scope->find(name);
    while (first && first->earlier)
      first = first->earlier;
    return first && runs.mayBeUnderWay(module, first->order) ? std::nullopt : std::optional(true);
  }
  if (environments.finder.findIn(module, name))
    return true;
  const Environment *names = environments.of(module);
  const bool mayFind = (names && names->scope->find("__getattr__")) ||
                       changes.isChangedElsewhere(module, "__getattr__");
  return mayFind ? std::nullopt : std::optional(false);
}

std::optional<bool> Resolver::hasPublicName(const FoundModule &module, StringRef name) {
  const std::optional<bool> defines = definesName(module, name);
  return defines && !*defines && runs.mayHaveSubmodule(module, name) ? std::nullopt : defines;
}

std::optional<bool> Resolver::starDefines(const Environment &environment, const Definition &star,
                                          StringRef name) {
  auto [entry, isNew] = found.stars.try_emplace({&star, name}, std::nullopt);
  if (!isNew)
    return entry->second;
  std::optional<bool> answer;
  now.tryAt(environment, star.order, [&] { answer = findInStar(environment, star, name); });
  return found.stars[{&star, name}] = answer;
}

std::optional<bool> Resolver::findInStar(const Environment &environment, const Definition &star,
                                         StringRef name) {
  const StringRef moduleName = star.import->module;
  if (!star.import->level && isKnownModule(moduleName)) {
    if (name.starts_with("_"))
      return false;
    if (moduleName == "math")
      return known.has(moduleName, name);
    return isTritonModule(moduleName) && now.tryHere([&] { known.attribute(moduleName, name); });
  }
  const FoundModule *module = environments.findModule(environment, *star.import);
  if (!module || importChanges.mayChange(environment, *star.import, module))
    return std::nullopt;
  const Environment *names = nullptr;
  if (!now.tryHere([&] { names = environments.of(*module); }))
    return std::nullopt;
  if (!names)
    return false;
  // One that imports this module may not have run when its names are taken.
  if (runs.mayBeUnderWay(*module)) {
    llvm::SmallVector<Defined> all;
    return addDefinitions(*names, name, all) && all.empty() && !runs.isSubmodule(*module, name)
               ? std::optional(false)
               : std::nullopt;
  }
  if (!names->scope->find("__all__"))
    return name.starts_with("_") ? std::optional(false) : hasPublicName(*module, name);
  Value listed;
  if (!now.tryHere([&] { listed = member(*module, "__all__", /*asked=*/true).known; }) ||
      !listed.isTuple())
    return std::nullopt;
  return llvm::any_of(*listed.elements, [&](const Value &one) {
    return one.kind == ValueKind::String && StringRef(one.text) == name;
  });
}

bool Resolver::addDefinitions(const Environment &environment, StringRef name,
                              llvm::SmallVectorImpl<Defined> &all) {
  llvm::SmallPtrSet<const Environment *, 8> seen;
  llvm::SmallVector<const Environment *> next{&environment};
  bool areAll = true;
  while (!next.empty()) {
    const Environment *here = next.pop_back_val();
    if (!here->scope || !seen.insert(here).second)
      continue;
    areAll &= !here->scope->mayDefineOthers() && here->module &&
              !changes.isChangedElsewhere(*here->module, name);
    // A module in the package is a name of it as well.
    areAll &= here->module && !runs.mayHaveSubmodule(*here->module, name);
    for (const Definition *one = here->scope->find(name); one; one = one->earlier)
      all.push_back({here, one});
    for (const Definition *star = here->scope->lastStar(); star; star = star->earlier) {
      if (star->import && !star->import->level && isKnownModule(star->import->module)) {
        if (starDefines(*here, *star, name) != std::optional(false))
          all.push_back({here, star});
        continue;
      }
      const FoundModule *module =
          star->import ? environments.findModule(*here, *star->import) : nullptr;
      const Environment *there = nullptr;
      if (module)
        now.tryHere([&] { there = environments.of(*module); });
      areAll &= there != nullptr;
      if (there)
        next.push_back(there);
    }
  }
  return areAll;
}
