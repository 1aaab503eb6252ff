//===- MathOps.cpp - Functions of floating-point numbers ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Exponentials and logarithms go through base 2, which is what hardware has. Floats
// narrower than f32 are computed in f32; f64 has only what LLVM expands exactly.
//
//===--------------------------------------------------------------------------===//

#include "ir/tt/Dialect.h"
#include "lower/common/ScalarOps.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <numbers>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

using Results = SmallVectorImpl<Value>;

namespace {

/// The function of f32 `compute`, on an operand of up to 32 bits. Null for wider ones.
Value inSinglePrecision(Emitter &e, Value x, llvm::function_ref<Value(Value)> compute) {
  Type type = x.getType(), f32 = e.builder.getF32Type();
  if (type == f32)
    return compute(x);
  if (type.getIntOrFloatBitWidth() > 32)
    return {};
  Value result = compute(e.create<LLVM::FPExtOp>(f32, x));
  return result ? Value(e.create<LLVM::FPTruncOp>(type, result)) : Value();
}

Value scale(Emitter &e, Value x, double factor) {
  return e.create<LLVM::FMulOp>(x.getType(), x, e.getFloat(x.getType(), factor));
}

template <MathFunction function> void lowerFast(Emitter &e, const ScalarOp &op, Results &results) {
  results.push_back(inSinglePrecision(
      e, op[0], [&](Value x) { return e.target.emitMath(e.builder, e.loc, function, x); }));
}

/// e^x = 2^(x log2 e).
void lowerExp(Emitter &e, const ScalarOp &op, Results &results) {
  results.push_back(inSinglePrecision(e, op[0], [&](Value x) {
    return e.target.emitMath(e.builder, e.loc, MathFunction::Exp2,
                             scale(e, x, std::numbers::log2e));
  }));
}

/// ln x = log2 x * ln 2.
void lowerLog(Emitter &e, const ScalarOp &op, Results &results) {
  results.push_back(inSinglePrecision(e, op[0], [&](Value x) {
    Value log2 = e.target.emitMath(e.builder, e.loc, MathFunction::Log2, x);
    return log2 ? scale(e, log2, std::numbers::ln2) : Value();
  }));
}

/// Sine and cosine are exact enough near 0 only, so whole turns are taken off first: 2 pi is split
/// into two floats, whose products with the number of turns are subtracted without rounding
/// in between.
template <MathFunction function>
void lowerCircular(Emitter &e, const ScalarOp &op, Results &results) {
  constexpr double turn = 2 * std::numbers::pi;
  constexpr double high = static_cast<float>(turn), low = turn - high;
  results.push_back(inSinglePrecision(e, op[0], [&](Value x) {
    Type type = x.getType();
    Value turns = e.create<LLVM::RoundEvenOp>(type, scale(e, x, 1 / turn));
    Value angle = e.create<LLVM::FMAOp>(type, turns, e.getFloat(type, -high), x);
    angle = e.create<LLVM::FMAOp>(type, turns, e.getFloat(type, -low), angle);
    return e.target.emitMath(e.builder, e.loc, function, angle);
  }));
}

/// tanh |x| = (1 - t) / (1 + t) with t = e^(-2 |x|). Near 0, where 1 - t cancels, by its series
/// x - x^3/3 + 2 x^5/15 - 17 x^7/315.
void lowerTanh(Emitter &e, const ScalarOp &op, Results &results) {
  results.push_back(inSinglePrecision(e, op[0], [&](Value x) -> Value {
    Type type = x.getType();
    auto number = [&](double value) { return e.getFloat(type, value); };
    Value size = e.create<LLVM::FAbsOp>(type, x);
    Value t = e.target.emitMath(e.builder, e.loc, MathFunction::Exp2,
                                scale(e, size, -2 * std::numbers::log2e));
    if (!t)
      return {};
    Value difference = e.create<LLVM::FSubOp>(type, number(1), t);
    Value sum = e.create<LLVM::FAddOp>(type, number(1), t);
    Value quotient = e.target.emitMath(e.builder, e.loc, MathFunction::Divide, {difference, sum});
    if (!quotient)
      return {};
    Value far = e.create<LLVM::CopySignOp>(type, quotient, x);
    Value square = e.create<LLVM::FMulOp>(type, x, x);
    Value series = number(-17.0 / 315);
    for (double coefficient : {2.0 / 15, -1.0 / 3, 1.0})
      series = e.create<LLVM::FMAOp>(type, series, square, number(coefficient));
    Value near = e.create<LLVM::FMulOp>(type, series, x);
    Value isNear = e.create<LLVM::FCmpOp>(LLVM::FCmpPredicate::olt, size, number(0.25));
    return e.create<LLVM::SelectOp>(isNear, near, far);
  }));
}

/// f64 has an exact square root and no other.
void lowerSqrt(Emitter &e, const ScalarOp &op, Results &results) {
  if (op.type().isF64())
    results.push_back(e.create<LLVM::SqrtOp>(op.type(), op[0]));
  else
    lowerFast<MathFunction::Sqrt>(e, op, results);
}

void lowerPreciseSqrt(Emitter &e, const ScalarOp &op, Results &results) {
  if (op.type().isF64())
    results.push_back(e.create<LLVM::SqrtOp>(op.type(), op[0]));
  else
    results.push_back(inSinglePrecision(
        e, op[0], [&](Value x) { return e.create<LLVM::SqrtOp>(x.getType(), x); }));
}

/// An intrinsic of one or more operands that every back end expands.
template <typename Target> void lowerIntrinsic(Emitter &e, const ScalarOp &op, Results &results) {
  results.push_back(e.create<Target>(op.type(), op.operands, ArrayRef<NamedAttribute>()));
}

void lowerAbsInt(Emitter &e, const ScalarOp &op, Results &results) {
  results.push_back(e.create<LLVM::AbsOp>(op.type(), op[0], /*is_int_min_poison=*/false));
}

} // namespace

