//===- Containers.cpp - Dicts and sets, and functions that take functions -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Modules choose constants from tables and by small functions:
//
//     TILES = {"small": 32, "large": 128}
//     WIDEST = tl.constexpr(max(TILES, key=lambda name: TILES[name]))
//
// Kernels have neither; this is for the code that runs outside of them. A dict or a set is a
// constant like a tuple, and is not changed once it is made (ScopeChanges.cpp tells which names'
// are). The order of a set's elements is that of hashes, which differs from run to run: nothing
// that depends on it is evaluated.
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

#include "frontend/value/Sequences.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

Value Interpreter::evaluateDict(const DictExpr *expr) {
  std::vector<Value> parts;
  for (size_t i = 0; i < expr->values.size(); ++i) {
    Value key = expr->keys[i] ? evaluate(expr->keys[i]) : Value::none();
    Value value = key ? evaluate(expr->values[i]) : Value();
    if (!value)
      return {};
    if (expr->keys[i]) {
      parts.insert(parts.end(), {key, value});
      continue;
    }
    // {**other}
    if (!value.isDict())
      return tb.failAt(spanOf(expr->values[i]), value.describe() + " cannot be unpacked with `**`",
                       "only dicts can");
    parts.insert(parts.end(), value.elements->begin(), value.elements->end());
  }
  TritonBuilder::At span(tb, spanOf(expr));
  return tb.makeDict(parts);
}

Value Interpreter::makeContainer(StringRef name, llvm::ArrayRef<GivenArgument> given) {
  std::vector<Value> parts;
  for (const GivenArgument &argument : given) {
    if (name == "dict" && !argument.keyword.empty()) {
      parts.insert(parts.end(), {Value::ofString(now.keep(argument.keyword)), argument.value});
      continue;
    }
    if (!argument.keyword.empty() || &argument != given.begin())
      return tb.failAt(argument.span, name + " takes no more than one argument");
    if (name == "dict" && argument.value.isDict()) {
      parts = *argument.value.elements;
      continue;
    }
    // The elements of a set may come in any order.
    Value elements = name != "dict" && argument.value.isSet()
                         ? argument.value
                         : elementsIn(tb, argument.value, argument.span);
    if (!elements)
      return {};
    for (const Value &element : *elements.elements) {
      if (name != "dict") {
        parts.push_back(element);
        continue;
      }
      const Value pair = element.iterated();
      if (!pair.isTuple() || pair.elements->size() != 2)
        return tb.failAt(argument.span, "a dict is made of pairs, not of " + element.describe());
      parts.insert(parts.end(), pair.elements->begin(), pair.elements->end());
    }
  }
  return name == "dict" ? tb.makeDict(parts) : tb.makeSet(parts);
}

std::optional<Value> Interpreter::callDictMethod(const Value &dict, StringRef name,
                                                 const CallExpr *call) {
  static constexpr StringRef known[] = {"get", "keys", "values", "items", "copy"};
  if (!dict.isDict() || !llvm::is_contained(known, name))
    return std::nullopt;
  llvm::SmallVector<GivenArgument> given;
  if (!evaluateArguments(call, given))
    return Value();
  TritonBuilder::At span(tb, spanOf(call));
  const bool isGet = name == "get";
  if (given.size() < isGet || given.size() > (isGet ? 2 : 0) ||
      llvm::any_of(given, [](const GivenArgument &one) { return !one.keyword.empty(); }))
    return tb.fail("these arguments of the method '" + name + "' of a dict do not fit",
                   isGet ? "write get(key) or get(key, default)" : "it takes none");
  if (isGet) {
    if (!tb.checkKey(given[0].value, &dict))
      return Value();
    const Value *found = tb.findKey(dict, given[0].value);
    return found ? *found : given.size() == 2 ? given[1].value : Value::none();
  }
  if (name == "copy")
    return dict;
  if (name == "keys")
    return dict.iterated();
  std::vector<Value> results;
  for (size_t i = 0; i < dict.elements->size(); i += 2) {
    const Value &key = (*dict.elements)[i], &value = (*dict.elements)[i + 1];
    results.push_back(name == "values" ? value : Value::tuple({key, value}));
  }
  return tb.makeTuple(std::move(results));
}

/// Whether a number is a NaN, which has no place in an order.
static bool isNan(const Value &value) {
  return value.kind == ValueKind::Float && value.number != value.number;
}

