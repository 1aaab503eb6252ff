//===- Types.cpp - Builtins: types, type queries, operators by name -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/tt/Dialect.h"

using namespace tilewright;
using namespace tilewright::frontend;

//===--------------------------------------------------------------------------===//
// Questions about types
//===--------------------------------------------------------------------------===//

// As in Triton, only dtypes answer: the type of a tensor is neither an integer nor a float.
using Question = bool (*)(DType);
template <Question question> static Value answer(Arguments &arguments) {
  return Value::boolean(!arguments[0].isBlockType() && question(arguments[0].type));
}

static bool isFloating(DType type) { return type.isFloat(); }
static bool isStandardFloating(DType type) { return type.isFloat() && !type.isFloat8(); }
static bool isInteger(DType type) { return type.isInteger(); }
// int1 counts as unsigned.
static bool isUnsigned(DType type) { return type.isUnsigned() || type.isBool(); }
static bool isSigned(DType type) { return type.isInteger() && !isUnsigned(type); }
static bool isPointer(DType type) { return type.isPointer(); }
static bool isConst(DType type) { return type.isConst; }
static bool isFloat8(DType type) { return type.isFloat8(); }
static bool never(DType) { return false; }
template <ScalarKind kind> static bool isKind(DType type) { return type.is(kind); }

static Value isBlock(Arguments &arguments) { return Value::boolean(arguments[0].isBlockType()); }

static Value blockShapes(Arguments &arguments) {
  if (!arguments[0].isBlockType())
    return arguments.fail(0, "is " + arguments[0].describe() + ", which has no shape");
  return Value::tuple(*arguments[0].elements);
}

/// The least or greatest number of an integer type.
template <bool greatest> static Value bound(Arguments &arguments) {
  DType type = arguments[0].type;
  if (!type.isInteger())
    return arguments.fail(0, "must be an integer type, not " + arguments[0].describe());
  unsigned bits = type.bits();
  Integer power = Integer(1) << (isUnsigned(type) ? bits : bits - 1);
  if (greatest)
    return Value::ofInteger(power - 1);
  return Value::ofInteger(isUnsigned(type) ? 0 : -power);
}

llvm::ArrayRef<Builtin> frontend::typeMethods() {
  static constexpr Builtin builtins[] = {
      {"is_floating", "type", answer<isFloating>, ConstantOnly},
      {"is_standard_floating", "type", answer<isStandardFloating>, ConstantOnly},
      {"is_int", "type", answer<isInteger>, ConstantOnly},
      {"is_int_unsigned", "type", answer<isUnsigned>, ConstantOnly},
      {"is_int_signed", "type", answer<isSigned>, ConstantOnly},
      {"is_ptr", "type", answer<isPointer>, ConstantOnly},
      {"is_const", "type", answer<isConst>, ConstantOnly},
      {"is_block", "type", isBlock, ConstantOnly},
      {"is_fp8", "type", answer<isFloat8>, ConstantOnly},
      {"is_fp8e4nv", "type", answer<isKind<ScalarKind::FP8E4NV>>, ConstantOnly},
      {"is_fp8e4b8", "type", answer<isKind<ScalarKind::FP8E4B8>>, ConstantOnly},
      {"is_fp8e4b15", "type", answer<never>, ConstantOnly},
      {"is_fp8e5", "type", answer<isKind<ScalarKind::FP8E5>>, ConstantOnly},
      {"is_fp8e5b16", "type", answer<isKind<ScalarKind::FP8E5B16>>, ConstantOnly},
      {"is_fp16", "type", answer<isKind<ScalarKind::FP16>>, ConstantOnly},
      {"is_bf16", "type", answer<isKind<ScalarKind::BF16>>, ConstantOnly},
      {"is_fp32", "type", answer<isKind<ScalarKind::FP32>>, ConstantOnly},
      {"is_fp64", "type", answer<isKind<ScalarKind::FP64>>, ConstantOnly},
      {"is_bool", "type", answer<isKind<ScalarKind::Int1>>, ConstantOnly},
      {"is_int1", "type", answer<isKind<ScalarKind::Int1>>, ConstantOnly},
      {"is_int8", "type", answer<isKind<ScalarKind::Int8>>, ConstantOnly},
      {"is_int16", "type", answer<isKind<ScalarKind::Int16>>, ConstantOnly},
      {"is_int32", "type", answer<isKind<ScalarKind::Int32>>, ConstantOnly},
      {"is_int64", "type", answer<isKind<ScalarKind::Int64>>, ConstantOnly},
      {"is_uint8", "type", answer<isKind<ScalarKind::UInt8>>, ConstantOnly},
      {"is_uint16", "type", answer<isKind<ScalarKind::UInt16>>, ConstantOnly},
      {"is_uint32", "type", answer<isKind<ScalarKind::UInt32>>, ConstantOnly},
      {"is_uint64", "type", answer<isKind<ScalarKind::UInt64>>, ConstantOnly},
      {"get_int_max_value", "type", bound<true>, ConstantOnly},
      {"get_int_min_value", "type", bound<false>, ConstantOnly},
      {"get_block_shapes", "type", blockShapes, ConstantOnly},
  };
  return builtins;
}

