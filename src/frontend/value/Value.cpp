//===- Value.cpp - Values of kernel expressions -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/Value.h"

#include "frontend/syntax/PythonRepr.h"
#include "frontend/value/Builtin.h"
#include "frontend/value/Function.h"
#include "ir/tw/Dialect.h"

#include "frontend/value/Layouts.h"
#include "ir/ttg/Dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <bit>

using namespace tilewright;
using namespace tilewright::frontend;

bool Value::isConstant() const {
  if (isTuple() || isDict() || isSet() || isSlice())
    return std::all_of(elements->begin(), elements->end(),
                       [](const Value &element) { return element.isConstant(); });
  return kind != ValueKind::Tensor && kind != ValueKind::Descriptor &&
         kind != ValueKind::BlockPointer && kind != ValueKind::Matrix &&
         kind != ValueKind::MemDesc && kind != ValueKind::Accumulator &&
         kind != ValueKind::Invalid && kind != ValueKind::Unavailable &&
         kind != ValueKind::Method && kind != ValueKind::Host;
}

llvm::ArrayRef<int64_t> Value::shape() const {
  if (!ssa)
    return {};
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(ssa.getType()))
    return tensor.getShape();
  if (auto memory = llvm::dyn_cast<ttg::MemDescType>(ssa.getType()))
    return memory.getShape();
  return {};
}

mlir::Attribute Value::encoding() const {
  if (!ssa)
    return {};
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(ssa.getType()))
    return tensor.getEncoding();
  if (auto memory = llvm::dyn_cast<ttg::MemDescType>(ssa.getType()))
    return memory.getEncoding();
  return {};
}

Value Value::ofType(DType type, llvm::ArrayRef<int64_t> shape, mlir::Attribute layout) {
  Value result = ofType(type);
  result.layout = layout;
  if (!shape.empty())
    result.elements = tupleOfIntegers(shape).elements;
  return result;
}

Value Value::descriptor(mlir::Value ssa, DType type, Value blockShape, Value shape, Value strides) {
  Value result = ofKind(ValueKind::Descriptor);
  result.ssa = ssa;
  result.type = type;
  result.elements = std::make_shared<const std::vector<Value>>(
      std::vector<Value>{std::move(blockShape), std::move(shape), std::move(strides)});
  return result;
}

Value Value::ofTupleClass(const TupleClass *tupleClass, const ClassObject *classObject) {
  Value result = ofClass(tupleClass->name, classObject);
  result.tupleClass = tupleClass;
  return result;
}

std::optional<size_t> TupleClass::find(llvm::StringRef field) const {
  auto found = std::find(fields.begin(), fields.end(), field);
  if (found == fields.end())
    return std::nullopt;
  return found - fields.begin();
}

Value Value::blockPointer(std::vector<Value> parts) {
  Value result = ofKind(ValueKind::BlockPointer);
  result.type = parts.front().elements->front().type.pointee();
  result.elements = std::make_shared<const std::vector<Value>>(std::move(parts));
  return result;
}

llvm::SmallVector<int64_t> Value::blockShape() const {
  llvm::SmallVector<int64_t> sizes;
  for (const Value &size : *(isDescriptor() ? elements->front() : elements->back()).elements)
    sizes.push_back(static_cast<int64_t>(size.integer));
  return sizes;
}

Value frontend::tupleOfIntegers(llvm::ArrayRef<int64_t> numbers) {
  std::vector<Value> elements;
  for (int64_t number : numbers)
    elements.push_back(Value::ofInteger(number));
  return Value::tuple(std::move(elements));
}

size_t Value::parts() const {
  size_t count = 1;
  if (isTuple() || isDict() || isSet())
    for (const Value &element : *elements)
      count += element.parts();
  return count;
}

bool Value::isAsciiString() const {
  return kind == ValueKind::String && llvm::all_of(text, [](char c) { return llvm::isASCII(c); });
}

bool Value::isMutable() const {
  return isList || isDict() || isSet() || kind == ValueKind::Config ||
         (isTuple() && std::any_of(elements->begin(), elements->end(),
                                   [](const Value &element) { return element.isMutable(); }));
}

