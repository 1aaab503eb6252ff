//===- Attributes.cpp - Attributes and methods of values ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/interpret/Interpreter.h"

#include "frontend/value/Layouts.h"
#include "ir/ttg/Dialect.h"
#include "ir/tw/Dialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

/// Of floats: the bits of the mantissa that are stored, and what is added to exponents. The
/// numbers are those that triton.language tells kernels.
static std::optional<std::pair<int, int>> floatLayout(ScalarKind kind) {
  switch (kind) {
  case ScalarKind::FP8E4NV:
    return {{3, 7}};
  case ScalarKind::FP8E4B8:
    return {{3, 8}};
  case ScalarKind::FP8E5:
    return {{2, 15}};
  case ScalarKind::FP8E5B16:
    return {{2, 16}};
  case ScalarKind::FP16:
    return {{10, 15}};
  case ScalarKind::BF16:
    return {{7, 127}};
  case ScalarKind::FP32:
    return {{23, 127}};
  case ScalarKind::FP64:
    return {{52, 1023}};
  default:
    return std::nullopt;
  }
}

static Integer elementsOf(llvm::ArrayRef<Value> sizes) {
  Integer count = 1;
  for (const Value &size : sizes)
    count *= size.integer;
  return count;
}

static Value typeAttribute(TritonBuilder &tb, const Value &value, StringRef name) {
  DType type = value.type;
  if (value.isBlockType()) {
    if (name == "shape")
      return Value::tuple(*value.elements);
    if (name == "numel")
      return Value::ofInteger(elementsOf(*value.elements));
    if (name == "element_ty")
      return Value::ofType(type);
    if (name == "nbytes")
      return Value::ofInteger(elementsOf(*value.elements) * std::max(8u, type.bits()) / 8);
    if (name == "layout" && value.layout)
      return Value::ofLayout(value.layout);
  }
  if (name == "element_ty" && type.isPointer())
    return Value::ofType(type.pointee());
  if (name == "address_space" && type.isPointer())
    return Value::ofInteger(1);
  if (name == "scalar")
    return Value::ofType(type);
  if (name == "primitive_bitwidth")
    return Value::ofInteger(type.bits());
  if (name == "itemsize")
    return Value::ofInteger(type.bits() / 8);
  if (name == "name")
    return tb.makeString(value.str());
  if (name == "int_bitwidth" && type.isInteger())
    return Value::ofInteger(type.bits());
  if (type.isFloat() && (name == "fp_mantissa_width" || name == "exponent_bias")) {
    auto [mantissa, bias] = *floatLayout(type.scalar);
    return Value::ofInteger(name == "exponent_bias" ? bias : mantissa);
  }
  if (const Builtin *builtin = findTypeMethod(name))
    return Value::method(builtin, value);
  return tb.fail("the type " + value.str() + " has no attribute '" + name + "'",
                 name == "element_ty" ? "only pointer types have an element type" : "");
}

static Value tensorAttribute(TritonBuilder &tb, const Value &value, StringRef name) {
  if (name == "dtype")
    return Value::ofType(value.type);
  if (name == "type")
    return Value::ofType(value.type, value.shape(), value.encoding());
  if (name == "shape")
    return tupleOfIntegers(value.shape());
  if (name == "numel")
    return Value::ofInteger(elementsOf(*tupleOfIntegers(value.shape()).elements));
  if (name == "T") {
    if (value.shape().size() != 2)
      return tb.fail(".T needs two dimensions, not " + value.describe(),
                     value.shape().size() < 2 ? "[:, None] adds a dimension"
                                              : "use tl.permute with an order");
    return tb.transpose(value, {1, 0});
  }
  if (const Builtin *builtin = findTensorMethod(name))
    return Value::method(builtin, value);
  if (isUnsupportedLanguageName(name))
    return tb.fail("the method '" + name + "' is not supported yet",
                   "docs/frontend.md lists what is supported");
  StringRef close = closestLanguageName(name);
  return tb.fail(value.describe() + " has no attribute '" + name + "'",
                 close.empty() || !findTensorMethod(close) ? ""
                                                           : "did you mean '" + close.str() + "'?");
}

