//===- Casts.cpp - Casts, broadcasts and reshapes of kernel values ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/value/TritonBuilder.h"

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace tilewright;
using namespace tilewright::frontend;
namespace arith = mlir::arith;

mlir::Type TritonBuilder::like(const Value &value, DType type) {
  mlir::Type scalar = type.toMLIR(builder.getContext());
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(value.ssa.getType()))
    return tensor.clone(scalar);
  return scalar;
}

//===--------------------------------------------------------------------------===//
// Element types
//===--------------------------------------------------------------------------===//

/// As Python converts: toward zero, and anything but zero is true. What does not fit becomes the
/// nearest number that the type has, as GPUs convert; a NaN becomes 0.
Value TritonBuilder::toInteger(const Value &number, DType type) {
  if (type.isBool())
    return Value::boolean(number.number != 0);
  auto [least, greatest] = rangeOf(type);
  const double whole = std::trunc(number.number);
  if (whole >= static_cast<double>(least) && whole < static_cast<double>(greatest) + 1)
    return Value::ofInteger(static_cast<Integer>(whole));
  Integer nearest = std::isnan(whole) ? 0 : whole < 0 ? least : greatest;
  warn(number.describe() + " does not fit into " + type.str() + ": it becomes " +
           Value::ofInteger(nearest).repr() + " here, and is undefined in Triton",
       "write the integer that is meant");
  return Value::ofInteger(nearest);
}

Value TritonBuilder::cast(const Value &value, DType type, bool towardZero) {
  if (!value)
    return {};
  if (value.isNumber()) {
    bool isFloat = value.kind == ValueKind::Float;
    return constant(isFloat && type.isInteger() ? toInteger(value, type) : value, type);
  }
  if (!value.isTensor())
    return fail(value.describe() + " cannot be converted to " + type.str());
  DType from = value.type;
  if (from == type)
    return value;

  mlir::Type target = like(value, type);
  auto result = [&](mlir::Value ssa) { return Value::tensor(ssa, type); };

  if (type.isBool() && !from.isPointer())
    return toBool(value);

  if (from.isFloat() && type.isFloat()) {
    bool narrows = from.bits() > type.bits();
    if (from.isFloat8() && type.isFloat8())
      // Between two 8-bit formats the way goes through one that holds both.
      return cast(cast(value, {ScalarKind::FP32}), type);
    if (from.isFloat8() || type.isFloat8() || (narrows && towardZero)) {
      tt::RoundingModeAttr rounding;
      if (narrows)
        rounding = tt::RoundingModeAttr::get(
            builder.getContext(), towardZero ? tt::RoundingMode::RTZ : tt::RoundingMode::RTNE);
      return result(tt::FpToFpOp::create(builder, loc(), target, value.ssa, rounding));
    }
    if (from.bits() == type.bits()) // fp16 and bf16
      return cast(cast(value, {ScalarKind::FP32}), type);
    if (narrows)
      return result(builder.createOrFold<arith::TruncFOp>(loc(), target, value.ssa));
    return result(builder.createOrFold<arith::ExtFOp>(loc(), target, value.ssa));
  }
  if (from.isFloat() && type.isInteger()) {
    llvm::APFloat number(0.0);
    if (mlir::matchPattern(value.ssa, mlir::m_ConstantFloat(&number)) &&
        !(std::abs(number.convertToDouble()) < 0x1p31))
      return constant(toInteger(Value::ofFloat(number.convertToDouble()), type), type,
                      value.isBlock() ? std::optional(value.shape()) : std::nullopt,
                      value.encoding());
    Value wide = from.bits() < 32 ? cast(value, {ScalarKind::FP32}) : value;
    if (type.isUnsigned())
      return result(builder.createOrFold<arith::FPToUIOp>(loc(), target, wide.ssa));
    return result(builder.createOrFold<arith::FPToSIOp>(loc(), target, wide.ssa));
  }
  if (from.isInteger() && type.isFloat()) {
    if (type.isFloat8())
      return cast(cast(value, {ScalarKind::FP32}), type);
    if (from.isUnsigned() || from.isBool())
      return result(builder.createOrFold<arith::UIToFPOp>(loc(), target, value.ssa));
    return result(builder.createOrFold<arith::SIToFPOp>(loc(), target, value.ssa));
  }
  if (from.isInteger() && type.isInteger()) {
    if (from.bits() == type.bits())
      return result(value.ssa);
    if (from.bits() > type.bits())
      return result(builder.createOrFold<arith::TruncIOp>(loc(), target, value.ssa));
    if (from.isUnsigned() || from.isBool())
      return result(builder.createOrFold<arith::ExtUIOp>(loc(), target, value.ssa));
    return result(builder.createOrFold<arith::ExtSIOp>(loc(), target, value.ssa));
  }
  if (from.isPointer() && type.isInteger()) {
    DType wide{ScalarKind::Int64};
    Value address =
        Value::tensor(tt::PtrToIntOp::create(builder, loc(), like(value, wide), value.ssa), wide);
    return cast(address, type);
  }
  if (from.isInteger() && type.isPointer()) {
    Value wide = cast(value, {ScalarKind::Int64});
    return result(tt::IntToPtrOp::create(builder, loc(), target, wide.ssa));
  }
  if (from.isPointer() && type.isPointer())
    return result(tt::BitcastOp::create(builder, loc(), target, value.ssa));
  return fail(value.describe() + " cannot be converted to " + type.str());
}

