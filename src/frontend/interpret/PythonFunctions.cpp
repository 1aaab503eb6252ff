//===- PythonFunctions.cpp - Functions that run while compiling ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/PythonFunctions.h"

#include "frontend/interpret/Interpreter.h"
#include "frontend/interpret/Parameters.h"
#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/value/Sequences.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

PythonFunctions::PythonFunctions(Interpreter &interpreter)
    : interpreter(interpreter), resolver(interpreter.resolver), now(interpreter.now), tb(now.tb) {}

/// Statements and expressions that all calls of a kernel may run together; a tuple counts its
/// elements.
static constexpr size_t maxPythonSteps = 1000000;
Value PythonFunctions::call(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given) {
  SourceSpan callSpan = tb.here();
  StringRef name = function->name();
  if (now.callDepth() > maxCallDepth)
    return tb.fail("calls are nested more than " + llvm::Twine(maxCallDepth) + " deep");
  updateClosures();
  if (resolver.changes.refuseChangedFunction(*function)) {
    tb.noteError(callSpan, "'" + name + "' is called here");
    return {};
  }
  function = resolver.functions.unwrapped(function);
  if (!function) {
    tb.noteError(callSpan, "'" + name + "' is called here");
    return {};
  }
  llvm::SmallVector<Value> values;
  if (!interpreter.checkDefinition(function) ||
      !interpreter.bindParameters(function, given, values))
    return {};
  Frame callee;
  callee.function = function;
  callee.python = true;
  callee.caller = now.frame;
  callee.result = Value::none();
  llvm::SmallVector<const Parameter *> parameters = parametersOf(function->definition);
  for (size_t i = 0; i < parameters.size(); ++i)
    callee.locals[parameters[i]->name] = values[i];
  Flow flow;
  {
    Within within(now, *function->environment, &callee);
    flow = run(function->definition->body);
  }
  if (callee.closure)
    *callee.closure->variables = std::move(callee.locals);
  if (flow == Flow::Failed) {
    now.noteCall(function, callSpan);
    return {};
  }
  if (!callee.result.isConstant())
    return tb.fail("'" + name + "' gives " + callee.result.describe() +
                       ", but a constexpr function can give constants only",
                   "compute it in a function with @triton.jit");
  return callee.result;
}

PythonFunctions::Flow PythonFunctions::run(const Body &body) {
  for (const Stmt *stmt : body)
    if (Flow flow = run(stmt); flow != Flow::Next)
      return flow;
  return Flow::Next;
}

bool PythonFunctions::countSteps(SourceSpan span, size_t steps) {
  stepsTaken += steps;
  if (stepsTaken <= maxPythonSteps)
    return true;
  return tb.rejectAt(span,
                     "the constexpr functions of this kernel run for more than " +
                         llvm::Twine(maxPythonSteps) + " steps",
                     "a loop of one of them may never end");
}

