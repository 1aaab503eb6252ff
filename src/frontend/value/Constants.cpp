//===- Constants.cpp - Compile-time constants ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/PythonFloats.h"
#include "frontend/value/TritonBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <limits>

using namespace tilewright;
using namespace tilewright::frontend;

static constexpr Integer leastInteger = std::numeric_limits<int64_t>::min();
static constexpr Integer greatestInteger = std::numeric_limits<uint64_t>::max();

std::optional<DType> TritonBuilder::typeOfNumber(const Value &number) {
  if (number.kind == ValueKind::Bool)
    return DType{ScalarKind::Int1};
  if (number.kind == ValueKind::Integer) {
    Integer value = number.integer;
    if (value >= std::numeric_limits<int32_t>::min() && value <= INT32_MAX)
      return DType{ScalarKind::Int32};
    if (value >= 0 && value <= UINT32_MAX)
      return DType{ScalarKind::UInt32};
    return DType{value <= INT64_MAX ? ScalarKind::Int64 : ScalarKind::UInt64};
  }
  if (number.kind == ValueKind::Float) {
    double magnitude = std::fabs(number.number);
    bool single = !(magnitude > 0) || std::isinf(magnitude) ||
                  (magnitude >= std::numeric_limits<float>::min() &&
                   magnitude <= std::numeric_limits<float>::max());
    return DType{single ? ScalarKind::FP32 : ScalarKind::FP64};
  }
  return std::nullopt;
}

Value TritonBuilder::constant(const Value &number, DType type,
                              std::optional<llvm::ArrayRef<int64_t>> shape,
                              mlir::Attribute encoding) {
  if (!entry)
    return fail("this is computed by a kernel, but it stands outside of one",
                "compute with constants, or move it into the kernel");
  mlir::Type scalarType = type.toMLIR(builder.getContext());
  mlir::TypedAttr attribute;
  if (type.isFloat()) {
    // Triton makes a zero of its type alone, so -0.0 is 0.0.
    const double given = number.asFloat();
    llvm::APFloat value(given == 0 ? 0.0 : given);
    bool lossy;
    value.convert(llvm::cast<mlir::FloatType>(scalarType).getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &lossy);
    attribute = mlir::FloatAttr::get(scalarType, value);
  } else if (type.isPointer()) {
    return fail("a pointer cannot be made of " + number.describe());
  } else {
    // Triton makes a zero of any type.
    const bool isFloat = number.kind == ValueKind::Float;
    if (isFloat && number.number != 0)
      return fail(number.describe() + " is no " + type.str(),
                  "write an integer, or convert it with int(..)");
    uint64_t bits = isFloat         ? 0
                    : type.isBool() ? number.integer != 0
                                    : static_cast<uint64_t>(number.integer);
    attribute = mlir::IntegerAttr::get(
        scalarType, llvm::APInt(type.bits(), bits, /*isSigned=*/false, /*implicitTrunc=*/true));
  }
  if (shape && !shape->empty())
    attribute = mlir::DenseElementsAttr::get(
        mlir::RankedTensorType::get(*shape, scalarType, encoding), mlir::Attribute(attribute));
  mlir::Value &known = constants[attribute];
  if (!known) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    if (lastConstant)
      builder.setInsertionPointAfter(lastConstant);
    else
      builder.setInsertionPointToStart(entry);
    lastConstant = mlir::arith::ConstantOp::create(builder, loc(), attribute);
    known = lastConstant->getResult(0);
  }
  return Value::tensor(known, type);
}

Value TritonBuilder::toTensor(const Value &value) {
  if (value.isTensor() || !value)
    return value;
  std::optional<DType> type = typeOfNumber(value);
  if (!type)
    return fail(value.describe() + " cannot be computed with in a kernel",
                "a kernel computes with numbers, pointers and tensors of them");
  return constant(value, *type);
}

/// Bytes of strings that a kernel may make while compiling.
static constexpr size_t maxStringBytes = size_t(1) << 24;

