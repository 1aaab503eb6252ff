//===- Closures.cpp - Functions that running functions define -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/PythonFunctions.h"

#include "frontend/interpret/Interpreter.h"
#include "frontend/names/scope/Walk.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

const FunctionObject *PythonFunctions::makeClosure(const FunctionDefStmt *definition) {
  if (!now.frame->closure) {
    Environment &closure =
        resolver.environments.make(*now.environment, std::make_shared<Variables>());
    closure.function = now.frame->function->definition;
    now.frame->closure = &closure;
  }
  updateClosures();
  FunctionObject &made = resolver.functions.make(definition);
  made.home = made.environment = now.frame->closure;
  if (!keepDefaults(made))
    return nullptr;
  resolver.functions.applyDecorators(made);
  return &made;
}

bool PythonFunctions::keepDefaults(FunctionObject &function) {
  const Parameters &parameters = function.definition->parameters;
  for (const Exprs *defaults : {&parameters.defaults, &parameters.keywordDefaults})
    for (const Expr *one : *defaults)
      if (one && !(function.defaults[one] = interpreter.evaluate(one)))
        return false;
  return true;
}

Value PythonFunctions::makeLambda(const LambdaExpr *expr) {
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
    auto *returned = now.arena.make<ReturnStmt>();
    auto *made = now.arena.make<FunctionDefStmt>();
    returned->value = expr->body;
    made->begin = returned->begin = expr->begin;
    made->end = returned->end = expr->end;
    made->nameAt = expr->begin;
    made->name = "<lambda>";
    made->parameters = expr->parameters;
    Stmt *const body[] = {returned};
    made->body = now.arena.copy<Stmt *>(body, 1);
    definition = made;
  }
  if (now.frame && now.frame->function) {
    const FunctionObject *closure = makeClosure(definition);
    return closure ? Value::ofFunction(closure) : Value();
  }
  FunctionObject &made = resolver.functions.make(definition);
  made.home = now.environment;
  made.environment = now.environment->isClass ? now.environment->enclosing : now.environment;
  made.order = now.orderIn(*now.environment);
  // In a frame the default values are kept.
  if (now.frame && !keepDefaults(made))
    return {};
  return Value::ofFunction(&made);
}

void PythonFunctions::updateClosures() {
  for (const Frame *active = now.frame; active; active = active->caller)
    if (active->closure)
      *active->closure->variables = active->locals;
}