static Value matrixAttribute(TritonBuilder &tb, const Value &value, StringRef name) {
  auto type = llvm::cast<tw::CoopMatrixType>(value.ssa.getType());
  if (name == "shape")
    return tupleOfIntegers({type.getRows(), type.getColumns()});
  if (name == "dtype")
    return Value::ofType(value.type);
  if (name == "use")
    return tb.makeString(layout::name(type.getUse()));
  return tb.fail(value.describe() + " has no attribute '" + name + "'",
                 "a matrix has shape, dtype and use; tilewright.matrix has functions for it");
}

/// Attributes of views of shared and tensor memory. `type` of one is what it says of itself.
static Value memDescAttribute(TritonBuilder &tb, const Value &value, StringRef name) {
  auto type = llvm::cast<ttg::MemDescType>(value.ssa.getType());
  if (name == "dtype" || name == "element_ty")
    return Value::ofType(value.type);
  if (name == "shape")
    return tupleOfIntegers(type.getShape());
  if (name == "rank")
    return Value::ofInteger(type.getRank());
  if (name == "numel")
    return Value::ofInteger(type.getNumElements());
  if (name == "layout")
    return Value::ofLayout(type.getEncoding());
  if (name == "type") {
    Value own = Value::ofType(value.type, type.getShape(), type.getEncoding());
    own.isPart = type.getAllocShape().take_back(type.getRank()) != type.getShape();
    return own;
  }
  if (const Builtin *builtin = findMemDescMethod(name, !type.inSharedMemory()))
    return Value::method(builtin, value);
  return tb.fail(value.describe() + " has no attribute '" + name + "'",
                 "it has dtype, shape, rank, numel, layout, load, store, slice, index, permute, "
                 "reshape and _reinterpret");
}

static Value layoutAttribute(TritonBuilder &tb, const Value &value, StringRef name) {
  if (std::optional<Value> field = layoutField(value.layout, name))
    return *field;
  return tb.fail(value.describe() + " has no attribute '" + name + "'",
                 "it has " + layoutFields(value.layout) + " and rank");
}

static Value descriptorAttribute(TritonBuilder &tb, const Value &value, StringRef name) {
  const std::vector<Value> &parts = *value.elements;
  if (name == "block_shape")
    return parts[0];
  if (name == "shape")
    return parts[1];
  if (name == "strides")
    return parts[2];
  if (name == "dtype")
    return Value::ofType(value.type);
  if (name == "block_type")
    return Value::ofType(value.type, value.blockShape());
  // Its type has the same attributes.
  if (name == "type" && tb.isGluon)
    return value;
  if (auto type = llvm::dyn_cast<tt::TensorDescType>(value.ssa.getType());
      type && name == "layout" && type.getBlockType().getEncoding())
    return Value::ofLayout(type.getBlockType().getEncoding());
  if (const Builtin *builtin = findDescriptorMethod(name))
    return Value::method(builtin, value);
  return tb.fail(value.describe() + " has no attribute '" + name + "'",
                 "a descriptor has block_shape, shape, strides, dtype, block_type, load, "
                 "store, gather, scatter and the atomics");
}

/// Whether it is an enumeration whose members are more than their values.
static bool isEnum(const ClassDefStmt &definition) {
  return llvm::any_of(definition.bases, [](const Expr *base) {
    const auto *attribute = base->dynAs<AttributeExpr>();
    const auto *name = base->dynAs<NameExpr>();
    const std::string_view text = attribute ? attribute->attribute : name ? name->id : "";
    return text == "Enum" || text == "StrEnum" || text == "Flag";
  });
}

Value Interpreter::evaluateAttribute(const AttributeExpr *expr) {
  // C.NAME.value of an enumeration.
  if (const auto *member = expr->value->dynAs<AttributeExpr>();
      member && expr->attribute == "value" && now.inPython()) {
    Value object = evaluate(member->value);
    if (!object)
      return {};
    static constexpr StringRef making[] = {"value", "_value_", "__new__", "__init__"};
    if (object.classObject && isEnum(*object.classObject->definition) &&
        llvm::none_of(making, [&](StringRef one) {
          return object.classObject->environment->scope->find(one) != nullptr;
        }))
      return resolver.classes.member(*object.classObject, member->attribute).known;
  }
  Value value = evaluate(expr->value);
  return value ? attributeAt(expr, value) : Value();
}

Value Interpreter::attributeAt(const AttributeExpr *expr, const Value &object) {
  Position end = expr->nameAt;
  end.column += static_cast<uint32_t>(expr->attribute.size());
  TritonBuilder::At span(tb, {expr->nameAt, end});
  return attributeOf(object, expr->attribute);
}

