//===- Modules.cpp - Names of other modules -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An import is followed when a name that it binds is needed, and the file that it means is parsed
// then. What is wrong with it is reported where it stands, with a note for each name that led
// there.
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

#include "frontend/names/KnownModules.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static Value valueOf(const FoundModule &module) { return Value::ofModule(module.name, &module); }

const FoundModule *CodeGen::findModule(const Environment &environment, const Import &import) {
  if (import.level)
    return finder.findRelative(*environment.module, import.level, import.module);
  return finder.find(import.module);
}

CodeGen::Global CodeGen::importedGlobal(const Environment &environment, const Import &import,
                                        bool asked) {
  Global result;
  result.usable = true;
  const StringRef module = import.level ? import.module : moduleMeant(import.module);
  if (!import.level && isKnownModule(module)) {
    if (!import.name.empty())
      result.known = moduleAttribute(module, import.name);
    else
      result.known = Value::ofModule(module);
    return result;
  }
  if (const FoundModule *found = findModule(environment, import)) {
    if (!import.name.empty())
      return member(*found, import.name, asked);
    // `import a.b.c`: `a.b` may be a folder without __init__.py, which is there since `c` is.
    if (!import.loaded.empty())
      finder.find(import.loaded);
    result.known = valueOf(*found);
    return result;
  }
  // A folder without __init__.py has modules and nothing else.
  if (!import.name.empty()) {
    Import submodule = import;
    const std::string path = (module + (module.empty() ? "" : ".") + import.name).str();
    submodule.module = path;
    if (const FoundModule *found = findModule(environment, submodule)) {
      result.known = valueOf(*found);
      return result;
    }
  } else {
    // `import a.b` where the folder `a` has no __init__.py.
    if (!import.loaded.empty() && finder.find(import.loaded)) {
      result.known = valueOf(*finder.findNamespace(module));
      return result;
    }
    // `import torch`: as long as nothing of it is needed, it does not matter.
    result.known = Value::host(module);
    return result;
  }
  // What PyTorch's own kernels take from Triton.
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
    remedy = "it was looked for in " + llvm::join(finder.roots(), ", ") +
             "; name the folder that holds it with --path DIR";
  tb.fail("the module '" + dotted + "' is not found", remedy);
  return {};
}

CodeGen::Global CodeGen::member(const FoundModule &module, StringRef name, bool asked) {
  if (Value known = deviceAttribute(module.name, name)) {
    Global device;
    device.known = known;
    return device;
  }
  if (refuseCircularImport(module, name))
    return {};
  if (const Environment *names = environmentOf(module)) {
    if (const Definition *definition = resolve(*names, name))
      return refuseHiddenModule(module, name, *definition)
                 ? Global()
                 : global(*names, *definition, name, asked);
  }
  if (tb.failed() || refuseChangedAttribute(name, [&](const Value &object) {
        return object.kind == ValueKind::Module && object.module == &module;
      }))
    return {};
  Global result;
  const FoundModule *submodule = finder.findIn(module, name);
  if (!submodule)
    submodule = finder.findNamespace(name, &module);
  if (submodule) {
    result.known = valueOf(*submodule);
    result.usable = true;
    return result;
  }
  // What a module's own function finds is known only where it is a device.
  if (const Environment *names = environmentOf(module); names && resolve(*names, "__getattr__")) {
    result.known = Value::host(keep(module.name + "." + name));
    result.usable = true;
    return result;
  }
  llvm::SmallVector<StringRef> known;
  if (const Environment *names = environmentOf(module))
    for (const auto &definition : names->scope->definitions())
      known.push_back(definition.getKey());
  llvm::sort(known);
  const StringRef close = closestOf(name, known);
  if (const Environment *names = environmentOf(module);
      names && names->scope->find(name) && orderIn(*names) != std::numeric_limits<unsigned>::max())
    tb.fail("the module '" + module.name + "' has no '" + name +
                "' yet: it imports modules that import it",
            "define the name before these imports, or in a module of its own");
  tb.fail("the module '" + module.name + "' has no '" + name + "'",
          close.empty() ? "" : "did you mean '" + close.str() + "'?");
  return {};
}