Value TritonBuilder::makeString(const llvm::Twine &text) {
  std::string made = text.str();
  stringBytes += made.size();
  if (stringBytes > maxStringBytes)
    return fail("the strings of this kernel take more than " + llvm::Twine(maxStringBytes) +
                " bytes");
  return Value::ofString(strings.emplace_back(std::move(made)));
}

Value TritonBuilder::makeTuple(std::vector<Value> elements, bool isList) {
  Value tuple = Value::tuple(std::move(elements));
  tuple.isList = isList;
  if (tuple.parts() > maxTupleParts)
    return fail("this tuple has more than " + llvm::Twine(maxTupleParts) + " parts");
  return tuple;
}

/// A name that PyTorch has for a type of another name.
static llvm::StringRef typeOfTorch(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Case("torch.half", "torch.float16")
      .Case("torch.float", "torch.float32")
      .Case("torch.double", "torch.float64")
      .Case("torch.short", "torch.int16")
      .Case("torch.int", "torch.int32")
      .Case("torch.long", "torch.int64")
      .Default(name);
}

/// `torch.float16` and its like.
static bool isTypeOfTorch(const Value &value) {
  llvm::StringRef name(value.text);
  return value.kind == ValueKind::Host && name.consume_front("torch.") &&
         name.find_first_of(".(") == llvm::StringRef::npos;
}

/// A key as it is kept and looked for.
static Value keyOf(const Value &key) {
  return isTypeOfTorch(key) ? Value::host(typeOfTorch(key.text)) : key;
}

/// Whether two keys may be equal though they do not look so.
static bool mayEqual(const Value &a, const Value &b) {
  if ((a.kind != ValueKind::Host && b.kind != ValueKind::Host) || a.sameAs(b))
    return false;
  const bool isKnownA = isTypeOfTorch(a), isKnownB = isTypeOfTorch(b);
  return !(isKnownA && (isKnownB || b.kind != ValueKind::Host)) &&
         !(isKnownB && a.kind != ValueKind::Host);
}

bool TritonBuilder::checkKey(const Value &key, const Value *dict) {
  if (key.isMutable() || !(key.isConstant() || key.kind == ValueKind::Host))
    return reject(key.describe() + " cannot be a key of a dict or an element of a set",
                  key.isMutable() ? "its value may change; make a tuple of it" : "");
  const Value keys = dict && dict->isDict() ? dict->iterated() : Value::tuple({});
  for (const Value &known : *keys.elements)
    if (mayEqual(known, keyOf(key)))
      return reject("whether " + known.describe() + " and " + key.describe() +
                    " are the same key is not known while compiling");
  return true;
}

Value TritonBuilder::makeDict(const std::vector<Value> &keysAndValues) {
  Value dict = Value::ofKind(ValueKind::Dict);
  std::vector<Value> kept;
  for (size_t i = 0; i < keysAndValues.size(); i += 2) {
    const Value key = keyOf(keysAndValues[i]);
    if (!checkKey(key))
      return {};
    size_t at = 0;
    while (at < kept.size() && !kept[at].equals(key)) {
      if (mayEqual(kept[at], key))
        return fail("whether " + kept[at].describe() + " and " + key.describe() +
                    " are the same key is not known while compiling");
      at += 2;
    }
    // The first key stays, with the last value.
    if (at == kept.size())
      kept.insert(kept.end(), {key, keysAndValues[i + 1]});
    else
      kept[at + 1] = keysAndValues[i + 1];
    if (kept.size() > maxTupleParts)
      return fail("this dict has more than " + llvm::Twine(maxTupleParts / 2) + " keys");
  }
  dict.elements = std::make_shared<const std::vector<Value>>(std::move(kept));
  if (dict.parts() > 2 * maxTupleParts)
    return fail("this dict has more than " + llvm::Twine(2 * maxTupleParts) + " parts");
  return dict;
}

