//===- ArithOps.cpp - Arithmetic and casts on one element ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"
#include "lower/core/builder/ScalarOps.h"
#include "lower/core/types/VectorValues.h"
#include "lower/elementwise/FloatCasts.h"
#include "lower/math/MathLibrary.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

using Results = SmallVectorImpl<Value>;

ScalarOps::ScalarOps(MLIRContext *context) {
  addArith(context);
  addMath(context);
  addCasts(context);
}

bool ScalarOps::takesVectors(Operation *op) const {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp, arith::ShRSIOp,
             arith::ShRUIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::MaxSIOp,
             arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, arith::AddFOp, arith::SubFOp,
             arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::MaxNumFOp, arith::MinNumFOp,
             arith::CmpIOp, arith::CmpFOp, arith::SelectOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp,
             arith::ExtFOp, arith::TruncFOp, arith::BitcastOp, math::AbsFOp, math::FmaOp>(op) ||
         // Of f64 these are formulas with branches.
         (isa<math::ExpOp, math::Exp2Op>(op) &&
          !tt::getElementTypeOrSelf(op->getResult(0).getType()).isF64());
}

/// Whether an op moves bits, or converts them and sees to their form itself.
static bool takesAnyForm(Operation *op) {
  return isa<arith::SelectOp, arith::BitcastOp, tt::BitcastOp, arith::ExtFOp, arith::TruncFOp,
             tt::FpToFpOp, arith::SIToFPOp, arith::UIToFPOp>(op);
}

void ScalarOps::emit(LoweringBuilder &e, const ScalarOp &op, Results &results) const {
  Lowering lowering = find(op.op->getName());
  if (!e.target.storesBf16AsI16() || takesAnyForm(op.op))
    return lowering(e, op, results);
  auto isBfloat16 = [](Value value) { return tt::getElementTypeOrSelf(value.getType()).isBF16(); };
  FloatType bf16 = e.builder.getBF16Type(), f32 = e.builder.getF32Type();
  SmallVector<Value, 3> operands(op.operands);
  SmallVector<Type, 2> types(op.types);
  for (auto [operand, original] : llvm::zip_equal(operands, op.op->getOperands()))
    if (isBfloat16(original))
      operand = castFloat(e, operand, bf16, f32, /*towardZero=*/false);
  for (auto [type, original] : llvm::zip_equal(types, op.op->getResults()))
    if (isBfloat16(original))
      type = withElement(type, f32);
  lowering(e, {op.op, operands, types}, results);
  for (auto [result, original] : llvm::zip_equal(results, op.op->getResults()))
    if (result && isBfloat16(original))
      result = castFloat(e, result, f32, bf16, /*towardZero=*/false);
}

namespace {

template <typename Source> OperationName nameOf(MLIRContext *context) {
  return OperationName(Source::getOperationName(), context);
}

/// One operand or two, and no attributes that matter.
template <typename Target>
void lowerPlain(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  results.push_back(e.create<Target>(op.type(), op.operands, ArrayRef<NamedAttribute>()));
}

template <typename Source, typename Target>
void lowerOverflowing(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  auto flags = arith::convertArithOverflowFlagsToLLVM(cast<Source>(op.op).getOverflowFlags());
  results.push_back(e.create<Target>(op.type(), op[0], op[1], flags));
}

/// Sums and products may be fused: one rounding less is never less exact.
template <typename Source, typename Target>
void lowerContractable(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  auto flags = arith::convertArithFastMathFlagsToLLVM(cast<Source>(op.op).getFastmath()) |
               LLVM::FastmathFlags::contract;
  results.push_back(e.create<Target>(op.type(), op[0], op[1], flags));
}

template <typename Source, typename Target>
void lowerFloatBinary(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  auto flags = arith::convertArithFastMathFlagsToLLVM(cast<Source>(op.op).getFastmath());
  results.push_back(e.create<Target>(op.type(), op[0], op[1], flags));
}

/// A quotient of integers rounded up or down, from the one rounded toward zero: it is one off where
/// there is a remainder and the quotient's sign, that of remainder * divisor, is the one that
/// matters.
template <bool isUp, bool isSigned>
void lowerRoundedDivide(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  Type type = op.type();
  Value zero = e.getZero(type), one = e.getInt(type, 1);
  Value quotient, remainder;
  if constexpr (isSigned) {
    quotient = e.create<LLVM::SDivOp>(type, op[0], op[1]);
    remainder = e.create<LLVM::SRemOp>(type, op[0], op[1]);
  } else {
    quotient = e.create<LLVM::UDivOp>(type, op[0], op[1]);
    remainder = e.create<LLVM::URemOp>(type, op[0], op[1]);
  }
  Value isOff = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::ne, remainder, zero);
  if constexpr (isSigned) {
    Value signs = e.create<LLVM::XOrOp>(type, remainder, op[1]);
    auto wanted = isUp ? LLVM::ICmpPredicate::sge : LLVM::ICmpPredicate::slt;
    Value matters = e.create<LLVM::ICmpOp>(wanted, signs, zero);
    isOff = e.create<LLVM::AndOp>(isOff, matters);
  }
  Value moved = isUp ? Value(e.create<LLVM::AddOp>(type, quotient, one))
                     : Value(e.create<LLVM::SubOp>(type, quotient, one));
  results.push_back(e.create<LLVM::SelectOp>(type, isOff, moved, quotient));
}

