//===- AttributeChanges.cpp - Statements that set attributes of objects -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/objects/AttributeChanges.h"

#include "frontend/names/Resolver.h"
#include "frontend/names/modules/KnownModules.h"
#include "frontend/names/scope/HandedNames.h"
#include "frontend/names/scope/Walk.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

bool AttributeChanges::isChangedElsewhere(const FoundModule &module, StringRef name) {
  auto isModule = [&](const Value &object) {
    return object.kind == ValueKind::Module && object.module == &module;
  };
  return find(name, isModule).second;
}

bool AttributeChanges::tryUnchanged(const Environment &environment, unsigned order,
                                    llvm::function_ref<void()> body) {
  const bool outer = std::exchange(assumesUnchanged, true);
  const bool outerAsked = std::exchange(asksForChanged, false);
  if (!outer)
    std::swap(resolver.found, unchanged);
  const bool isGood = now.tryAt(environment, order, body) && !asksForChanged;
  if (!outer)
    std::swap(resolver.found, unchanged);
  assumesUnchanged = outer;
  asksForChanged |= outer && outerAsked;
  return isGood;
}

bool AttributeChanges::changesImported(const Environment &home, const AttributeChange &change,
                                       llvm::function_ref<bool(const Value &)> isObject) {
  bool isOf = false, isMutable = false;
  const bool isKnown = tryUnchanged(home, change.order, [&] {
    // From module to module, as long as each imports the name, perhaps by a `*`.
    auto follow = [&](auto &&self, const Environment &from, const Import &import,
                      unsigned depth) -> void {
      const FoundModule *module =
          depth < maxImportDepth ? resolver.environments.findModule(from, import) : nullptr;
      isOf |= module && isObject(Value::ofModule(module->name, module));
      const Environment *there = module ? resolver.environments.of(*module) : nullptr;
      if (!there || !there->scope)
        return;
      if (const Definition *next = there->scope->find(import.name)) {
        if (next->import)
          self(self, *there, *next->import, depth + 1);
        return;
      }
      for (const Definition *star = there->scope->lastStar(); star; star = star->earlier) {
        if (!star->import)
          continue;
        Import brought = *star->import;
        brought.name = import.name;
        self(self, *there, brought, depth + 1);
      }
    };
    follow(follow, home, *change.import, 0);
    isMutable =
        isOf && resolver.importedGlobal(home, *change.import, /*asked=*/true).known.isMutable();
  });
  return isOf && (isMutable || (!isKnown && asksForChanged));
}

void AttributeChanges::addPossible(const Environment &home, const Import &import, Seen &seen,
                                   ChangedObject &object) {
  const StringRef module =
      import.level ? StringRef(import.module) : resolver.known.meant(import.module);
  if (!import.level && isKnownModule(module)) {
    object.possible.push_back(Value::ofModule(module));
    if (import.name.empty())
      return;
    const std::string_view path = now.keep(module + "." + import.name);
    object.possible.append({Value::ofModule(path), Value::host(path)});
    return;
  }
  for (const FoundModule *one : resolver.runs.modulesOf(home, import)) {
    object.mayBeAny = true;
    object.possible.push_back(Value::ofModule(one->name, one));
  }
  const FoundModule *found = resolver.environments.findModule(home, import);
  const Environment *there = nullptr;
  if (found && !import.name.empty() && import.name != anyName &&
      now.tryHere([&] { there = resolver.environments.of(*found); }) && there)
    addPossible(*there, import.name, seen, object);
}

