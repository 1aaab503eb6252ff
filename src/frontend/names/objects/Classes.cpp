//===- Classes.cpp - Classes of source files ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/objects/Classes.h"

#include "frontend/names/Resolver.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

const ClassObject &Classes::of(const ClassDefStmt *definition, const Environment &home,
                               unsigned order) {
  const ClassObject *&object = ofStatements[definition];
  if (!object) {
    object = &objects.emplace_back(
        ClassObject{definition, resolver.environments.of(definition, home, order)});
    ofEnvironments[object->environment] = object;
  }
  return *object;
}

const TupleClass *Classes::add(TupleClass made) {
  return &tupleClasses.emplace_back(std::move(made));
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

bool Classes::refuseMadeClass(const ClassObject &object) {
  static constexpr StringRef harmless[] = {"dataclass",      "final",      "unique",
                                           "total_ordering", "_aggregate", "runtime_checkable",
                                           "aggregate"};
  static constexpr StringRef plainMeta[] = {"ABCMeta", "EnumMeta", "EnumType", "type"};
  if (plain.contains(&object))
    return false;
  const ClassDefStmt &definition = *object.definition;
  const StringRef name = definition.name;
  auto refuse = [&](SourceSpan where, const llvm::Twine &what) {
    Within within(now, *object.environment->enclosing, object.environment->order);
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
        now.tryAt(*object.environment, entry.second->order,
                  [&] { type = resolver.evaluate(call->function); }) &&
        type.classObject && type.classObject->environment->scope->find("__set_name__"))
      return refuse(spanOf(call), "what is made here, a class with __set_name__,");
  }
  for (const Expr *expr : definition.bases) {
    Value base;
    now.tryAt(*object.environment->enclosing, object.environment->order,
              [&] { base = resolver.evaluate(expr); });
    if (!base.classObject || base.classObject == &object)
      continue;
    if (base.classObject->environment->scope->find("__init_subclass__"))
      return refuse(spanOf(expr), "__init_subclass__ of this class");
    if (refuseMadeClass(*base.classObject))
      return true;
  }
  plain.insert(&object);
  return false;
}

Global Classes::member(const ClassObject &object, StringRef name) {
  if (refuseMadeClass(object))
    return {};
  const Environment &names = *object.environment;
  if (const Definition *definition = resolver.resolve(names, name))
    return resolver.global(names, *definition, name, /*asked=*/true);
  if (tb.failed() || resolver.changes.refuse(name, {[&](const Value &base) {
                                                      return base.kind == ValueKind::Class &&
                                                             base.classObject == &object;
                                                    },
                                                    nullptr, &object}))
    return {};
  // Of several bases the first that has the name: more than one order of looking is left out.
  if (object.definition->bases.size() == 1) {
    Value base;
    {
      Within within(now, *names.enclosing, names.order);
      base = resolver.evaluate(object.definition->bases[0]);
    }
    if (base.classObject)
      return member(*base.classObject, name);
  }
  tb.fail("the class '" + StringRef(object.definition->name) + "' has no '" + name +
          "' that is known while compiling");
  return {};
}

static bool isNamedTuple(const Expr *base) {
  if (const auto *attribute = base->dynAs<AttributeExpr>())
    return attribute->attribute == "NamedTuple";
  const auto *name = base->dynAs<NameExpr>();
  return name && name->id == "NamedTuple";
}

const TupleClass *Classes::tupleClassOf(const ClassObject &object) {
  auto [known, isNew] = knownTupleClasses.try_emplace(&object, nullptr);
  const bool isAggregate = llvm::any_of(object.definition->decorators, [](const Expr *decorator) {
    return lastName(decorator) == "aggregate" || lastName(decorator) == "_aggregate";
  });
  if (!isNew || (!isAggregate && !llvm::any_of(object.definition->bases, isNamedTuple)))
    return known->second;
  TupleClass made;
  made.isAggregate = isAggregate;
  made.aggregate = isAggregate ? &object : nullptr;
  made.name = object.definition->name;
  Within within(now, *object.environment->enclosing, object.environment->order);
  for (const Stmt *stmt : object.definition->body) {
    const auto *field = stmt->dynAs<AnnAssignStmt>();
    const auto *name = field ? field->target->dynAs<NameExpr>() : nullptr;
    if (!name)
      continue;
    made.fields.emplace_back(name->id);
    if (!field->value)
      continue;
    made.defaults.push_back(resolver.evaluate(field->value));
    if (!made.defaults.back())
      return nullptr;
  }
  return knownTupleClasses[&object] = add(std::move(made));
}
