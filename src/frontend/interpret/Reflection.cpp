//===- Reflection.cpp - What objects have, asked by name ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// isinstance, getattr and hasattr. That something is absent decides what a module defines, so it is
// said only where it is certain: of a package that is not found, nothing is.
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

#include "frontend/value/Layouts.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

std::optional<bool> Interpreter::hasAttribute(const Value &object, StringRef name) {
  switch (object.kind) {
  case ValueKind::Module:
    return resolver.hasMember(object, name);
  case ValueKind::Host:
    if (Value known = resolver.devices.attribute(object.text, name))
      return true;
    if (resolver.devices.isAbsent(object.text, name))
      return false;
    return resolver.known.has(object.text, name);
  case ValueKind::Class: {
    if (object.tupleClass && object.tupleClass->find(name))
      return true;
    if (!object.classObject)
      return isThere(object, name);
    if (now.tryHere([&] { resolver.classes.member(*object.classObject, name); }))
      return true;
    const bool isDefined = object.classObject->environment->scope->find(name);
    const bool isChanged = resolver.changes
                               .find(name, {[&](const Value &base) {
                                              return base.kind == ValueKind::Class &&
                                                     base.classObject == object.classObject;
                                            },
                                            nullptr, object.classObject})
                               .second;
    // Attributes that every class has, and those that __slots__ makes.
    const bool isSpecial =
        name.starts_with("__") || object.classObject->environment->scope->find("__slots__");
    // A metaclass or a decorator may give it.
    const ClassDefStmt &definition = *object.classObject->definition;
    const bool isMade = !definition.keywords.empty() || !definition.decorators.empty();
    return isDefined || isChanged || isSpecial || isMade || !definition.bases.empty()
               ? std::nullopt
               : std::optional(false);
  }
  default:
    return isThere(object, name);
  }
}

/// Whether None or a number of Python, or a tl.constexpr of one, may have an attribute of this
/// name.
static bool mayNumberHave(StringRef name) {
  static constexpr StringRef names[] = {
      "as_integer_ratio", "bit_count", "bit_length", "conjugate",  "denominator", "from_bytes",
      "fromhex",          "hex",       "imag",       "is_integer", "logical_and", "logical_or",
      "numerator",        "real",      "to_bytes",   "type",       "value",
  };
  return name.starts_with("_") || llvm::is_contained(names, name);
}

std::optional<bool> Interpreter::isThere(const Value &object, StringRef name) {
  if (now.tryHere([&] { attributeOf(object, now.keep(name)); }))
    return true;
  switch (object.kind) {
  case ValueKind::None:
  case ValueKind::Bool:
  case ValueKind::Integer:
  case ValueKind::Float:
    return mayNumberHave(name) ? std::nullopt : std::optional(false);
  default:
    break;
  }
  // What Triton defines is known; Python's objects have more than what the compiler knows of them.
  const bool isOfTriton =
      object.kind == ValueKind::Type || object.kind == ValueKind::Builtin || object.isTensor();
  return isOfTriton && !name.starts_with("_") ? std::optional(false) : std::nullopt;
}

/// Whether a value is of a class: a type of Python, or a class of triton.language. As Triton
/// looks through constexprs, nothing is an instance of tl.constexpr.
static std::optional<bool> isInstance(const Value &value, StringRef className) {
  bool isType = value.kind == ValueKind::Type;
  return llvm::StringSwitch<std::optional<bool>>(className)
      .Case("int", value.isIntegral())
      .Case("bool", value.kind == ValueKind::Bool)
      .Case("float", value.kind == ValueKind::Float)
      .Case("str", value.kind == ValueKind::String)
      .Case("tuple", value.isTuple() && !value.isList)
      .Case("list", value.isTuple() && value.isList)
      .Case("dict", value.isDict())
      .Cases({"set", "frozenset"}, value.isSet() ? std::nullopt : std::optional(false))
      .Case("constexpr", false)
      // The types of its elements stand for a tuple's.
      .Case("tuple_type",
            value.isTuple() && !value.elements->empty() &&
                llvm::all_of(*value.elements,
                             [](const Value &element) { return element.kind == ValueKind::Type; }))
      .Case("constexpr_type", value.kind == ValueKind::Method && value.builtin &&
                                  value.builtin->name == "constexpr_type")
      .Case("tensor", value.isTensor())
      .Case("warpgroup_mma_accumulator", value.isAccumulator())
      .Case("shared_memory_descriptor", value.isMemDesc() && isSharedLayout(value.encoding()))
      .Case("tensor_memory_descriptor", value.isMemDesc() && !isSharedLayout(value.encoding()))
      .Cases({"tensor_descriptor", "tensor_descriptor_base"}, value.isDescriptor())
      .Case("dtype", isType)
      .Case("block_type", value.isBlockType() && !isSharedLayout(value.layout))
      .Case("distributed_type", value.isBlockType() && isDistributedLayout(value.layout))
      .Case("shared_memory_descriptor_type", value.isBlockType() && isSharedLayout(value.layout))
      .Case("pointer_type", isType && !value.isBlockType() && value.type.isPointer())
      .Default(std::nullopt);
}

Value Interpreter::reflect(Arguments &arguments) {
  StringRef function = arguments.builtin.name;
  const Value &value = arguments[0];
  if (function != "isinstance" && function != "getattr" && function != "hasattr")
    return callFunctional(arguments);
  if (function == "isinstance") {
    llvm::ArrayRef<Value> classes(arguments[1]);
    if (arguments[1].isTuple())
      classes = *arguments[1].elements;
    bool any = false;
    for (const Value &one : classes) {
      const bool isClass = one.kind == ValueKind::Builtin;
      std::optional<bool> is = isClass ? isInstance(value, one.builtin->name) : std::nullopt;
      if (one.kind == ValueKind::Host &&
          StringRef(one.text).starts_with("triton.experimental.gluon."))
        is = isInstance(value, StringRef(one.text).rsplit('.').second);
      if (isClass && value.isLayout())
        is = StringRef(value.repr()).take_until([](char c) { return c == '('; }) ==
             one.builtin->name;
      if (one.kind == ValueKind::Class && one.tupleClass)
        is = value.isTuple() && value.tupleClass == one.tupleClass;
      if (!is)
        return arguments.fail(1, "must be a class, such as int, tl.tensor or tl.dtype, not " +
                                     one.describe());
      any |= *is;
    }
    return Value::boolean(any);
  }
  std::optional<std::string> name = arguments.string(1);
  if (!name)
    return {};
  if (function == "getattr" && !arguments.given(2))
    return attributeOf(value, now.keep(*name));
  std::optional<bool> has = hasAttribute(value, *name);
  if (!has)
    return tb.fail("whether " + value.describe() + " has '" + *name +
                       "' is not known while compiling",
                   "choose by a constant, or make it a parameter of the kernel");
  if (function == "hasattr")
    return Value::boolean(*has);
  return *has ? attributeOf(value, now.keep(*name)) : arguments[2];
}