void AttributeChanges::addPossible(const Environment &home, StringRef name, Seen &seen,
                                   ChangedObject &object) {
  if (!home.scope)
    return;
  // The variable of a comprehension or of a lambda.
  object.mayBeAny |= !home.scope->find(name) && !isBuiltinName(name);
  for (const Definition *one = home.scope->find(name); one; one = one->earlier) {
    if (!seen.insert({one, name}).second)
      continue;
    if (one->import)
      addPossible(home, *one->import, seen, object);
    else if (one->value)
      addPossible(home, one->value, seen, object);
    else if (one->statement->kind == StmtKind::FunctionDef)
      object.mayBeHanded = true; // It may return what it was handed.
    else // What a loop or a `with` gives may be anything, and so may what a class has.
      object.mayBeAny = true;
    if (one->statement->kind == StmtKind::For || one->statement->kind == StmtKind::With)
      for (const Expr *source : expressionsOf(one->statement))
        addPossible(home, source, seen, object);
    if (const auto *definition = one->statement->dynAs<ClassDefStmt>();
        definition && StringRef(definition->name) == name)
      object.possible.push_back(
          Value::ofClass(definition->name, &resolver.classes.of(definition, home, one->order)));
  }
  for (const Definition *star = home.scope->lastStar(); star; star = star->earlier) {
    if (!star->import || !seen.insert({star, name}).second)
      continue;
    Import brought = *star->import;
    brought.name = name;
    addPossible(home, brought, seen, object);
  }
}

/// The name that a call of a function of a module begins with, as `triton` of
/// `triton.testing.perf_report(..)`; null for other expressions, and where an attribute is one that
/// gives what the module has by name, as `__dict__`.
static const NameExpr *rootOfCalled(const Expr *expr) {
  const auto *call = expr->dynAs<CallExpr>();
  const auto *attribute = call ? call->function->dynAs<AttributeExpr>() : nullptr;
  const Expr *root = attribute;
  for (; attribute; attribute = root->dynAs<AttributeExpr>()) {
    if (StringRef(attribute->attribute).starts_with("__"))
      return nullptr;
    root = attribute->value;
  }
  return root ? root->dynAs<NameExpr>() : nullptr;
}

/// Whether a definition imports a module of Triton.
static bool importsTriton(Resolver &resolver, const Definition &definition) {
  const std::optional<Import> &import = definition.import;
  return import && !import->level && import->name.empty() &&
         isTritonModule(resolver.known.meant(import->module));
}

bool AttributeChanges::isTriton(const Environment &home, StringRef name) {
  const Definition *last = home.scope ? home.scope->find(name) : nullptr;
  for (const Definition *one = last; one; one = one->earlier)
    if (!importsTriton(resolver, *one))
      return false;
  return last;
}

void AttributeChanges::addPossible(const Environment &home, const Expr *expr, Seen &seen,
                                   ChangedObject &object) {
  object.mayBeAny |= asksForModule(expr);
  object.mayBeAnyClass |= asksForClass(expr);
  // None of Triton's modules is given by its functions.
  llvm::SmallPtrSet<const Expr *, 4> called;
  anyExpression(expr, [&](const Expr *one) {
    if (const NameExpr *root = rootOfCalled(one); root && isTriton(home, root->id))
      called.insert(root);
    return false;
  });
  anyExpression(expr, [&](const Expr *one) {
    // `u.os`, of a module that has imported it.
    if (const auto *attribute = one->dynAs<AttributeExpr>();
        attribute && isKnownModule(attribute->attribute))
      object.possible.push_back(Value::ofModule(attribute->attribute));
    if (const auto *name = one->dynAs<NameExpr>(); name && !called.contains(name))
      addPossible(home, name->id, seen, object);
    return false;
  });
}

const AttributeChanges::ChangedObject &AttributeChanges::objectOf(const Environment &home,
                                                                  const AttributeChange &change) {
  auto [entry, isNew] = changedObjects.try_emplace(&change);
  // References into the map stay while it grows.
  ChangedObject &object = entry->second;
  if (!isNew)
    return object;
  Value base;
  const bool isKnown =
      tryUnchanged(home, change.order, [&] { base = resolver.evaluate(change.base); });
  if (isKnown) {
    object.value = base;
    return object;
  }
  Seen seen;
  addPossible(home, change.base, seen, object);
  return object;
}

