//===- Expressions.cpp - Evaluation of expressions ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

#include "frontend/names/scope/ChangeSyntax.h"
#include "frontend/names/scope/Walk.h"
#include "frontend/value/LoopCounter.h"
#include "frontend/value/PythonText.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

Value Interpreter::notInKernels(const Expr *expr, const char *what, const char *remedy) {
  return tb.failAt(spanOf(expr), llvm::Twine(what) + " cannot be compiled in a kernel", remedy);
}

Value Interpreter::evaluate(const Expr *expr) {
  if (evaluationDepth == maxEvaluationDepth)
    return tb.failAt(spanOf(expr), "expressions and calls are nested too deeply here",
                     "compute a part of it in a statement before");
  ++evaluationDepth;
  Value value = evaluateNode(expr);
  --evaluationDepth;
  // A kernel has tuples only.
  value.isList &= now.inPython();
  if (now.frame && now.frame->python &&
      !python.countSteps(spanOf(expr), value.isTuple() ? 1 + value.elements->size() : 1))
    return {};
  return value;
}

Value Interpreter::evaluateNode(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Name:
    return evaluateName(expr->as<NameExpr>());
  case ExprKind::Constant:
    return evaluateConstant(expr->as<ConstantExpr>());
  case ExprKind::Attribute:
    return evaluateAttribute(expr->as<AttributeExpr>());
  case ExprKind::Subscript:
    return evaluateSubscript(expr->as<SubscriptExpr>());
  case ExprKind::Call:
    return evaluateCall(expr->as<CallExpr>());
  case ExprKind::BinOp: {
    const auto *binOp = expr->as<BinOpExpr>();
    Value left = evaluate(binOp->left);
    Value right = left ? evaluate(binOp->right) : Value();
    if (!right)
      return {};
    Position end = binOp->operatorAt;
    end.column += signOf(binOp->op).size();
    TritonBuilder::At span(tb, {binOp->operatorAt, end});
    return operate(binOp->op, left, right);
  }
  case ExprKind::UnaryOp: {
    const auto *unary = expr->as<UnaryOpExpr>();
    Value operand = evaluate(unary->operand);
    TritonBuilder::At span(tb, spanOf(expr));
    if (unary->op == UnaryOperator::Not && operand.isSingle() && tb.isGluon && now.inPython()) {
      tb.warn(operand.describe() + " is an object here, which is true",
              "declare it `: gl.constexpr` if the condition is about its value");
      return Value::boolean(false);
    }
    return tb.unary(expr->as<UnaryOpExpr>()->op, operand);
  }
  case ExprKind::BoolOp:
    return evaluateBoolOp(expr->as<BoolOpExpr>());
  case ExprKind::Compare:
    return evaluateCompare(expr->as<CompareExpr>());
  case ExprKind::IfExp: {
    TritonBuilder::At span(tb, spanOf(expr));
    return evaluateChoice(expr->as<IfExpExpr>());
  }
  case ExprKind::Tuple:
    return evaluateTuple(expr->as<TupleExpr>()->elements);
  case ExprKind::List:
    return evaluateTuple(expr->as<ListExpr>()->elements, now.inPython());
  case ExprKind::NamedExpr:
    if (now.frame && now.frame->python) {
      Value value = evaluate(expr->as<NamedExprExpr>()->value);
      return value && assign(expr->as<NamedExprExpr>()->target, value) ? value : Value();
    }
    return notInKernels(expr, "`:=`", "assign in a statement of its own");
  case ExprKind::Lambda:
    if (now.inPython())
      return python.makeLambda(expr->as<LambdaExpr>());
    return notInKernels(expr, "a lambda", "define a function with @triton.jit");
  case ExprKind::Dict:
    if (now.inPython())
      return evaluateDict(expr->as<DictExpr>());
    return notInKernels(expr, "a dict", "use a tuple");
  case ExprKind::Set: {
    if (!now.inPython())
      return notInKernels(expr, "a set", "use a tuple");
    Value elements = evaluateTuple(expr->as<SetExpr>()->elements);
    TritonBuilder::At span(tb, spanOf(expr));
    return elements ? tb.makeSet(*elements.elements) : Value();
  }
  case ExprKind::ListComp: {
    Value list = python.comprehension(expr->as<ListCompExpr>()->element,
                                      expr->as<ListCompExpr>()->generators);
    list.isList = now.inPython();
    return list;
  }
  case ExprKind::GeneratorExp:
    return python.comprehension(expr->as<GeneratorExpExpr>()->element,
                                expr->as<GeneratorExpExpr>()->generators);
  case ExprKind::SetComp:
  case ExprKind::DictComp: {
    const bool isDict = expr->kind == ExprKind::DictComp;
    if (!now.inPython())
      return notInKernels(expr, isDict ? "a dict" : "a set", "use a tuple");
    Value parts =
        isDict
            ? python.comprehension({expr->as<DictCompExpr>()->key, expr->as<DictCompExpr>()->value},
                                   expr->as<DictCompExpr>()->generators)
            : python.comprehension(expr->as<SetCompExpr>()->element,
                                   expr->as<SetCompExpr>()->generators);
    TritonBuilder::At span(tb, spanOf(expr));
    if (!parts)
      return {};
    return isDict ? tb.makeDict(*parts.elements) : tb.makeSet(*parts.elements);
  }
  case ExprKind::Yield:
  case ExprKind::YieldFrom:
    return notInKernels(expr, "`yield`", "return the value");
  case ExprKind::Await:
    return notInKernels(expr, "`await`", "compute the value before");
  case ExprKind::JoinedStr:
    return evaluateJoined(expr->as<JoinedStrExpr>());
  case ExprKind::FormattedValue:
    return notInKernels(expr, "a field of an f-string here", "");
  case ExprKind::Starred:
    return notInKernels(expr, "a starred expression", "write the elements out");
  case ExprKind::Slice:
    return evaluateSlice(expr->as<SliceExpr>());
  }
  return {};
}

