//===- Statements.cpp - Code generation for simple statements -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

#include "llvm/Support/ErrorHandling.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Unrolled loops and repeated branches may multiply code up to this many statements.
static constexpr unsigned maxStatements = 100000;

bool CodeGen::countStatement(const Stmt *stmt) {
  if (++statements <= maxStatements)
    return true;
  return tb.rejectAt(
      spanOf(stmt), "the kernel unrolls to more than " + llvm::Twine(maxStatements) + " statements",
      "use range instead of static_range");
}

CodeGen::Flow CodeGen::sequence(Statements list, const Continuation *next) {
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
      Value condition = evaluate(ifStmt->test);
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
      condition = scalarCondition(ifStmt->test, condition);
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

CodeGen::Flow CodeGen::statement(const Stmt *stmt) {
  switch (stmt->kind) {
  case StmtKind::Expr: {
    const Expr *value = stmt->as<frontend::ExprStmt>()->value;
    // A docstring, or another constant that stands alone, does nothing.
    if (value->kind == ExprKind::Constant)
      return Flow::Next;
    return evaluate(value) ? Flow::Next : Flow::Failed;
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
    refuse(stmt, "`break`",
           "compute the number of iterations before the loop, or use `while` and a variable that "
           "ends it");
    return Flow::Failed;
  case StmtKind::Continue:
    refuse(stmt, "`continue`", "put the rest of the body into an `if`");
    return Flow::Failed;
  case StmtKind::Raise:
    refuse(stmt, "`raise`", "use tl.static_assert");
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
    refuse(stmt);
    return Flow::Failed;
  case StmtKind::If:
    break; // sequence() takes them
  }
  return Flow::Next;
}

void CodeGen::refuse(const Stmt *stmt, StringRef what, StringRef remedy) {
  const char *where =
      frame->python ? " cannot be run in a constexpr function" : " cannot be compiled in a kernel";
  tb.failAt(spanOf(stmt), what + where, remedy);
}

void CodeGen::refuse(const Stmt *stmt) {
  switch (stmt->kind) {
  case StmtKind::FunctionDef:
    return refuse(stmt, "a function inside a function", "define it at the level of the module");
  case StmtKind::ClassDef:
    return refuse(stmt, "a class", "use a tuple");
  case StmtKind::Delete:
    return refuse(stmt, "`del`", "leave it out: a value that is not used costs nothing");
  case StmtKind::With:
    return refuse(stmt, "`with`", "write its body without it");
  case StmtKind::Try:
    return refuse(stmt, "`try`", "errors cannot be caught");
  case StmtKind::Match:
    return refuse(stmt, "`match`", "use `if` and `elif`");
  case StmtKind::Import:
  case StmtKind::ImportFrom:
    return refuse(stmt, "an import", "import at the level of the module");
  case StmtKind::Global:
    return refuse(stmt, "`global`", "pass the value as a parameter");
  case StmtKind::Nonlocal:
    return refuse(stmt, "`nonlocal`", "pass the value as a parameter");
  default:
    llvm_unreachable("a statement that kernels or constexpr functions have");
  }
}

//===--------------------------------------------------------------------------===//
// Assignments
//===--------------------------------------------------------------------------===//

/// What a variable holds after `x = value`: numbers become scalars of the kernel, so that
/// a loop or a branch can change them.
Value CodeGen::variableOf(const Value &value) {
  if (value.isNumber())
    return tb.toTensor(value);
  if (!value.isTuple())
    return value;
  std::vector<Value> elements;
  for (const Value &element : *value.elements) {
    elements.push_back(variableOf(element));
    if (!elements.back())
      return {};
  }
  Value variable = Value::tuple(std::move(elements));
  variable.tupleClass = value.tupleClass;
  return variable;
}

bool CodeGen::assign(const Expr *target, const Value &value) {
  if (!value)
    return false;
  const Exprs *elements = nullptr;
  switch (target->kind) {
  case ExprKind::Name:
    frame->locals[StringRef(target->as<NameExpr>()->id)] = value;
    return true;
  case ExprKind::Tuple:
    elements = &target->as<TupleExpr>()->elements;
    break;
  case ExprKind::List:
    elements = &target->as<ListExpr>()->elements;
    break;
  case ExprKind::Starred:
    return tb.rejectAt(spanOf(target), "a starred name cannot be assigned to in a kernel",
                       "name each element");
  case ExprKind::Subscript:
    if (frame->python)
      return tb.rejectAt(spanOf(target), "the elements of a list or dict cannot be assigned to",
                         "make a new one: {**table, key: value}");
    return tb.rejectAt(spanOf(target), "the elements of a tensor cannot be assigned to",
                       "use tl.where to make a new tensor, or tl.store for memory");
  default:
    return tb.rejectAt(spanOf(target), "an attribute cannot be assigned to in a kernel",
                       "assign to a name");
  }
  return assignElements(target, *elements, value);
}

bool CodeGen::assignElements(const Expr *target, const Exprs &elements, const Value &whole) {
  const Value value = frame->python ? whole.iterated() : whole;
  for (const Expr *element : elements)
    if (element->kind == ExprKind::Starred)
      return assign(element, value);
  const std::string names =
      std::to_string(elements.size()) + (elements.size() == 1 ? " name" : " names");
  if (!value.isTuple())
    return tb.rejectAt(spanOf(target), value.describe() + " cannot be assigned to " + names,
                       "assign it to one name");
  const size_t count = value.elements->size();
  const std::string remedy = "write " + std::to_string(count) + (count == 1 ? " name" : " names") +
                             "; `_` may stand for what is not needed";
  const bool tooFew = count < elements.size();
  if (tooFew || (count > elements.size() && frame->python))
    return tb.rejectAt(spanOf(target),
                       llvm::Twine(count) + (count == 1 ? " value" : " values") +
                           " cannot be assigned to " + names,
                       remedy);
  if (count > elements.size())
    tb.warnAt(spanOf(target),
              llvm::Twine(count) + " values are assigned to " + names +
                  ": the last ones are dropped, as in Triton; Python refuses this",
              remedy);
  for (size_t i = 0; i < elements.size(); ++i)
    if (!assign(elements[i], (*value.elements)[i]))
      return false;
  return true;
}

CodeGen::Flow CodeGen::assignment(const AssignStmt *stmt) {
  const auto *name = stmt->targets.front()->dynAs<NameExpr>();
  TritonBuilder::Naming naming(tb, name ? StringRef(name->id) : StringRef());
  TritonBuilder::At span(tb, spanOf(stmt->value));
  Value value = evaluate(stmt->value);
  if (!value)
    return Flow::Failed;
  value = variableOf(value);
  for (const Expr *target : stmt->targets)
    if (!assign(target, value))
      return Flow::Failed;
  return Flow::Next;
}

CodeGen::Flow CodeGen::annotatedAssignment(const AnnAssignStmt *stmt) {
  if (!stmt->value)
    return Flow::Next;
  const auto *name = stmt->target->dynAs<NameExpr>();
  TritonBuilder::Naming naming(tb, name ? StringRef(name->id) : StringRef());
  TritonBuilder::At span(tb, spanOf(stmt->value));
  Value value = evaluate(stmt->value);
  if (!value)
    return Flow::Failed;
  // What the kernel computes may be declared one as well, as in Triton; it stays what it is.
  if (isAnnotation(stmt->annotation, "constexpr", *environment))
    return assign(stmt->target, value) ? Flow::Next : Flow::Failed;
  return assign(stmt->target, variableOf(value)) ? Flow::Next : Flow::Failed;
}

CodeGen::Flow CodeGen::augmentedAssignment(const AugAssignStmt *stmt) {
  const auto *name = stmt->target->dynAs<NameExpr>();
  if (!name)
    return assign(stmt->target, Value::none()) ? Flow::Next : Flow::Failed;
  TritonBuilder::Naming naming(tb, name->id);
  return assign(name, variableOf(augmented(stmt, name))) ? Flow::Next : Flow::Failed;
}

Value CodeGen::augmented(const AugAssignStmt *stmt, const NameExpr *name) {
  Value old = evaluateName(name);
  Value operand = old ? evaluate(stmt->value) : Value();
  if (!operand)
    return {};
  Position end = stmt->operatorAt;
  end.column += signOf(stmt->op).size() + 1;
  TritonBuilder::At span(tb, {stmt->operatorAt, end});
  return tb.binary(stmt->op, old, operand);
}

CodeGen::Flow CodeGen::returnStatement(const ReturnStmt *stmt) {
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
  Value result = evaluate(stmt->value);
  if (!result)
    return Flow::Failed;
  const bool inKernel = !frame->caller;
  if (inKernel && !result.isNone())
    tb.warn("the kernel '" + frame->function->name() + "' returns a value, which nobody gets",
            "store it through a pointer parameter");
  // What a function computes is never a constant: `return 2.0` gives an fp32.
  if (!inKernel)
    frame->result = variableOf(result);
  return frame->result ? Flow::Returned : Flow::Failed;
}

CodeGen::Flow CodeGen::assertion(const AssertStmt *stmt) {
  Value condition = evaluate(stmt->test);
  if (!condition)
    return Flow::Failed;
  if (condition.isConstant() && tb.truth(condition))
    return Flow::Next;
  Value message = stmt->message ? evaluate(stmt->message) : Value::ofString("");
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

bool CodeGen::constantAssertion(const AssertStmt *stmt) {
  std::optional<bool> truth = constantTruth(stmt->test);
  return truth && (*truth || failedAssertion(stmt));
}

bool CodeGen::failedAssertion(const AssertStmt *stmt) {
  std::string message = "the assertion fails";
  if (stmt->message) {
    Value text = evaluate(stmt->message);
    if (!text)
      return false;
    if (text.isConstant())
      message += ": " + text.str();
  }
  return tb.rejectAt(spanOf(stmt), message);
}
