//===- PythonFunctions.cpp - Compile-time evaluation of Python functions ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A function with @triton.constexpr_function before it, and what it calls in turn, is run
// as Python would run it: its variables keep constants, and its loops and branches are
// taken at once. It has the whole of Python's control flow, since nothing of it is left in
// the kernel.
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

#include "frontend/names/ScopeChanges.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Statements and expressions that all calls of a kernel may run together; a tuple counts its
/// elements.
static constexpr size_t maxPythonSteps = 1000000;
/// Loops of one comprehension.
static constexpr size_t maxGenerators = 20;

Value CodeGen::callPython(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given) {
  SourceSpan callSpan = tb.here();
  StringRef name = function->name();
  unsigned depth = 0;
  for (const Frame *active = frame; active; active = active->caller)
    if (++depth > maxCallDepth)
      return tb.fail("calls are nested more than " + llvm::Twine(maxCallDepth) + " deep");
  updateClosures();
  function = unwrapped(function);
  if (!function) {
    tb.noteError(callSpan, "'" + name + "' is called here");
    return {};
  }
  llvm::SmallVector<Value> values;
  if (!checkDefinition(function) || !bindParameters(function, given, values))
    return {};
  Frame callee;
  callee.function = function;
  callee.python = true;
  callee.caller = frame;
  callee.result = Value::none();
  llvm::SmallVector<const Parameter *> parameters = parametersOf(function->definition);
  for (size_t i = 0; i < parameters.size(); ++i)
    callee.locals[parameters[i]->name] = values[i];
  PythonFlow flow;
  {
    Within within(*this, *function->environment, &callee);
    flow = runPython(function->definition->body);
  }
  if (callee.closure)
    *callee.closure->variables = std::move(callee.locals);
  if (flow == PythonFlow::Failed) {
    noteCall(function, callSpan);
    return {};
  }
  if (!callee.result.isConstant())
    return tb.fail("'" + name + "' gives " + callee.result.describe() +
                       ", but a constexpr function can give constants only",
                   "compute it in a function with @triton.jit");
  return callee.result;
}

CodeGen::PythonFlow CodeGen::runPython(const Body &body) {
  for (const Stmt *stmt : body)
    if (PythonFlow flow = runPython(stmt); flow != PythonFlow::Next)
      return flow;
  return PythonFlow::Next;
}

bool CodeGen::checkNamed(const Expr *value) {
  const auto *call = value->dynAs<CallExpr>();
  const auto *callee = call ? call->function->dynAs<NameExpr>() : nullptr;
  Value meant;
  static constexpr StringRef iterators[] = {"zip", "enumerate", "reversed",
                                            "map", "filter",    "iter"};
  if (callee && llvm::is_contained(iterators, StringRef(callee->id)))
    meant = evaluate(callee);
  if (value->kind != ExprKind::GeneratorExp && meant.kind != ValueKind::Builtin)
    return true;
  return tb.rejectAt(spanOf(value),
                     "an iterator, which can be run through once, cannot be given a name",
                     "make a tuple of it: tuple(..)");
}

std::optional<bool> CodeGen::constantTruth(const Expr *test) {
  Value condition = evaluate(test);
  if (!condition)
    return std::nullopt;
  if (condition.isConstant())
    return tb.truth(condition);
  tb.failAt(spanOf(test), "this condition must be a constant, not " + condition.describe());
  return std::nullopt;
}

bool CodeGen::countPythonSteps(SourceSpan span, size_t steps) {
  pythonSteps += steps;
  if (pythonSteps <= maxPythonSteps)
    return true;
  return tb.rejectAt(span,
                     "the constexpr functions of this kernel run for more than " +
                         llvm::Twine(maxPythonSteps) + " steps",
                     "a loop of one of them may never end");
}