Value Interpreter::evaluateConstant(const ConstantExpr *expr) {
  switch (expr->constant) {
  case ConstantKind::None:
    return Value::none();
  case ConstantKind::True:
    return Value::boolean(true);
  case ConstantKind::False:
    return Value::boolean(false);
  case ConstantKind::Ellipsis:
    return Value::ofKind(ValueKind::Ellipsis);
  case ConstantKind::Integer:
    if (expr->wide)
      return tb.failAt(spanOf(expr), "this integer does not fit into 64 bits",
                       "integers of a kernel have 64 bits at most");
    return Value::ofInteger(expr->integer);
  case ConstantKind::Float:
    return Value::ofFloat(expr->number);
  case ConstantKind::String:
    return Value::ofString(expr->text);
  case ConstantKind::Imaginary:
    return notInKernels(expr, "a complex number", "");
  case ConstantKind::Bytes:
    return notInKernels(expr, "a bytes literal", "");
  }
  return {};
}

static llvm::SmallVector<StringRef> namesOf(const Variables &variables) {
  llvm::SmallVector<StringRef> names(llvm::make_first_range(variables));
  llvm::sort(names);
  return names;
}

bool Interpreter::mayHaveChanged(const Environment &closure, StringRef name,
                                 const Value &value) const {
  if (!closure.function)
    return false;
  for (const Frame *active = now.frame; active; active = active->caller)
    if (active->closure == &closure)
      return false;
  bool isChanged = value.isMutable();
  forEachStatement(closure.function->body, [&](const Stmt *stmt) {
    const auto *declared = stmt->dynAs<NonlocalStmt>();
    isChanged |= declared && llvm::is_contained(declared->names, std::string_view(name));
  });
  return isChanged;
}

bool Interpreter::isOwnName(const FunctionObject &function, StringRef name) {
  auto [entry, isNew] = ownNames.try_emplace(function.definition);
  if (isNew)
    collectOwn(function.definition, entry->second);
  return entry->second.contains(name);
}

