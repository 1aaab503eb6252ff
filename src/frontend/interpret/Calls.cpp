//===- Calls.cpp - Evaluation of calls ----------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

bool Interpreter::evaluateArguments(const CallExpr *expr,
                                    llvm::SmallVectorImpl<GivenArgument> &given) {
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
    // Triton's compiler hands these to functions of Gluon's `builtin`, which hand them on.
    if (keyword.name == "_semantic" || keyword.name == "_generator")
      continue;
    if (keyword.name.empty()) {
      if (!now.inPython())
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

Value Interpreter::staticAssert(const CallExpr *expr) {
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
  now.errors.clear();
  TritonBuilder::At span(tb, spanOf(expr));
  return tb.fail("tl.static_assert fails" +
                 (message.isConstant() && !message.isNone() ? ": " + message.str() : ""));
}

Value Interpreter::evaluateCall(const CallExpr *expr) {
  Value callee;
  if (const auto *method = expr->function->dynAs<AttributeExpr>(); method && now.inPython()) {
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
      (now.inPython() || StringRef(callee.text).starts_with("torch.")))
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

Value Interpreter::callKernel(const FunctionObject *function, llvm::ArrayRef<GivenArgument> given) {
  if (now.inPython())
    return tb.fail("'" + function->name() +
                       "' is compiled for the kernel, and is called outside of a kernel",
                   "put @triton.constexpr_function before it if it computes with constants");
  return kernel->callFunction(function, given);
}

Value Interpreter::callValue(const Value &callee, llvm::ArrayRef<GivenArgument> given) {
  if (callee.kind == ValueKind::Class)
    return callee.tupleClass->isAggregate ? makeAggregate(callee, given)
                                          : makeNamedTuple(*callee.tupleClass, given);
  // Methods of aggregates are functions of the source.
  if (callee.function) {
    return callee.function->kind == FunctionKind::Jitted ? callKernel(callee.function, given)
                                                         : python.call(callee.function, given);
  }
  if (callee.builtin->name == "dict" || callee.builtin->name == "set" ||
      callee.builtin->name == "frozenset")
    return makeContainer(callee.builtin->name, given);
  if (now.inPython() && !(callee.builtin->flags & ConstantOnly))
    return tb.fail("tl." + callee.builtin->name + " is called outside of a kernel");
  auto caller = [&](const FunctionObject *function, llvm::ArrayRef<GivenArgument> operands) {
    return callKernel(function, operands);
  };
  Arguments arguments(tb, *callee.builtin, caller);
  if (!arguments.bind(given))
    return {};
  const bool isExtremum = callee.builtin->name == "min" || callee.builtin->name == "max";
  if (isExtremum && now.inPython() && callee.builtin == findPythonBuiltin(callee.builtin->name) &&
      llvm::none_of(given, [](const GivenArgument &one) { return one.value.isTensor(); }))
    return callFunctional(arguments);
  if (callee.builtin->flags & Specializes && kernel)
    return kernel->specializeWarps(arguments);
  if (callee.builtin->flags & Reflective)
    return reflect(arguments);
  return callee.builtin->emit(arguments);
}