std::optional<bool> CodeGen::definesName(const FoundModule &module, StringRef name) {
  const Definition *definition = nullptr;
  const Environment *names = nullptr;
  bool isCertain = true;
  const bool known = tryHere([&] {
    names = environmentOf(module);
    definition = names ? resolve(*names, name) : nullptr;
    // The only definition that is possible may not have run.
    isCertain = !definition || holds(*names, *definition).value_or(false);
    if (definition && definition->name == "*")
      isCertain &= starDefines(*names, *definition, name).value_or(false);
  });
  if (!known || !isCertain)
    return std::nullopt;
  if (definition)
    return true;
  const bool mayBe = isChangedElsewhere(module, name) || (names && names->scope->mayDefineOthers());
  return mayBe ? std::nullopt : std::optional(false);
}

std::optional<bool> CodeGen::hasMember(const FoundModule &module, StringRef name) {
  const std::optional<bool> defines = definesName(module, name);
  if (!defines)
    return std::nullopt;
  if (*defines) {
    // The first definition counts for who sees only a part of the module.
    const Definition *first = environmentOf(module)->scope->find(name);
    while (first && first->earlier)
      first = first->earlier;
    return first && mayBeUnderWay(module, *first) ? std::nullopt : std::optional(true);
  }
  if (finder.findIn(module, name))
    return true;
  const Environment *names = environmentOf(module);
  return names && names->scope->find("__getattr__") ? std::nullopt : std::optional(false);
}

std::optional<bool> CodeGen::hasPublicName(const FoundModule &module, StringRef name) {
  const std::optional<bool> defines = definesName(module, name);
  if (!defines || *defines || !isSubmodule(module, name))
    return defines;
  // A module in the package is a name of it once it is imported.
  readImportedModules();
  return loaded.contains(finder.findIn(module, name)) ? std::nullopt : std::optional(false);
}

std::optional<bool> CodeGen::starDefines(const Environment &environment, const Definition &star,
                                         StringRef name) {
  // Modules may import all names of each other.
  const std::pair question(&star, name);
  if (llvm::is_contained(asking, question))
    return false;
  asking.push_back(question);
  auto answer = [&]() -> std::optional<bool> {
    const StringRef moduleName = star.import->module;
    if (!star.import->level && isKnownModule(moduleName)) {
      if (name.starts_with("_"))
        return false;
      if (moduleName == "math")
        return moduleHas(moduleName, name);
      return isTritonModule(moduleName) && tryHere([&] { moduleAttribute(moduleName, name); });
    }
    const FoundModule *module = findModule(environment, *star.import);
    if (!module)
      return std::nullopt;
    const Environment *names = nullptr;
    if (!tryHere([&] { names = environmentOf(*module); }))
      return std::nullopt;
    if (!names)
      return false;
    if (!names->scope->find("__all__"))
      return name.starts_with("_") ? std::optional(false) : hasPublicName(*module, name);
    Value listed;
    if (!tryHere([&] { listed = member(*module, "__all__", /*asked=*/true).known; }) ||
        !listed.isTuple())
      return std::nullopt;
    return llvm::any_of(*listed.elements, [&](const Value &one) {
      return one.kind == ValueKind::String && StringRef(one.text) == name;
    });
  }();
  asking.pop_back();
  return answer;
}

//===--------------------------------------------------------------------------===//
// Environments
//===--------------------------------------------------------------------------===//

const Environment *CodeGen::environmentOf(const FoundModule &module) {
  if (module.isSource)
    return &source;
  if (!module.file)
    return nullptr;
  const Environment *&entry = moduleEnvironments[&module];
  if (entry)
    return entry;
  const SourceFiles::Parsed &parsed = module.file->parse();
  if (!parsed) {
    if (!tb.failed())
      errors.push_back(parsed.error());
    return nullptr;
  }
  Environment &made = environments.emplace_back();
  made.file = parsed->get();
  made.module = &module;
  made.scope = &made.file->scope();
  return entry = &made;
}

const Environment *CodeGen::environmentOf(const ClassDefStmt *definition, const Environment &home,
                                          unsigned order) {
  const Environment *&entry = innerEnvironments[definition];
  if (entry)
    return entry;
  Environment &made = environments.emplace_back();
  made.file = home.file;
  made.module = home.module;
  made.scope = &scopes.emplace_back(definition->body, Scope::Of::Class);
  made.enclosing = &home;
  made.isClass = true;
  made.name = definition->name;
  made.order = order;
  return entry = &made;
}

