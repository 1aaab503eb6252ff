//===- Decorators.cpp - Functions, and what decorators make of them -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A function is a kernel if one of its decorators is triton.jit, under whatever name, or one whose
// own source calls triton.jit. All others say how a kernel is launched - @triton.autotune and a
// project's own - and change nothing of what it computes.
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

#include "frontend/names/KnownModules.h"
#include "frontend/names/Walk.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Decorators that call each other.
static constexpr unsigned maxDecoratorDepth = 4;

FunctionObject &CodeGen::makeFunction(const FunctionDefStmt *definition) {
  FunctionObject &made = functionObjects.emplace_back();
  made.definition = definition;
  made.key = definition->name;
  if (unsigned number = functionNames[definition->name]++)
    made.key += "." + std::to_string(number);
  return made;
}

const FunctionObject *CodeGen::functionOf(const FunctionDefStmt *definition,
                                          const Environment &home, unsigned order) {
  if (const FunctionObject *known = functions.lookup(definition))
    return known;
  FunctionObject &made = makeFunction(definition);
  // A decorator may lead to the function itself.
  functions[definition] = &made;
  made.home = &home;
  made.environment = home.isClass ? home.enclosing : &home;
  made.order = order;
  applyDecorators(made);
  return &made;
}

const FunctionObject *CodeGen::makeClosure(const FunctionDefStmt *definition) {
  if (!frame->closure) {
    Environment &made = environments.emplace_back();
    made.file = environment->file;
    made.module = environment->module;
    made.variables = std::make_shared<Variables>();
    made.enclosing = environment;
    frame->closure = &made;
  }
  updateClosures();
  FunctionObject &made = makeFunction(definition);
  made.home = made.environment = frame->closure;
  if (!keepDefaults(made))
    return nullptr;
  applyDecorators(made);
  return &made;
}

bool CodeGen::keepDefaults(FunctionObject &function) {
  const Parameters &parameters = function.definition->parameters;
  for (const Exprs *defaults : {&parameters.defaults, &parameters.keywordDefaults})
    for (const Expr *one : *defaults)
      if (one && !(function.defaults[one] = evaluate(one)))
        return false;
  return true;
}

Value CodeGen::evaluateLambda(const LambdaExpr *expr) {
  // One in a comprehension would see the variables of the comprehension change.
  NameSet own;
  collectParameters(expr->parameters, own);
  const auto isRunningVariable = [&](const Expr *used) {
    const auto *name = used->dynAs<NameExpr>();
    return name && !own.contains(name->id) &&
           llvm::is_contained(comprehensionNames, StringRef(name->id));
  };
  if (anyExpression(expr->body, isRunningVariable))
    return tb.failAt(spanOf(expr), "a lambda in a comprehension cannot use its variables",
                     "hand them over as defaults: lambda x, i=i: ..");
  const FunctionDefStmt *&definition = lambdas[expr];
  if (!definition) {
    auto *returned = arena.make<ReturnStmt>();
    auto *made = arena.make<FunctionDefStmt>();
    returned->value = expr->body;
    made->begin = returned->begin = expr->begin;
    made->end = returned->end = expr->end;
    made->nameAt = expr->begin;
    made->name = "<lambda>";
    made->parameters = expr->parameters;
    Stmt *const body[] = {returned};
    made->body = arena.copy<Stmt *>(body, 1);
    definition = made;
  }
  if (frame && frame->function) {
    const FunctionObject *closure = makeClosure(definition);
    return closure ? Value::ofFunction(closure) : Value();
  }
  FunctionObject &made = makeFunction(definition);
  made.home = environment;
  made.environment = environment->isClass ? environment->enclosing : environment;
  made.order = orderIn(*environment);
  // Of those in a comprehension.
  if (frame && !keepDefaults(made))
    return {};
  return Value::ofFunction(&made);
}

void CodeGen::updateClosures() {
  for (const Frame *active = frame; active; active = active->caller)
    if (active->closure)
      *active->closure->variables = active->locals;
}

void CodeGen::applyDecorators(FunctionObject &function) {
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

void CodeGen::applyDecorator(const Expr *decorator, FunctionObject &function) {
  const auto *call = decorator->dynAs<CallExpr>();
  const Expr *head = decorator;
  while (const auto *inner = head->dynAs<CallExpr>())
    head = inner->function;
  Value value;
  tryAt(*function.home, function.order, [&] {
    value = evaluate(head);
    // functools.partial(triton.jit, ..)
    if (value.kind == ValueKind::Host && value.text == "functools.partial" && call &&
        !call->arguments.empty())
      value = evaluate(call->arguments[0]);
  });
  const StringRef text(value.text);
  if (value.kind == ValueKind::Host && isJit(text)) {
    function.kind = FunctionKind::Jitted;
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

const FunctionObject *CodeGen::unwrapped(const FunctionObject *function) {
  if (function->wrappers.empty() || function->kind == FunctionKind::Jitted)
    return function;
  const FunctionObject *&entry = decoratedFunctions[{function, "wrappers"}];
  if (entry)
    return entry;
  FunctionObject &plain = makeFunction(function->definition);
  const std::string key = plain.key;
  plain = *function;
  plain.key = key;
  plain.wrappers.clear();
  const FunctionObject *made = &plain;
  for (const Expr *wrapper : function->wrappers) {
    Value result;
    const bool isKnown = tryAt(*function->home, function->order, [&] {
      Value decorator = evaluate(wrapper);
      if (decorator.kind == ValueKind::Function)
        result = callPython(decorator.function, {{{}, Value::ofFunction(made), spanOf(wrapper)}});
    });
    if (!isKnown || result.kind != ValueKind::Function) {
      Within within(*this, *function->home, function->order);
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

const FunctionObject *CodeGen::decorated(const FunctionObject *function, StringRef decorator) {
  const FunctionKind kind =
      isConstexprFunction(decorator) ? FunctionKind::Constexpr : FunctionKind::Jitted;
  if (function->kind == kind)
    return function;
  const FunctionObject *&entry = decoratedFunctions[{function, decorator}];
  if (entry)
    return entry;
  FunctionObject &made = makeFunction(function->definition);
  const std::string key = made.key;
  made = *function;
  made.key = key;
  made.kind = kind;
  setFlags(made, decorator, nullptr);
  return entry = &made;
}

bool CodeGen::makesKernels(const Value &callable) {
  if (callable.classObject)
    return mentionsJit(*callable.classObject->environment, callable.classObject->definition->body,
                       0);
  if (callable.kind != ValueKind::Function || callable.function->kind != FunctionKind::Plain)
    return false;
  const FunctionObject &function = *callable.function;
  return mentionsJit(*environmentInside(function.definition, *function.home),
                     function.definition->body, 0);
}

bool CodeGen::mentionsJit(const Environment &environment, const Body &body, unsigned depth) {
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
    tryAt(environment, std::numeric_limits<unsigned>::max(), [&] { value = evaluate(named); });
    if (value.kind == ValueKind::Host)
      return isJit(value.text);
    if (value.kind != ValueKind::Function || value.function->kind != FunctionKind::Plain ||
        depth == maxDecoratorDepth)
      return false;
    const FunctionObject &called = *value.function;
    return mentionsJit(*environmentInside(called.definition, *called.home), called.definition->body,
                       depth + 1);
  });
}

bool CodeGen::isAnnotation(const Expr *annotation, StringRef meant,
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
  tryAt(environment, orderIn(environment), [&] { value = evaluate(annotation); });
  return value.kind == ValueKind::Builtin && value.builtin->name == meant;
}