Value TritonBuilder::makeSet(const std::vector<Value> &elements) {
  Value set = Value::ofKind(ValueKind::Set);
  std::vector<Value> kept;
  for (const Value &element : elements) {
    if (!element.isConstant() || element.isMutable())
      return fail(element.describe() + " cannot be an element of a set");
    if (llvm::none_of(kept, [&](const Value &one) { return one.equals(element); }))
      kept.push_back(element);
    if (kept.size() > maxTupleParts)
      return fail("this set has more than " + llvm::Twine(maxTupleParts) + " elements");
  }
  set.elements = std::make_shared<const std::vector<Value>>(std::move(kept));
  return set;
}

const Value *TritonBuilder::findKey(const Value &dict, const Value &key) {
  return dict.find(keyOf(key));
}

Value TritonBuilder::lookUp(const Value &dict, const Value &key) {
  if (!checkKey(key, &dict))
    return {};
  if (const Value *found = findKey(dict, key))
    return *found;
  return fail("the dict has no key " + key.repr(),
              dict.elements->empty() ? "it is empty" : "its keys are " + dict.iterated().repr());
}

bool TritonBuilder::truth(const Value &constant) {
  switch (constant.kind) {
  case ValueKind::None:
    return false;
  case ValueKind::Bool:
  case ValueKind::Integer:
    return constant.integer != 0;
  case ValueKind::Float:
    return constant.number != 0;
  case ValueKind::String:
    return !constant.text.empty();
  case ValueKind::Tuple:
  case ValueKind::Dict:
  case ValueKind::Set:
    return !constant.elements->empty();
  case ValueKind::Matrix:
    fail(constant.describe() + " is neither true nor false",
         "reduce it to what is to decide, and load or compare that");
    return false;
  case ValueKind::Host:
    fail(constant.describe() + " is not known while compiling");
    return false;
  default:
    return true;
  }
}

//===--------------------------------------------------------------------------===//
// Python's arithmetic
//===--------------------------------------------------------------------------===//

