//===- PythonMethods.cpp - Builtins: methods of constants ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include <bit>
#include <cmath>

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

//===--------------------------------------------------------------------------===//
// Strings
//===--------------------------------------------------------------------------===//

static std::optional<StringRef> stringOf(const Arguments &arguments, size_t index) {
  if (arguments[index].kind == ValueKind::String)
    return StringRef(arguments[index].text);
  arguments.fail(index, "must be a string, not " + arguments[index].describe());
  return std::nullopt;
}

/// Whether a string has characters of ASCII only, whose cases are known; an error if not.
static bool isAscii(Arguments &arguments) {
  if (arguments[0].isAsciiString())
    return true;
  arguments.fail(0, "has characters whose case is not known while compiling");
  return false;
}

static Value startsWith(Arguments &arguments) {
  std::optional<StringRef> part = stringOf(arguments, 1);
  return part ? Value::boolean(StringRef(arguments[0].text).starts_with(*part)) : Value();
}
static Value endsWith(Arguments &arguments) {
  std::optional<StringRef> part = stringOf(arguments, 1);
  return part ? Value::boolean(StringRef(arguments[0].text).ends_with(*part)) : Value();
}
static Value lowered(Arguments &arguments) {
  if (!isAscii(arguments))
    return {};
  return arguments.tb.makeString(StringRef(arguments[0].text).lower());
}
static Value raised(Arguments &arguments) {
  if (!isAscii(arguments))
    return {};
  return arguments.tb.makeString(StringRef(arguments[0].text).upper());
}
static Value stripped(Arguments &arguments) {
  return arguments.tb.makeString(StringRef(arguments[0].text).trim());
}

static Value replaced(Arguments &arguments) {
  std::optional<std::string> from = arguments.string(1), to = arguments.string(2);
  if (!from || !to)
    return {};
  if (from->empty())
    return arguments.fail(1, "is empty");
  std::string text(arguments[0].text);
  for (size_t at = text.find(*from); at != std::string::npos;
       at = text.find(*from, at + to->size()))
    text.replace(at, from->size(), *to);
  return arguments.tb.makeString(text);
}

llvm::ArrayRef<Builtin> frontend::stringMethods() {
  static constexpr Builtin builtins[] = {
      {"startswith", "string prefix", startsWith, ConstantOnly},
      {"endswith", "string suffix", endsWith, ConstantOnly},
      {"lower", "string", lowered, ConstantOnly},
      {"upper", "string", raised, ConstantOnly},
      {"strip", "string", stripped, ConstantOnly},
      {"replace", "string old new", replaced, ConstantOnly},
  };
  return builtins;
}

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

static Value bitLength(Arguments &arguments) {
  if (!arguments[0].isIntegral())
    return arguments.fail(0, "must be an integer, not " + arguments[0].describe());
  Integer number = arguments[0].integer;
  return Value::ofInteger(std::bit_width(static_cast<uint64_t>(number < 0 ? -number : number)));
}

static Value isWhole(Arguments &arguments) {
  const Value &number = arguments[0];
  return Value::boolean(number.isIntegral() || std::trunc(number.number) == number.number);
}

llvm::ArrayRef<Builtin> frontend::numberMethods() {
  static constexpr Builtin builtins[] = {
      {"bit_length", "number", bitLength, ConstantOnly},
      {"is_integer", "number", isWhole, ConstantOnly},
  };
  return builtins;
}