void ScalarOps::addMath(MLIRContext *context) {
  auto add = [&](StringRef name, Lowering lowering) {
    table[OperationName(name, context)] = lowering;
  };
  add(math::ExpOp::getOperationName(), lowerExp);
  add(math::Exp2Op::getOperationName(), lowerFast<MathFunction::Exp2>);
  add(math::LogOp::getOperationName(), lowerLog);
  add(math::Log2Op::getOperationName(), lowerFast<MathFunction::Log2>);
  add(math::SqrtOp::getOperationName(), lowerSqrt);
  add(math::RsqrtOp::getOperationName(), lowerFast<MathFunction::Rsqrt>);
  add(math::SinOp::getOperationName(), lowerCircular<MathFunction::Sin>);
  add(math::CosOp::getOperationName(), lowerCircular<MathFunction::Cos>);
  add(math::TanhOp::getOperationName(), lowerTanh);
  add(tt::PreciseSqrtOp::getOperationName(), lowerPreciseSqrt);
  add(math::AbsFOp::getOperationName(), lowerIntrinsic<LLVM::FAbsOp>);
  add(math::AbsIOp::getOperationName(), lowerAbsInt);
  add(math::FloorOp::getOperationName(), lowerIntrinsic<LLVM::FFloorOp>);
  add(math::CeilOp::getOperationName(), lowerIntrinsic<LLVM::FCeilOp>);
  add(math::TruncOp::getOperationName(), lowerIntrinsic<LLVM::FTruncOp>);
  add(math::RoundEvenOp::getOperationName(), lowerIntrinsic<LLVM::RoundEvenOp>);
  add(math::FmaOp::getOperationName(), lowerIntrinsic<LLVM::FMAOp>);
  add(math::CopySignOp::getOperationName(), lowerIntrinsic<LLVM::CopySignOp>);
}