/// Python's //: toward minus infinity.
static Integer floorDivide(Integer a, Integer b) {
  Integer quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

Value TritonBuilder::foldBinary(BinaryOperator op, const Value &left, const Value &right) {
  for (const Value *operand : {&left, &right})
    if (operand->kind == ValueKind::Host)
      return fail(operand->describe() + " is not known while compiling");
  auto unsupported = [&] {
    return fail("`" + signOf(op) + "` cannot take " + left.describe() + " and " + right.describe());
  };
  if (left.isTuple() && right.isTuple() && op == BinaryOperator::Add) {
    std::vector<Value> all = *left.elements;
    all.insert(all.end(), right.elements->begin(), right.elements->end());
    return makeTuple(std::move(all), left.isList);
  }
  if (left.isDict() && right.isDict() && op == BinaryOperator::BitOr) {
    std::vector<Value> all = *left.elements;
    all.insert(all.end(), right.elements->begin(), right.elements->end());
    return makeDict(all);
  }
  if (left.isTuple() && right.isIntegral() && op == BinaryOperator::Mult) {
    if (right.integer > 1024)
      return fail("a tuple repeated " + right.repr() + " times is too long");
    std::vector<Value> all;
    for (Integer i = 0; i < right.integer; ++i)
      all.insert(all.end(), left.elements->begin(), left.elements->end());
    return makeTuple(std::move(all), left.isList);
  }
  if (left.kind == ValueKind::String && right.kind == ValueKind::String &&
      op == BinaryOperator::Add)
    return makeString(llvm::StringRef(left.text) + llvm::StringRef(right.text));
  if (left.isIntegral() && right.isTuple() && op == BinaryOperator::Mult)
    return foldBinary(op, right, left);
  if (!left.isNumber() || !right.isNumber())
    return unsupported();

  bool integral = left.isIntegral() && right.isIntegral();
  bool divides =
      op == BinaryOperator::Div || op == BinaryOperator::FloorDiv || op == BinaryOperator::Mod;
  if (divides && right.asFloat() == 0)
    return fail("this divides the constant " + left.repr() + " by zero");
  if (op == BinaryOperator::Pow) {
    const double base = left.asFloat(), exponent = right.asFloat();
    if (base == 0 && exponent < 0)
      return fail("this raises zero to the negative power " + right.repr());
    if (std::isfinite(base) && base < 0 && std::isfinite(exponent) &&
        exponent != std::trunc(exponent))
      return fail("the power " + right.repr() + " of the negative number " + left.repr() +
                  " is complex");
  }

  if (!integral || op == BinaryOperator::Div) {
    double a = left.asFloat(), b = right.asFloat();
    switch (op) {
    case BinaryOperator::Add:
      return Value::ofFloat(a + b);
    case BinaryOperator::Sub:
      return Value::ofFloat(a - b);
    case BinaryOperator::Mult:
      return Value::ofFloat(a * b);
    case BinaryOperator::Div:
      return Value::ofFloat(a / b);
    case BinaryOperator::FloorDiv:
      return Value::ofFloat(floorQuotient(a, b));
    case BinaryOperator::Mod:
      return Value::ofFloat(floorRemainder(a, b));
    case BinaryOperator::Pow:
      return Value::ofFloat(std::pow(a, b));
    default:
      return unsupported();
    }
  }

  Integer a = left.integer, b = right.integer, result = 0;
  bool fits = true;
  switch (op) {
  case BinaryOperator::Add:
    result = a + b;
    break;
  case BinaryOperator::Sub:
    result = a - b;
    break;
  case BinaryOperator::Mult:
    fits = !__builtin_mul_overflow(a, b, &result);
    break;
  case BinaryOperator::FloorDiv:
    result = floorDivide(a, b);
    break;
  case BinaryOperator::Mod:
    result = a - floorDivide(a, b) * b;
    break;
  case BinaryOperator::Pow:
    if (b < 0)
      return Value::ofFloat(std::pow(left.asFloat(), right.asFloat()));
    result = 1;
    if (a == 0 || a == 1 || a == -1) {
      result = b == 0 ? 1 : (a == -1 && b % 2 == 0 ? 1 : a);
      break;
    }
    for (Integer i = 0; i < b && fits; ++i)
      fits = !__builtin_mul_overflow(result, a, &result);
    break;
  case BinaryOperator::LShift:
  case BinaryOperator::RShift:
    if (b < 0)
      return fail("this shifts by the negative number " + right.repr());
    if (op == BinaryOperator::RShift)
      result = b > 126 ? (a < 0 ? -1 : 0) : a >> static_cast<int>(b);
    else if (a == 0)
      result = 0;
    else if (b > 64)
      fits = false;
    else
      fits = !__builtin_mul_overflow(a, static_cast<Integer>(1) << static_cast<int>(b), &result);
    break;
  case BinaryOperator::BitAnd:
    result = a & b;
    break;
  case BinaryOperator::BitOr:
    result = a | b;
    break;
  case BinaryOperator::BitXor:
    result = a ^ b;
    break;
  default:
    return unsupported();
  }
  if (!fits || result < leastInteger || result > greatestInteger)
    return fail("the constant " + left.repr() + " " + signOf(op) + " " + right.repr() +
                    " does not fit into 64 bits",
                "integers of a kernel have 64 bits at most");
  bool bothBool = left.kind == ValueKind::Bool && right.kind == ValueKind::Bool;
  if (bothBool &&
      (op == BinaryOperator::BitAnd || op == BinaryOperator::BitOr || op == BinaryOperator::BitXor))
    return Value::boolean(result != 0);
  return Value::ofInteger(result);
}

Value TritonBuilder::foldCompare(CompareOperator op, const Value &left, const Value &right) {
  if ((op == CompareOperator::Eq || op == CompareOperator::NotEq) &&
      ((left.kind == ValueKind::Type && isTypeOfTorch(right)) ||
       (right.kind == ValueKind::Type && isTypeOfTorch(left)))) {
    warn("a type of triton.language is never equal to one of PyTorch, as in Triton",
         "compare with the type of triton.language");
    return Value::boolean(op == CompareOperator::NotEq);
  }
  for (const Value *operand : {&left, &right})
    if (operand->kind == ValueKind::Host)
      return fail(operand->describe() + " is not known while compiling");
  switch (op) {
  case CompareOperator::Eq:
  case CompareOperator::NotEq:
    return Value::boolean(left.equals(right) == (op == CompareOperator::Eq));
  case CompareOperator::Is:
  case CompareOperator::IsNot:
    return Value::boolean(left.sameAs(right) == (op == CompareOperator::Is));
  case CompareOperator::In:
  case CompareOperator::NotIn: {
    bool found = false;
    if (right.isDict() && !checkKey(left, &right))
      return {};
    if (right.isTuple() || right.isDict() || right.isSet()) {
      const Value elements = right.iterated();
      for (const Value &element : *elements.elements)
        found |= element.equals(left);
    } else if (left.kind == ValueKind::String && right.kind == ValueKind::String) {
      found = right.text.find(left.text) != std::string_view::npos;
    } else {
      return fail("`in` cannot search " + right.describe(),
                  "it searches tuples, dicts and sets, and strings for strings");
    }
    return Value::boolean(found == (op == CompareOperator::In));
  }
  default:
    break;
  }
  int order; // -1, 0, 1; 2 where neither is less
  if (left.isIntegral() && right.isIntegral()) {
    order = left.integer < right.integer ? -1 : left.integer > right.integer;
  } else if (left.isNumber() && right.isNumber()) {
    double a = left.asFloat(), b = right.asFloat();
    order = a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;
  } else if (left.kind == ValueKind::String && right.kind == ValueKind::String) {
    int result = left.text.compare(right.text);
    order = result < 0 ? -1 : result > 0;
  } else if (left.isTuple() && right.isTuple()) {
    // The first elements that differ decide, else the lengths.
    const std::vector<Value> &a = *left.elements, &b = *right.elements;
    size_t at = 0;
    while (at < std::min(a.size(), b.size()) && a[at].equals(b[at]))
      ++at;
    if (at < std::min(a.size(), b.size()))
      return foldCompare(op, a[at], b[at]);
    order = a.size() < b.size() ? -1 : a.size() > b.size();
  } else {
    return fail("`" + signOf(op) + "` cannot compare " + left.describe() + " and " +
                right.describe());
  }
  switch (op) {
  case CompareOperator::Lt:
    return Value::boolean(order == -1);
  case CompareOperator::LtE:
    return Value::boolean(order == -1 || order == 0);
  case CompareOperator::Gt:
    return Value::boolean(order == 1);
  default:
    return Value::boolean(order == 1 || order == 0);
  }
}

Value TritonBuilder::foldUnary(UnaryOperator op, const Value &operand) {
  if (op == UnaryOperator::Not)
    return Value::boolean(!truth(operand));
  if (operand.kind == ValueKind::Float && op != UnaryOperator::Invert)
    return Value::ofFloat(op == UnaryOperator::USub ? -operand.number : operand.number);
  if (!operand.isIntegral())
    return fail(llvm::Twine("`") +
                (op == UnaryOperator::Invert ? "~"
                 : op == UnaryOperator::USub ? "-"
                                             : "+") +
                "` cannot take " + operand.describe());
  Integer value = op == UnaryOperator::Invert ? ~operand.integer
                  : op == UnaryOperator::USub ? -operand.integer
                                              : operand.integer;
  if (value < leastInteger)
    return fail("the constant -" + operand.repr() + " does not fit into 64 bits");
  return Value::ofInteger(value);
}