bool AttributeChanges::reloadsTriton(const Environment &home, const AttributeChange &change) {
  const auto *name = change.base ? change.base->dynAs<NameExpr>() : nullptr;
  if (!name || !home.scope)
    return false;
  auto reloads = [&](const Expr *expr) {
    const auto *call = expr->dynAs<CallExpr>();
    const auto *function = call ? call->function->dynAs<AttributeExpr>() : nullptr;
    return function && function->attribute == "reload" && call->arguments.size() == 1 &&
           call->arguments[0] == change.base;
  };
  if (llvm::none_of(expressionsOf(change.statement),
                    [&](const Expr *whole) { return anyExpression(whole, reloads); }))
    return false;
  // It may be None where Triton is not there, which then raises.
  const Definition *last = home.scope->find(name->id);
  for (const Definition *one = last; one; one = one->earlier) {
    const auto *constant = one->value ? one->value->dynAs<ConstantExpr>() : nullptr;
    const bool isNone = constant && constant->constant == ConstantKind::None;
    // A module is no list that may change.
    if (!importsTriton(resolver, *one) && !isNone && !one->mayChange)
      return false;
  }
  return last;
}

bool AttributeChanges::changesAttribute(const Environment &home, const AttributeChange &change,
                                        StringRef attribute, bool isClass,
                                        llvm::function_ref<bool(const Value &)> isObject) {
  if (change.import)
    return changesImported(home, change, isObject);
  if (change.ofClass)
    return isClass && llvm::any_of(resolver.classes.all(), [&](const ClassObject &one) {
             return isObject(Value::ofClass(one.definition->name, &one)) &&
                    derivesFrom(one, change.ofClass, 0);
           });
  using Of = AttributeChange::Of;
  if (change.of == Of::Any)
    return attribute != anyName;
  if (change.of == Of::AnyClass)
    return isClass;
  if (change.of == Of::Handed)
    return false;
  if (change.of == Of::Builtins)
    return isObject(Value::host("builtins"));
  if (attribute == anyName && reloadsTriton(home, change))
    return false;
  const ChangedObject &object = objectOf(home, change);
  if (object.value)
    return isObject(object.value);
  return (object.mayBeAny && attribute != anyName) || (object.mayBeAnyClass && isClass) ||
         llvm::any_of(object.possible, isObject);
}

/// Whether a statement of a module hands on what an import there has named, if that is the module
/// `object` and not a name of a module.
static bool handsModule(Resolver &resolver, const Environment &home, const FoundModule &object) {
  const HandedNames &handed = home.scope->handedNames();
  const StringRef name = StringRef(object.name).substr(StringRef(object.name).rfind('.') + 1);
  if (!handed.names.contains(name))
    return false;
  for (const auto &entry : home.scope->definitions()) {
    if (!handed.names.contains(entry.getKey()))
      continue;
    for (const Definition *one = entry.second; one; one = one->earlier) {
      const FoundModule *found =
          one->import ? resolver.environments.findModule(home, *one->import) : nullptr;
      if (!found)
        continue;
      if (found == &object && one->import->name.empty())
        return true;
      if (one->import->name != name || resolver.environments.finder.findIn(*found, name) != &object)
        continue;
      const Environment *package = nullptr;
      resolver.now.tryHere([&] { package = resolver.environments.of(*found); });
      if (!package || !package->scope->find(name))
        return true;
    }
  }
  return false;
}

