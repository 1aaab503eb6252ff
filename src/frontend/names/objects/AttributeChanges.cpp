//===- AttributeChanges.cpp - Statements that set attributes of objects -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/objects/AttributeChanges.h"

#include "frontend/names/Resolver.h"
#include "frontend/names/modules/KnownModules.h"
#include "frontend/names/scope/Walk.h"

#include <limits>

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

bool AttributeChanges::changesInFunction(const Environment &home, const AttributeChange &change,
                                         const AskedObject &object) {
  if (change.base) {
    // `a.b.x = 3` after `import a.b`: a part of that name.
    const StringRef part = change.base->as<AttributeExpr>()->attribute;
    const StringRef name = object.module ? StringRef(object.module->name) : StringRef();
    return name.substr(name.rfind('.') + 1) == part ||
           (object.ofClass && StringRef(object.ofClass->definition->name) == part);
  }
  Value value;
  // A function runs when all definitions of its module may have.
  const bool isKnown = tryUnchanged(home, std::numeric_limits<unsigned>::max(), [&] {
    value = resolver.importedGlobal(home, *change.import, /*asked=*/true).known;
  });
  if (isKnown && value)
    return object.is(value);
  return object.module &&
         llvm::is_contained(resolver.runs.modulesOf(home, *change.import), object.module);
}

/// Whether a definition imports a module of Triton.
static bool importsTriton(Resolver &resolver, const Definition &definition) {
  const std::optional<Import> &import = definition.import;
  return import && !import->level && import->name.empty() &&
         isTritonModule(resolver.known.meant(import->module));
}

/// The definition of the class of the module that a statement of it changes by its name; null if it
/// may be something else.
static const Definition *classBefore(const Environment &home, const AttributeChange &change) {
  const auto *name = change.base->dynAs<NameExpr>();
  if (!name || !home.scope || change.statement->kind == StmtKind::FunctionDef)
    return nullptr;
  for (const Definition *one = home.scope->find(name->id); one; one = one->earlier) {
    if (one->order >= change.order || one->mayChange)
      continue;
    const auto *definition = one->statement->dynAs<ClassDefStmt>();
    const bool isIt = definition && StringRef(definition->name) == StringRef(name->id) &&
                      definition->decorators.empty() && one->guards.empty() &&
                      (definition->bases.empty() || !change.mayChange);
    for (const Definition *star = home.scope->lastStar(); isIt && star; star = star->earlier)
      if (star->order > one->order && star->order < change.order)
        return nullptr;
    return isIt ? one : nullptr;
  }
  return nullptr;
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
  if (const Definition *made = classBefore(home, change)) {
    const auto *definition = made->statement->as<ClassDefStmt>();
    object.possible.push_back(
        Value::ofClass(definition->name, &resolver.classes.of(definition, home, made->order)));
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
                                        StringRef attribute, StringRef name,
                                        const AskedObject &object) {
  const bool isClass = object.ofClass;
  const auto *function = change.statement->dynAs<FunctionDefStmt>();
  auto mayName = [&](llvm::ArrayRef<StringRef> all) {
    return resolver.namedTexts.mayName(home, function, all);
  };
  // Names that are computed stand as texts somewhere, that of the object as well.
  auto mayBeNamed = [&] {
    if (attribute != anyName)
      return true;
    const StringRef owner = isClass         ? StringRef(object.ofClass->definition->name)
                            : object.module ? StringRef(object.module->name)
                                            : StringRef();
    return !owner.empty() && mayName({name, owner.substr(owner.rfind('.') + 1)});
  };
  if (change.of == AttributeChange::Of::Imported)
    return changesInFunction(home, change, object);
  if (change.import)
    return changesImported(home, change, object);
  if (change.ofClass)
    return isClass && derivesFrom(*object.ofClass, change.ofClass, 0);
  using Of = AttributeChange::Of;
  if (change.of == Of::Any)
    return mayBeNamed();
  if (change.of == Of::Caller) {
    const Environment *caller =
        object.module ? resolver.environments.made(*object.module) : nullptr;
    return caller && function && caller->file->text().contains(function->name) &&
           (attribute != anyName || mayName(name));
  }
  if (change.of == Of::AnyClass)
    return isClass;
  if (change.of == Of::Handed)
    return false;
  if (change.of == Of::Builtins)
    return object.is(Value::host("builtins"));
  if (attribute == anyName && reloadsTriton(home, change))
    return false;
  const ChangedObject &changed = objectOf(home, change);
  if (changed.value) {
    // A list of a class is that of those that derive from it, too.
    const ClassObject *owner = change.mayChange ? changed.value.classObject : nullptr;
    return object.is(changed.value) ||
           (owner && isClass && derivesFrom(*owner, object.ofClass->definition, 0));
  }
  return (changed.mayBeAny && attribute != anyName) || (changed.mayBeAnyClass && isClass) ||
         llvm::any_of(changed.possible, object.is) || (changed.mayBeAsked && mayBeNamed());
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
  const void *asks = object.ofClass ? static_cast<const void *>(object.ofClass) : object.module;
  const size_t seen = resolver.environments.all().size();
  if (asks && unchangedNames[name].lookup(asks) == seen + 1)
    return {};
  bool isMatched = false;
  // One answer for all statements: programs may have thousands.
  std::optional<bool> handed, asked;
  auto changesHanded = [&](const Environment &home, const AttributeChange &change,
                           StringRef attribute) {
    using Of = AttributeChange::Of;
    bool mayBe = change.of == Of::Handed || change.of == Of::Any;
    if (change.of == Of::None && !change.import && !change.ofClass) {
      const ChangedObject &changed = objectOf(home, change);
      mayBe = !changed.value && (changed.mayBeAny || changed.mayBeHanded);
    }
    if (!mayBe)
      return false;
    if (!handed)
      handed = handedObjects.isHanded(object);
    if (*handed)
      return true;
    // Where both names are computed, of the module and of its attribute, nothing is known.
    if (attribute != name)
      return false;
    if (!asked)
      asked = handedObjects.isAsked(object);
    return *asked;
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
      if (!changesAttribute(home, change, attributes[entry.attribute], name, object) &&
          !changesHanded(home, change, attributes[entry.attribute]))
        continue;
      isMatched = true;
      if (!change.mayChange || isMutable())
        return {&home, &change};
    }
  // Names of a program are asked for again and again.
  if (asks && !isMatched && seen == resolver.environments.all().size())
    unchangedNames[name][asks] = seen + 1;
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
