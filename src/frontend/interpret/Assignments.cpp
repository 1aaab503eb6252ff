//===- Assignments.cpp - Statements that kernels and Python's functions share -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

#include "llvm/Support/ErrorHandling.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

void Interpreter::refuse(const Stmt *stmt, StringRef what, StringRef remedy) {
  const char *where = now.frame->python ? " cannot be run in a constexpr function"
                                        : " cannot be compiled in a kernel";
  tb.failAt(spanOf(stmt), what + where, remedy);
}

void Interpreter::refuse(const Stmt *stmt) {
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
    return refuse(stmt, "`try`", "now.errors cannot be caught");
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

bool Interpreter::assign(const Expr *target, const Value &value) {
  if (!value)
    return false;
  const Exprs *elements = nullptr;
  switch (target->kind) {
  case ExprKind::Name:
    now.frame->locals[StringRef(target->as<NameExpr>()->id)] = value;
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
    if (now.frame->python)
      return assignElement(target->as<SubscriptExpr>(), value);
    return tb.rejectAt(spanOf(target), "the elements of a tensor cannot be assigned to",
                       "use tl.where to make a new tensor, or tl.store for memory");
  default:
    return tb.rejectAt(spanOf(target), "an attribute cannot be assigned to in a kernel",
                       "assign to a name");
  }
  return assignElements(target, *elements, value);
}

/// `xs[i] = value`, where nothing but the name has the list.
bool Interpreter::assignElement(const SubscriptExpr *target, const Value &value) {
  const auto *name = target->value->dynAs<NameExpr>();
  Variables &locals = now.frame->locals;
  const auto local = name ? locals.find(name->id) : locals.end();
  if (local == locals.end() || !local->second.isList || !local->second.elements)
    return tb.rejectAt(spanOf(target),
                       "only elements of a list with a name of the function can be assigned to",
                       "make a new one: {**table, key: value}");
  const Value index = evaluate(target->slice);
  if (!index)
    return false;
  if (index.kind != ValueKind::Integer)
    return tb.rejectAt(spanOf(target->slice),
                       "an element is assigned to by its number, not by " + index.describe());
  const auto list = locals.find(name->id);
  const auto count = static_cast<Integer>(list->second.elements->size());
  if (index.integer >= count || index.integer < -count)
    return tb.rejectAt(spanOf(target->slice), "the list has " +
                                                  llvm::Twine(static_cast<uint64_t>(count)) +
                                                  " elements, and no element " + index.repr());
  if (list->second.elements.use_count() > 1)
    return tb.rejectAt(spanOf(target), "a list that others may have cannot be changed",
                       "make a new one: list(xs)");
  std::vector<Value> elements = *list->second.elements;
  elements[static_cast<size_t>(index.integer < 0 ? index.integer + count : index.integer)] = value;
  list->second = Value::list(std::move(elements));
  return true;
}

bool Interpreter::assignElements(const Expr *target, const Exprs &elements, const Value &whole) {
  const Value value = now.frame->python ? whole.iterated() : whole;
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
  if (tooFew || (count > elements.size() && now.frame->python))
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

Value Interpreter::augmented(const AugAssignStmt *stmt, const Expr *target) {
  Value old = evaluate(target);
  Value operand = old ? evaluate(stmt->value) : Value();
  if (!operand)
    return {};
  Position end = stmt->operatorAt;
  end.column += signOf(stmt->op).size() + 1;
  TritonBuilder::At span(tb, {stmt->operatorAt, end});
  return operate(stmt->op, old, operand);
}

bool Interpreter::constantAssertion(const AssertStmt *stmt) {
  std::optional<bool> truth = resolver.constantTruth(stmt->test);
  return truth && (*truth || failedAssertion(stmt));
}

bool Interpreter::failedAssertion(const AssertStmt *stmt) {
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
