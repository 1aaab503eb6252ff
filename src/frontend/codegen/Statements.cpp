//===- Statements.cpp - Code generation for statements ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/KernelBuilder.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Unrolled loops and repeated branches may multiply code up to this many statements.
static constexpr unsigned maxStatements = 100000;

bool KernelBuilder::countStatement(const Stmt *stmt) {
  if (++statements <= maxStatements)
    return true;
  return tb.rejectAt(
      spanOf(stmt), "the kernel unrolls to more than " + llvm::Twine(maxStatements) + " statements",
      "use range instead of static_range");
}

KernelBuilder::Flow KernelBuilder::sequence(Statements list, const Continuation *next) {
  for (const Stmt *const *at = list.begin; at != list.end; ++at) {
    const Stmt *stmt = *at;
    if (!countStatement(stmt))
      return Flow::Failed;
    Statements rest{at + 1, list.end};
    if (const auto *ifStmt = stmt->dynAs<IfStmt>()) {
      bool returns =
          !frame->loop && (containsReturn(ifStmt->body) || containsReturn(ifStmt->orElse));
      TritonBuilder::At span(tb, spanOf(ifStmt->test));
      if (returns && frame->continuations == maxContinuations) {
        tb.fail("more than " + llvm::Twine(maxContinuations) + " branches of this function return",
                "assign the result to a variable, and return it at the end");
        return Flow::Failed;
      }
      Value condition = interpreter.evaluate(ifStmt->test);
      if (!condition)
        return Flow::Failed;
      if (!condition.isTensor()) {
        const Body &chosen = tb.truth(condition) ? ifStmt->body : ifStmt->orElse;
        if (returns) {
          Continuation continuation{rest, next};
          ++frame->continuations;
          Flow flow = sequence(chosen, &continuation);
          --frame->continuations;
          return flow;
        }
        Flow flow = sequence(chosen, nullptr);
        if (flow != Flow::Next)
          return flow;
        continue;
      }
      condition = scalarCondition(tb, ifStmt->test, condition);
      if (!condition)
        return Flow::Failed;
      if (returns)
        return returningIf(ifStmt, condition, rest, next);
      Flow flow = dynamicIf(ifStmt, condition);
      if (flow != Flow::Next)
        return flow;
      continue;
    }
    Flow flow = statement(stmt);
    if (flow != Flow::Next)
      return flow;
  }
  return next ? sequence(next->statements, next->next) : Flow::Next;
}

KernelBuilder::Flow KernelBuilder::statement(const Stmt *stmt) {
  switch (stmt->kind) {
  case StmtKind::Expr: {
    const Expr *value = stmt->as<frontend::ExprStmt>()->value;
    // A docstring, or another constant that stands alone, does nothing.
    if (value->kind == ExprKind::Constant)
      return Flow::Next;
    return interpreter.evaluate(value) ? Flow::Next : Flow::Failed;
  }
  case StmtKind::Assign:
    return assignment(stmt->as<AssignStmt>());
  case StmtKind::AugAssign:
    return augmentedAssignment(stmt->as<AugAssignStmt>());
  case StmtKind::AnnAssign:
    return annotatedAssignment(stmt->as<AnnAssignStmt>());
  case StmtKind::Return:
    return returnStatement(stmt->as<ReturnStmt>());
  case StmtKind::For:
    return forLoop(stmt->as<ForStmt>());
  case StmtKind::While:
    return whileLoop(stmt->as<WhileStmt>());
  case StmtKind::Assert:
    return assertion(stmt->as<AssertStmt>());
  case StmtKind::Pass:
    return Flow::Next;
  case StmtKind::Break:
    interpreter.refuse(
        stmt, "`break`",
        "compute the number of iterations before the loop, or use `while` and a variable that "
        "ends it");
    return Flow::Failed;
  case StmtKind::Continue:
    interpreter.refuse(stmt, "`continue`", "put the rest of the body into an `if`");
    return Flow::Failed;
  case StmtKind::Raise:
    interpreter.refuse(stmt, "`raise`", "use tl.static_assert");
    return Flow::Failed;
  case StmtKind::FunctionDef:
  case StmtKind::ClassDef:
  case StmtKind::Delete:
  case StmtKind::With:
  case StmtKind::Try:
  case StmtKind::Match:
  case StmtKind::Import:
  case StmtKind::ImportFrom:
  case StmtKind::Global:
  case StmtKind::Nonlocal:
    interpreter.refuse(stmt);
    return Flow::Failed;
  case StmtKind::If:
    break; // sequence() takes them
  }
  return Flow::Next;
}