PythonFunctions::Flow PythonFunctions::run(const Stmt *stmt) {
  if (!countSteps(spanOf(stmt)))
    return Flow::Failed;
  auto done = [](bool good) { return good ? Flow::Next : Flow::Failed; };
  switch (stmt->kind) {
  case StmtKind::Expr:
    return done(bool(interpreter.evaluate(stmt->as<frontend::ExprStmt>()->value)));
  case StmtKind::Assign: {
    const auto *assignment = stmt->as<AssignStmt>();
    const bool getsName = llvm::any_of(assignment->targets,
                                       [](const Expr *one) { return one->kind == ExprKind::Name; });
    Value value = !getsName || resolver.checkNamed(assignment->value)
                      ? interpreter.evaluate(assignment->value)
                      : Value();
    for (const Expr *target : assignment->targets)
      if (!interpreter.assign(target, value))
        return Flow::Failed;
    return Flow::Next;
  }
  case StmtKind::AnnAssign: {
    const auto *assignment = stmt->as<AnnAssignStmt>();
    return done(!assignment->value ||
                interpreter.assign(assignment->target, interpreter.evaluate(assignment->value)));
  }
  case StmtKind::AugAssign: {
    const auto *assignment = stmt->as<AugAssignStmt>();
    const auto *name = assignment->target->dynAs<NameExpr>();
    if (assignment->target->kind == ExprKind::Subscript)
      return done(interpreter.assign(assignment->target,
                                     interpreter.augmented(assignment, assignment->target)));
    if (!name)
      return done(interpreter.assign(assignment->target, Value::none()));
    // The caller's list would change too.
    if (isList(assignment->value) &&
        llvm::any_of(parametersOf(now.frame->function->definition),
                     [&](const Parameter *one) { return one->name == name->id; }))
      return done(tb.rejectAt(spanOf(stmt), "a list that is a parameter cannot be changed",
                              "make a new one: xs = xs + [x]"));
    if (auto local = now.frame->locals.find(name->id); local != now.frame->locals.end() &&
                                                       local->second.isMutable() &&
                                                       local->second.elements.use_count() > 1)
      return done(tb.rejectAt(spanOf(stmt), "a list that others may have cannot be changed",
                              "make a new one: xs = xs + [x]"));
    return done(interpreter.assign(name, interpreter.augmented(assignment, name)));
  }
  case StmtKind::Return:
    if (const Expr *value = stmt->as<ReturnStmt>()->value) {
      now.frame->result = interpreter.evaluate(value);
      return now.frame->result ? Flow::Returned : Flow::Failed;
    }
    now.frame->result = Value::none();
    return Flow::Returned;
  case StmtKind::If: {
    std::optional<bool> truth = resolver.constantTruth(stmt->as<IfStmt>()->test);
    if (!truth)
      return Flow::Failed;
    return run(*truth ? stmt->as<IfStmt>()->body : stmt->as<IfStmt>()->orElse);
  }
  case StmtKind::For:
    return runFor(stmt->as<ForStmt>());
  case StmtKind::While:
    return runWhile(stmt->as<WhileStmt>());
  case StmtKind::Break:
    return Flow::Broken;
  case StmtKind::Continue:
    return Flow::Continued;
  case StmtKind::Assert:
    return done(interpreter.constantAssertion(stmt->as<AssertStmt>()));
  case StmtKind::Pass:
    return Flow::Next;
  case StmtKind::Raise:
    tb.failAt(spanOf(stmt), "this constexpr function raises an error here");
    return Flow::Failed;
  case StmtKind::FunctionDef: {
    const auto *function = stmt->as<FunctionDefStmt>();
    const FunctionObject *made = makeClosure(function);
    if (!made)
      return Flow::Failed;
    now.frame->locals[function->name] = Value::ofFunction(made);
    return Flow::Next;
  }
  case StmtKind::Try: {
    // Of exceptions nothing is known: an error in the body stays one.
    const auto *attempt = stmt->as<TryStmt>();
    if (!attempt->finalBody.empty()) {
      interpreter.refuse(stmt);
      return Flow::Failed;
    }
    for (const Body *body : {&attempt->body, &attempt->orElse})
      if (Flow flow = run(*body); flow != Flow::Next)
        return flow;
    return Flow::Next;
  }
  case StmtKind::Import:
  case StmtKind::ImportFrom:
    for (const auto &[name, import] : importsOf(stmt)) {
      TritonBuilder::At span(tb, {import.begin, import.end});
      Value value = import.name == "*"
                        ? tb.fail("`import *` stands in a function", "name each")
                        : resolver.importedGlobal(*now.environment, import, /*asked=*/true).known;
      if (!value)
        return Flow::Failed;
      now.frame->locals[name] = value;
    }
    return Flow::Next;
  case StmtKind::ClassDef:
  case StmtKind::Delete:
  case StmtKind::With:
  case StmtKind::Match:
  case StmtKind::Global:
  case StmtKind::Nonlocal:
    interpreter.refuse(stmt);
    return Flow::Failed;
  }
  return Flow::Failed;
}

PythonFunctions::Flow PythonFunctions::runFor(const ForStmt *stmt) {
  Value sequence = elementsIn(tb, interpreter.evaluate(stmt->iterable), spanOf(stmt->iterable));
  if (!sequence)
    return Flow::Failed;
  for (const Value &element : *sequence.elements) {
    if (!countSteps(spanOf(stmt)) || !interpreter.assign(stmt->target, element))
      return Flow::Failed;
    Flow flow = run(stmt->body);
    if (flow == Flow::Broken)
      return Flow::Next;
    if (flow == Flow::Returned || flow == Flow::Failed)
      return flow;
  }
  return run(stmt->orElse);
}

PythonFunctions::Flow PythonFunctions::runWhile(const WhileStmt *stmt) {
  while (true) {
    std::optional<bool> truth = resolver.constantTruth(stmt->test);
    if (!truth || !countSteps(spanOf(stmt)))
      return Flow::Failed;
    if (!*truth)
      return run(stmt->orElse);
    Flow flow = run(stmt->body);
    if (flow == Flow::Broken)
      return Flow::Next;
    if (flow == Flow::Returned || flow == Flow::Failed)
      return flow;
  }
}
