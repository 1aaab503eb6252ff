//===- Expressions.cpp - Code generation for expressions ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/CodeGen.h"

#include "frontend/names/KnownModules.h"
#include "frontend/value/PythonText.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

Value CodeGen::notInKernels(const Expr *expr, const char *what, const char *remedy) {
  return tb.failAt(spanOf(expr), llvm::Twine(what) + " cannot be compiled in a kernel", remedy);
}

Value CodeGen::evaluate(const Expr *expr) {
  if (evaluationDepth == maxEvaluationDepth)
    return tb.failAt(spanOf(expr), "expressions and calls are nested too deeply here",
                     "compute a part of it in a statement before");
  ++evaluationDepth;
  Value value = evaluateNode(expr);
  --evaluationDepth;
  // A kernel has tuples only.
  value.isList &= inPython();
  if (frame && frame->python &&
      !countPythonSteps(spanOf(expr), value.isTuple() ? 1 + value.elements->size() : 1))
    return {};
  return value;
}

Value CodeGen::evaluateNode(const Expr *expr) {
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
    return tb.binary(binOp->op, left, right);
  }
  case ExprKind::UnaryOp: {
    Value operand = evaluate(expr->as<UnaryOpExpr>()->operand);
    TritonBuilder::At span(tb, spanOf(expr));
    return tb.unary(expr->as<UnaryOpExpr>()->op, operand);
  }
  case ExprKind::BoolOp:
    return evaluateBoolOp(expr->as<BoolOpExpr>());
  case ExprKind::Compare:
    return evaluateCompare(expr->as<CompareExpr>());
  case ExprKind::IfExp: {
    TritonBuilder::At span(tb, spanOf(expr));
    return conditional(expr->as<IfExpExpr>());
  }
  case ExprKind::Tuple:
    return evaluateTuple(expr->as<TupleExpr>()->elements);
  case ExprKind::List:
    return evaluateTuple(expr->as<ListExpr>()->elements, inPython());
  case ExprKind::NamedExpr:
    if (frame && frame->python) {
      Value value = evaluate(expr->as<NamedExprExpr>()->value);
      return value && assign(expr->as<NamedExprExpr>()->target, value) ? value : Value();
    }
    return notInKernels(expr, "`:=`", "assign in a statement of its own");
  case ExprKind::Lambda:
    if (inPython())
      return evaluateLambda(expr->as<LambdaExpr>());
    return notInKernels(expr, "a lambda", "define a function with @triton.jit");
  case ExprKind::Dict:
    if (inPython())
      return evaluateDict(expr->as<DictExpr>());
    return notInKernels(expr, "a dict", "use a tuple");
  case ExprKind::Set: {
    if (!inPython())
      return notInKernels(expr, "a set", "use a tuple");
    Value elements = evaluateTuple(expr->as<SetExpr>()->elements);
    TritonBuilder::At span(tb, spanOf(expr));
    return elements ? tb.makeSet(*elements.elements) : Value();
  }
  case ExprKind::ListComp: {
    Value list =
        comprehension(expr->as<ListCompExpr>()->element, expr->as<ListCompExpr>()->generators);
    list.isList = inPython();
    return list;
  }
  case ExprKind::GeneratorExp:
    return comprehension(expr->as<GeneratorExpExpr>()->element,
                         expr->as<GeneratorExpExpr>()->generators);
  case ExprKind::SetComp:
  case ExprKind::DictComp: {
    const bool isDict = expr->kind == ExprKind::DictComp;
    if (!inPython())
      return notInKernels(expr, isDict ? "a dict" : "a set", "use a tuple");
    Value parts =
        isDict
            ? comprehension({expr->as<DictCompExpr>()->key, expr->as<DictCompExpr>()->value},
                            expr->as<DictCompExpr>()->generators)
            : comprehension(expr->as<SetCompExpr>()->element, expr->as<SetCompExpr>()->generators);
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

Value CodeGen::evaluateConstant(const ConstantExpr *expr) {
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

Value CodeGen::evaluateName(const NameExpr *expr) {
  StringRef name(expr->id);
  TritonBuilder::At span(tb, spanOf(expr));
  if (frame) {
    if (auto local = frame->locals.find(name); local != frame->locals.end()) {
      if (local->second.kind == ValueKind::Unavailable && local->second.elements) {
        tb.warn("'" + name +
                    "' is the variable of a loop that has ended: Triton leaves it "
                    "undefined, here it has its last value, as in Python",
                "compute the value from the loop's bounds");
        return lastOf(local->second);
      }
      if (local->second.kind == ValueKind::Unavailable)
        return tb.fail("'" + name + "' has no value here: " + StringRef(local->second.text),
                       "assign it before");
      return local->second;
    }
  }
  const Definition *last = nullptr;
  for (const Environment *at = environment; at; at = at->enclosing) {
    if (at->variables) {
      if (auto variable = at->variables->find(name); variable != at->variables->end())
        return variable->second;
      continue;
    }
    if (const Definition *definition = resolve(*at, name))
      return globalValue(*at, *definition, name);
    if (tb.failed()) {
      tb.noteError(tb.here(), "'" + name + "' is used here");
      return {};
    }
    if (!last)
      last = at->scope->find(name);
  }
  // A file that is imported has the name of the file; conditions ask whether it is run instead.
  if (name == "__name__")
    return Value::ofString(keep(finder.fullName(*environment->module)));
  if (const Builtin *builtin = findPythonBuiltin(name))
    return Value::ofBuiltin(builtin);
  if (last)
    return tb.fail("the name '" + name + "' is not defined here: the module defines it on line " +
                       llvm::Twine(last->statement->begin.line) + ", later or under a condition",
                   "define it before");
  llvm::SmallVector<StringRef> known;
  if (frame)
    for (const auto &local : frame->locals)
      known.push_back(local.first);
  for (const Environment *at = environment; at; at = at->enclosing)
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
  else if (!inPython())
    remedy = "assign it before, or make it a parameter of the kernel";
  else if (environment->variables && !environment->variables->empty())
    remedy = "the names here are " + llvm::join(::namesOf(*environment->variables), ", ");
  return tb.fail("the name '" + name + "' is not defined", remedy);
}

//===--------------------------------------------------------------------------===//
// Operators that take several operands
//===--------------------------------------------------------------------------===//

Value CodeGen::evaluateTuple(const Exprs &elements, bool isList) {
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
Value CodeGen::evaluateJoined(const JoinedStrExpr *expr) {
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
    if (inPython() && !hasPythonText(value))
      return tb.failAt(spanOf(field->value),
                       "the text of " + value.describe() + " is not known while compiling",
                       "show a number, a string or a tuple of these");
    text += field->conversion == 0 || field->conversion == 's' ? value.str() : value.repr();
  }
  return tb.makeString(text);
}

/// A constant that decides is the result, and what comes after it is not looked at; one that
/// does not decide leaves the result to the others. Values are combined from the right.
Value CodeGen::evaluateBoolOp(const BoolOpExpr *expr) {
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

/// `f is None`, where a module looked for a decorator of Triton's and found it.
static bool asksForDecorator(CompareOperator op, const Value &left, const Value &right) {
  return (op == CompareOperator::Is || op == CompareOperator::IsNot) && right.isNone() &&
         left.kind == ValueKind::Host && (isJit(left.text) || isConstexprFunction(left.text));
}

/// a < b < c is (a < b) and (b < c), with b evaluated once.
Value CodeGen::evaluateCompare(const CompareExpr *expr) {
  Value left = evaluate(expr->left);
  Value result;
  for (size_t i = 0; left && i < expr->ops.size(); ++i) {
    Value right = evaluate(expr->comparators[i]);
    if (!right)
      return {};
    TritonBuilder::At span(tb, spanOf(expr));
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

//===--------------------------------------------------------------------------===//
// Calls
//===--------------------------------------------------------------------------===//

bool CodeGen::evaluateArguments(const CallExpr *expr, llvm::SmallVectorImpl<GivenArgument> &given) {
  for (const Expr *argument : expr->arguments) {
    if (const auto *starred = argument->dynAs<StarredExpr>()) {
      Value tuple = evaluate(starred->value).iterated();
      if (!tuple)
        return false;
      if (!tuple.isTuple())
        return tb.rejectAt(spanOf(argument), tuple.describe() + " cannot be unpacked with `*`",
                           "only tuples can");
      for (const Value &element : *tuple.elements)
        given.push_back({{}, element, spanOf(argument)});
      continue;
    }
    given.push_back({{}, evaluate(argument), spanOf(argument)});
    if (!given.back().value)
      return false;
  }
  for (const Keyword &keyword : expr->keywords) {
    if (keyword.name.empty()) {
      if (!inPython())
        return tb.rejectAt({keyword.begin, keyword.end},
                           "`**` arguments cannot be compiled in a kernel",
                           "write the arguments out");
      Value dict = evaluate(keyword.value);
      if (!dict)
        return false;
      const bool isNamed =
          dict.isDict() && llvm::all_of(*dict.iterated().elements, [](const Value &key) {
            return key.kind == ValueKind::String;
          });
      if (!isNamed)
        return tb.rejectAt({keyword.begin, keyword.end},
                           dict.describe() + " cannot be unpacked with `**`",
                           "only dicts whose keys are strings can");
      for (size_t i = 0; i < dict.elements->size(); i += 2)
        given.push_back({StringRef((*dict.elements)[i].text),
                         (*dict.elements)[i + 1],
                         {keyword.begin, keyword.end}});
      continue;
    }
    given.push_back({keyword.name, evaluate(keyword.value), {keyword.begin, keyword.end}});
    if (!given.back().value)
      return false;
  }
  return true;
}

Value CodeGen::staticAssert(const CallExpr *expr) {
  const Expr *test = expr->arguments.front();
  Value condition = evaluate(test);
  if (!condition)
    return {};
  if (!condition.isConstant())
    return tb.failAt(spanOf(test),
                     "static_assert: 'cond' must be known while compiling, not " +
                         condition.describe(),
                     "use tl.device_assert for what is known when the kernel runs");
  if (tb.truth(condition))
    return Value::none();
  const Expr *given = nullptr;
  if (expr->arguments.size() > 1)
    given = expr->arguments[1];
  else if (!expr->keywords.empty())
    given = expr->keywords.begin()->value;
  Value message = given ? evaluate(given) : Value::none();
  // That the message cannot be shown is no reason to hide the assertion.
  errors.clear();
  TritonBuilder::At span(tb, spanOf(expr));
  return tb.fail("tl.static_assert fails" +
                 (message.isConstant() && !message.isNone() ? ": " + message.str() : ""));
}

Value CodeGen::evaluateCall(const CallExpr *expr) {
  Value callee;
  if (const auto *method = expr->function->dynAs<AttributeExpr>(); method && inPython()) {
    const Value object = evaluate(method->value);
    if (!object)
      return {};
    if (std::optional<Value> result = callStringMethod(object, method->attribute, expr))
      return *result;
    if (std::optional<Value> result = callDictMethod(object, method->attribute, expr))
      return *result;
    callee = attributeAt(method, object);
  } else {
    callee = evaluate(expr->function);
  }
  if (!callee)
    return {};
  if (callee.kind == ValueKind::Builtin && callee.builtin->name == "static_assert" &&
      !expr->arguments.empty() && expr->arguments.front()->kind != ExprKind::Starred)
    return staticAssert(expr);
  llvm::SmallVector<GivenArgument> given;
  if (callee.kind == ValueKind::Host &&
      (inPython() || StringRef(callee.text).starts_with("torch.")))
    return callKnown(expr, callee.text);
  if (callee.kind == ValueKind::Method)
    given.push_back({{}, callee.elements->front(), spanOf(expr->function)});
  if (callee.kind != ValueKind::Function && callee.kind != ValueKind::Builtin &&
      callee.kind != ValueKind::Method && !(callee.kind == ValueKind::Class && callee.tupleClass))
    return tb.failAt(spanOf(expr->function),
                     callee.kind == ValueKind::Module || callee.kind == ValueKind::Host
                         ? "`" + StringRef(callee.text) + "` cannot be called in a kernel"
                         : callee.describe() + " cannot be called",
                     callee.kind == ValueKind::Module || callee.kind == ValueKind::Host
                         ? "a kernel can call triton.language and its own functions"
                         : "");
  if (!evaluateArguments(expr, given))
    return {};
  // A call is shown at its head.
  TritonBuilder::At span(tb, spanOf(expr));
  return callValue(callee, given);
}

Value CodeGen::callValue(const Value &callee, llvm::ArrayRef<GivenArgument> given) {
  if (callee.kind == ValueKind::Class)
    return makeNamedTuple(*callee.tupleClass, given);
  if (callee.kind == ValueKind::Function) {
    return callee.function->kind == FunctionKind::Jitted ? callFunction(callee.function, given)
                                                         : callPython(callee.function, given);
  }
  if (callee.builtin->name == "dict" || callee.builtin->name == "set" ||
      callee.builtin->name == "frozenset")
    return makeContainer(callee.builtin->name, given);
  if (inPython() && !(callee.builtin->flags & ConstantOnly))
    return tb.fail("tl." + callee.builtin->name + " is called outside of a kernel");
  auto caller = [&](const FunctionObject *function, llvm::ArrayRef<GivenArgument> operands) {
    return callFunction(function, operands);
  };
  Arguments arguments(tb, *callee.builtin, caller);
  if (!arguments.bind(given))
    return {};
  const bool isExtremum = callee.builtin->name == "min" || callee.builtin->name == "max";
  if (isExtremum && inPython() && callee.builtin == findPythonBuiltin(callee.builtin->name) &&
      llvm::none_of(given, [](const GivenArgument &one) { return one.value.isTensor(); }))
    return callFunctional(arguments);
  if (callee.builtin->flags & Reflective)
    return reflect(arguments);
  return callee.builtin->emit(arguments);
}