Value Interpreter::callFunctional(Arguments &arguments) {
  const StringRef name = arguments.builtin.name;
  auto apply = [&](const Value &function, llvm::ArrayRef<Value> operands) -> Value {
    const bool isCallable =
        function.kind == ValueKind::Function || function.kind == ValueKind::Builtin;
    if (!isCallable)
      return tb.fail(function.describe() + " cannot be called while compiling");
    llvm::SmallVector<GivenArgument> given;
    for (const Value &operand : operands)
      given.push_back({{}, operand, tb.here()});
    return callValue(function, given);
  };
  if (name == "map" || name == "filter") {
    std::vector<Value> columns;
    if (name == "filter")
      columns.push_back(arguments[1]);
    else if (arguments[1].isTuple())
      columns = *arguments[1].elements;
    // The arguments of a single tuple stand for themselves (Arguments::bind).
    if (name == "map" && arguments.isSpread(1))
      columns = {arguments[1]};
    size_t rows = columns.empty() ? 0 : tb.maxTupleParts;
    for (Value &column : columns) {
      if (!(column = elementsIn(tb, column, arguments.spanOf(1))))
        return {};
      rows = std::min(rows, column.elements->size());
    }
    std::vector<Value> results;
    for (size_t row = 0; row < rows; ++row) {
      llvm::SmallVector<Value> operands;
      for (const Value &column : columns)
        operands.push_back((*column.elements)[row]);
      Value result =
          name == "filter" && arguments[0].isNone() ? operands[0] : apply(arguments[0], operands);
      if (!result)
        return {};
      if (name == "map")
        results.push_back(result);
      else if (tb.truth(result))
        results.push_back(operands[0]);
      if (tb.failed())
        return {};
    }
    return tb.makeTuple(std::move(results));
  }
  if (name == "iter")
    return elementsIn(tb, arguments[0], arguments.spanOf(0));
  if (name == "next") {
    Value elements = elementsIn(tb, arguments[0], arguments.spanOf(0));
    if (!elements || !elements.elements->empty())
      return elements ? elements.elements->front() : Value();
    return arguments.given(1) ? arguments[1] : arguments.fail(0, "has no element");
  }
  // sorted, min and max: what is compared beside what it stands for.
  Value elements =
      arguments[0].isSet() ? arguments[0] : elementsIn(tb, arguments[0], arguments.spanOf(0));
  if (name != "sorted" && elements.isTuple() && elements.elements->size() == 1 &&
      !arguments.isSpread(0)) {
    const Value only = elements.elements->front();
    elements = only.isSet() ? only : elementsIn(tb, only, arguments.spanOf(0));
  }
  if (!elements)
    return {};
  std::vector<std::pair<Value, Value>> entries;
  for (const Value &element : *elements.elements) {
    Value key = arguments[1].isNone() ? element : apply(arguments[1], element);
    if (!key)
      return {};
    if (isNan(key))
      return arguments.fail(0, "has a NaN, which is neither less nor greater than a number");
    entries.emplace_back(std::move(key), element);
  }
  auto less = [&](const auto &a, const auto &b) {
    Value result = tb.failed() ? Value() : tb.foldCompare(CompareOperator::Lt, a.first, b.first);
    return result && tb.truth(result);
  };
  if (name != "sorted") {
    if (entries.empty())
      return arguments.given(2) ? arguments[2] : arguments.fail(0, "has no elements");
    const auto *best = &entries.front();
    for (const auto &entry : entries)
      if (name == "min" ? less(entry, *best) : less(*best, entry))
        best = &entry;
    return tb.failed() ? Value() : best->second;
  }
  std::optional<bool> isReversed = arguments.flag(2, false);
  if (!isReversed)
    return {};
  // Equal elements stay in their order, also where the order is reversed. One by one, since a
  // comparison may fail.
  std::vector<std::pair<Value, Value>> sorted;
  for (const auto &entry : entries)
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), entry,
                                   [&](const auto &a, const auto &b) {
                                     return *isReversed ? less(b, a) : less(a, b);
                                   }),
                  entry);
  if (tb.failed())
    return {};
  std::vector<Value> results;
  for (auto &entry : sorted)
    results.push_back(std::move(entry.second));
  return Value::list(std::move(results));
}
