//===- Python.cpp - Builtins: Python's own functions, on constants ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "frontend/value/PythonText.h"
#include "llvm/ADT/STLExtras.h"

#include <charconv>
#include <cmath>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

//===--------------------------------------------------------------------------===//
// Conversions
//===--------------------------------------------------------------------------===//

static Value toFloat(Arguments &arguments) {
  const Value &value = arguments[0];
  if (value.isNumber())
    return Value::ofFloat(value.asFloat());
  if (value.kind == ValueKind::String) {
    std::string text = StringRef(value.text).trim().lower();
    bool negative = !text.empty() && text[0] == '-';
    StringRef digits(text);
    if (negative || digits.starts_with("+"))
      digits = digits.drop_front();
    double number;
    auto result = std::from_chars(digits.begin(), digits.end(), number);
    if (!digits.empty() && digits[0] != '-' && result.ec == std::errc() &&
        result.ptr == digits.end())
      return Value::ofFloat(negative ? -number : number);
  }
  return arguments.fail(0, "cannot be made a constant float: it is " + value.describe(),
                        value.isTensor() ? "use .to(tl.float32)" : "");
}

static Value toInteger(Arguments &arguments) {
  const Value &value = arguments[0];
  if (value.isIntegral())
    return Value::ofInteger(value.integer);
  if (value.kind == ValueKind::Float && std::abs(value.number) < 0x1p63)
    return Value::ofInteger(static_cast<int64_t>(value.number));
  int64_t parsed;
  if (value.kind == ValueKind::String && !StringRef(value.text).trim().getAsInteger(10, parsed))
    return Value::ofInteger(parsed);
  return arguments.fail(0, "cannot be made a constant integer: it is " + value.describe(),
                        value.isTensor() ? "use .to(tl.int32)" : "");
}

static Value toBoolean(Arguments &arguments) {
  if (arguments[0].isTensor())
    return arguments.fail(0, "cannot be made a constant: it is " + arguments[0].describe(),
                          "compare with `!= 0`");
  return Value::boolean(arguments.tb.truth(arguments[0]));
}

static Value toText(Arguments &arguments) {
  if (!arguments[0].isConstant())
    return arguments.fail(0, "must be a constant, not " + arguments[0].describe());
  if (!hasPythonText(arguments[0]))
    return arguments.fail(0, "is " + arguments[0].describe() +
                                 ", whose text is not known while compiling");
  return arguments.tb.makeString(arguments[0].str());
}

template <bool makesList> static Value toTuple(Arguments &arguments) {
  Value elements = arguments.given(0) ? arguments[0].iterated() : Value::tuple({});
  if (!elements.isTuple())
    return arguments.fail(0, "must be a tuple, not " + elements.describe(),
                          elements.isSet() ? "the order of a set's elements is not known; use "
                                             "sorted(..)"
                                           : "");
  elements.isList = makesList;
  elements.tupleClass = nullptr;
  return elements;
}

//===--------------------------------------------------------------------------===//
// Sequences
//===--------------------------------------------------------------------------===//

static Value length(Arguments &arguments) {
  const Value &value = arguments[0];
  if (value.isTuple() || value.isSet())
    return Value::ofInteger(static_cast<Integer>(value.elements->size()));
  if (value.isDict())
    return Value::ofInteger(static_cast<Integer>(value.elements->size() / 2));
  // Texts are UTF-8; Python counts code points, each of which has one byte that continues none.
  if (value.kind == ValueKind::String)
    return Value::ofInteger(
        llvm::count_if(value.text, [](char byte) { return (byte & 0xC0) != 0x80; }));
  if (value.isBlock())
    return Value::ofInteger(value.shape().front());
  return arguments.fail(0, "has no length: it is " + value.describe());
}

/// The elements of a tuple argument; null, after an error, if it is none.
static const std::vector<Value> *elementsOf(Arguments &arguments, size_t index) {
  arguments.replace(index, arguments[index].iterated());
  if (arguments[index].isTuple())
    return arguments[index].elements.get();
  StringRef name = arguments.builtin.name;
  bool inLanguage = arguments[index].isTensor() && findLanguageBuiltin(name);
  arguments.fail(index, "must be a tuple, not " + arguments[index].describe(),
                 inLanguage ? "use tl." + name : "");
  return nullptr;
}