Value Value::iterated() const {
  std::vector<Value> parts;
  if (isDict()) {
    for (size_t i = 0; i < elements->size(); i += 2)
      parts.push_back((*elements)[i]);
    return tuple(std::move(parts));
  }
  const bool isAscii = kind == ValueKind::String &&
                       std::all_of(text.begin(), text.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!isAscii)
    return *this;
  for (size_t i = 0; i < text.size(); ++i)
    parts.push_back(ofString(text.substr(i, 1)));
  return tuple(std::move(parts));
}

const Value *Value::find(const Value &key) const {
  for (size_t i = 0; i < elements->size(); i += 2)
    if ((*elements)[i].equals(key))
      return &(*elements)[i + 1];
  return nullptr;
}

bool Value::equals(const Value &other) const {
  if (isIntegral() && other.isIntegral())
    return integer == other.integer;
  if (isNumber() && other.isNumber())
    return asFloat() == other.asFloat();
  if (kind != other.kind || !(isTuple() || isDict() || isSet()))
    return sameAs(other);
  if (elements->size() != other.elements->size() || isList != other.isList)
    return false;
  if (isTuple())
    return std::equal(elements->begin(), elements->end(), other.elements->begin(),
                      [](const Value &a, const Value &b) { return a.equals(b); });
  if (isSet())
    return std::all_of(elements->begin(), elements->end(), [&](const Value &element) {
      return std::any_of(other.elements->begin(), other.elements->end(),
                         [&](const Value &one) { return one.equals(element); });
    });
  for (size_t i = 0; i < elements->size(); i += 2) {
    const Value *theirs = other.find((*elements)[i]);
    if (!theirs || !theirs->equals((*elements)[i + 1]))
      return false;
  }
  return true;
}

bool Value::sameAs(const Value &other) const {
  if (kind != other.kind)
    return false;
  switch (kind) {
  case ValueKind::Bool:
  case ValueKind::Integer:
    return integer == other.integer;
  case ValueKind::Float:
    return std::bit_cast<uint64_t>(number) == std::bit_cast<uint64_t>(other.number);
  case ValueKind::String:
  case ValueKind::Host:
  case ValueKind::Unavailable:
    return text == other.text;
  case ValueKind::Module:
    return text == other.text && module == other.module;
  case ValueKind::Class:
    return classObject == other.classObject && tupleClass == other.tupleClass;
  case ValueKind::Type:
    return type == other.type && layout == other.layout && bool(elements) == bool(other.elements) &&
           (!elements || tuple(*elements).sameAs(tuple(*other.elements)));
  case ValueKind::Tensor:
  case ValueKind::Matrix:
  case ValueKind::MemDesc:
  case ValueKind::Accumulator:
    return ssa == other.ssa;
  case ValueKind::Layout:
    return layout == other.layout;
  case ValueKind::Function:
    return function == other.function;
  case ValueKind::Builtin:
    return builtin == other.builtin;
  case ValueKind::Descriptor:
    return ssa == other.ssa && tuple(*elements).sameAs(tuple(*other.elements));
  case ValueKind::Tuple:
  case ValueKind::Dict:
  case ValueKind::Set:
  case ValueKind::Slice:
  case ValueKind::Config:
  case ValueKind::BlockPointer:
  case ValueKind::Method:
    return builtin == other.builtin && function == other.function &&
           std::equal(elements->begin(), elements->end(), other.elements->begin(),
                      other.elements->end(),
                      [](const Value &a, const Value &b) { return a.sameAs(b); });
  default:
    return true;
  }
}

std::string frontend::describeShape(llvm::ArrayRef<int64_t> shape) {
  std::string out = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    out += (i ? ", " : "") + std::to_string(shape[i]);
  return out + "]";
}

static std::string decimal(Integer value) {
  if (value < 0)
    return "-" + std::to_string(static_cast<uint64_t>(-value));
  return std::to_string(static_cast<uint64_t>(value));
}