CodeGen::PythonFlow CodeGen::runPython(const Stmt *stmt) {
  if (!countPythonSteps(spanOf(stmt)))
    return PythonFlow::Failed;
  auto done = [](bool good) { return good ? PythonFlow::Next : PythonFlow::Failed; };
  switch (stmt->kind) {
  case StmtKind::Expr:
    return done(bool(evaluate(stmt->as<frontend::ExprStmt>()->value)));
  case StmtKind::Assign: {
    const auto *assignment = stmt->as<AssignStmt>();
    const bool getsName = llvm::any_of(assignment->targets,
                                       [](const Expr *one) { return one->kind == ExprKind::Name; });
    Value value =
        !getsName || checkNamed(assignment->value) ? evaluate(assignment->value) : Value();
    for (const Expr *target : assignment->targets)
      if (!assign(target, value))
        return PythonFlow::Failed;
    return PythonFlow::Next;
  }
  case StmtKind::AnnAssign: {
    const auto *assignment = stmt->as<AnnAssignStmt>();
    return done(!assignment->value || assign(assignment->target, evaluate(assignment->value)));
  }
  case StmtKind::AugAssign: {
    const auto *assignment = stmt->as<AugAssignStmt>();
    const auto *name = assignment->target->dynAs<NameExpr>();
    if (!name)
      return done(assign(assignment->target, Value::none()));
    // The caller's list would change too.
    if (isList(assignment->value) &&
        llvm::any_of(parametersOf(frame->function->definition),
                     [&](const Parameter *one) { return one->name == name->id; }))
      return done(tb.rejectAt(spanOf(stmt), "a list that is a parameter cannot be changed",
                              "make a new one: xs = xs + [x]"));
    return done(assign(name, augmented(assignment, name)));
  }
  case StmtKind::Return:
    if (const Expr *value = stmt->as<ReturnStmt>()->value) {
      frame->result = evaluate(value);
      return frame->result ? PythonFlow::Returned : PythonFlow::Failed;
    }
    frame->result = Value::none();
    return PythonFlow::Returned;
  case StmtKind::If: {
    std::optional<bool> truth = constantTruth(stmt->as<IfStmt>()->test);
    if (!truth)
      return PythonFlow::Failed;
    return runPython(*truth ? stmt->as<IfStmt>()->body : stmt->as<IfStmt>()->orElse);
  }
  case StmtKind::For:
    return runPythonFor(stmt->as<ForStmt>());
  case StmtKind::While:
    return runPythonWhile(stmt->as<WhileStmt>());
  case StmtKind::Break:
    return PythonFlow::Broken;
  case StmtKind::Continue:
    return PythonFlow::Continued;
  case StmtKind::Assert:
    return done(constantAssertion(stmt->as<AssertStmt>()));
  case StmtKind::Pass:
    return PythonFlow::Next;
  case StmtKind::Raise:
    tb.failAt(spanOf(stmt), "this constexpr function raises an error here");
    return PythonFlow::Failed;
  case StmtKind::FunctionDef: {
    const auto *function = stmt->as<FunctionDefStmt>();
    const FunctionObject *made = makeClosure(function);
    if (!made)
      return PythonFlow::Failed;
    frame->locals[function->name] = Value::ofFunction(made);
    return PythonFlow::Next;
  }
  case StmtKind::Try: {
    // Of exceptions nothing is known: an error in the body stays one.
    const auto *attempt = stmt->as<TryStmt>();
    if (!attempt->finalBody.empty()) {
      refuse(stmt);
      return PythonFlow::Failed;
    }
    for (const Body *body : {&attempt->body, &attempt->orElse})
      if (PythonFlow flow = runPython(*body); flow != PythonFlow::Next)
        return flow;
    return PythonFlow::Next;
  }
  case StmtKind::Import:
  case StmtKind::ImportFrom:
    for (const auto &[name, import] : importsOf(stmt)) {
      TritonBuilder::At span(tb, {import.begin, import.end});
      Value value = import.name == "*" ? tb.fail("`import *` stands in a function", "name each")
                                       : importedGlobal(*environment, import, /*asked=*/true).known;
      if (!value)
        return PythonFlow::Failed;
      frame->locals[name] = value;
    }
    return PythonFlow::Next;
  case StmtKind::ClassDef:
  case StmtKind::Delete:
  case StmtKind::With:
  case StmtKind::Match:
  case StmtKind::Global:
  case StmtKind::Nonlocal:
    refuse(stmt);
    return PythonFlow::Failed;
  }
  return PythonFlow::Failed;
}