//===--------------------------------------------------------------------------===//
// Making types
//===--------------------------------------------------------------------------===//

static Value pointerType(Arguments &arguments) {
  std::optional<DType> type = arguments.type(0);
  if (!type)
    return {};
  if (type->isPointer() || arguments[0].isBlockType())
    return arguments.fail(0, "must be a number's type, not " + arguments[0].describe());
  if (arguments.given(1) && arguments.integer(1) != 1)
    return arguments.fail(1, "must be 1: pointers of a kernel point into global memory");
  return Value::ofType(type->pointerTo());
}

static Value blockType(Arguments &arguments) {
  std::optional<DType> type = arguments.type(0);
  llvm::SmallVector<int64_t> shape;
  if (!type || !arguments.shape(1, shape) || !checkTileShape(arguments, 1, shape))
    return {};
  return Value::ofType(*type, shape);
}

static Value tupleOf(Arguments &arguments) {
  if (!arguments[0].isTuple())
    return arguments.fail(0, "must be a tuple, not " + arguments[0].describe());
  return arguments[0];
}

/// tl.dtype("uint8"), tl.dtype("fp32"): a type by the name that Triton gives it.
static Value typeByName(Arguments &arguments) {
  std::optional<std::string> name = arguments.string(0);
  if (!name)
    return {};
  for (unsigned i = 0; i <= static_cast<unsigned>(ScalarKind::FP64); ++i)
    if (DType type{static_cast<ScalarKind>(i)}; type.name() == *name)
      return Value::ofType(type);
  return arguments.fail(0, "is \"" + *name + "\", which names no type",
                        scalarOfLanguageName(*name) ? "write tl." + *name
                                                    : "the names are int8, uint8, .., fp32");
}

/// get_int_dtype(32, signed=True): the integer type of so many bits.
static Value integerType(Arguments &arguments) {
  std::optional<int64_t> bits = arguments.integer(0);
  std::optional<bool> isSigned = bits ? arguments.flag(1, false) : std::nullopt;
  if (!isSigned)
    return {};
  const std::string name = (*isSigned || *bits == 1 ? "int" : "uint") + std::to_string(*bits);
  std::optional<ScalarKind> kind = scalarOfLanguageName(name);
  if (!kind)
    return arguments.fail(0, "is " + llvm::Twine(*bits) + ", and no integer has so many bits",
                          "integers have 1, 8, 16, 32 or 64");
  return Value::ofType({*kind, false});
}