static Value sum(Arguments &arguments) {
  const std::vector<Value> *elements = elementsOf(arguments, 0);
  if (!elements)
    return {};
  Value total = arguments.given(1) ? arguments[1] : Value::ofInteger(0);
  for (const Value &element : *elements)
    total = arguments.tb.binary(BinaryOperator::Add, total, element);
  return total;
}

/// `any` and `all`: the first element whose truth is `deciding` decides.
template <bool deciding> static Value quantified(Arguments &arguments) {
  const std::vector<Value> *elements = elementsOf(arguments, 0);
  if (!elements)
    return {};
  for (const Value &element : *elements) {
    if (!element.isConstant())
      return arguments.fail(0, "must have constants for elements, not " + element.describe(),
                            "combine tensors with `|` and `&`");
    if (arguments.tb.truth(element) == deciding)
      return Value::boolean(deciding);
  }
  return Value::boolean(!deciding);
}

static Value enumerated(Arguments &arguments) {
  const std::vector<Value> *elements = elementsOf(arguments, 0);
  if (!elements)
    return {};
  std::vector<Value> pairs;
  Integer at = arguments[1].isIntegral() ? arguments[1].integer : 0;
  for (const Value &element : *elements)
    pairs.push_back(Value::tuple({Value::ofInteger(at++), element}));
  return arguments.tb.makeTuple(std::move(pairs));
}

static Value zipped(Arguments &arguments) {
  std::vector<Value> columns = *arguments[0].elements;
  size_t rows = columns.empty() ? 0 : arguments.tb.maxTupleParts;
  for (Value &column : columns) {
    column = column.iterated();
    if (!column.isTuple())
      return arguments.fail(0, "must be tuples, not " + column.describe());
    rows = std::min(rows, column.elements->size());
  }
  std::vector<Value> result;
  for (size_t i = 0; i < rows; ++i) {
    std::vector<Value> row;
    for (const Value &column : columns)
      row.push_back((*column.elements)[i]);
    result.push_back(Value::tuple(std::move(row)));
  }
  return arguments.tb.makeTuple(std::move(result));
}

static Value reversedTuple(Arguments &arguments) {
  const std::vector<Value> *elements = elementsOf(arguments, 0);
  if (!elements)
    return {};
  return Value::tuple({elements->rbegin(), elements->rend()});
}

/// Outside the head of a loop, a range of constants is the tuple of its numbers.
static Value rangeTuple(Arguments &arguments) {
  std::optional<int64_t> bounds[3] = {0, 0, 1};
  bool both = arguments.given(1);
  if (both)
    bounds[0] = arguments.integer(0);
  bounds[1] = bounds[0] ? arguments.integer(both ? 1 : 0) : std::nullopt;
  if (bounds[1] && arguments.given(2))
    bounds[2] = arguments.integer(2);
  if (!bounds[1] || !bounds[2])
    return {};
  Integer lower = *bounds[0], upper = *bounds[1], step = *bounds[2];
  if (step == 0)
    return arguments.fail(2, "is zero");
  std::vector<Value> numbers;
  for (Integer i = lower; step > 0 ? i < upper : i > upper; i += step) {
    if (numbers.size() >= arguments.tb.maxTupleParts)
      return arguments.tb.fail("this range has more than " +
                                   llvm::Twine(arguments.tb.maxTupleParts) + " numbers",
                               "loop over the range itself");
    numbers.push_back(Value::ofInteger(i));
  }
  return arguments.tb.makeTuple(std::move(numbers));
}

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

static Value absolute(Arguments &arguments) {
  const Value &value = arguments[0];
  if (value.kind == ValueKind::Float)
    return Value::ofFloat(std::fabs(value.number));
  if (value.isIntegral())
    return Value::ofInteger(value.integer < 0 ? -value.integer : value.integer);
  return arguments.fail(0, "must be a constant number, not " + value.describe(),
                        value.isTensor() ? "use tl.abs" : "");
}