void lowerDivide(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  Type type = op.type(), single = withElement(type, e.builder.getF32Type());
  if (getElementTypeOrSelf(type).isF64()) {
    results.push_back(e.create<LLVM::FDivOp>(type, op[0], op[1]));
    return;
  }
  SmallVector<Value, 2> operands(op.operands);
  if (type != single)
    for (Value &operand : operands)
      operand = e.create<LLVM::FPExtOp>(single, operand);
  Value quotient = e.target.emitMath(e.builder, e.loc, MathFunction::Divide, operands);
  if (quotient && type != single)
    quotient = e.create<LLVM::FPTruncOp>(type, quotient);
  results.push_back(quotient);
}

void lowerPreciseDivide(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  results.push_back(e.create<LLVM::FDivOp>(op.type(), op[0], op[1]));
}

/// C's fmod, without rounding.
void lowerRemainder(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  Type type = op.type(), f32 = e.builder.getF32Type();
  SmallVector<Value, 2> operands(op.operands);
  bool isNarrow = type.getIntOrFloatBitWidth() < 32;
  if (isNarrow)
    for (Value &operand : operands)
      operand = e.create<LLVM::FPExtOp>(f32, operand);
  Value rest = emitFunction(e, "fmod", operands);
  results.push_back(isNarrow ? Value(e.create<LLVM::FPTruncOp>(type, rest)) : rest);
}

void lowerCompareInt(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  // The two enumerations agree.
  auto predicate = static_cast<LLVM::ICmpPredicate>(cast<arith::CmpIOp>(op.op).getPredicate());
  results.push_back(e.create<LLVM::ICmpOp>(op.type(), predicate, op[0], op[1]));
}

void lowerCompareFloat(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  auto predicate = static_cast<LLVM::FCmpPredicate>(cast<arith::CmpFOp>(op.op).getPredicate());
  results.push_back(e.create<LLVM::FCmpOp>(op.type(), predicate, op[0], op[1]));
}

void lowerSelect(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  results.push_back(e.create<LLVM::SelectOp>(op.type(), op[0], op[1], op[2]));
}

/// The product as its low and its high half.
std::pair<Value, Value> multiplyExtended(LoweringBuilder &e, Value x, Value y, bool isSigned) {
  Type type = x.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  if (width >= 32 && e.target.getTarget().execution.hasMultiplyHigh) {
    Value high = e.target.emitMultiplyHigh(e.builder, e.loc, x, y, isSigned);
    return {e.create<LLVM::MulOp>(x, y), high};
  }
  Type wide = e.builder.getIntegerType(2 * width);
  auto extend = [&](Value value) -> Value {
    if (isSigned)
      return e.create<LLVM::SExtOp>(wide, value);
    return e.create<LLVM::ZExtOp>(wide, value);
  };
  Value product = e.create<LLVM::MulOp>(wide, extend(x), extend(y));
  Value high = e.create<LLVM::LShrOp>(wide, product, e.getInt(wide, width));
  return {e.create<LLVM::TruncOp>(type, product), e.create<LLVM::TruncOp>(type, high)};
}