/// The types of a tuple's elements, which stand for its own.
Value Interpreter::tupleType(const Value &tuple) {
  std::vector<Value> types;
  for (const Value &element : *tuple.elements)
    if (!types.emplace_back(attributeOf(element, "type")))
      return {};
  return Value::tuple(std::move(types));
}

Value Interpreter::attributeOf(const Value &value, StringRef name) {
  // A constexpr is its own value; so is what else is declared one.
  const bool isHosts = value.kind == ValueKind::Module || value.kind == ValueKind::Host;
  if (name == "value" && !isHosts && (value.isConstant() || value.isSingle()))
    return value;
  switch (value.kind) {
  case ValueKind::Module:
    if (value.module)
      return resolver.member(*value.module, name, /*asked=*/true).known;
    if (resolver.changes.refuse(name, {[&](const Value &base) {
                                  return base.kind == ValueKind::Module && base.text == value.text;
                                }}))
      return {};
    return resolver.known.attribute(value.text, name);
  case ValueKind::Host:
    return resolver.known.hostAttribute(value.text, name);
  case ValueKind::Class:
    if (!value.classObject)
      break;
    if (isEnum(*value.classObject->definition))
      return tb.fail("a member of the enumeration '" + StringRef(value.text) +
                         "' cannot be used while compiling",
                     "use its value: " + StringRef(value.text) + "." + name + ".value");
    return resolver.classes.member(*value.classObject, name).known;
  case ValueKind::Config:
    return configAttribute(value, name);
  case ValueKind::Type:
    return typeAttribute(tb, value, name);
  case ValueKind::Tensor:
    return tensorAttribute(tb, value, name);
  case ValueKind::Descriptor:
    return descriptorAttribute(tb, value, name);
  case ValueKind::Matrix:
    return matrixAttribute(tb, value, name);
  case ValueKind::MemDesc:
    return memDescAttribute(tb, value, name);
  case ValueKind::Layout:
    return layoutAttribute(tb, value, name);
  case ValueKind::Builtin:
    // NVMMASharedLayout.get_default_for
    if (const Builtin *builtin = findGluonConstant((value.builtin->name + "." + name).str()))
      return Value::ofBuiltin(builtin);
    break;
  case ValueKind::Tuple:
    if (value.tupleClass)
      if (std::optional<size_t> index = value.tupleClass->find(name)) {
        if (now.inPython() && resolver.changes.refuse(name, {[&](const Value &object) {
                                                        return object.kind == ValueKind::Class &&
                                                               object.tupleClass ==
                                                                   value.tupleClass;
                                                      }}))
          return {};
        return (*value.elements)[*index];
      }
    if (value.tupleClass && value.tupleClass->isAggregate)
      return aggregateMethod(value, name);
    if (name == "type" && tb.isGluon && !value.isConstant())
      return tupleType(value);
    if (value.tupleClass == &float2Class())
      if (const Builtin *builtin = findFloat2Method(name))
        return Value::method(builtin, value);
    break;
  case ValueKind::BlockPointer:
    if (name == "advance")
      return Value::method(findLanguageBuiltin(name), value);
    if (name == "dtype" || name == "type")
      return Value::ofType(value.elements->front().elements->front().type);
    break;
  default:
    break;
  }
  if (value.isNumber() && name == "to")
    return Value::method(findTensorMethod(name), value);
  if (value.isSlice() && (name == "start" || name == "stop" || name == "step"))
    return (*value.elements)[name == "start" ? 0 : name == "stop" ? 1 : 2];
  if (value.isNumber())
    if (const Builtin *builtin = findNumberMethod(name))
      return Value::method(builtin, value);
  if (value.kind == ValueKind::String)
    if (const Builtin *builtin = findStringMethod(name))
      return Value::method(builtin, value);
  if (name == "type" && (value.isNumber() || value.isNone() || value.kind == ValueKind::String ||
                         (value.isTuple() && value.isConstant())))
    return Value::method(findLanguageBuiltin("constexpr_type"), value);
  const bool extends = value.isTuple() && (name == "append" || name == "extend");
  return tb.fail(value.describe() + " has no attribute '" + name + "'",
                 value.tupleClass ? "its elements are " + llvm::join(value.tupleClass->fields, ", ")
                 : extends        ? "make a new one: xs = xs + (x,)"
                                  : "");
}