Value Interpreter::evaluateName(const NameExpr *expr) {
  StringRef name(expr->id);
  TritonBuilder::At span(tb, spanOf(expr));
  if (now.frame) {
    if (auto local = now.frame->locals.find(name); local != now.frame->locals.end()) {
      if (local->second.kind == ValueKind::Unavailable && local->second.elements) {
        tb.warn("'" + name +
                    "' is the variable of a loop that has ended: Triton leaves it "
                    "undefined, here it has its last value, as in Python",
                "compute the value from the loop's bounds");
        return lastOf(tb, local->second);
      }
      if (local->second.kind == ValueKind::Unavailable)
        return tb.fail("'" + name + "' has no value here: " + StringRef(local->second.text),
                       "assign it before");
      return local->second;
    }
    // Python raises UnboundLocalError; Triton's kernels see the module's name.
    if (now.frame->python && now.frame->function && isOwnName(*now.frame->function, name))
      return tb.fail("'" + name +
                         "' has no value here: it is a variable of this function, which "
                         "assigns it elsewhere",
                     "assign it before");
  }
  const Definition *last = nullptr;
  for (const Environment *at = now.environment; at; at = at->enclosing) {
    if (at->variables) {
      if (auto variable = at->variables->find(name); variable != at->variables->end())
        return mayHaveChanged(*at, name, variable->second)
                   ? tb.fail("'" + name +
                                 "' is a variable of a function that has ended, and may have been "
                                 "changed since",
                             "hand it over as a parameter")
                   : variable->second;
      continue;
    }
    // Code in a class does not see the names of a class around it.
    if (at->isClass && at != now.environment)
      continue;
    if (const Definition *definition = resolver.resolve(*at, name))
      return resolver.globalValue(*at, *definition, name);
    if (tb.failed()) {
      tb.noteError(tb.here(), "'" + name + "' is used here");
      return {};
    }
    if (!last)
      last = at->scope->find(name);
  }
  // A file that is imported has the name of the file; conditions ask whether it is run instead.
  if (name == "__name__")
    return Value::ofString(
        now.keep(resolver.environments.finder.fullName(*now.environment->module)));
  if (const Builtin *builtin = findPythonBuiltin(name)) {
    if (now.inPython() && !plainBuiltins.contains(builtin)) {
      if (resolver.changes.refuse(name, {[](const Value &object) {
                                    return object.kind == ValueKind::Host &&
                                           object.text == "builtins";
                                  }}))
        return {};
      if (!resolver.changes.areAssumedAbsent())
        plainBuiltins.insert(builtin);
    }
    return Value::ofBuiltin(builtin);
  }
  if (last)
    return tb.fail("the name '" + name + "' is not defined here: the module defines it on line " +
                       llvm::Twine(last->statement->begin.line) + ", later or under a condition",
                   "define it before");
  llvm::SmallVector<StringRef> known;
  if (now.frame)
    for (const auto &local : now.frame->locals)
      known.push_back(local.first);
  for (const Environment *at = now.environment; at; at = at->enclosing)
    if (at->scope)
      for (const auto &definition : at->scope->definitions())
        known.push_back(definition.getKey());
    else
      llvm::append_range(known, ::namesOf(*at->variables));
  llvm::sort(known);
  std::string remedy;
  if (StringRef close = closestOf(name, known); !close.empty())
    remedy = "did you mean '" + close.str() + "'?";
  else if (findLanguageBuiltin(name) || scalarOfLanguageName(name))
    remedy = "write tl." + name.str();
  else if (const auto *same =
               llvm::find_if(known, [&](StringRef one) { return one.equals_insensitive(name); });
           same != known.end())
    remedy = "did you mean '" + same->str() + "'?";
  else if (!now.inPython())
    remedy = "assign it before, or make it a parameter of the kernel";
  else if (now.environment->variables && !now.environment->variables->empty())
    remedy = "the names here are " + llvm::join(::namesOf(*now.environment->variables), ", ");
  return tb.fail("the name '" + name + "' is not defined", remedy);
}

//===--------------------------------------------------------------------------===//
// Operators that take several operands
//===--------------------------------------------------------------------------===//

Value Interpreter::evaluateTuple(const Exprs &elements, bool isList) {
  std::vector<Value> values;
  values.reserve(elements.size());
  for (const Expr *element : elements) {
    if (const auto *starred = element->dynAs<StarredExpr>()) {
      Value inner = evaluate(starred->value).iterated();
      if (!inner)
        return {};
      if (!inner.isTuple())
        return tb.failAt(spanOf(element), inner.describe() + " cannot be unpacked with `*`",
                         "only tuples can");
      values.insert(values.end(), inner.elements->begin(), inner.elements->end());
      continue;
    }
    values.push_back(evaluate(element));
    if (!values.back())
      return {};
  }
  return tb.makeTuple(std::move(values), isList);
}

