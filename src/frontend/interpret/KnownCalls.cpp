//===- KnownCalls.cpp - Calls of modules that are not read --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

#include "frontend/value/Sequences.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// The numbers of a version such as "3.6.0", without zeros at the end, so that tuples of them
/// compare as versions do. Nothing of a version with letters.
static std::optional<std::vector<Value>> numbersOf(StringRef version) {
  llvm::SmallVector<StringRef> parts;
  version.split('+').first.split(parts, '.');
  std::vector<Value> numbers;
  for (StringRef part : parts) {
    int64_t number;
    if (part.getAsInteger(10, number) || number < 0)
      return std::nullopt;
    numbers.push_back(Value::ofInteger(number));
  }
  while (!numbers.empty() && numbers.back().integer == 0)
    numbers.pop_back();
  return numbers;
}

static std::optional<CompareOperator> comparisonNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<CompareOperator>>(name)
      .Case("eq", CompareOperator::Eq)
      .Case("ne", CompareOperator::NotEq)
      .Case("lt", CompareOperator::Lt)
      .Case("le", CompareOperator::LtE)
      .Case("gt", CompareOperator::Gt)
      .Case("ge", CompareOperator::GtE)
      .Default(std::nullopt);
}

StringRef Interpreter::flagsOf(StringRef jit, const CallExpr &call) {
  std::string flags = jit.str();
  for (const Keyword &keyword : call.keywords)
    if (const auto *value = keyword.value->dynAs<ConstantExpr>();
        value && value->constant == ConstantKind::True &&
        (keyword.name == "noinline" || keyword.name == "debug"))
      flags += " " + std::string(keyword.name);
  return now.keep(flags);
}

Value Interpreter::callKnown(const CallExpr *call, StringRef callee) {
  if (isConfig(callee))
    return makeConfig(call);
  // Decorators: their arguments say how the kernel is launched, and need not be evaluated.
  if (isJit(callee) && call->arguments.empty())
    return Value::host(flagsOf(callee, *call));
  if (callee == "triton.autotune" || callee == "triton.heuristics" ||
      callee.starts_with("triton.runtime.autotuner."))
    return Value::host("triton.autotune()");
  if (isJit(callee) && call->arguments.size() == 1) {
    Value function = evaluate(call->arguments[0]);
    if (function.kind == ValueKind::Function)
      return Value::ofFunction(
          resolver.functions.decorated(function.function, flagsOf(callee, *call)));
  }
  llvm::SmallVector<GivenArgument> given;
  if (!evaluateArguments(call, given))
    return {};
  TritonBuilder::At span(tb, spanOf(call));
  if (Value known = resolver.devices.call(callee, given); known || tb.failed())
    return known;
  if (callee == "collections.namedtuple")
    if (Value made = makeTupleClass(given); made || tb.failed())
      return made;
  const Value *first = given.empty() || !given[0].keyword.empty() ? nullptr : &given[0].value;
  if (callee == "functools.partial" && first && first->kind == ValueKind::Host &&
      isJit(first->text))
    return *first;
  if (callee == "importlib.import_module" && first && first->kind == ValueKind::String &&
      isTritonModule(first->text))
    return Value::ofModule(first->text);
  // A specification of a module: not None, and leads to the module.
  if (callee == "importlib.util.find_spec" && first && first->kind == ValueKind::String &&
      isTritonModule(first->text))
    return Value::ofModule(now.keep(moduleSpecification + first->text));
  if (callee == "importlib.util.module_from_spec" && first && first->kind == ValueKind::Module &&
      StringRef(first->text).starts_with(moduleSpecification))
    return Value::ofModule(first->text.substr(moduleSpecification.size()));
  if (callee == "importlib.Loader.exec_module")
    return Value::none();
  if (callee == "functools.reduce" && given.size() >= 2 && given.size() <= 3) {
    Value elements = elementsIn(tb, given[1].value, given[1].span);
    Value total = given.size() == 3 ? given[2].value : Value();
    if (!elements)
      return {};
    for (const Value &element : *elements.elements) {
      const GivenArgument operands[] = {{{}, total, given[1].span}, {{}, element, given[1].span}};
      if (total && first->kind != ValueKind::Function)
        return tb.fail(first->describe() + " cannot be called while compiling");
      if (!(total = total ? callValue(*first, operands) : element))
        return {};
    }
    return total ? total : tb.fail("functools.reduce needs at least one element");
  }
  if (callee.starts_with("operator.") && given.size() == 2)
    if (auto op = comparisonNamed(callee.drop_front(StringRef("operator.").size())))
      return tb.compare(*op, given[0].value, given[1].value);
  if (first && first->kind == ValueKind::Function && given.size() == 1 &&
      callee == "triton.autotune()")
    return *first;
  if (isConstexprFunction(callee) && first && given.size() == 1) {
    // What is Triton's own runs while compiling already.
    if (first->kind == ValueKind::Builtin && (first->builtin->flags & ConstantOnly))
      return *first;
    if (first->kind == ValueKind::Function)
      return Value::ofFunction(resolver.functions.decorated(first->function, callee));
  }
  if ((callee == "os.environ.get" || callee == "os.getenv") && first &&
      first->kind == ValueKind::String && given.size() <= 2) {
    Value value = resolver.known.environmentVariable(first->text);
    return value.isNone() && given.size() == 2 ? given[1].value : value;
  }
  if (callee.starts_with("packaging.version.") && first && first->kind == ValueKind::String &&
      given.size() == 1)
    if (std::optional<std::vector<Value>> numbers = numbersOf(first->text))
      return tb.makeTuple(std::move(*numbers));
  return tb.failAt(spanOf(call->function), "`" + callee + "` cannot be called while compiling",
                   "make what it computes a constant, or a parameter of the kernel");
}
