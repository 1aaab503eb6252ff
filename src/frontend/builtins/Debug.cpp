//===- Debug.cpp - Builtins: assertions and printing --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/tt/Dialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

//===--------------------------------------------------------------------------===//
// While compiling
//===--------------------------------------------------------------------------===//

static Value staticAssert(Arguments &arguments) {
  const Value &condition = arguments[0];
  if (!condition.isConstant())
    return arguments.fail(0, "must be known while compiling, not " + condition.describe(),
                          "use tl.device_assert for what is known when the kernel runs");
  if (arguments.tb.truth(condition))
    return Value::none();
  std::string message = arguments[1].isNone() ? "" : arguments[1].str();
  return arguments.tb.fail("tl.static_assert fails" + (message.empty() ? "" : ": " + message));
}

/// Becomes a note of the compilation. Of values, what they are is told.
static Value staticPrint(Arguments &arguments) {
  std::string separator = " ";
  if (arguments.given(1) && arguments[1].kind == ValueKind::String)
    separator = arguments[1].text;
  std::string line;
  for (const Value &value : *arguments[0].elements)
    line += (line.empty() ? "" : separator) + (value.isConstant() ? value.str() : value.describe());
  arguments.tb.note(line);
  return Value::none();
}

//===--------------------------------------------------------------------------===//
// While the kernel runs
//===--------------------------------------------------------------------------===//

Value TritonBuilder::deviceAssert(const Value &condition, const Value &mask, StringRef message) {
  if (!facts.assertions)
    return Value::none();
  Value holds = toBool(condition);
  if (holds && !mask.isNone())
    holds = binary(BinaryOperator::BitOr, holds, unary(UnaryOperator::Not, mask));
  if (!holds)
    return {};
  tt::AssertOp::create(builder, loc(), holds.ssa, builder.getStringAttr(message));
  return Value::none();
}

static Value deviceAssert(Arguments &arguments) {
  // Any constant is shown as Python shows it.
  const bool isShown = arguments.given(1) && arguments[1].isConstant();
  std::optional<std::string> message =
      isShown ? std::optional(arguments[1].str()) : arguments.string(1);
  Value condition = message ? arguments.tensor(0) : Value();
  if (!condition)
    return {};
  if (condition.type.isPointer() || condition.type.isFloat())
    return arguments.fail(0, "must be boolean, not " + condition.describe(),
                          "compare, as in `x > 0`");
  Value mask = Value::none();
  if (arguments.given(2) && !arguments[2].isNone()) {
    mask = arguments.tensor(2);
    if (!mask)
      return {};
  }
  return arguments.tb.deviceAssert(condition, mask, *message);
}

/// The text before each value: " name: ", so that it reads well after the place.
static std::string prefixOf(StringRef given, bool hasValues) {
  std::string prefix = given.str();
  if (hasValues && !given.ends_with(": "))
    prefix = (given.ends_with(" ") ? given.drop_back() : given).rtrim(':').str() + ": ";
  if (prefix.size() > 2 && prefix.front() != ' ')
    prefix.insert(prefix.begin(), ' ');
  return prefix;
}

static Value devicePrint(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &prefix = arguments[0];
  if (prefix.kind != ValueKind::String)
    return arguments.fail(0, "must be a constant string, not " + prefix.describe(),
                          "write a text first: print(\"x\", x)");
  if (!llvm::all_of(prefix.text, [](char c) { return llvm::isPrint(c) || llvm::isSpace(c); }))
    return arguments.fail(0, "has a character that is not printable ASCII");
  std::optional<bool> hex = arguments.flag(2, false);
  if (!hex)
    return {};
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<int32_t> isSigned;
  for (const Value &element : *arguments[1].elements) {
    if (!element.isTensor() && !element.isNumber())
      return arguments.fail(1, "must be numbers and tensors, not " + element.describe(),
                            "put constants into the text: f\"..{x}\"");
    Value value = tb.toTensor(element);
    if (!value)
      return {};
    values.push_back(value.ssa);
    isSigned.push_back(value.type.isInteger() && !value.type.isUnsigned() && !value.type.isBool());
  }
  tt::PrintOp::create(tb.builder, tb.loc(), prefixOf(prefix.text, !values.empty()), *hex, values,
                      isSigned);
  return Value::none();
}

llvm::ArrayRef<Builtin> frontend::debugBuiltins() {
  static constexpr Builtin builtins[] = {
      {"static_assert", "cond msg?", staticAssert, ConstantOnly},
      {"static_print", "*values sep? end? file? flush?", staticPrint, ConstantOnly},
      {"device_assert", "cond msg? mask?", deviceAssert},
      {"device_print", "prefix *args hex?", devicePrint},
  };
  return builtins;
}

/// Python's print is tl.device_print.
llvm::ArrayRef<Builtin> frontend::printBuiltin() {
  static constexpr Builtin builtins[] = {{"print", "prefix *args hex?", devicePrint}};
  return builtins;
}