KernelBuilder::Flow KernelBuilder::assignment(const AssignStmt *stmt) {
  const auto *name = stmt->targets.front()->dynAs<NameExpr>();
  TritonBuilder::Naming naming(tb, name ? StringRef(name->id) : StringRef());
  TritonBuilder::At span(tb, spanOf(stmt->value));
  Value value = interpreter.evaluate(stmt->value);
  if (!value)
    return Flow::Failed;
  value = variableOf(tb, value);
  for (const Expr *target : stmt->targets)
    if (!interpreter.assign(target, value))
      return Flow::Failed;
  return Flow::Next;
}

KernelBuilder::Flow KernelBuilder::annotatedAssignment(const AnnAssignStmt *stmt) {
  if (!stmt->value)
    return Flow::Next;
  const auto *name = stmt->target->dynAs<NameExpr>();
  TritonBuilder::Naming naming(tb, name ? StringRef(name->id) : StringRef());
  TritonBuilder::At span(tb, spanOf(stmt->value));
  Value value = interpreter.evaluate(stmt->value);
  if (!value)
    return Flow::Failed;
  // What the kernel computes may be declared one as well, as in Triton; it stays what it is.
  if (resolver.functions.isAnnotation(stmt->annotation, "constexpr", *now.environment))
    return interpreter.assign(stmt->target, value) ? Flow::Next : Flow::Failed;
  return interpreter.assign(stmt->target, variableOf(tb, value)) ? Flow::Next : Flow::Failed;
}

KernelBuilder::Flow KernelBuilder::augmentedAssignment(const AugAssignStmt *stmt) {
  const auto *name = stmt->target->dynAs<NameExpr>();
  if (!name)
    return interpreter.assign(stmt->target, Value::none()) ? Flow::Next : Flow::Failed;
  TritonBuilder::Naming naming(tb, name->id);
  return interpreter.assign(name, variableOf(tb, interpreter.augmented(stmt, name))) ? Flow::Next
                                                                                     : Flow::Failed;
}

KernelBuilder::Flow KernelBuilder::returnStatement(const ReturnStmt *stmt) {
  if (frame->loop) {
    tb.failAt(spanOf(stmt),
              "Cannot have `return` statements inside `while` or `for` statements in triton",
              "assign the result to a variable, and return after the loop");
    return Flow::Failed;
  }
  frame->result = Value::none();
  if (!stmt->value)
    return Flow::Returned;
  TritonBuilder::At span(tb, spanOf(stmt->value));
  Value result = interpreter.evaluate(stmt->value);
  if (!result)
    return Flow::Failed;
  const bool inKernel = !frame->caller;
  if (inKernel && !result.isNone())
    tb.warn("the kernel '" + frame->function->name() + "' returns a value, which nobody gets",
            "store it through a pointer parameter");
  // What a function computes is never a constant: `return 2.0` gives an fp32. One of Gluon's
  // `builtin` runs in the compiler, where constants are what they are.
  if (!inKernel)
    frame->result =
        frame->function->keepsConstants && result.isConstant() ? result : variableOf(tb, result);
  return frame->result ? Flow::Returned : Flow::Failed;
}

KernelBuilder::Flow KernelBuilder::assertion(const AssertStmt *stmt) {
  Value condition = interpreter.evaluate(stmt->test);
  if (!condition)
    return Flow::Failed;
  if (condition.isConstant() && tb.truth(condition))
    return Flow::Next;
  Value message = stmt->message ? interpreter.evaluate(stmt->message) : Value::ofString("");
  if (!message)
    return Flow::Failed;
  TritonBuilder::At span(tb, spanOf(stmt));
  if (message.kind != ValueKind::String) {
    tb.failAt(spanOf(stmt->message),
              "the message of an assertion must be a string, not " + message.describe());
    return Flow::Failed;
  }
  // `assert False` marks what should not be reached, and is meant.
  if (condition.isConstant() && stmt->test->kind != ExprKind::Constant)
    tb.warn("this assertion is always false" + (message.text.empty() ? "" : ": " + message.str()),
            "an assertion is checked when a kernel compiled with --debug runs; tl.static_assert is "
            "checked here");
  const Value holds = condition.isConstant() ? Value::boolean(false) : condition;
  return tb.deviceAssert(holds, Value::none(), message.text) ? Flow::Next : Flow::Failed;
}