/// The one of two numbers that Python's min or max gives: the first of equal ones.
template <bool larger> static Value extremeNumber(const Value &left, const Value &right) {
  const Value &greater = larger ? right : left, &less = larger ? left : right;
  const bool takeRight = left.isIntegral() && right.isIntegral()
                             ? greater.integer > less.integer
                             : greater.asFloat() > less.asFloat();
  return takeRight ? right : left;
}

/// Python's min and max: of numbers a number, of anything else tl.minimum and tl.maximum.
template <bool larger> static Value extremum(Arguments &arguments) {
  const std::vector<Value> &values = *arguments[0].elements;
  if (values.empty())
    return arguments.tb.fail(arguments.builtin.name + " needs at least one argument");
  for (size_t option : {1, 2})
    if (arguments.given(option))
      return arguments.fail(option, "cannot be given in a kernel");
  Value result = values[0];
  for (const Value &value : llvm::drop_begin(values)) {
    for (const Value *operand : {static_cast<const Value *>(&result), &value})
      if (*operand && !operand->isNumber() && !operand->isTensor())
        return arguments.fail(0, "must be numbers or tensors, not " + operand->describe());
    if (result.isNumber() && value.isNumber())
      result = extremeNumber<larger>(result, value);
    else
      result = larger ? arguments.tb.maximum(result, value, false)
                      : arguments.tb.minimum(result, value, false);
  }
  return result;
}

/// The finite or infinite number of an argument.
static std::optional<double> numberOf(const Arguments &arguments, size_t index) {
  if (arguments[index].isNumber())
    return arguments[index].asFloat();
  arguments.fail(
      index, "must be a constant number, not " + arguments[index].describe(),
      arguments[index].isTensor() ? "use the function of triton.language of the same name" : "");
  return std::nullopt;
}

/// A function of a number, where it is defined: Python refuses other numbers as well.
template <double (*function)(double)> static Value ofNumber(Arguments &arguments) {
  std::optional<double> number = numberOf(arguments, 0);
  if (!number)
    return {};
  double result = function(*number);
  if (std::isnan(result) && !std::isnan(*number))
    return arguments.fail(0, "is " + arguments[0].repr() + ", where " + arguments.builtin.name +
                                 " is not defined");
  if (std::isinf(result) && !std::isinf(*number))
    return arguments.fail(0, "is " + arguments[0].repr() + ", where " + arguments.builtin.name +
                                 " is infinite");
  return Value::ofFloat(result);
}

template <double (*function)(double)> static Value roundedNumber(Arguments &arguments) {
  std::optional<double> number = numberOf(arguments, 0);
  if (!number)
    return {};
  if (arguments[0].isIntegral())
    return Value::ofInteger(arguments[0].integer);
  double result = function(*number);
  if (!(std::fabs(result) < 0x1p63))
    return arguments.fail(0, "is " + arguments[0].repr() + ", which fits no integer of 64 bits");
  return Value::ofInteger(static_cast<int64_t>(result));
}

static Value power(Arguments &arguments) {
  std::optional<double> base = numberOf(arguments, 0);
  std::optional<double> exponent = base ? numberOf(arguments, 1) : std::nullopt;
  return exponent ? Value::ofFloat(std::pow(*base, *exponent)) : Value();
}

static Value greatestCommonDivisor(Arguments &arguments) {
  std::optional<int64_t> a = arguments.integer(0);
  std::optional<int64_t> b = a ? arguments.integer(1) : std::nullopt;
  if (!b)
    return {};
  Integer x = *a < 0 ? -Integer(*a) : Integer(*a), y = *b < 0 ? -Integer(*b) : Integer(*b);
  while (y != 0)
    std::swap(x %= y, y);
  return Value::ofInteger(x);
}

