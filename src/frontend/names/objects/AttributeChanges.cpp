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
  return find(name, {isModule, &module}).second;
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
                                       const AskedObject &object) {
  bool isOf = false, isMutable = false;
  const bool isKnown = tryUnchanged(home, change.order, [&] {
    // From module to module, as long as each imports the name, perhaps by a `*`.
    auto follow = [&](auto &&self, const Environment &from, const Import &import,
                      unsigned depth) -> void {
      const FoundModule *module =
          depth < maxImportDepth ? resolver.environments.findModule(from, import) : nullptr;
      isOf |= module && object.is(Value::ofModule(module->name, module));
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
    const bool binds = !one->mayChange;
    if (binds && (one->statement->kind == StmtKind::For || one->statement->kind == StmtKind::With))
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

bool AttributeChanges::isKnown(const Environment &home, StringRef name) {
  const Definition *last = home.scope ? home.scope->find(name) : nullptr;
  for (const Definition *one = last; one; one = one->earlier) {
    const std::optional<Import> &import = one->import;
    // A module is no list that may change.
    if (!one->mayChange && !(import && !import->level && import->name.empty() &&
                             isKnownModule(resolver.known.meant(import->module))))
      return false;
  }
  return last;
}

void AttributeChanges::addPossible(const Environment &home, const Expr *expr, Seen &seen,
                                   ChangedObject &object) {
  object.mayBeAny |= asksForModule(expr);
  object.mayBeAnyClass |= asksForClass(expr);
  // None of the known modules is given by its functions, as sys.stdin.read().
  llvm::SmallPtrSet<const Expr *, 4> called;
  anyExpression(expr, [&](const Expr *one) {
    if (const NameExpr *root = rootOfCalled(one);
        root && !asksForModule(one) && isKnown(home, root->id))
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
                                        StringRef attribute, const AskedObject &object) {
  const bool isClass = object.ofClass;
  if (change.import)
    return changesImported(home, change, object);
  if (change.ofClass)
    return isClass && derivesFrom(*object.ofClass, change.ofClass, 0);
  using Of = AttributeChange::Of;
  if (change.of == Of::Any)
    return attribute != anyName;
  if (change.of == Of::AnyClass)
    return isClass;
  if (change.of == Of::Handed)
    return false;
  if (change.of == Of::Builtins)
    return object.is(Value::host("builtins"));
  if (attribute == anyName && reloadsTriton(home, change))
    return false;
  const ChangedObject &changed = objectOf(home, change);
  if (changed.value)
    return object.is(changed.value);
  return (changed.mayBeAny && attribute != anyName) || (changed.mayBeAnyClass && isClass) ||
         llvm::any_of(changed.possible, object.is);
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
AttributeChanges::find(StringRef name, const AskedObject &object,
                       llvm::function_ref<bool()> isMutable) {
  resolver.runs.readModulesThatSet(name);
  statements.update();
  if (assumesUnchanged) {
    asksForChanged |= statements.isSet(name);
    return {};
  }
  // One answer for all statements: programs may have thousands.
  std::optional<bool> handed;
  auto changesHanded = [&](const Environment &home, const AttributeChange &change) {
    using Of = AttributeChange::Of;
    bool mayBe = change.of == Of::Handed || change.of == Of::Any;
    if (change.of == Of::None && !change.import && !change.ofClass) {
      const ChangedObject &changed = objectOf(home, change);
      mayBe = !changed.value && (changed.mayBeAny || changed.mayBeHanded);
    }
    if (mayBe && !handed)
      handed = handedObjects.isHanded(object);
    return mayBe && *handed;
  };
  // Another class or other bases give an object other attributes.
  const StringRef attributes[] = {name, anyName, "__class__", "__bases__"};
  // Copies: evaluating a base may read further modules, after these.
  struct Entry {
    size_t module, attribute;
    AttributeStatements::OfModule statements;
  };
  llvm::SmallVector<Entry, 8> all;
  for (size_t i = 0; i < std::size(attributes); ++i)
    for (const AttributeStatements::OfModule &one : statements.named(attributes[i]))
      all.push_back({one.module, i, one});
  llvm::sort(all, [](const Entry &a, const Entry &b) {
    return std::tie(a.module, a.attribute) < std::tie(b.module, b.attribute);
  });
  for (const Entry &entry : all)
    for (const AttributeChange &change : entry.statements.changes) {
      const Environment &home = *entry.statements.home;
      if ((changesAttribute(home, change, attributes[entry.attribute], object) ||
           changesHanded(home, change)) &&
          (!change.mayChange || isMutable()))
        return {&home, &change};
    }
  return {};
}

bool AttributeChanges::refuseChangedFunction(const FunctionObject &function) {
  const auto &parts = AttributeStatements::partsOfFunctions;
  for (size_t part = 0; part < parts.size(); ++part) {
    resolver.runs.readModulesThatSet(parts[part]);
    statements.update();
    if (statements.mentionsPart(part) && refuse(parts[part], {[&](const Value &object) {
                                                  return object.kind == ValueKind::Function &&
                                                         object.function->definition ==
                                                             function.definition;
                                                }}))
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

bool AttributeChanges::refuse(StringRef name, const AskedObject &object,
                              llvm::function_ref<bool()> isMutable) {
  auto [home, change] = find(name, object, isMutable);
  if (!change) {
    const Environment *shared = assumesUnchanged ? nullptr : handedObjects.sharedIn(name, object);
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