std::string Value::repr() const {
  switch (kind) {
  case ValueKind::None:
    return "None";
  case ValueKind::Bool:
    return integer ? "True" : "False";
  case ValueKind::Integer:
    return decimal(integer);
  case ValueKind::Float:
    return reprOfFloat(number);
  case ValueKind::String:
    return reprOfString(text);
  case ValueKind::Ellipsis:
    return "Ellipsis";
  case ValueKind::Type:
    return elements ? "<" + tuple(*elements).repr() + ", " + type.str() + ">" : type.str();
  case ValueKind::Tuple: {
    std::string out = tupleClass ? tupleClass->name + "(" : isList ? "[" : "(";
    for (size_t i = 0; i < elements->size(); ++i)
      out +=
          (i ? ", " : "") + (tupleClass ? tupleClass->fields[i] + "=" : "") + (*elements)[i].repr();
    if (isList)
      return out + "]";
    return out + (elements->size() == 1 && !tupleClass ? ",)" : ")");
  }
  case ValueKind::Dict:
  case ValueKind::Set: {
    if (isSet() && elements->empty())
      return "set()";
    std::string out = "{";
    for (size_t i = 0; i < elements->size(); ++i)
      out += (i == 0 ? "" : isDict() && i % 2 ? ": " : ", ") + (*elements)[i].repr();
    return out + "}";
  }
  case ValueKind::Slice:
    return "slice" + tuple(*elements).repr();
  case ValueKind::Layout:
    return reprOfLayout(layout);
  case ValueKind::Config: {
    std::string out = "Config(" + elements->front().repr();
    const std::vector<Value> &options = *elements->back().elements;
    for (size_t i = 0; i < options.size(); i += 2)
      out += ", " + options[i].str() + "=" + options[i + 1].repr();
    return out + ")";
  }
  default:
    return describe();
  }
}

std::string Value::str() const {
  switch (kind) {
  case ValueKind::String:
    return std::string(text);
  case ValueKind::Type:
    return elements ? "<" + tuple(*elements).repr() + ", " + type.name() + ">" : type.name();
  default:
    return repr();
  }
}

std::string Value::describe() const {
  switch (kind) {
  case ValueKind::Invalid:
  case ValueKind::Unavailable:
    return "no value";
  case ValueKind::None:
    return "None";
  case ValueKind::Bool:
  case ValueKind::Integer:
  case ValueKind::Float:
  case ValueKind::Ellipsis:
    return "the constant " + repr();
  case ValueKind::String:
    return "the string " + repr();
  case ValueKind::Type:
    return "the type " + repr();
  case ValueKind::Slice:
    return "a slice";
  case ValueKind::Config:
    return "a triton.Config";
  case ValueKind::Tuple:
    return tupleClass ? "a named tuple " + tupleClass->name
                      : (isList ? "a list of " : "a tuple of ") + std::to_string(elements->size());
  case ValueKind::Dict:
    return "a dict of " + std::to_string(elements->size() / 2);
  case ValueKind::Set:
    return "a set of " + std::to_string(elements->size());
  case ValueKind::Tensor:
    if (isBlock())
      return "a tensor " + describeShape(shape()) + " of " + type.str();
    return (type.isPointer() ? "a pointer " : "a scalar ") + type.str();
  case ValueKind::MemDesc:
    return "memory " + describeShape(shape()) + " of " + type.str();
  case ValueKind::Accumulator:
    return "the result " + describeShape(shape()) + " of an asynchronous product";
  case ValueKind::Layout:
    return "the layout " + repr();
  case ValueKind::Matrix: {
    auto matrix = llvm::cast<tw::CoopMatrixType>(ssa.getType());
    return "a " + std::string(layout::name(matrix.getUse())) + " " +
           describeShape({matrix.getRows(), matrix.getColumns()}) + " of " + type.str();
  }
  case ValueKind::Descriptor:
    return "a descriptor of " + type.str() + " with blocks " + describeShape(blockShape());
  case ValueKind::BlockPointer:
    return "a block pointer to " + type.str() + " with blocks " + describeShape(blockShape());
  case ValueKind::Function:
    return "the function " + function->name().str();
  case ValueKind::Builtin:
  case ValueKind::Method:
    return "the function " + (function ? function->name().str() : std::string(builtin->name));
  case ValueKind::Host:
    return "`" + std::string(text) + "`";
  case ValueKind::Class:
    return "the class " + std::string(text);
  case ValueKind::Module:
    return "the module " + std::string(text);
  }
  return "no value";
}