/// An f-string of constants. Without formats, since these are Python's to define.
Value Interpreter::evaluateJoined(const JoinedStrExpr *expr) {
  std::string text;
  for (const Expr *part : expr->values) {
    if (const auto *constant = part->dynAs<ConstantExpr>()) {
      text += constant->text;
      continue;
    }
    const auto *field = part->as<FormattedValueExpr>();
    Value value = evaluate(field->value);
    if (!value)
      return {};
    if (!value.isConstant() || field->format)
      return tb.failAt(spanOf(expr),
                       "an f-string in a kernel can show constants only, "
                       "without a format",
                       value.isConstant() ? "leave the format out"
                                          : "write the value as an argument of its own: "
                                            "tl.device_print(\"x\", x)");
    if (now.inPython() && !hasPythonText(value))
      return tb.failAt(spanOf(field->value),
                       "the text of " + value.describe() + " is not known while compiling",
                       "show a number, a string or a tuple of these");
    text += field->conversion == 0 || field->conversion == 's' ? value.str() : value.repr();
  }
  return tb.makeString(text);
}

Value Interpreter::evaluateChoice(const IfExpExpr *expr) {
  Value condition = evaluate(expr->test);
  if (!condition)
    return {};
  if (condition.isTensor())
    return kernel->choose(expr, condition);
  return evaluate(tb.truth(condition) ? expr->body : expr->orElse);
}

/// A constant that decides is the result, and what comes after it is not looked at; one that
/// does not decide leaves the result to the others. Values are combined from the right.
Value Interpreter::evaluateBoolOp(const BoolOpExpr *expr) {
  llvm::SmallVector<Value> dynamic;
  Value last;
  for (const Expr *operand : expr->values) {
    last = evaluate(operand);
    if (!last)
      return {};
    if (last.isTensor())
      dynamic.push_back(last);
    else if (tb.truth(last) == (expr->op == BoolOperator::Or))
      return last;
  }
  if (dynamic.empty())
    return last;
  TritonBuilder::At span(tb, spanOf(expr));
  Value result = dynamic.pop_back_val();
  while (result && !dynamic.empty())
    result = tb.logical(expr->op, dynamic.pop_back_val(), result);
  return result;
}

static bool isIdentity(CompareOperator op) {
  return op == CompareOperator::Is || op == CompareOperator::IsNot;
}

/// `f is None`, where a module looked for a decorator of Triton's and found it.
static bool asksForDecorator(CompareOperator op, const Value &left, const Value &right) {
  return isIdentity(op) && right.isNone() && left.kind == ValueKind::Host &&
         (isJit(left.text) || isConstexprFunction(left.text));
}

/// Whether equal values may be two objects: Python has each small integer once.
static bool mayBeCopies(const Value &a, const Value &b) {
  switch (a.kind) {
  case ValueKind::Integer:
    return (a.integer < -5 || a.integer > 256) && a.sameAs(b);
  case ValueKind::Float:
  case ValueKind::String:
  case ValueKind::Tuple:
  case ValueKind::Dict:
  case ValueKind::Set:
  case ValueKind::Slice:
  case ValueKind::Method:
  case ValueKind::Config:
    return a.equals(b);
  default:
    return false;
  }
}

/// a < b < c is (a < b) and (b < c), with b evaluated once.
Value Interpreter::evaluateCompare(const CompareExpr *expr) {
  Value left = evaluate(expr->left);
  Value result;
  for (size_t i = 0; left && i < expr->ops.size(); ++i) {
    Value right = evaluate(expr->comparators[i]);
    if (!right)
      return {};
    TritonBuilder::At span(tb, spanOf(expr));
    if (isIdentity(expr->ops[i]) && now.inPython() && mayBeCopies(left, right))
      return tb.fail("whether " + left.describe() + " and " + right.describe() +
                         " are one object is not known while compiling",
                     "compare with == or !=");
    Value one = asksForDecorator(expr->ops[i], left, right)
                    ? Value::boolean(expr->ops[i] == CompareOperator::IsNot)
                    : tb.compare(expr->ops[i], left, right);
    if (!one)
      return {};
    if (!result)
      result = one;
    else if (!result.isTensor() && !tb.truth(result))
      return result;
    else if (!result.isTensor())
      result = one;
    else
      result = tb.logical(BoolOperator::And, result, one);
    left = right;
  }
  return left ? result : Value();
}
