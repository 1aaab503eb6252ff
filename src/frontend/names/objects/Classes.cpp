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

void Classes::refuseChanged(const ClassObject &object, SourceSpan where, const llvm::Twine &what) {
  Within within(now, *object.environment->enclosing, object.environment->order);
  tb.failAt(where,
            what + " may change the class '" + StringRef(object.definition->name) +
                "', so that what it has is not known while compiling",
            "define what kernels need outside of the class");
}

bool Classes::mentionsSetName() {
  while (const Environment *home = unseen.next(resolver.environments))
    isSetNameMentioned |= !home->enclosing && home->file->text().contains("__set_name__");
  return isSetNameMentioned;
}

bool Classes::hasSetName(const ClassObject &object, unsigned depth) {
  // Classes that derive from each other.
  static constexpr unsigned maxDepth = 16;
  const Environment &names = *object.environment;
  return depth == maxDepth || names.scope->find("__set_name__") ||
         llvm::any_of(object.definition->bases, [&](const Expr *expr) {
           Value base;
           const bool isKnown =
               now.tryAt(*names.enclosing, names.order, [&] { base = resolver.evaluate(expr); });
           return !isKnown || !base ||
                  (base.classObject && hasSetName(*base.classObject, depth + 1));
         });
}

bool Classes::maySetNames(const Environment &names, unsigned order, const Expr *value) {
  auto evaluated = [&](const Expr *expr) {
    Value result;
    return now.tryAt(names, order, [&] { result = resolver.evaluate(expr); }) ? result : Value();
  };
  if (const auto *call = value->dynAs<CallExpr>()) {
    const Value type = evaluated(call->function);
    if (type.classObject)
      return hasSetName(*type.classObject, 0);
    // Its module is not read.
    if (type.kind == ValueKind::Host || type.kind == ValueKind::Builtin)
      return false;
  }
  return mentionsSetName() && !evaluated(value);
}

bool Classes::refuseSetNames(const ClassObject &object) {
  const Environment &names = *object.environment;
  auto isDecoratorPlain = [&](const Expr *decorator, unsigned order) {
    Value value;
    now.tryAt(names, order, [&] { value = resolver.evaluate(decorator); });
    return value.classObject ? !hasSetName(*value.classObject, 0)
                             : !maySetNames(names, order, decorator);
  };
  auto refuse = [&](const Expr *made) {
    refuseChanged(object, spanOf(made), "what is made here, which may have __set_name__,");
    return true;
  };
  for (const auto &entry : names.scope->definitions())
    for (const Definition *one = entry.second; one; one = one->earlier) {
      // Evaluating what is called may read the module of its class.
      const Expr *value = one->value;
      if (value && (value->kind == ExprKind::Call || mentionsSetName()) &&
          maySetNames(names, one->order, value))
        return refuse(value);
      const auto *function = one->statement->dynAs<FunctionDefStmt>();
      if (!function || !mentionsSetName())
        continue;
      for (const Expr *decorator : function->decorators)
        if (!isDecoratorPlain(decorator, one->order))
          return refuse(decorator);
    }
  return false;
}

bool Classes::refuseMadeClass(const ClassObject &object) {
  static constexpr StringRef harmless[] = {"dataclass",      "final",      "unique",
                                           "total_ordering", "_aggregate", "runtime_checkable",
                                           "aggregate"};
  static constexpr StringRef plainMeta[] = {"ABCMeta", "EnumMeta", "EnumType", "type"};
  if (plain.contains(&object))
    return false;
  const ClassDefStmt &definition = *object.definition;
  auto refuse = [&](SourceSpan where, const llvm::Twine &what) {
    refuseChanged(object, where, what);
    return true;
  };
  for (const Expr *decorator : definition.decorators)
    if (!llvm::is_contained(harmless, lastName(decorator)))
      return refuse(spanOf(decorator), "this decorator");
  for (const Keyword &keyword : definition.keywords)
    if (keyword.name != "metaclass" || !llvm::is_contained(plainMeta, lastName(keyword.value)))
      return refuse(spanOf(keyword.value), "this argument");
  if (refuseSetNames(object))
    return true;
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

static bool isNamedTuple(const Expr *base) {
  if (const auto *attribute = base->dynAs<AttributeExpr>())
    return attribute->attribute == "NamedTuple";
  const auto *name = base->dynAs<NameExpr>();
  return name && name->id == "NamedTuple";
}

/// Whether it is `dataclass(slots=..)`.
static bool makesSlots(const Expr *decorator) {
  const auto *call = decorator->dynAs<CallExpr>();
  return call && lastName(decorator) == "dataclass" &&
         llvm::any_of(call->keywords, [](const Keyword &one) { return one.name == "slots"; });
}

bool Classes::refuseField(const ClassObject &object, StringRef name) {
  const ClassDefStmt &definition = *object.definition;
  const auto *field = llvm::find_if(definition.body, [&](const Stmt *stmt) {
    const auto *assign = stmt->dynAs<AnnAssignStmt>();
    const auto *target = assign ? assign->target->dynAs<NameExpr>() : nullptr;
    return target && StringRef(target->id) == name;
  });
  if (field == definition.body.end())
    return false;
  // N = typing.NamedTuple
  auto isTuples = [&](const Expr *base) {
    Value value;
    return isNamedTuple(base) ||
           (now.tryAt(*object.environment->enclosing, object.environment->order,
                      [&] { value = resolver.evaluate(base); }) &&
            value.kind == ValueKind::Host && value.text == "typing.NamedTuple");
  };
  if (llvm::none_of(definition.bases, isTuples) && llvm::none_of(definition.decorators, makesSlots))
    return false;
  tb.fail("'" + name + "' of the class '" + StringRef(definition.name) +
              "' itself is not the default value of that field, which only its objects have",
          "define what kernels need outside of the class");
  return true;
}

Global Classes::member(const ClassObject &object, StringRef name) {
  if (refuseMadeClass(object) || refuseField(object, name))
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