const Environment *CodeGen::environmentInside(const FunctionDefStmt *function,
                                              const Environment &home) {
  const Environment *&entry = innerEnvironments[function];
  if (entry)
    return entry;
  Environment &made = environments.emplace_back();
  made.file = home.file;
  made.module = home.module;
  made.scope = &scopes.emplace_back(*function);
  made.name = function->name;
  // Functions do not see the names of the class that they stand in.
  made.enclosing = home.isClass ? home.enclosing : &home;
  return entry = &made;
}

/// The last part of `a.b.name`, `name` or a call of one of these; empty if it is none.
static StringRef lastName(const Expr *expr) {
  if (const auto *call = expr->dynAs<CallExpr>())
    expr = call->function;
  if (const auto *attribute = expr->dynAs<AttributeExpr>())
    return attribute->attribute;
  const auto *name = expr->dynAs<NameExpr>();
  return name ? StringRef(name->id) : StringRef();
}

bool CodeGen::refuseMadeClass(const ClassObject &object) {
  static constexpr StringRef harmless[] = {"dataclass",      "final",      "unique",
                                           "total_ordering", "_aggregate", "runtime_checkable"};
  static constexpr StringRef plainMeta[] = {"ABCMeta", "EnumMeta", "EnumType", "type"};
  if (plainClasses.contains(&object))
    return false;
  const ClassDefStmt &definition = *object.definition;
  const StringRef name = definition.name;
  auto refuse = [&](SourceSpan where, const llvm::Twine &what) {
    Within within(*this, *object.environment->enclosing, object.environment->order);
    tb.failAt(where,
              what + " may change the class '" + name +
                  "', so that what it has is not known while "
                  "compiling",
              "define what kernels need outside of the class");
    return true;
  };
  for (const Expr *decorator : definition.decorators)
    if (!llvm::is_contained(harmless, lastName(decorator)))
      return refuse(spanOf(decorator), "this decorator");
  for (const Keyword &keyword : definition.keywords)
    if (keyword.name != "metaclass" || !llvm::is_contained(plainMeta, lastName(keyword.value)))
      return refuse(spanOf(keyword.value), "this argument");
  for (const auto &entry : object.environment->scope->definitions()) {
    const Expr *value = entry.second->value;
    const auto *call = value ? value->dynAs<CallExpr>() : nullptr;
    Value type;
    if (call &&
        tryAt(*object.environment, entry.second->order, [&] { type = evaluate(call->function); }) &&
        type.classObject && type.classObject->environment->scope->find("__set_name__"))
      return refuse(spanOf(call), "what is made here, a class with __set_name__,");
  }
  for (const Expr *expr : definition.bases) {
    Value base;
    tryAt(*object.environment->enclosing, object.environment->order,
          [&] { base = evaluate(expr); });
    if (!base.classObject || base.classObject == &object)
      continue;
    if (base.classObject->environment->scope->find("__init_subclass__"))
      return refuse(spanOf(expr), "__init_subclass__ of this class");
    if (refuseMadeClass(*base.classObject))
      return true;
  }
  plainClasses.insert(&object);
  return false;
}

CodeGen::Global CodeGen::classMember(const ClassObject &object, StringRef name) {
  if (refuseMadeClass(object))
    return {};
  const Environment &names = *object.environment;
  if (const Definition *definition = resolve(names, name))
    return global(names, *definition, name, /*asked=*/true);
  if (tb.failed() || refuseChangedAttribute(name, [&](const Value &base) {
        return base.kind == ValueKind::Class && base.classObject == &object;
      }))
    return {};
  // Of several bases the first that has the name: more than one order of looking is left out.
  if (object.definition->bases.size() == 1) {
    Value base;
    {
      Within within(*this, *names.enclosing, names.order);
      base = evaluate(object.definition->bases[0]);
    }
    if (base.classObject)
      return classMember(*base.classObject, name);
  }
  tb.fail("the class '" + StringRef(object.definition->name) + "' has no '" + name +
          "' that is known while compiling");
  return {};
}
