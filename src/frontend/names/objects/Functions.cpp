//===- Functions.cpp - Functions and their decorators -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/objects/Functions.h"

#include "frontend/names/Resolver.h"
#include "frontend/names/scope/Walk.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Decorators that call each other.
static constexpr unsigned maxDecoratorDepth = 4;

FunctionObject &Functions::make(const FunctionDefStmt *definition) {
  FunctionObject &made = objects.emplace_back();
  made.definition = definition;
  made.key = definition->name;
  if (unsigned number = functionNames[definition->name]++)
    made.key += "." + std::to_string(number);
  return made;
}

const FunctionObject *Functions::of(const FunctionDefStmt *definition, const Environment &home,
                                    unsigned order) {
  if (const FunctionObject *known = ofStatements.lookup(definition))
    return known;
  FunctionObject &made = make(definition);
  // A decorator may lead to the function itself.
  ofStatements[definition] = &made;
  made.home = &home;
  made.environment = home.isClass ? home.enclosing : &home;
  made.order = order;
  applyDecorators(made);
  return &made;
}

void Functions::applyDecorators(FunctionObject &function) {
  const Exprs &decorators = function.definition->decorators;
  for (size_t i = decorators.size(); i-- > 0 && function.kind == FunctionKind::Plain;)
    applyDecorator(decorators[i], function);
}

/// Sets the flags that stand in the text of a decorator or among the keywords of its call.
static void setFlags(FunctionObject &function, StringRef text, const CallExpr *call) {
  auto set = [&](StringRef flag) {
    function.isNoInline |= flag == "noinline";
    function.hasAssertions |= flag == "debug";
  };
  llvm::SmallVector<StringRef> flags;
  text.split(flags, ' ');
  for (StringRef flag : flags)
    set(flag);
  if (!call)
    return;
  for (const Keyword &keyword : call->keywords)
    if (const auto *value = keyword.value->dynAs<ConstantExpr>();
        value && value->constant == ConstantKind::True)
      set(keyword.name);
}

/// Whether a decorator, or what makes it, leaves what a function gives as it is.
static bool keepsFunction(const Value &decorator, const Expr *head) {
  const auto *name = head->dynAs<NameExpr>();
  const StringRef text = decorator.kind == ValueKind::Host ? StringRef(decorator.text) : "";
  return (name && name->id == "staticmethod") || text.starts_with("torch.") ||
         text.starts_with("triton.") || text == "functools.lru_cache" ||
         text == "functools.cache" || text == "functools.wraps";
}

void Functions::applyDecorator(const Expr *decorator, FunctionObject &function) {
  const auto *call = decorator->dynAs<CallExpr>();
  const Expr *head = decorator;
  while (const auto *inner = head->dynAs<CallExpr>())
    head = inner->function;
  Value value;
  now.tryAt(*function.home, function.order, [&] {
    value = resolver.evaluate(head);
    // functools.partial(triton.jit, ..)
    if (value.kind == ValueKind::Host && value.text == "functools.partial" && call &&
        !call->arguments.empty())
      value = resolver.evaluate(call->arguments[0]);
  });
  const StringRef text(value.text);
  if (value.kind == ValueKind::Host && isJit(text)) {
    function.kind = FunctionKind::Jitted;
    function.isGluon = text.starts_with("triton.experimental.gluon.");
    function.keepsConstants = text.ends_with(".builtin");
    setFlags(function, text, call);
  } else if ((value.kind == ValueKind::Host && isConstexprFunction(text)) ||
             (value.kind == ValueKind::Builtin && value.builtin->name == "constexpr")) {
    // A function that is a constant is called as one is.
    function.kind = FunctionKind::Constexpr;
  } else if (makesKernels(value)) {
    function.kind = FunctionKind::Jitted;
  } else if (!keepsFunction(value, head) && (value.kind != ValueKind::Function ||
                                             value.function->definition != function.definition)) {
    function.wrappers.push_back(decorator);
  }
}