CodeGen::PythonFlow CodeGen::runPythonFor(const ForStmt *stmt) {
  Value sequence = elementsIn(evaluate(stmt->iterable), spanOf(stmt->iterable));
  if (!sequence)
    return PythonFlow::Failed;
  for (const Value &element : *sequence.elements) {
    if (!countPythonSteps(spanOf(stmt)) || !assign(stmt->target, element))
      return PythonFlow::Failed;
    PythonFlow flow = runPython(stmt->body);
    if (flow == PythonFlow::Broken)
      return PythonFlow::Next;
    if (flow == PythonFlow::Returned || flow == PythonFlow::Failed)
      return flow;
  }
  return runPython(stmt->orElse);
}

CodeGen::PythonFlow CodeGen::runPythonWhile(const WhileStmt *stmt) {
  while (true) {
    std::optional<bool> truth = constantTruth(stmt->test);
    if (!truth || !countPythonSteps(spanOf(stmt)))
      return PythonFlow::Failed;
    if (!*truth)
      return runPython(stmt->orElse);
    PythonFlow flow = runPython(stmt->body);
    if (flow == PythonFlow::Broken)
      return PythonFlow::Next;
    if (flow == PythonFlow::Returned || flow == PythonFlow::Failed)
      return flow;
  }
}

//===--------------------------------------------------------------------------===//
// Comprehensions
//===--------------------------------------------------------------------------===//

/// `[f(x) for x in xs if c]`, over tuples: a tuple. Its names are gone afterwards.
Value CodeGen::comprehension(llvm::ArrayRef<const Expr *> elements,
                             const List<Comprehension> &generators) {
  if (generators.size() > maxGenerators)
    return tb.failAt(spanOf(elements.front()),
                     "this comprehension has more than " + llvm::Twine(maxGenerators) + " loops");
  // Outside of a function, the names need a place.
  Frame module;
  module.python = true;
  Frame *saved = frame;
  if (!frame)
    frame = &module;
  NameSet names;
  for (const Comprehension &generator : generators)
    collectTargets(generator.target, names);
  llvm::SmallVector<Value> before;
  for (StringRef name : names)
    before.push_back(frame->locals.lookup(name));

  const size_t outerNames = comprehensionNames.size();
  comprehensionNames.append(names.begin(), names.end());
  std::vector<Value> results;
  bool good = comprehend(elements, generators.begin(), generators.end(), results);
  comprehensionNames.truncate(outerNames);
  for (size_t i = 0; i < names.size(); ++i)
    if (before[i])
      frame->locals[names[i]] = before[i];
    else
      frame->locals.erase(names[i]);
  frame = saved;
  return good ? tb.makeTuple(std::move(results)) : Value();
}

bool CodeGen::comprehend(llvm::ArrayRef<const Expr *> elements, const Comprehension *at,
                         const Comprehension *end, std::vector<Value> &results) {
  if (at == end) {
    if (results.size() >= tb.maxTupleParts)
      return tb.rejectAt(spanOf(elements.front()), "this comprehension has more than " +
                                                       llvm::Twine(tb.maxTupleParts) + " elements");
    for (const Expr *element : elements) {
      results.push_back(evaluate(element));
      if (!results.back())
        return false;
    }
    return true;
  }
  Value sequence = evaluate(at->iterable);
  // All but the first iterable runs in a function of its own, which does not see a class's names.
  const llvm::SaveAndRestore outside(environment,
                                     environment->isClass ? environment->enclosing : environment);
  if (sequence && (sequence.isDict() || sequence.isSet() || sequence.kind == ValueKind::String))
    sequence = elementsIn(sequence, spanOf(at->iterable));
  if (!sequence)
    return false;
  if (!sequence.isTuple())
    return tb.rejectAt(spanOf(at->iterable),
                       "a comprehension runs over a tuple, not over " + sequence.describe(),
                       "write the elements out as a tuple");
  for (const Value &one : *sequence.elements) {
    if (!countPythonSteps(spanOf(elements.front())) || !assign(at->target, one))
      return false;
    bool taken = true;
    for (const Expr *condition : at->conditions) {
      std::optional<bool> truth = constantTruth(condition);
      if (!truth)
        return false;
      taken &= *truth;
    }
    if (taken && !comprehend(elements, at + 1, end, results))
      return false;
  }
  return true;
}