bool AttributeChanges::isHanded(llvm::function_ref<bool(const Value &)> isObject) {
  auto any = [&](llvm::function_ref<bool(const Environment &)> body) {
    // Looking for modules may read further ones, after these.
    const std::deque<Environment> &all = resolver.environments.all();
    if (body(resolver.environments.source))
      return true;
    for (size_t i = 0, count = all.size(); i < count; ++i)
      if (!all[i].enclosing && all[i].scope && body(all[i]))
        return true;
    return false;
  };
  for (const ClassObject &one : resolver.classes.all())
    if (isObject(Value::ofClass(one.definition->name, &one)))
      return any([&](const Environment &home) {
        return home.scope->handsOn(one.definition->name, /*isModule=*/false);
      });
  const FoundModule *object = nullptr;
  any([&](const Environment &home) {
    if (home.module && isObject(Value::ofModule(home.module->name, home.module)))
      object = home.module;
    return object != nullptr;
  });
  return object &&
         any([&](const Environment &home) { return handsModule(resolver, home, *object); });
}

const Environment *AttributeChanges::sharedIn(StringRef name,
                                              llvm::function_ref<bool(const Value &)> isObject) {
  // The module that defines it.
  const Environment *home = nullptr;
  bool isClass = false;
  for (const ClassObject &one : resolver.classes.all())
    if (isObject(Value::ofClass(one.definition->name, &one))) {
      isClass = true;
      home = one.environment;
      while (home->enclosing)
        home = home->enclosing;
    }
  auto visit = [&](llvm::function_ref<bool(const Environment &)> body) -> const Environment * {
    if (body(resolver.environments.source))
      return &resolver.environments.source;
    for (const Environment &one : resolver.environments.all())
      if (!one.enclosing && one.scope && body(one))
        return &one;
    return nullptr;
  };
  if (!home)
    home = visit([&](const Environment &one) {
      return one.module && isObject(Value::ofModule(one.module->name, one.module));
    });
  if (!home || !home->scope)
    return nullptr;
  auto shares = [&](const Environment &one) {
    const HandedNames &handed = one.scope->handedNames();
    return handed.lists.contains(name) || (isClass && handed.ownLists.contains(name));
  };
  if (!visit(shares))
    return nullptr;
  return visit([&](const Environment &one) {
    // Changes by its own module are noted there (ScopeSharing.cpp).
    const HandedNames &handed = one.scope->handedNames();
    return &one != home && (handed.changesByPath || handed.changesImported);
  });
}

bool AttributeChanges::derivesFrom(const ClassObject &object, const ClassDefStmt *base,
                                   unsigned depth) {
  if (object.definition == base)
    return true;
  return depth < maxImportDepth &&
         llvm::any_of(
             object.definition->bases,
             [&](const Expr *expr) {
               Value one;
               tryUnchanged(*object.environment->enclosing, object.environment->order,
                            [&] { one = resolver.evaluate(expr); });
               return one.classObject && derivesFrom(*one.classObject, base, depth + 1);
             });
}

std::pair<const Environment *, const AttributeChange *>
AttributeChanges::find(StringRef name, llvm::function_ref<bool(const Value &)> isObject,
                       llvm::function_ref<bool()> isMutable) {
  resolver.runs.readModulesThatSet(name);
  if (assumesUnchanged) {
    asksForChanged |= isSetSomewhere(name);
    return {};
  }
  // One answer for all statements: programs may have thousands, and as many classes.
  const bool isClass = llvm::any_of(resolver.classes.all(), [&](const ClassObject &one) {
    return isObject(Value::ofClass(one.definition->name, &one));
  });
  std::optional<bool> handed;
  auto changesHanded = [&](const Environment &home, const AttributeChange &change) {
    using Of = AttributeChange::Of;
    bool mayBe = change.of == Of::Handed || change.of == Of::Any;
    if (change.of == Of::None && !change.import && !change.ofClass) {
      const ChangedObject &object = objectOf(home, change);
      mayBe = !object.value && (object.mayBeAny || object.mayBeHanded);
    }
    if (mayBe && !handed)
      handed = isHanded(isObject);
    return mayBe && *handed;
  };
  auto findIn = [&](const Environment &home) -> const AttributeChange * {
    if (home.enclosing || !home.scope)
      return nullptr;
    // Another class or other bases give an object other attributes.
    for (StringRef one :
         {name, StringRef(anyName), StringRef("__class__"), StringRef("__bases__")}) {
      auto found = home.scope->attributeChanges().find(one);
      if (found == home.scope->attributeChanges().end())
        continue;
      const auto *change = llvm::find_if(found->second, [&](const AttributeChange &change) {
        return (changesAttribute(home, change, one, isClass, isObject) ||
                changesHanded(home, change)) &&
               (!change.mayChange || isMutable());
      });
      if (change != found->second.end())
        return change;
    }
    return nullptr;
  };
  if (const AttributeChange *change = findIn(resolver.environments.source))
    return {&resolver.environments.source, change};
  // Evaluating a base may read further modules, after these.
  const std::deque<Environment> &environments = resolver.environments.all();
  for (size_t i = 0, count = environments.size(); i < count; ++i)
    if (const AttributeChange *change = findIn(environments[i]))
      return {&environments[i], change};
  return {};
}