const FunctionObject *Functions::unwrapped(const FunctionObject *function) {
  if (function->wrappers.empty() || function->kind == FunctionKind::Jitted)
    return function;
  const FunctionObject *&entry = decoratedFunctions[{function, "wrappers"}];
  if (entry)
    return entry;
  FunctionObject &plain = make(function->definition);
  const std::string key = plain.key;
  plain = *function;
  plain.key = key;
  plain.wrappers.clear();
  const FunctionObject *made = &plain;
  for (const Expr *wrapper : function->wrappers) {
    Value result;
    const bool isKnown = now.tryAt(*function->home, function->order, [&] {
      Value decorator = resolver.evaluate(wrapper);
      if (decorator.kind == ValueKind::Function)
        result = resolver.evaluator.callPython(decorator.function,
                                               {{{}, Value::ofFunction(made), spanOf(wrapper)}});
    });
    if (!isKnown || result.kind != ValueKind::Function) {
      Within within(now, *function->home, function->order);
      tb.failAt(spanOf(wrapper),
                "what this decorator makes of '" + function->name() +
                    "' is not known while compiling",
                "compute the constant by a function without it");
      return nullptr;
    }
    made = result.function;
  }
  return decoratedFunctions[{function, "wrappers"}] = made;
}

const FunctionObject *Functions::decorated(const FunctionObject *function, StringRef decorator) {
  const FunctionKind kind =
      isConstexprFunction(decorator) ? FunctionKind::Constexpr : FunctionKind::Jitted;
  if (function->kind == kind)
    return function;
  const FunctionObject *&entry = decoratedFunctions[{function, decorator}];
  if (entry)
    return entry;
  FunctionObject &made = make(function->definition);
  const std::string key = made.key;
  made = *function;
  made.key = key;
  made.kind = kind;
  made.isGluon = decorator.starts_with("triton.experimental.gluon.");
  setFlags(made, decorator, nullptr);
  return entry = &made;
}

bool Functions::makesKernels(const Value &callable) {
  if (callable.classObject)
    return mentionsJit(*callable.classObject->environment, callable.classObject->definition->body,
                       0);
  if (callable.kind != ValueKind::Function || callable.function->kind != FunctionKind::Plain)
    return false;
  const FunctionObject &function = *callable.function;
  return mentionsJit(*resolver.environments.inside(function.definition, *function.home),
                     function.definition->body, 0);
}

bool Functions::mentionsJit(const Environment &environment, const Body &body, unsigned depth) {
  return anyExpression(body, [&](const Expr *expr) {
    // What is called, and what is called `jit` wherever it stands.
    const auto *call = expr->dynAs<CallExpr>();
    const Expr *named = call ? call->function : expr;
    const auto *attribute = named->dynAs<AttributeExpr>();
    const auto *name = named->dynAs<NameExpr>();
    if (!call && !(attribute && attribute->attribute == "jit") &&
        !(name && StringRef(name->id).contains("jit")))
      return false;
    if (!attribute && !name)
      return false;
    Value value;
    now.tryAt(environment, std::numeric_limits<unsigned>::max(),
              [&] { value = resolver.evaluate(named); });
    if (value.kind == ValueKind::Host)
      return isJit(value.text);
    if (value.kind != ValueKind::Function || value.function->kind != FunctionKind::Plain ||
        depth == maxDecoratorDepth)
      return false;
    const FunctionObject &called = *value.function;
    return mentionsJit(*resolver.environments.inside(called.definition, *called.home),
                       called.definition->body, depth + 1);
  });
}

bool Functions::isAnnotation(const Expr *annotation, StringRef meant,
                             const Environment &environment) {
  if (const auto *constant = annotation->dynAs<ConstantExpr>()) {
    StringRef text(constant->text);
    return constant->constant == ConstantKind::String &&
           (text == meant || text.ends_with(("." + meant).str()));
  }
  if (const auto *attribute = annotation->dynAs<AttributeExpr>())
    return StringRef(attribute->attribute) == meant;
  const auto *name = annotation->dynAs<NameExpr>();
  if (!name)
    return false;
  Value value;
  now.tryAt(environment, now.orderIn(environment), [&] { value = resolver.evaluate(annotation); });
  return value.kind == ValueKind::Builtin && value.builtin->name == meant;
}