Value TritonBuilder::bitcast(const Value &value, DType type) {
  Value operand = toTensor(value);
  if (!operand || operand.type == type)
    return operand;
  if (operand.type.isPointer() != type.isPointer())
    return cast(operand, type);
  if (operand.type.bits() != type.bits())
    return fail("a bitcast from " + operand.type.str() + " to " + type.str() +
                    " would change the number of bits",
                "leave `bitcast` out to convert the value");
  if (operand.type.isInteger() && type.isInteger())
    return Value::tensor(operand.ssa, type);
  return Value::tensor(tt::BitcastOp::create(builder, loc(), like(operand, type), operand.ssa),
                       type);
}

Value TritonBuilder::toBool(const Value &value) {
  if (!value || (value.isTensor() && value.type.isBool()))
    return value;
  if (value.isNumber())
    return constant(Value::boolean(truth(value)), {ScalarKind::Int1});
  if (!value.isTensor())
    return fail(value.describe() + " is neither true nor false");
  if (value.type.isPointer())
    return toBool(cast(value, {ScalarKind::Int64}));
  return compare(CompareOperator::NotEq, value,
                 value.type.isFloat() ? Value::ofFloat(0) : Value::ofInteger(0));
}

//===--------------------------------------------------------------------------===//
// Shapes
//===--------------------------------------------------------------------------===//

Value TritonBuilder::onlyElement(const Value &value) {
  if (!value.isBlock())
    return value;
  if (llvm::any_of(value.shape(), [](int64_t size) { return size != 1; }))
    return fail(value.describe() + " has more than one element",
                "reduce it, as in tl.sum or tl.max");
  return Value::tensor(tt::UnsplatOp::create(builder, loc(), value.ssa), value.type);
}

Value TritonBuilder::expandDims(const Value &value, unsigned axis) {
  llvm::SmallVector<int64_t> shape(value.shape());
  shape.insert(shape.begin() + axis, 1);
  std::optional<mlir::Attribute> encoding = expandedLayout(value, axis);
  if (!encoding)
    return {};
  auto type = tensorType(shape, value.type, *encoding);
  if (!value.isBlock())
    return Value::tensor(builder.createOrFold<tt::SplatOp>(loc(), type, value.ssa), value.type);
  return Value::tensor(
      builder.createOrFold<tt::ExpandDimsOp>(loc(), type, value.ssa, static_cast<uint32_t>(axis)),
      value.type);
}