bool AttributeChanges::isSetSomewhere(StringRef attribute) const {
  auto sets = [&](const Environment &home) {
    if (home.enclosing || !home.scope)
      return false;
    auto found = home.scope->attributeChanges().find(attribute);
    return found != home.scope->attributeChanges().end() &&
           llvm::any_of(found->second,
                        [](const AttributeChange &one) { return !one.mayChange && !one.import; });
  };
  return sets(resolver.environments.source) || llvm::any_of(resolver.environments.all(), sets);
}

bool AttributeChanges::refuseChangedFunction(const FunctionObject &function) {
  static constexpr StringRef parts[] = {"__code__", "__defaults__", "__kwdefaults__"};
  auto mentions = [&](const Environment &home, StringRef part) {
    return !home.enclosing && home.file->text().contains(part);
  };
  for (StringRef part : parts) {
    resolver.runs.readModulesThatSet(part);
    const bool isSet = mentions(resolver.environments.source, part) ||
                       llvm::any_of(resolver.environments.all(),
                                    [&](const Environment &home) { return mentions(home, part); });
    if (isSet && refuse(part, [&](const Value &object) {
          return object.kind == ValueKind::Function &&
                 object.function->definition == function.definition;
        }))
      return true;
  }
  return false;
}

bool AttributeChanges::mayHaveList(const Environment &environment, StringRef name) {
  if (!environment.scope)
    return false;
  auto [entry, isNew] = haveLists.try_emplace({environment.scope, name}, false);
  if (!isNew)
    return entry->second;
  bool isAny = false;
  for (const Definition *one = environment.scope->find(name); one && !isAny; one = one->earlier) {
    Value value;
    if (!one->mayChange)
      isAny |= !tryUnchanged(environment, one->order, [&] {
        value = resolver.global(environment, *one, name, /*asked=*/true).known;
      }) && asksForChanged;
    isAny |= value.isMutable();
  }
  return haveLists[{environment.scope, name}] = isAny;
}

bool AttributeChanges::refuse(StringRef name, llvm::function_ref<bool(const Value &)> isObject,
                              llvm::function_ref<bool()> isMutable) {
  auto [home, change] = find(name, isObject, isMutable);
  if (!change) {
    const Environment *shared = assumesUnchanged ? nullptr : sharedIn(name, isObject);
    if (!shared || !isMutable())
      return false;
    tb.fail("'" + name + "' may be changed by another name of it in " + shared->file->fileName() +
                ", so that its value is not known while compiling",
            "make a tuple of it: " + name + " = tuple(..)");
    return true;
  }
  Within within(now, *home, change->order);
  tb.failAt({change->statement->begin, change->statement->begin},
            "whether '" + name +
                "' has the value of its definition or that of this statement "
                "depends on what has run, which the compiler cannot evaluate",
            "define '" + name + "' once, where it belongs");
  return true;
}