template <bool isSigned>
void lowerMultiplyExtended(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  auto [low, high] = multiplyExtended(e, op[0], op[1], isSigned);
  results.append({low, high});
}

void lowerMultiplyHigh(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  results.push_back(multiplyExtended(e, op[0], op[1], /*isSigned=*/false).second);
}

void lowerClamp(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  Type type = op.type();
  if (cast<tt::ClampFOp>(op.op).getPropagateNan() == tt::PropagateNan::ALL) {
    Value atLeast = e.create<LLVM::MaximumOp>(type, op[0], op[1]);
    results.push_back(e.create<LLVM::MinimumOp>(type, atLeast, op[2]));
  } else {
    Value atLeast = e.create<LLVM::MaxNumOp>(type, op[0], op[1]);
    results.push_back(e.create<LLVM::MinNumOp>(type, atLeast, op[2]));
  }
}

//===--------------------------------------------------------------------------===//
// Casts
//===--------------------------------------------------------------------------===//

void lowerBitcast(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  results.push_back(
      op[0].getType() == op.type() ? op[0] : Value(e.create<LLVM::BitcastOp>(op.type(), op[0])));
}

void lowerTritonBitcast(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  bool fromPointer = isa<LLVM::LLVMPointerType>(op[0].getType());
  bool toPointer = isa<LLVM::LLVMPointerType>(op.type());
  if (fromPointer && !toPointer)
    results.push_back(e.create<LLVM::PtrToIntOp>(op.type(), op[0]));
  else if (toPointer && !fromPointer)
    results.push_back(e.create<LLVM::IntToPtrOp>(op.type(), op[0]));
  else
    lowerBitcast(e, op, results);
}

void lowerFloatCast(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  auto from = cast<FloatType>(tt::getElementTypeOrSelf(op.op->getOperand(0).getType()));
  auto to = cast<FloatType>(tt::getElementTypeOrSelf(op.op->getResult(0).getType()));
  bool towardZero = false;
  if (auto cast = dyn_cast<tt::FpToFpOp>(op.op))
    towardZero = cast.getRounding() == tt::RoundingMode::RTZ;
  results.push_back(castFloat(e, op[0], from, to, towardZero));
}

template <bool isSigned>
void lowerIntegerToFloat(LoweringBuilder &e, const ScalarOp &op, Results &results) {
  auto to = cast<FloatType>(tt::getElementTypeOrSelf(op.op->getResult(0).getType()));
  results.push_back(castInteger(e, op[0], isSigned, to));
}

} // namespace