Value TritonBuilder::broadcastTo(const Value &value, llvm::ArrayRef<int64_t> shape,
                                 llvm::StringRef what, mlir::Attribute encoding) {
  Value operand = toTensor(value);
  if (operand && operand.isBlock() && encoding)
    operand = inLayout(operand, encoding, what);
  if (!operand)
    return {};
  llvm::ArrayRef<int64_t> from = operand.shape();
  if (from == shape)
    return operand;
  auto type = tensorType(shape, operand.type, operand.isBlock() ? operand.encoding() : encoding);
  if (!operand.isBlock())
    return Value::tensor(builder.createOrFold<tt::SplatOp>(loc(), type, operand.ssa), operand.type);
  auto mismatch = [&](const llvm::Twine &why) {
    return fail(what + ": shape " + describeShape(from) + " does not fit shape " +
                    describeShape(shape) + why,
                "sizes must be equal, or 1 where they are repeated; [:, None] adds a dimension");
  };
  if (from.size() > shape.size())
    return mismatch(": it has more dimensions");
  if (isGluon && from.size() < shape.size())
    return mismatch(": it has fewer dimensions, and its layout does not say where they belong");
  while (operand.shape().size() < shape.size())
    operand = expandDims(operand, 0);
  llvm::ArrayRef<int64_t> sizes = operand.shape();
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != shape[i] && sizes[i] != 1)
      return mismatch(" in dimension " + llvm::Twine(i) + ": " + llvm::Twine(sizes[i]) + " and " +
                      llvm::Twine(shape[i]));
  if (sizes == shape)
    return operand;
  return Value::tensor(builder.createOrFold<tt::BroadcastOp>(loc(), type, operand.ssa),
                       operand.type);
}

bool TritonBuilder::broadcast(Value &left, Value &right, llvm::StringRef what) {
  if (!left.isBlock() && !right.isBlock())
    return true;
  llvm::SmallVector<int64_t> a(left.shape()), b(right.shape());
  if (isGluon && left.isBlock() && right.isBlock()) {
    if (a.size() != b.size())
      return reject(what + ": the shapes " + describeShape(a) + " and " + describeShape(b) +
                        " have different numbers of dimensions",
                    "[:, None] adds a dimension to a tensor in a SliceLayout");
    if (!matchLayouts(left, right, what))
      return false;
  }
  if (a == b)
    return true;
  if (left.isBlock() && right.isBlock()) {
    while (a.size() < b.size())
      a.insert(a.begin(), 1);
    while (b.size() < a.size())
      b.insert(b.begin(), 1);
    for (size_t i = 0; i < a.size(); ++i) {
      if (a[i] != b[i] && a[i] != 1 && b[i] != 1)
        return reject(what + ": the shapes " + describeShape(left.shape()) + " and " +
                          describeShape(right.shape()) + " do not fit in dimension " +
                          llvm::Twine(i) + ": " + llvm::Twine(a[i]) + " and " + llvm::Twine(b[i]),
                      "sizes must be equal, or 1 where they are repeated; [:, None] adds a "
                      "dimension");
      a[i] = std::max(a[i], b[i]);
    }
    if (std::accumulate(a.begin(), a.end(), int64_t(1), std::multiplies<>()) >
        tt::maxTensorElements)
      return reject(what + ": the result's shape " + describeShape(a) + " has more than " +
                        llvm::Twine(tt::maxTensorElements) + " elements",
                    "make the tile smaller");
  } else if (a.empty()) {
    a = b;
  }
  const mlir::Attribute encoding = left.isBlock() ? left.encoding() : right.encoding();
  left = broadcastTo(left, a, what, encoding);
  right = left ? broadcastTo(right, a, what, encoding) : Value();
  return left && right;
}

Value TritonBuilder::reshape(const Value &value, llvm::ArrayRef<int64_t> shape, bool mayReorder) {
  if (value.shape() == shape)
    return value;
  std::optional<mlir::Attribute> encoding = reshapedLayout(value, shape);
  if (!encoding)
    return {};
  auto type = tensorType(shape, value.type, *encoding);
  if (!value.isBlock())
    return Value::tensor(builder.createOrFold<tt::SplatOp>(loc(), type, value.ssa), value.type);
  auto op = tt::ReshapeOp::create(builder, loc(), type, value.ssa);
  op.setAllowReorder(mayReorder && !isGluon);
  return Value::tensor(op.getResult(), value.type);
}

Value TritonBuilder::transpose(const Value &value, llvm::ArrayRef<int32_t> order) {
  llvm::SmallVector<int64_t> shape;
  bool identity = true;
  for (size_t i = 0; i < order.size(); ++i) {
    shape.push_back(value.shape()[order[i]]);
    identity &= order[i] == static_cast<int32_t>(i);
  }
  if (identity)
    return value;
  std::optional<mlir::Attribute> encoding = transposedLayout(value, order);
  if (!encoding)
    return {};
  auto type = tensorType(shape, value.type, *encoding);
  return Value::tensor(builder.createOrFold<tt::TransOp>(loc(), type, value.ssa, order),
                       value.type);
}