static Value isNan(Arguments &arguments) {
  std::optional<double> number = numberOf(arguments, 0);
  return number ? Value::boolean(std::isnan(*number)) : Value();
}
static Value isInfinite(Arguments &arguments) {
  std::optional<double> number = numberOf(arguments, 0);
  return number ? Value::boolean(std::isinf(*number)) : Value();
}

//===--------------------------------------------------------------------------===//
// The tables
//===--------------------------------------------------------------------------===//

static Value sameFunction(Arguments &arguments) { return arguments[0]; }

/// The Interpreter does these itself; they are here to be found.
static Value reflective(Arguments &) { return {}; }

llvm::ArrayRef<Builtin> frontend::pythonBuiltins() {
  static constexpr Builtin builtins[] = {
      {"range", "start stop? step?", rangeTuple, Range | ConstantOnly},
      {"float", "value", toFloat, ConstantOnly},
      {"int", "value", toInteger, ConstantOnly},
      {"bool", "value", toBoolean, ConstantOnly},
      {"str", "value", toText, ConstantOnly},
      {"tuple", "values?", toTuple<false>, ConstantOnly},
      {"list", "values?", toTuple<true>, ConstantOnly},
      {"len", "value", length, ConstantOnly},
      {"abs", "value", absolute, ConstantOnly},
      {"min", "*values key? default?", extremum<false>, ConstantOnly},
      {"max", "*values key? default?", extremum<true>, ConstantOnly},
      {"sum", "values start?", sum, ConstantOnly},
      {"any", "values", quantified<true>, ConstantOnly},
      {"all", "values", quantified<false>, ConstantOnly},
      {"enumerate", "values start?", enumerated, ConstantOnly},
      {"zip", "*values", zipped, ConstantOnly},
      {"reversed", "values", reversedTuple, ConstantOnly},
      {"sorted", "values key? reverse?", reflective, ConstantOnly | Reflective},
      {"map", "function *values", reflective, ConstantOnly | Reflective},
      {"filter", "function values", reflective, ConstantOnly | Reflective},
      {"iter", "values", reflective, ConstantOnly | Reflective},
      {"next", "values default?", reflective, ConstantOnly | Reflective},
      {"dict", "*values", reflective, ConstantOnly},
      {"set", "values?", reflective, ConstantOnly},
      {"frozenset", "values?", reflective, ConstantOnly},
      {"staticmethod", "function", sameFunction, ConstantOnly},
      {"isinstance", "value classes", reflective, ConstantOnly | Reflective},
      {"getattr", "value name default?", reflective, ConstantOnly | Reflective},
      {"hasattr", "value name", reflective, ConstantOnly | Reflective},
  };
  return builtins;
}

llvm::ArrayRef<Builtin> frontend::pythonMathBuiltins() {
  static constexpr Builtin builtins[] = {
      {"sqrt", "x", ofNumber<std::sqrt>, ConstantOnly},
      {"exp", "x", ofNumber<std::exp>, ConstantOnly},
      {"exp2", "x", ofNumber<std::exp2>, ConstantOnly},
      {"log", "x", ofNumber<std::log>, ConstantOnly},
      {"log2", "x", ofNumber<std::log2>, ConstantOnly},
      {"log10", "x", ofNumber<std::log10>, ConstantOnly},
      {"sin", "x", ofNumber<std::sin>, ConstantOnly},
      {"cos", "x", ofNumber<std::cos>, ConstantOnly},
      {"tanh", "x", ofNumber<std::tanh>, ConstantOnly},
      {"fabs", "x", ofNumber<std::fabs>, ConstantOnly},
      {"ceil", "x", roundedNumber<std::ceil>, ConstantOnly},
      {"floor", "x", roundedNumber<std::floor>, ConstantOnly},
      {"trunc", "x", roundedNumber<std::trunc>, ConstantOnly},
      {"pow", "x y", power, ConstantOnly},
      {"gcd", "a b", greatestCommonDivisor, ConstantOnly},
      {"isnan", "x", isNan, ConstantOnly},
      {"isinf", "x", isInfinite, ConstantOnly},
  };
  return builtins;
}