void ScalarOps::addArith(MLIRContext *context) {
  auto add = [&](OperationName name, Lowering lowering) { table[name] = lowering; };

  add(nameOf<arith::AddIOp>(context), lowerOverflowing<arith::AddIOp, LLVM::AddOp>);
  add(nameOf<arith::SubIOp>(context), lowerOverflowing<arith::SubIOp, LLVM::SubOp>);
  add(nameOf<arith::MulIOp>(context), lowerOverflowing<arith::MulIOp, LLVM::MulOp>);
  add(nameOf<arith::ShLIOp>(context), lowerOverflowing<arith::ShLIOp, LLVM::ShlOp>);
  add(nameOf<arith::DivSIOp>(context), lowerPlain<LLVM::SDivOp>);
  add(nameOf<arith::DivUIOp>(context), lowerPlain<LLVM::UDivOp>);
  add(nameOf<arith::CeilDivSIOp>(context), lowerRoundedDivide</*isUp=*/true, /*isSigned=*/true>);
  add(nameOf<arith::CeilDivUIOp>(context), lowerRoundedDivide</*isUp=*/true, /*isSigned=*/false>);
  add(nameOf<arith::FloorDivSIOp>(context), lowerRoundedDivide</*isUp=*/false, /*isSigned=*/true>);
  add(nameOf<arith::RemSIOp>(context), lowerPlain<LLVM::SRemOp>);
  add(nameOf<arith::RemUIOp>(context), lowerPlain<LLVM::URemOp>);
  add(nameOf<arith::ShRSIOp>(context), lowerPlain<LLVM::AShrOp>);
  add(nameOf<arith::ShRUIOp>(context), lowerPlain<LLVM::LShrOp>);
  add(nameOf<arith::AndIOp>(context), lowerPlain<LLVM::AndOp>);
  add(nameOf<arith::OrIOp>(context), lowerPlain<LLVM::OrOp>);
  add(nameOf<arith::XOrIOp>(context), lowerPlain<LLVM::XOrOp>);
  add(nameOf<arith::MaxSIOp>(context), lowerPlain<LLVM::SMaxOp>);
  add(nameOf<arith::MinSIOp>(context), lowerPlain<LLVM::SMinOp>);
  add(nameOf<arith::MaxUIOp>(context), lowerPlain<LLVM::UMaxOp>);
  add(nameOf<arith::MinUIOp>(context), lowerPlain<LLVM::UMinOp>);
  add(nameOf<arith::MulSIExtendedOp>(context), lowerMultiplyExtended</*isSigned=*/true>);
  add(nameOf<arith::MulUIExtendedOp>(context), lowerMultiplyExtended</*isSigned=*/false>);
  add(nameOf<tt::MulhiUIOp>(context), lowerMultiplyHigh);

  add(nameOf<arith::AddFOp>(context), lowerContractable<arith::AddFOp, LLVM::FAddOp>);
  add(nameOf<arith::SubFOp>(context), lowerContractable<arith::SubFOp, LLVM::FSubOp>);
  add(nameOf<arith::MulFOp>(context), lowerContractable<arith::MulFOp, LLVM::FMulOp>);
  add(nameOf<arith::DivFOp>(context), lowerDivide);
  add(nameOf<tt::PreciseDivFOp>(context), lowerPreciseDivide);
  add(nameOf<arith::RemFOp>(context), lowerRemainder);
  add(nameOf<arith::NegFOp>(context), lowerPlain<LLVM::FNegOp>);
  add(nameOf<arith::MaxNumFOp>(context), lowerFloatBinary<arith::MaxNumFOp, LLVM::MaxNumOp>);
  add(nameOf<arith::MinNumFOp>(context), lowerFloatBinary<arith::MinNumFOp, LLVM::MinNumOp>);
  add(nameOf<arith::MaximumFOp>(context), lowerFloatBinary<arith::MaximumFOp, LLVM::MaximumOp>);
  add(nameOf<arith::MinimumFOp>(context), lowerFloatBinary<arith::MinimumFOp, LLVM::MinimumOp>);
  add(nameOf<tt::ClampFOp>(context), lowerClamp);

  add(nameOf<arith::CmpIOp>(context), lowerCompareInt);
  add(nameOf<arith::CmpFOp>(context), lowerCompareFloat);
  add(nameOf<arith::SelectOp>(context), lowerSelect);
}

void ScalarOps::addCasts(MLIRContext *context) {
  auto add = [&](OperationName name, Lowering lowering) { table[name] = lowering; };
  add(nameOf<arith::ExtSIOp>(context), lowerPlain<LLVM::SExtOp>);
  add(nameOf<arith::ExtUIOp>(context), lowerPlain<LLVM::ZExtOp>);
  add(nameOf<arith::TruncIOp>(context), lowerPlain<LLVM::TruncOp>);
  add(nameOf<arith::SIToFPOp>(context), lowerIntegerToFloat</*isSigned=*/true>);
  add(nameOf<arith::UIToFPOp>(context), lowerIntegerToFloat</*isSigned=*/false>);
  add(nameOf<arith::FPToSIOp>(context), lowerPlain<LLVM::FPToSIOp>);
  add(nameOf<arith::FPToUIOp>(context), lowerPlain<LLVM::FPToUIOp>);
  add(nameOf<arith::ExtFOp>(context), lowerFloatCast);
  add(nameOf<arith::TruncFOp>(context), lowerFloatCast);
  add(nameOf<tt::FpToFpOp>(context), lowerFloatCast);
  add(nameOf<arith::BitcastOp>(context), lowerBitcast);
  add(nameOf<tt::BitcastOp>(context), lowerTritonBitcast);
  add(nameOf<tt::IntToPtrOp>(context), lowerPlain<LLVM::IntToPtrOp>);
  add(nameOf<tt::PtrToIntOp>(context), lowerPlain<LLVM::PtrToIntOp>);
}
