//===- ElementArithmetic.cpp - Arithmetic on a matrix's elements --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/coopmatrix/ElementArithmetic.h"

#include "lower/elementwise/FloatCasts.h"

#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using tw::CombineKind;

Value lower::castElement(LoweringBuilder &e, Value value, Type from, Type to, bool isUnsigned) {
  if (from == to)
    return value;
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  if (fromFloat && toFloat)
    return castFloat(e, value, fromFloat, toFloat, /*towardZero=*/false);
  if (toFloat)
    return castInteger(e, value, !isUnsigned, toFloat);
  if (fromFloat) {
    FloatType f32 = e.builder.getF32Type();
    if (fromFloat.getWidth() < 32)
      value = castFloat(e, value, fromFloat, f32, /*towardZero=*/false);
    return isUnsigned ? Value(e.create<LLVM::FPToUIOp>(to, value))
                      : Value(e.create<LLVM::FPToSIOp>(to, value));
  }
  if (from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
    return e.create<LLVM::TruncOp>(to, value);
  return isUnsigned ? Value(e.create<LLVM::ZExtOp>(to, value))
                    : Value(e.create<LLVM::SExtOp>(to, value));
}

ElementArithmetic::ElementArithmetic(LoweringBuilder &e, Type elementType)
    : e(e), elementType(elementType), type(elementType) {
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32)
    type = e.builder.getF32Type();
}

Value ElementArithmetic::widen(Value value, Type from, bool isUnsigned) {
  return castElement(e, value, from, type, isUnsigned);
}

Value ElementArithmetic::narrow(Value value) {
  return castElement(e, value, type, elementType, /*isUnsigned=*/false);
}

Value ElementArithmetic::multiply(Value a, Value b) {
  return isa<FloatType>(type) ? Value(e.create<LLVM::FMulOp>(a, b))
                              : Value(e.create<LLVM::MulOp>(a, b));
}

Value ElementArithmetic::multiplyAdd(Value a, Value b, Value c) {
  if (isa<FloatType>(type))
    return e.create<LLVM::FMulAddOp>(a, b, c);
  return e.create<LLVM::AddOp>(e.create<LLVM::MulOp>(a, b), c);
}

Value ElementArithmetic::combine(CombineKind kind, Value a, Value b) {
  const bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case CombineKind::Add:
    return isFloat ? Value(e.create<LLVM::FAddOp>(a, b)) : Value(e.create<LLVM::AddOp>(a, b));
  case CombineKind::Min:
    return isFloat ? Value(e.create<LLVM::MinNumOp>(a, b)) : Value(e.create<LLVM::SMinOp>(a, b));
  case CombineKind::Max:
    return isFloat ? Value(e.create<LLVM::MaxNumOp>(a, b)) : Value(e.create<LLVM::SMaxOp>(a, b));
  case CombineKind::UMin:
    return e.create<LLVM::UMinOp>(a, b);
  case CombineKind::UMax:
    return e.create<LLVM::UMaxOp>(a, b);
  }
  llvm_unreachable("no such kind");
}

Value ElementArithmetic::getIdentity(CombineKind kind) {
  // Of a number and a NaN, the number is the smaller and the larger one.
  if (isa<FloatType>(type))
    return kind == CombineKind::Add ? e.getFloat(type, -0.0)
                                    : e.getFloat(type, std::numeric_limits<double>::quiet_NaN());
  const unsigned bits = type.getIntOrFloatBitWidth();
  auto constant = [&](llvm::APInt value) {
    return e.getConstant(IntegerAttr::get(type, std::move(value)));
  };
  switch (kind) {
  case CombineKind::Add:
  case CombineKind::UMax:
    return e.getZero(type);
  case CombineKind::Min:
    return constant(llvm::APInt::getSignedMaxValue(bits));
  case CombineKind::Max:
    return constant(llvm::APInt::getSignedMinValue(bits));
  case CombineKind::UMin:
    return constant(llvm::APInt::getMaxValue(bits));
  }
  llvm_unreachable("no such kind");
}