/// str_to_ty("*fp32", c): the type that a signature calls so.
static Value typeOfText(Arguments &arguments) {
  std::optional<std::string> text = arguments.string(0);
  if (!text)
    return {};
  llvm::StringRef name(*text);
  const bool isPointer = name.consume_front("*");
  const bool isConst = isPointer && name.consume_front("k");
  std::optional<ScalarKind> kind = scalarOfSignatureName(name);
  if (!kind)
    return arguments.fail(0, "is '" + llvm::Twine(*text) + "', which is no type of a signature",
                          "write fp32, *fp16 or their like");
  return Value::ofType({*kind, isPointer, isConst});
}

/// get_primitive_bitwidth(tl.float16), or of the type's name: 16.
static Value bitsOf(Arguments &arguments) {
  if (arguments[0].kind == ValueKind::String) {
    Value type = typeOfText(arguments);
    return type ? Value::ofInteger(type.type.bits()) : Value();
  }
  std::optional<DType> type = arguments.type(0);
  return type ? Value::ofInteger(type->bits()) : Value();
}

static Value sliceOf(Arguments &arguments) {
  return Value::slice(arguments[0], arguments[1], arguments[2]);
}

/// constexpr_type(5): what `x.type` is of the constant 5, to be compared with that.
static Value constexprType(Arguments &arguments) {
  if (!arguments[0].isConstant())
    return arguments.fail(0, "must be a constant, not " + arguments[0].describe());
  return Value::method(&arguments.builtin, arguments[0]);
}

/// Classes that are there for isinstance.
static Value classAlone(Arguments &arguments) {
  return arguments.tb.fail("tl." + arguments.builtin.name + " cannot be called in a kernel",
                           "it is for isinstance");
}

llvm::ArrayRef<Builtin> frontend::typeBuiltins() {
  static constexpr Builtin builtins[] = {
      {"pointer_type", "element_ty address_space? const?", pointerType, ConstantOnly},
      {"block_type", "element_ty shape", blockType, ConstantOnly},
      {"tuple", "args", tupleOf, ConstantOnly},
      {"tensor", "*args", classAlone, ConstantOnly},
      {"dtype", "name", typeByName, ConstantOnly},
      {"get_int_dtype", "bitwidth signed", integerType, ConstantOnly},
      {"str_to_ty", "name c", typeOfText, ConstantOnly},
      {"get_primitive_bitwidth", "dtype", bitsOf, ConstantOnly},
      {"slice", "start stop step", sliceOf, ConstantOnly},
      {"constexpr_type", "value", constexprType, ConstantOnly},
      {"tensor_descriptor", "*args", classAlone, ConstantOnly},
      {"tensor_descriptor_base", "*args", classAlone, ConstantOnly},
  };
  return builtins;
}

//===--------------------------------------------------------------------------===//
// Operators by name
//===--------------------------------------------------------------------------===//

template <BinaryOperator op> static Value binaryOperator(Arguments &arguments) {
  return arguments.tb.binary(op, arguments[0], arguments[1]);
}

template <BoolOperator op> static Value logicalOperator(Arguments &arguments) {
  Value left = arguments.tensor(0), right = left ? arguments.tensor(1) : Value();
  return right ? arguments.tb.logical(op, left, right) : Value();
}

/// The only element of a tensor, as a scalar.
static Value item(Arguments &arguments) {
  Value input = arguments.tensor(0);
  return input ? arguments.tb.onlyElement(input) : Value();
}

static Value toTensor(Arguments &arguments) { return arguments.tensor(0); }

llvm::ArrayRef<Builtin> frontend::operatorBuiltins() {
  static constexpr Builtin builtins[] = {
      {"add", "x y sanitize_overflow?", binaryOperator<BinaryOperator::Add>},
      {"sub", "x y sanitize_overflow?", binaryOperator<BinaryOperator::Sub>},
      {"mul", "x y sanitize_overflow?", binaryOperator<BinaryOperator::Mult>},
      {"logical_and", "input other", logicalOperator<BoolOperator::And>, Member},
      {"logical_or", "input other", logicalOperator<BoolOperator::Or>, Member},
      {"item", "input", item, Member},
      {"to_tensor", "x", toTensor},
  };
  return builtins;
}
